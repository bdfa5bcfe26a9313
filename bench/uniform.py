"""Uniform samples beside UniGen and CMSGen: `python3 bench/uniform.py [--seconds 60] [SIZE...]`.

Random clauses of four literals, one for each guessed atom: about 2^(0.9 n) stable models, dense, nothing
compiles.  CPU seconds for the first sample (counting included) and for each of the next; ours are uniform, UniGen
(PyPI `pyunigen`) promises nearly so, CMSGen (`pycmsgen`) promises nothing.
"""

import argparse
import json
import os
import random
import signal
import subprocess
import sys
import tempfile

import measure
import peers

UNIGEN = """
import json, sys, pyunigen
clauses, n, samples = json.load(open(sys.argv[1])), int(sys.argv[2]), int(sys.argv[3])
sampler = pyunigen.Sampler(seed=1)
for clause in clauses:
    sampler.add_clause(clause)
assert len(sampler.sample(num=samples, sampling_set=list(range(1, n + 1)))[2]) >= samples
"""
CMSGEN = """
import json, sys, pycmsgen
clauses, n, samples = json.load(open(sys.argv[1])), int(sys.argv[2]), int(sys.argv[3])
solver = pycmsgen.Solver(seed=1)
for clause in clauses:
    solver.add_clause(clause)
for _ in range(samples):
    assert solver.solve()[0]
"""


LIMITS = (4, -signal.SIGXCPU, -signal.SIGKILL)  # of lpmln, whose worker was ended; of others


def clauses(n):
    rng = random.Random(n)
    return [[rng.choice((-1, 1)) * v for v in rng.sample(range(1, n + 1), 4)] for _ in range(n)]


def program(n):
    lines = ["{ a(1..%d) }." % n]
    for clause in clauses(n):
        lines.append(":- " + ", ".join("%sa(%d)" % ("not " if v > 0 else "", abs(v)) for v in clause) + ".")
    return "\n".join(lines) + "\n"


def seconds(command, limit):
    """Infinity: it takes longer; None: it fails."""
    run = measure.run(["prlimit", f"--cpu={limit}", "--"] + command, 50 * limit)
    return float("inf") if run.late or run.code in LIMITS else run.seconds if run.good else None


def row(command, few, many, limit):
    """CPU seconds of the first sample and of each of the next."""
    first = seconds(command(few), limit)
    if first in (None, float("inf")):
        return first, None
    both = seconds(command(many), limit)
    return first, None if both in (None, float("inf")) else max(both - first, 0) / (many - few)


def cell(x, limit):
    return "–" if x is None else f"> {limit:.0f}" if x == float("inf") else f"{x:.4g}"


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--lpmln", default="build/lpmln")
    parser.add_argument("--seconds", type=int, default=60, help="limit of a run, of one processor")
    parser.add_argument("--samples", type=int, default=40)
    parser.add_argument("sizes", type=int, nargs="*", default=[50, 75, 100, 150, 200])
    options = parser.parse_args()
    unigen, cmsgen = peers.python_of("unigen", "pyunigen"), peers.python_of("cmsgen", "pycmsgen")
    print("| guessed atoms | lpmln, first | each | UniGen, first | each | CMSGen, first | each |\n" + "| --- " * 7 + "|")
    with tempfile.TemporaryDirectory() as folder:
        for n in options.sizes:
            text, data = os.path.join(folder, "p.lpmln"), os.path.join(folder, "c.json")
            with open(text, "w") as file:
                file.write(program(n))
            with open(data, "w") as file:
                json.dump(clauses(n), file)
            commands = [lambda k: [options.lpmln, "sample", text, "--uniform", "--method", "mc-asp", "-n", str(k)]]
            for python, script in ((unigen, UNIGEN), (cmsgen, CMSGEN)):
                commands.append(lambda k, p=python, s=script: [p or "false", "-c", s, data, str(n), str(k)])
            cells = [str(n)]
            for command in commands:
                cells += [cell(x, options.seconds) for x in row(command, 1, options.samples, options.seconds)]
            print("| " + " | ".join(cells) + " |", flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
