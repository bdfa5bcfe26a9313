"""`lpmln translate --to asp`, run by real clingo.

Random programs without disjunctive heads (clasp 3.3.5 is wrong about some of
those) are translated in both forms; clingo enumerates the stable models with
their costs, in thousandths, and the probabilities made of these must be the
oracle's.  Weights that are no whole thousandths allow for their rounding; multiplied by
a million they need less.  With violable hard rules, which are a level of their own, the
probabilities are compared with those of `lpmln infer --method enumerate`.
"""

import argparse
import dataclasses
import json
import math
import os
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "oracle"))
import generate  # noqa: E402
import pool  # noqa: E402
from syntax import program_text  # noqa: E402

CLASSES = ("normal", "choice", "nontight", "aggregate")


def options_of(arguments):
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--lpmln", default="build/lpmln")
    parser.add_argument("--count", type=int, default=200)
    parser.add_argument("--seed", default="1")
    parser.add_argument("--jobs", type=int, default=2)
    return parser.parse_args(arguments)


def clingo_models(text):
    """(cost, atoms) of each stable model that is best on the higher level, if there is one."""
    done = subprocess.run(["clingo", "-", "0", "--outf=2", "--opt-mode=enum", "--warn=none"],
                          input=text, capture_output=True, text=True, timeout=60)
    if done.returncode not in (10, 20, 30):
        raise ValueError(f"clingo refuses the translation: {done.stderr}")
    witnesses = json.loads(done.stdout)["Call"][0].get("Witnesses", [])
    costs = [(w.get("Costs") or [0], set(w["Value"])) for w in witnesses]
    levels = max((len(c) for c, _ in costs), default=1)
    least = min((c[0] for c, _ in costs), default=0) if levels > 1 else None
    return [(c[-1], atoms) for c, atoms in costs if levels == 1 or c[0] == least]


def marginals(models, scale=1000):
    least = min(cost for cost, _ in models)
    total, sums = 0.0, {}
    for cost, atoms in models:
        weight = math.exp((least - cost) / scale)
        total += weight
        for atom in atoms:
            sums[atom] = sums.get(atom, 0.0) + weight
    return {atom: s / total for atom, s in sums.items()}


def translate(options, file, *more):
    done = subprocess.run([options.lpmln, "translate", file, "--to", "asp", "--quiet", *more],
                          capture_output=True, text=True, timeout=60)
    if done.returncode:
        raise ValueError(f"{more}: exit {done.returncode}: {done.stderr}")
    return done.stdout


def check_violable(options, file, form):
    """Violable hard rules: clingo on the translation against lpmln's enumeration."""
    text = translate(options, file, "--hard-rules", "violable", "--form", form, "--scale", "1000000")
    models = clingo_models(text + ":~ #true. [1@0,constant]\n:~ #true. [1@1,constant]\n")  # both levels are there
    done = subprocess.run([options.lpmln, "infer", file, "--hard-rules", "violable", "--method", "enumerate",
                           "--format", "json", "--quiet"], capture_output=True, text=True, timeout=60)
    if done.returncode:
        return f"violable: exit {done.returncode}: {done.stderr}"
    found = marginals(models, 1e6)
    for m in json.loads(done.stdout)["marginals"]:
        if abs(found.get(m["atom"], 0.0) - m["probability"]) > 1e-4:
            return f"violable, {form}: P({m['atom']}) = {found.get(m['atom'], 0.0)} by clingo, {m['probability']} here\n{text}"
    return None


def check(options, label):
    """None, or what is wrong with the translation of this program."""
    program = dataclasses.replace(generate.case(label)[0], evidence=())
    answer = generate.evaluate(program)
    with tempfile.NamedTemporaryFile("w", suffix=".lpmln") as file:
        text = program_text(program)
        file.write(text)
        file.flush()
        for form in ("penalty", "reward"):
            scale = 1000 if form == "penalty" else 1000000
            out = translate(options, file.name, "--form", form, "--scale", str(scale))
            models = clingo_models(out)
            if len(models) != answer.count:
                return f"{form}: clingo has {len(models)} models, the oracle {answer.count}\n{text}\n{out}"
            found = marginals(models, scale) if models else {}
            for atom, expected in answer.marginals.items() if models else ():
                if abs(found.get(atom, 0.0) - expected) > tolerance(text, scale):
                    return f"{form}: P({atom}) = {found.get(atom, 0.0)} by clingo, {expected} by the oracle\n{text}\n{out}"
        wrong = check_violable(options, file.name, ("penalty", "reward")[len(text) % 2])
        return wrong and f"{wrong}\n{text}"


def tolerance(text, scale):
    """Wide where a weight is no whole number of thousandths."""
    return 20 / scale if any(part in text for part in ("@log", "@exp", "/3")) else 1e-9


def one(job):
    options, label = job
    try:
        return label, check(options, label)
    except Exception as fault:  # a fault of one program must not hide the others
        return label, repr(fault)


def main(arguments):
    options = options_of(arguments)
    jobs = [(options, f"{CLASSES[i % len(CLASSES)]} {options.seed}/{i}") for i in range(options.count)]
    return pool.run(one, jobs, options.jobs)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
