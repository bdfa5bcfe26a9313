"""`lpmln translate --to mln`, evaluated by brute force.

Random programs of all classes are translated, in both dialects; the marginals of
the target text (evaluator.py) must be those of the oracle.  A refusal must be
right: check has to find a loop, or the formula of an aggregate is too large.
As many programs again (with_variables.py) must keep their variables.  Some of the
texts are read by lpmln again.
"""

import argparse
import dataclasses
import json
import multiprocessing
import os
import re
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "oracle"))
import closing  # noqa: E402
import evaluator  # noqa: E402
import generate  # noqa: E402
import with_variables  # noqa: E402
from syntax import program_text  # noqa: E402

CLASSES = ("normal", "choice", "choice", "disjunction", "aggregate", "mixed", "choice", "normal")
TOLERANCE = 1e-9


def options_of(arguments):
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--lpmln", default="build/lpmln")
    parser.add_argument("--count", type=int, default=1000)
    parser.add_argument("--seed", default="1")
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--show", action="store_true", help="print what was refused or skipped")
    return parser.parse_args(arguments)


def run(options, *command):
    return subprocess.run([options.lpmln, *command, "--quiet"], capture_output=True, text=True, timeout=60)


class Spelling:
    """The names of the target, as its comments tell."""

    def __init__(self, text):
        self.predicates = dict(re.findall(r"^// predicate (\S+) is written (\S+)$", text, re.M))
        self.constants = dict(re.findall(r"^// constant (.+?) is written (.+)$", text, re.M))

    def atom(self, atom):
        name, args = split(atom)
        written = self.predicates.get(f"{name}/{len(args)}", name)
        if not args:
            return written
        return written + "(" + ",".join(self.constants.get(a, a) for a in args) + ")"


def split(atom):
    name, _, rest = atom.partition("(")
    if not rest:
        return name, []
    args, depth, quoted, now = [], 0, False, ""
    for c in rest[:-1]:
        quoted ^= c == '"'
        depth += (c == "(") - (c == ")") if not quoted else 0
        if c == "," and not depth and not quoted:
            args.append(now)
            now = ""
        else:
            now += c
    return name, args + [now]


def imported(atom):
    """An atom of Markov logic as lpmln prints it."""
    name, args = split(atom)
    name = name[0].lower() + name[1:].replace("'", "_")
    terms = [a if a.lstrip("-").isdigit() or a[0] == '"' else f'"{a}"' for a in args]
    return name + "(" + ",".join(terms) + ")"


def there_and_back(options, target, count, marginals):
    """The target text, read by lpmln again."""
    with tempfile.NamedTemporaryFile("w", suffix=".mln") as file:
        file.write(target)
        file.flush()
        done = run(options, "infer", file.name, "--format", "json")
    if done.returncode == 1 and not count:
        return None
    if done.returncode or not count:
        return f"read again: exit {done.returncode}: {done.stderr}"
    found = {m["atom"]: m["probability"] for m in json.loads(done.stdout)["marginals"]}
    spelling = Spelling(target)
    for atom, expected in marginals.items():
        p = found.get(imported(spelling.atom(atom)), round(expected))
        if abs(p - expected) > TOLERANCE:
            return f"read again: P({atom}) = {p}, but ours is {expected}"
    return None


def refused_rightly(options, name, error):
    if "not tight" in error:
        return not json.loads(run(options, "check", name, "--format", "json").stdout)["tight"]
    return "aggregate" in error


def check(options, label):
    """(what is wrong or None, what was done)."""
    program = dataclasses.replace(generate.case(label)[0], evidence=())
    answer = generate.evaluate(program)
    text = program_text(program)
    done = "refused"
    with tempfile.NamedTemporaryFile("w", suffix=".lpmln") as file:
        file.write(text)
        file.flush()
        for dialect in ("alchemy", "tuffy"):
            target = run(options, "translate", file.name, "--to", "mln", "--dialect", dialect)
            if target.returncode == 1:
                if answer.count and not refused_rightly(options, file.name, target.stderr):
                    return f"refused: {target.stderr}\n{text}", ""
                continue
            if target.returncode:
                return f"exit {target.returncode}: {target.stderr}\n{text}", ""
            try:
                wrong = compare(target.stdout, answer.count, answer.marginals if answer.count else {}, dialect)
            except evaluator.Unsupported:
                done = "skipped"
                continue
            if not wrong and dialect == "alchemy" and label.endswith(("1", "6")):
                wrong = there_and_back(options, target.stdout, answer.count, answer.marginals if answer.count else {})
            if wrong:
                return f"{dialect}: {wrong}\n{text}\n{target.stdout}", ""
            done = "rules" if "the rules and" in target.stdout or done == "rules" else "ground"
    return None, done


def check_variables(options, label):
    """A program that keeps its variables; enumeration says what is right."""
    text = with_variables.program(label)
    with tempfile.NamedTemporaryFile("w", suffix=".lpmln") as file:
        file.write(text)
        file.flush()
        ours = run(options, "infer", file.name, "--method", "enumerate", "--format", "json")
        target = run(options, "translate", file.name, "--to", "mln")
    if ours.returncode not in (0, 1) or target.returncode not in (0, 1):
        return f"exit {ours.returncode} and {target.returncode}: {target.stderr}{ours.stderr}\n{text}", ""
    if target.returncode == 1:
        return (None, "refused") if ours.returncode == 1 else (f"refused: {target.stderr}\n{text}", "")
    if "the rules and" not in target.stdout:
        return f"the variables are lost\n{text}\n{target.stdout}", ""
    marginals = {} if ours.returncode else {m["atom"]: m["probability"] for m in json.loads(ours.stdout)["marginals"]}
    try:
        wrong = compare(target.stdout, 1 - ours.returncode, marginals, "alchemy")
        if not wrong and label.endswith(("1", "6")):
            wrong = there_and_back(options, target.stdout, 1 - ours.returncode, marginals)
    except evaluator.Unsupported:
        return None, "skipped"
    return (f"{wrong}\n{text}\n{target.stdout}", "") if wrong else (None, "rules")


def compare(target, count, marginals, dialect):
    spelling = Spelling(target)
    found = evaluator.evaluate(target)
    if found is None or not count:
        return None if (found is None) == (count == 0) else f"worlds {found}, stable models {count}"
    for atom, expected in marginals.items():
        p = found.pop(spelling.atom(atom), 0.0 if dialect == "tuffy" else None)
        if p is None and expected:
            return f"{atom} is not there"
        if p is not None and abs(p - expected) > TOLERANCE:
            return f"P({atom}) = {p}, but ours is {expected}"
    for atom, p in found.items():  # what we do not list is certain or impossible
        if min(p, 1 - p) > TOLERANCE and not atom.startswith(("aux", "body", "formula")):
            return f"P({atom}) = {p}, but ours is 0 or 1"
    return None


def one(job):
    options, label = job
    try:
        return label, *(check_variables if label.startswith("variables") else check)(options, label)
    except Exception as fault:  # a fault of one program must not hide the others
        return label, repr(fault), ""


def run_all(options, one, labels):
    """Runs one((options, label)) for all: (label, what is wrong, what was done)."""
    tally, kinds = closing.Tally(), {}
    with multiprocessing.Pool(options.jobs) as pool:
        for label, wrong, done in pool.imap(one, [(options, label) for label in labels], chunksize=8):
            kinds[done] = kinds.get(done, 0) + 1
            if done == "skipped":
                tally.skip("too large for the evaluator")
            else:
                tally.check(f"{label}: {wrong}", not wrong)
            if options.show and done == "skipped":
                print(f"left out {label}")
    print(", ".join(f"{n} {kind}" for kind, n in sorted(kinds.items()) if kind))
    return tally.close(asked=len(labels))


def main(arguments):
    options = options_of(arguments)
    labels = [f"{CLASSES[i % len(CLASSES)]} {options.seed}/{i}" for i in range(options.count)]
    labels += [f"variables {options.seed}/{i}" for i in range(options.count)]
    return run_all(options, one, labels)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
