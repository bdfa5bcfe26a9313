"""Pools and intervals wherever clingo allows them in a weighted rule: bounds, guards,
arguments, comparisons.

Each is a fresh global variable, so a rule has an instance for each choice of their
*values*; equal values of a pool and overlapping intervals are one.  A random program
is written twice: as a user would, and with all instances spelt out.  `infer` must say
the same about both, and so must the models of each translation, found by clingo and by
evaluators that share no code with lpmln.  Disjunctive heads are left out: clasp 3.3.5 is
wrong about some.
"""

import argparse
import itertools
import json
import os
import random
import subprocess
import sys
import tempfile

import asp
import evaluate
import pool

TOLERANCE = 1e-9
# How a set of values is written.
SPREADS = (("(1;2)", (1, 2)), ("(1;1)", (1,)), ("1..2", (1, 2)), ("(1..2;2..3)", (1, 2, 3)),
           ("(2;1;2)", (1, 2)), ("(1;2..3)", (1, 2, 3)), ("2..2", (2,)), ("(0;2)", (0, 2)))
# $: a spread outside of braces; &: one inside, where it is no variable of the rule.
BODIES = ("c($)", "not c($)", "not not c($)", "$ { c(1); c(2); d }", "{ c(1); d } $",
          "not $ { c(1); c(2) } $", "#sum { 1 : c(1); 2 : c(2) } >= $", "$ < #count { 1 : d; 2 : c(2) }",
          "$ <= #sum { 1 : c(1); 2 : d; 3 : c(3) } <= $", "1 { c(&) } 2", "c(X), X = $",
          "c(X), X < $", "c(X), $ != X", "c(($)+1)", "d : c(&)", "d", "not d",
          "c(X) : X = &", "#max { X : c(X), X = & } = $")
HEADS = ("c($)", "e(f($))", "-e($)", "$ { c(1); c(2); d }", "{ c(1); c(3) } $", "$ { c(1); d } $",
         "1 { c(&); d } $", "#count { 1 : c(1); 2 : d } = $", "$ <= #sum { 1 : c(1) ; 2 : c(3) : d }",
         "", "c(X)", "e(X,$)")


def options_of(arguments):
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--lpmln", default="build/lpmln")
    parser.add_argument("--count", type=int, default=200)
    parser.add_argument("--seed", default="1")
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--label", type=int, help="only this program")
    return parser.parse_args(arguments)


class Rule:
    def __init__(self, rng):
        head, body = rng.choice(HEADS), [rng.choice(BODIES) for _ in range(rng.randrange(3))]
        if "X" in head and not any(part.startswith("c(X), ") for part in body):
            body.append("c(X)")
        if not head and not body:
            body = ["d"]
        self.text = f"{head} :- {'; '.join(body)}." if body else f"{head}."
        self.weight = rng.choice(("1", "2", "-1", "0.5"))
        self.outer = [rng.choice(SPREADS) for _ in range(self.text.count("$"))]
        self.inner = [rng.choice(SPREADS) for _ in range(self.text.count("&"))]

    def fill(self, outer):
        outer, inner = iter(outer), iter(self.inner)
        return "".join(str(next(outer)) if mark == "$" else next(inner)[0] if mark == "&" else mark
                       for mark in self.text)

    def written(self):
        return f"{self.weight} : {self.fill(text for text, _ in self.outer)}"

    def instances(self):
        for values in itertools.product(*(values for _, values in self.outer)):
            yield f"{self.weight} : {self.fill(values)}"


def program(label):
    """The two ways to write it."""
    rng = random.Random(f"pools {label}")
    base = ["{ c(1..3) }.", "{ d } :- not c(2).", "0.7 : c(3)."]
    rules = [Rule(rng) for _ in range(rng.randrange(1, 4))]
    return ("\n".join(base + [rule.written() for rule in rules]) + "\n",
            "\n".join(base + [text for rule in rules for text in rule.instances()]) + "\n")


def ask(options, path, *arguments):
    done = subprocess.run([options.lpmln, *arguments, path, "--quiet"], capture_output=True, text=True,
                          timeout=60)
    return done.returncode, done.stdout, done.stderr


def probabilities(options, path):
    code, out, error = ask(options, path, "infer", "--format", "json")
    if code:
        return code, error
    return 0, {m["atom"]: m["probability"] for m in json.loads(out)["marginals"]}


def differ(found, expected, tolerance=TOLERANCE):
    for atom in sorted(set(found) & set(expected)):
        if abs(found[atom] - expected[atom]) > tolerance:
            return f"P({atom}) = {found[atom]}, not {expected[atom]}"
    missing = sorted(atom for atom in expected if atom not in found)
    return f"{missing[0]} is missing" if missing else None


def translations(options, path, expected):
    readings = [("plingo", (), evaluate.plingo_models), ("aspif", (), evaluate.aspif_models),
                ("wcnf", (), evaluate.wcnf_models)]
    for target, more, read in readings:
        code, out, error = ask(options, path, "translate", "--to", target, *more)
        if code == 1 and "a loop through disjunctive heads" in error:
            continue  # of an aggregate that is not monotone
        yield target, error if code else differ(evaluate.marginals(read(out))[0], expected)
    for form in ("penalty", "reward"):
        code, out, error = ask(options, path, "translate", "--to", "asp", "--form", form)
        yield f"asp, {form}", error if code else differ(asp.marginals(asp.clingo_models(out)), expected)


def check(options, label):
    written, spelt = program(label)
    with tempfile.TemporaryDirectory() as folder:
        paths = [os.path.join(folder, name) for name in ("written.lpmln", "spelt.lpmln")]
        for path, text in zip(paths, (written, spelt)):
            with open(path, "w", encoding="utf-8") as file:
                file.write(text)
        code, expected = probabilities(options, paths[1])
        got, found = probabilities(options, paths[0])
        if code != got:
            return f"exit {got}, spelt out {code}: {found if got else expected}\n{written}"
        if code:
            return None if code == 1 else f"exit {code}: {expected}\n{written}"
        wrong = differ(found, expected) or differ(expected, found)
        if wrong:
            return f"infer: {wrong}\n{written}\n{spelt}"
        for target, wrong in translations(options, paths[0], expected):
            if wrong:
                return f"{target}: {wrong}\n{written}\n{ask(options, paths[0], 'translate', '--to', target.split(',')[0])[1]}"
    return None


def one(job):
    options, label = job
    try:
        return label, check(options, label)
    except Exception as fault:  # a fault of one program must not hide the others
        return label, repr(fault)


def main(arguments):
    options = options_of(arguments)
    labels = [options.label] if options.label is not None else range(options.count)
    return pool.run(one, [(options, f"{options.seed}/{label}") for label in labels], options.jobs)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
