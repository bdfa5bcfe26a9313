"""Theorem 2: `lpmln translate --to lpmln --negative` has the same distribution.

Random programs of all classes of the oracle, with numbers, parameters and weights that
differ by instance, are translated; the probabilities of the translation, by lpmln, must be
those of the oracle on the original, and no weight of it may be positive.
"""

import argparse
import dataclasses
import json
import os
import re
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "oracle"))
import generate  # noqa: E402
import pool  # noqa: E402
from syntax import program_text  # noqa: E402

WEIGHT = re.compile(r"^(-?\d+(?:\.\d+)?(?:e[+-]?\d+)?) :", re.MULTILINE)
FACT = re.compile(r'^instance[_0-9]*\(\d+,(?:neg|pos),"(-?[0-9.e+-]+)"', re.MULTILINE)


def lpmln(options, *arguments):
    done = subprocess.run([options.lpmln, *arguments, "--quiet"], capture_output=True, text=True,
                          timeout=60)
    return done.returncode, done.stdout, done.stderr


def check(options, label):
    program = dataclasses.replace(generate.case(label)[0], evidence=())
    answer = generate.evaluate(program)
    with tempfile.TemporaryDirectory() as folder:
        before, after = (os.path.join(folder, name) for name in ("before.lpmln", "after.lpmln"))
        with open(before, "w", encoding="utf-8") as file:
            file.write(program_text(program))
        code, out, err = lpmln(options, "translate", before, "--to", "lpmln", "--negative", "-o", after)
        if code or out:
            return f"translate: exit {code}: {err}{out}"
        with open(after, encoding="utf-8") as file:
            text = file.read()
        code, out, err = lpmln(options, "infer", after, "--format", "json")
    if code != (0 if answer.count else 1):
        return f"infer: exit {code}: {err}\n{text}"
    if any(float(w) > 0 for w in WEIGHT.findall(text) + FACT.findall(text)):
        return f"a weight is positive\n{text}"
    said = {m["atom"]: m["probability"] for m in json.loads(out)["marginals"]} if answer.count else {}
    for atom, expected in answer.marginals.items() if answer.count else ():
        found = said.get(atom, 0.0 if expected < 0.5 else 1.0)
        if abs(found - expected) > 1e-9:
            return f"P({atom}) = {found}, {expected} by the oracle\n{text}"
    return None


def one(job):
    options, label = job
    try:
        return label, check(options, label)
    except Exception as fault:  # a fault of one program must not hide the others
        return label, repr(fault)


def main(arguments):
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--lpmln", default="build/lpmln")
    parser.add_argument("--count", type=int, default=200)
    parser.add_argument("--seed", default="1")
    parser.add_argument("--jobs", type=int, default=2)
    options = parser.parse_args(arguments)
    kinds = generate.SCHEDULE
    jobs = [(options, f"{kinds[i % len(kinds)]} {options.seed}/{i}") for i in range(options.count)]
    return pool.run(one, jobs, options.jobs)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
