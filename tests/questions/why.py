"""Why a query is probable, against brute force over enumerated stable models.

    python3 tests/questions/why.py --lpmln build/lpmln --count 500

The stable models and what they violate are the solver's (`models --method enumerate`).  Which of
the program's guesses count is taken from the answer, once it is seen that they decide the query;
then all minimal sets of their literals that imply the query are found by trying all sets.
"""

import itertools
import os
import random
import sys
import tempfile

from cases import ask, literal, main

ATOMS = "abcdef"
MOST_GUESSES = 9


def program(rng):
    """Soft facts, coins, choices with and without bodies, soft and hard rules, disjunctions, constraints."""
    rules = []
    for atom in ATOMS[:rng.randint(2, 4)]:
        rules.append(rng.choice((f"{rng.uniform(-2, 2):.3f} {atom}.", f"{{{atom}}}.", f"0.3 :: {atom}.")))
    for _ in range(rng.randint(3, 6)):
        body = ", ".join(literal(rng, ATOMS) for _ in range(rng.randint(1, 2)))
        head = rng.choice(ATOMS)
        kind = rng.random()
        if kind < 0.35:
            rules.append(f"{head} :- {body}.")
        elif kind < 0.65:
            rules.append(f"{rng.uniform(-2, 2):.3f} {head} :- {body}.")
        elif kind < 0.8:
            rules.append(f"{{{head}}} :- {body}.")
        elif kind < 0.85:
            rules.append(f"{head} :- {body}, not not {head}.")
        elif kind < 0.9:
            rules.append(f"{head}; {rng.choice(ATOMS)} :- {body}.")
        else:
            rules.append(f":- {body}.")
    return list(dict.fromkeys(rules))


def holds(text, model):
    """A conjunction of literals."""
    return all((part[4:] not in model["set"]) if part.startswith("not ") else part in model["set"]
               for part in text.split(", ") if part)


def guess(text):
    """The guess as a function of a model: satisfied soft rules, choices that are not refused, atoms."""
    if text.startswith("{"):
        head, _, body = text.partition(" :- ")
        body = ", ".join(part for part in body.split(", ") if part)
        return lambda m: not holds(body, m) or holds(head[2:-2], m)
    if text.endswith("."):
        return lambda m: text not in m["violated"]
    return lambda m: holds(text, m)


def literal_of(text):
    """Of an input: its guess and whether it is true."""
    for prefix in ("violated: ", "refused: ", "fails: "):
        if text.startswith(prefix):
            return text[len(prefix):], False
    return (text[4:], False) if text.startswith("not ") else (text, True)


def chance(models, event):
    return sum(m["mass"] for m in models if event(m)) / sum(m["mass"] for m in models)


def minimal_proofs(rows, count):
    """rows: (values of the guesses, whether the query holds).  All minimal sets of literals that imply it."""
    found = []
    for size in range(count + 1):
        for chosen in itertools.combinations(range(count), size):
            for values in {tuple(row[i] for i in chosen) for row, true in rows if true}:
                proof = frozenset(zip(chosen, values))
                if any(old <= proof for old in found):
                    continue
                if all(true for row, true in rows if tuple(row[i] for i in chosen) == values):
                    found.append(proof)
    return set(found)


def near(x, y):
    return abs(x - y) <= 1e-9


def check_proofs(answer, models, true):
    names = [row["literal"] for row in answer["changes"]]
    names = [literal_of(name)[0] for name in names]
    if len(names) > MOST_GUESSES:
        return None
    flips = [not literal_of(row["literal"])[1] for row in answer["changes"]]
    assert not any(flips)
    functions = [guess(name) for name in names]
    rows = [(tuple(f(m) for f in functions), true(m)) for m in models]
    decided = {}
    for row, value in rows:
        if decided.setdefault(row, value) != value:
            return f"the guesses {names} do not decide the query"
    expected = minimal_proofs(rows, len(names))
    told = {}
    for proof in answer["proofs"]:
        key = frozenset((names.index(literal_of(i)[0]), literal_of(i)[1]) for i in proof["inputs"])
        told[key] = proof
        p = chance(models, lambda m: all(functions[i](m) == value for i, value in key))
        if not near(proof["probability"], p) or not near(proof["share"] * answer["probability"], p):
            return f"probability of {proof['inputs']}: {proof['probability']}, brute force {p}"
    if set(told) != expected:
        return f"proofs {[p['inputs'] for p in answer['proofs']]}, brute force {[[(names[i], v) for i, v in p] for p in expected]}"
    if len(told) != len(answer["proofs"]):
        return "a proof is there twice"
    shares = [p["share"] for p in answer["proofs"]]
    if any(x < y - 1e-9 for x, y in zip(shares, shares[1:])):
        return "order of proofs"
    for row, f in zip(answer["changes"], functions):
        yes, no = [m for m in models if f(m)], [m for m in models if not f(m)]
        if not near(row["probability_with"], chance(yes, true)) or not near(row["probability_without"], chance(no, true)):
            return f"change {row}"
    return ""


def check(lpmln, path, rng):
    code, listed = ask(lpmln, "models", path, "--method", "enumerate", "-n", "0")
    if code == 1:
        return None
    models = listed["models"]
    for m in models:
        m["set"], m["mass"] = set(m["atoms"]), m["probability"]
        m["violated"] = {v["rule"] for v in m["violated"]}
    atom = rng.choice(ATOMS)
    query = rng.choice((atom, atom, f"not {atom}", f"{atom}, not {rng.choice(ATOMS)}"))
    pieces = [literal(rng, ATOMS) for _ in range(rng.choice((0, 0, 1, 2)))]
    seen = [m for m in models if holds(", ".join(pieces), m)]
    if not seen:
        pieces, seen = [], models
    with open(path + ".obs", "w", encoding="utf-8") as file:
        file.write(" ".join(f"{piece}." for piece in pieces))
    code, answer = ask(lpmln, "why", path, "-e", path + ".obs", "-q", query, "-n", "0")
    if code:
        return f"exit code {code}"
    true = lambda m: holds(query, m)  # noqa: E731
    if len(answer["changes"]) < 2 and rng.random() < 0.9:
        return None  # there is little to explain
    if not near(answer["probability"], chance(seen, true)):
        return f"probability {answer['probability']} of {query}"
    if not any(map(true, seen)):
        return "a proof of what is impossible" if answer["proofs"] else ""
    for piece in answer["evidence"]:
        rest = [m for m in models if all(holds(p, m) for p in pieces if p != piece["literal"])]
        if not near(piece["probability_without"], chance(rest, true)):
            return f"without {piece}: brute force {chance(rest, true)}"
    return check_proofs(answer, seen, true)


def case(task):
    lpmln, seed, number = task
    rng = random.Random(f"{seed}/{number}")
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "program.lpmln")
        for _ in range(200):
            rules = program(rng)
            with open(path, "w", encoding="utf-8") as file:
                file.write("\n".join(rules))
            fault = check(lpmln, path, rng)
            if fault is not None:
                evidence = open(path + ".obs", encoding="utf-8").read()
                return f"{fault}\n" + "\n".join([*rules, f"% evidence: {evidence}"]) if fault else ""
    return "no program with stable models"


if __name__ == "__main__":
    sys.exit(main(__doc__, 500, case))
