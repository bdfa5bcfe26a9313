"""Questions beside a probability, against brute force over enumerated stable models.

    python3 tests/questions/run.py --lpmln build/lpmln --count 500

The stable models and what they violate are the solver's (`models --method enumerate`).  Each
probability, its central difference by each weight, and each mutual information are computed here
from that list; nothing comes from a circuit.
"""

import collections
import math
import os
import random
import sys
import tempfile

import layers
from cases import ask, literal, main

ATOMS = "abcde"
STEP = 1e-4


def program(rng):
    """Soft facts, choices, soft and hard rules, constraints; each rule with a text of its own."""
    rules = []
    for atom in ATOMS[:rng.randint(1, 3)]:
        rules.append(rng.choice((f"{rng.uniform(-2, 2):.3f} {atom}.", f"{{{atom}}}.", f"@w({atom},{rng.uniform(-1, 1):.3f}) {atom}.")))
    for _ in range(rng.randint(2, 5)):
        body = ", ".join(literal(rng, ATOMS) for _ in range(rng.randint(1, 2)))
        head = rng.choice(ATOMS) if rng.random() < 0.8 else ""
        weight = rng.choice(("", f"{rng.uniform(-2, 2):.3f} ", "@w(shared,0.5) "))
        if not head and not weight:
            weight = "0.700 "
        rules.append(f"{weight}{head} :- {body}.")
    return list(dict.fromkeys(rules))


def parameter_of(rule):
    return rule[3:rule.index(")")].split(",")[0] if rule.startswith("@w(") else rule


def chance(models, event, shift=None, step=0.0):
    """P(event) with a weight moved by a step."""
    logs = [m["log_weight"] - (step * m["violations"][shift] if shift else 0) for m in models]
    most = max(logs)
    mass = [math.exp(x - most) for x in logs]
    return sum(x for x, m in zip(mass, models) if event(m["set"])) / sum(mass)


def information(models, query, atom):
    found = 0.0
    for a in (False, True):
        for q in (False, True):
            both = chance(models, lambda s: (atom in s) == a and (query in s) == q)
            apart = chance(models, lambda s: (atom in s) == a) * chance(models, lambda s: (query in s) == q)
            found += both * math.log(both / apart) if both > 0 else 0
    return found


def near(x, y, tolerance):
    return abs(x - y) <= tolerance


def check(lpmln, path, rng):
    code, listed = ask(lpmln, "models", path, "--method", "enumerate", "-n", "0")
    if code == 1:
        return None
    models = listed["models"]
    for m in models:
        m["set"] = set(m["atoms"])
        m["violations"] = collections.Counter(parameter_of(v["rule"]) for v in m["violated"])
    query = rng.choice(ATOMS)
    evidence = rng.choice([a for a in ATOMS if a != query])
    seen = [m for m in models if evidence in m["set"]]
    arguments = []
    if seen and rng.random() < 0.5:
        with open(path + ".obs", "w", encoding="utf-8") as file:
            file.write(f"{evidence}.")
        models, arguments = seen, ["-e", path + ".obs"]
    code, answer = ask(lpmln, "infer", path, "-q", query, "--sensitivity", "--next", *arguments)
    if code:
        return f"exit code {code}"
    if not near(answer["marginals"][0]["probability"], chance(models, lambda s: query in s), 1e-9):
        return "probability"
    told = {row["parameter"]: row["derivative"] for row in answer["sensitivity"]}
    for name in {v for m in models for v in m["violations"]} | set(told):
        slope = (chance(models, lambda s: query in s, name, STEP) - chance(models, lambda s: query in s, name, -STEP)) / (2 * STEP)
        if not near(told.get(name, 0.0), slope, 1e-7):
            return f"derivative by {name}: {told.get(name, 0.0)}, brute force {slope}"
    if [abs(row["derivative"]) for row in answer["sensitivity"]] != sorted((abs(x) for x in told.values()), reverse=True):
        return "order of derivatives"
    next_atoms = {row["atom"]: row["information"] for row in answer["next"]}
    for atom in ATOMS:
        held = chance(models, lambda s: atom in s)
        expected = 1e-12 < held < 1 - 1e-12 and atom != query
        if expected != (atom in next_atoms):
            return f"{atom} is {'not ' if expected else ''}listed"
        if expected and not near(next_atoms[atom], information(models, query, atom), 1e-9):
            return f"information of {atom}: {next_atoms[atom]}, brute force {information(models, query, atom)}"
    return ""


def case(task):
    lpmln, seed, number = task
    rng = random.Random(f"{seed}/{number}")
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "program.lpmln")
        for _ in range(20):
            rules = program(rng)
            with open(path, "w", encoding="utf-8") as file:
                file.write("\n".join(rules))
            fault = check(lpmln, path, rng)
            if fault is not None:
                return f"{fault}\n" + "\n".join(rules) if fault else ""
    return "no program with stable models"


def layered_case(task):
    lpmln, seed, number = task
    rng = random.Random(f"layers/{seed}/{number}")
    with tempfile.TemporaryDirectory() as folder:
        for check_one in layers.CHECKS:
            fault, lines = check_one(ask, lpmln, folder, rng)
            if fault:
                return f"{check_one.__name__}: {fault}\n" + "\n".join(lines)
    return ""


if __name__ == "__main__":
    sys.exit(main(__doc__, 500, case, layered_case))
