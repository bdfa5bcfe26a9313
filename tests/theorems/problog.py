"""Theorem 5: a 1-coherent program learned as LPMLN and, written in Python, as ProbLog."""

import math

import coherent


def program(case):
    lines = [f"i{name}({k})." for name, n in case.facts.items() for k in range(1, n + 1)]
    lines += [f"t(_)::{name}(X) :- i{name}(X)." for name in case.facts]
    lines += [f"{head} :- {', '.join(yes + [f'not({x})' for x in no])}." for head, yes, no in case.rules]
    return "\n".join(lines) + "\n"


def check(tool, label):
    case = coherent.Case(label, choices=0)
    models = [case.model() for _ in range(case.rng.randint(1, 5))]
    share = case.rng.choice((1.0, 0.6))
    seen = [[a for a in case.atoms() if case.rng.random() < share] or case.atoms()[:1] for _ in models]
    tool.write("p.lpmln", case.program(lambda name: f"@w({name})"))
    tool.write("p.obs", "---\n".join("".join(f"{'' if a in true else 'not '}{a}.\n" for a in atoms) for true, atoms in zip(models, seen)))
    tool.write("p.pl", program(case))
    tool.write("p.ev", "---\n".join("".join(f"evidence({a},{'true' if a in true else 'false'}).\n" for a in atoms)
                                    for true, atoms in zip(models, seen)))
    assert tool.ask("check", "p.lpmln")["coherent"] == 1
    ours, theirs = tool.ask("learn", "p.lpmln", "-e", "p.obs"), tool.ask("learn", "p.pl", "-e", "p.ev")
    best = [max(reply["log_likelihood"], reply["supremum"]) for reply in (ours, theirs)]
    assert abs(best[0] - best[1]) < 1e-4, f"likelihoods {best}"
    for said, other in zip(ours["weights"], theirs["weights"]):
        if all(w["identified"] and not w["diverges"] for w in (said, other)):
            p = other["probability"]
            assert abs(said["weight"] - math.log(p / (1 - p))) < 1e-3, f"{said['parameter']}: {said['weight']}, ln(p/(1-p)) of {p}"
