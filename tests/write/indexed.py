"""Theorem 3: `lpmln translate --to lpmln --indexed` makes one observation of several.

Random programs with variables and parameters, and several observations of them, some with a
count, some incomplete, some with formulas, every second program with formulas, aggregates, pools
or #domain: learning from the blocks and from the indexed program with its one
observation gives the same likelihood and, by gradient ascent, the same path of weights.
"""

import csv
import os
import random
import sys
import tempfile

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "markov"))
import pool  # noqa: E402
from learn import PEOPLE, program_of, run  # noqa: E402

ATOMS = [f"{p}({x})" for p in ("smokes", "stress", "ill", "tired", "sad") for x in PEOPLE]


def blocks_of(options, rng, program, parameters):
    weights = [f for k in range(1, parameters + 1) for f in ("-w", f"{k}={rng.uniform(-2, 2):.3f}")]
    text = ""
    for line in run(options, "sample", program, "-n", "3", "--seed", str(rng.randrange(1000)), *weights).splitlines():
        true = set(line.split())
        said = [a for a in ATOMS if rng.random() < 0.7]
        text += "".join(f"{a}.\n" if a in true else rng.choice((f"not {a}.\n", f":- {a}.\n")) for a in said)
        if rng.random() < 0.5:
            a, b = rng.sample(sorted(true & set(ATOMS)) or ATOMS[:1], 1)[0], rng.choice(ATOMS)
            text += f"{a} ; {b}.\n" if a in true else f"not ({a}, {b}).\n"
        text += f"--- {rng.randint(1, 2)}\n"
    return text


def further(rng):
    """Rules with what is more than literals; the index must reach the atoms inside."""
    return "".join(line + "\n" for line in rng.sample((
        "@w(1) :- not (ill(X), (smokes(X) ; not sad(X))), person(X).",
        "@w(1) :- (stress(X) ; X != ann, tired(X)), person(X), not not smokes(X).",
        "many :- #count{X : smokes(X), person(X); 7 : stress(ann)} >= 2.  @w(1) :- many, ill(bob).",
        "@w(1) :- 1 < #sum{2,X : sad(X); 1,1 : stress(bob), not tired(bob)}.",
        "#domain person(P).  @w(1) :- smokes(P), not stress(P).  calm(P) :- not stress(P).",
        "pair(ann,1;bob,2).  @w(1) :- pair(X,N), ill(X), N > 1.  @w(1) :- smokes(ann;bob), not tired(bob).",
        "-well(X) :- ill(X).  @w(1) :- -well(X), { smokes(Y) : person(Y) } 1."), 2))


def path_of(options, folder, *inputs):
    """(log-likelihood, weights) by iteration."""
    history = os.path.join(folder, "history.csv")
    run(options, "learn", *inputs, "--optimizer", "ascent", "--iterations", "4", "--rate", "0.05", "--restarts", "0",
        "--history", history)
    with open(history, newline="", encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    return [[float(v) for k, v in row.items() if k == "log_likelihood" or k.isdigit()] for row in rows]


def check(options, number):
    rng = random.Random(f"{options.seed}/{number}")
    text, parameters = program_of(rng)
    if number % 2:
        text += further(rng)
    with tempfile.TemporaryDirectory() as folder:
        program, data, one_program, one_data = (os.path.join(folder, n) for n in ("p.lpmln", "p.obs", "m.lpmln", "m.obs"))
        with open(program, "w", encoding="utf-8") as file:
            file.write(text)
        with open(data, "w", encoding="utf-8") as file:
            file.write(blocks_of(options, rng, program, parameters))
        run(options, "translate", program, "-e", data, "--to", "lpmln", "--indexed", "--data-output", one_data,
            "-o", one_program)
        several, one = path_of(options, folder, program, "-e", data), path_of(options, folder, one_program, "-e", one_data)
    if not several or len(several) != len(one):
        return f"{len(several)} and {len(one)} iterations\n{text}"
    for left, right in zip(several, one):
        if len(left) != parameters + 1 or any(abs(a - b) > 1e-9 * max(1, abs(a)) for a, b in zip(left, right)):
            return f"{left} from blocks, {right} from one\n{text}"
    return None


if __name__ == "__main__":
    sys.exit(pool.numbered(check, "indexed", __doc__))
