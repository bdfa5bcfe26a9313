"""What the paper prints: Lee and Wang, Weight Learning in a Probabilistic Extension of Answer Set
Programs, KR 2018, with its appendix."""

WEIGHTS = {
    "virus": [0.612, 0.574],
    "network": [-1.634, 1.148, 0.846, -1.74, 0.184, -1.0, 0.204, 0.12, 0.008, -1.2],
    "robot": [-1.084, -1.064, -0.068],
}

# Seconds by number of edges: its prototype lpmln-learn, ProbLog, ProbLog on the modified program.
EDGES = {
    10: ("351.2", "2.565", "0.846"),
    14: ("476.7", "2.854", "0.833"),
    15: ("740.7", "> 1200", "0.957"),
    20: ("484.3", "> 1200", "76.14"),
    40: ("304.4", "> 1200", "26.64"),
}

CONVERGENCE = "1500 to 2000 seconds"

# P(carries_virus), by Alchemy (Markov Logic) and by lpmln-learn, and what was observed.
VIRUS = {"B": (0.823968, 0.622690, "yes"), "C": (0.813969, 0.622690, "yes"), "D": (0.818968, 0.622690, "no"),
         "E": (0.688981, 0, "no"), "F": (0.680982, 0, "no"), "G": (0.680982, 0, "no")}

# P(abnormality), from its weights.
ABNORMAL = {"enter_failed": 0.253, "drop_book": 0.257, "pickup_failed": 0.483}
