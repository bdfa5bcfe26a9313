"""`lpmln translate` to wcnf, aspif and plingo: what the texts mean.

Random programs with evidence, of all classes.  The models of each text, found by
evaluators that share no code with lpmln, are as many as the oracle's, with the
same probabilities, and the same sum of weights where it is part of the text.
plingo's text is read by lpmln again.
"""

import argparse
import json
import os
import subprocess
import sys
import tempfile

import evaluate
import pool

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "oracle"))
import generate  # noqa: E402
from syntax import evidence_text, listing, program_text  # noqa: E402

TOLERANCE = 1e-9
READINGS = (("wcnf", evaluate.wcnf_models), ("aspif", evaluate.aspif_models),
            ("plingo", evaluate.plingo_models))


def options_of(arguments):
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--lpmln", default="build/lpmln")
    parser.add_argument("--count", type=int, default=1000)
    parser.add_argument("--large", type=int, default=0)
    parser.add_argument("--seed", default="1")
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--label", help="only this program")
    return parser.parse_args(arguments)


def translate(options, folder, target):
    command = [options.lpmln, "translate", os.path.join(folder, "p.lpmln"), "-e",
               os.path.join(folder, "p.obs"), "--to", target, "--quiet"]
    done = subprocess.run(command, capture_output=True, text=True, timeout=60)
    if done.returncode:
        raise ValueError(f"{target}: exit {done.returncode}: {done.stderr}")
    return done.stdout


def clauses_of(options, folder):
    """None: large loops through disjunctive heads are refused.  Recursive aggregates
    that are not monotone are such loops, too."""
    try:
        return translate(options, folder, READINGS[0][0])
    except ValueError as refusal:
        if "a loop through disjunctive heads" in str(refusal):
            return None
        raise


def difference(models, answer, mass):
    """None, or in what the models differ from the oracle's."""
    if len(models) != answer.count:
        return f"{len(models)} models, the oracle has {answer.count}"
    if not models:
        return None
    found, total = evaluate.marginals(models)
    if mass and abs(total - answer.log_mass) > TOLERANCE * max(1, abs(answer.log_mass)):
        return f"log of the sum {total}, the oracle's is {answer.log_mass}"
    for atom, expected in answer.marginals.items():
        if atom in found and abs(found[atom] - expected) > TOLERANCE:
            return f"P({atom}) = {found[atom]}, the oracle's is {expected}"
        if atom not in found and TOLERANCE < expected and not (mass and expected > 1 - 1e-12):
            return f"{atom} is missing, the oracle has {expected}"
    return None


def check(options, label):
    program, answer = generate.case(label)
    with tempfile.TemporaryDirectory() as folder:
        for name, text in (("p.lpmln", program_text(program)), ("p.obs", evidence_text(program))):
            with open(os.path.join(folder, name), "w", encoding="utf-8") as file:
                file.write(text)
        readings = [(target, read, translate(options, folder, target)) for target, read in READINGS[1:]]
        clauses = clauses_of(options, folder)
        if clauses is not None:
            readings.insert(0, (*READINGS[0], clauses))
        for target, read, text in readings:
            wrong = difference(read(text), answer, target != "plingo")
            if wrong:
                return f"{target}: {wrong}\n{listing(program)}\n{text}", ()
        wrong = back_again(options, folder, readings[-1][2], answer)
        if wrong:
            return f"plingo and back: {wrong}\n{listing(program)}\n{readings[-1][2]}", ()
    return None, () if clauses is not None else ("no clauses: a loop through disjunctive heads",)


def back_again(options, folder, text, answer):
    """plingo's text, read by lpmln, means what the program meant."""
    path = os.path.join(folder, "back.plingo")
    with open(path, "w", encoding="utf-8") as file:
        file.write(text)
    done = subprocess.run([options.lpmln, "infer", path, "--format", "json", "--quiet"],
                          capture_output=True, text=True, timeout=60)
    if done.returncode != (0 if answer.count else 1):
        return f"exit {done.returncode}: {done.stderr}"
    found = {m["atom"]: m["probability"] for m in json.loads(done.stdout)["marginals"]} if answer.count else {}
    for atom, expected in answer.marginals.items() if answer.count else ():
        if abs(found.get(atom, round(expected)) - expected) > TOLERANCE:
            return f"P({atom}) = {found.get(atom)}, the oracle's is {expected}"
    return None


def one(job):
    options, label = job
    try:
        return label, *check(options, label)
    except Exception as fault:  # a fault of one program must not hide the others
        return label, repr(fault)


def main(arguments):
    options = options_of(arguments)
    classes = generate.SCHEDULE
    labels = [f"{classes[i % len(classes)]} {options.seed}/{i}" for i in range(options.count)]
    labels += [f"{classes[i % len(classes)]} {options.seed}/{i} large" for i in range(options.large)]
    jobs = [(options, label) for label in ([options.label] if options.label else labels)]
    return pool.run(one, jobs, options.jobs)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
