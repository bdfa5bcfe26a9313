"""`lpmln learn x.pl -o y.pl` writes ProbLog (Theorem 5 the other way).

Random ProbLog programs with t(_) in facts, clauses and annotated disjunctions, and random
observations: the program that is written in ProbLog has no t(_) any more, and the same
probabilities as the one that is written in LPMLN.
"""

import json
import os
import random
import sys
import tempfile

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "write"))
import pool  # noqa: E402

PEOPLE = ("ann", "bob")


def annotation(rng):
    return rng.choice(("t(_)", "t(0.3)", f"{rng.uniform(0.05, 0.95):.2f}", "t( _ )"))


def program_of(rng):
    lines = [f"person({p})." for p in PEOPLE]
    lines += [f"{annotation(rng)}::{a}." for a in ("rain", "wind")]
    lines += [f"{annotation(rng)} :: cold(X) :- person(X){rng.choice(('', ', rain', ', ' + chr(92) + '+wind'))}."]
    lines += [f"t(_)::ill(X) :- cold(X). {annotation(rng)}::ill(X) :- person(X), wind.  % t(_)::x"]
    if rng.random() < 0.6:
        first, second = rng.choice((("t(_)", "t(_)"), ("0.2", "t(_)"), ("t(_)", "0.25")))
        lines.append(f"{first}::red; {second}::green; t(_)::blue :- rain.")
    else:
        lines += ["red :- rain.", "green :- wind.", "blue :- rain, wind."]
    rng.shuffle(lines)
    return "\n".join(lines) + "\n"


def data_of(rng):
    atoms = ["rain", "wind", "red", "green", "blue"] + [f"{p}({x})" for p in ("cold", "ill") for x in PEOPLE]
    blocks = []
    for _ in range(3):
        atom = rng.choice(atoms[:2] + atoms[5:])
        blocks.append(f"evidence({rng.choice(('', chr(92) + '+'))}{atom}).\n")
    return "---\n".join(blocks), atoms


def check(options, number):
    rng = random.Random(f"{options.seed}/{number}")
    text = program_of(rng)
    data, atoms = data_of(rng)
    queries = [f for a in atoms for f in ("-q", a)]
    with tempfile.TemporaryDirectory() as folder:
        def path(name):
            return os.path.join(folder, name)
        for name, content in (("x.pl", text), ("x.ev", data)):
            with open(path(name), "w", encoding="utf-8") as file:
                file.write(content)
        answers = []
        for name in ("y.pl", "y.lpmln"):
            _, err = pool.lpmln(options, "learn", path("x.pl"), "-e", path("x.ev"), "--prior", "0,2", "-o", path(name))
            if err:
                return f"{err}\n{text}"
            out, _ = pool.lpmln(options, "infer", path(name), "--format", "json", *queries)
            answers.append({m["atom"]: m["probability"] for m in json.loads(out)["marginals"]})
        with open(path("y.pl"), encoding="utf-8") as file:
            written = file.read()
    if "t(" in written.replace("% t(_)::x", ""):
        return f"a t(_) is left\n{written}"
    for atom, p in answers[0].items():
        if abs(p - answers[1][atom]) > 1e-9:
            return f"P({atom}) = {p} in ProbLog, {answers[1][atom]} in LPMLN\n{text}\n{written}"
    return None


if __name__ == "__main__":
    sys.exit(pool.numbered(check, "problog learn", __doc__))
