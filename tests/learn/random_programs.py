"""Random programs with parameters: lpmln learn against brute force.

    python3 tests/learn/random_programs.py --lpmln build/lpmln --count 500
    python3 tests/learn/random_programs.py --case 'mixed learn1/17'
"""

import argparse
import csv
import functools
import json
import math
import multiprocessing
import os
import random
import subprocess
import sys
import tempfile
from collections import Counter
from dataclasses import replace

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "oracle"))
import closing  # noqa: E402
import generate  # noqa: E402
import semantics  # noqa: E402
from brute import Likelihood, maximise, solve  # noqa: E402
from syntax import Weight, ground, program_text  # noqa: E402

NAMES = ("1", "slope", "f(2)")


def with_parameters(program, rng):
    """Constant weights become one of three parameters, or stay numbers."""
    rules = []
    for rule in program.rules:
        if rule.weight and (rule.weight.variable is None or rule.weight.parameter is not None):
            if rng.random() < 0.75:
                name = rng.choice(NAMES)
                weight = Weight(f"@w({name})", parameter=name, colon=True)
            else:
                number = rng.choice((0.25, -1.5, 2.0))
                weight = Weight(str(number), value=number, colon=True)
            rule = replace(rule, weight=weight)
        rules.append(rule)
    return replace(program, rules=tuple(rules), evidence=())


def observe(model, atoms, rng):
    """Literals that the model agrees with: all, or some."""
    share = rng.choice((1.0, 1.0, 0.7, 0.4))
    return [(atom, atom in model.atoms) for atom in sorted(atoms) if rng.random() < share]


def agrees(model, literals):
    return all((atom in model.atoms) == value for atom, value in literals)


class Case:
    """A program with parameters and observations."""

    def __init__(self, label):
        rng = random.Random(label)
        for attempt in range(1000):
            program, _ = generate.case(f"{label}.{attempt}")
            self.program = with_parameters(program, rng)
            answer = generate.evaluate(self.program)
            used = {r.weight.parameter for r in self.program.rules if r.weight}
            self.names = [name for name in NAMES if name in used]
            if self.names and answer.count > 1:
                break
        self.rng, self.models = rng, answer.models
        ground_program, _ = ground(self.program)
        atoms = semantics.head_atoms(ground_program)
        self.blocks = [(rng.choice((1, 1, 2, 5)), observe(rng.choice(self.models), atoms, rng))
                       for _ in range(rng.randint(1, 6))]

    def counts(self, model):
        violated = Counter(self.program.rules[origin].weight.parameter for origin in model.violated)
        return tuple(violated[name] for name in self.names)

    def likelihood(self):
        described = [(self.counts(m), m.log_weight) for m in self.models]  # initial values are 0
        observed = [(count, [d for d, m in zip(described, self.models) if agrees(m, literals)])
                    for count, literals in self.blocks]
        return Likelihood(described, observed)

    def write(self, folder):
        with open(os.path.join(folder, "p.lpmln"), "w", encoding="utf-8") as out:
            out.write(program_text(self.program))
        with open(os.path.join(folder, "p.obs"), "w", encoding="utf-8") as out:
            for count, literals in self.blocks:
                for atom, value in literals:
                    out.write(f"{'' if value else 'not '}{atom}.\n")
                if not literals:
                    out.write(":- #false.\n")
                out.write(f"--- {count}\n")


def learn(lpmln, folder, *options):
    line = [lpmln, "learn", "p.lpmln", "-e", "p.obs", "--format", "json", *options]
    done = subprocess.run(line, capture_output=True, text=True, timeout=120, cwd=folder, check=False)
    if done.returncode:
        raise AssertionError(f"exit {done.returncode}: {done.stderr}")
    return json.loads(done.stdout)


def weights_of(case, reply):
    by_name = {w["parameter"]: w["weight"] for w in reply["weights"]}
    return [by_name[name] for name in case.names]


def check_gradients(case, likelihood, folder):
    """The history's sums of absolute derivatives, by enumeration and by differences."""
    with open(os.path.join(folder, "h.csv"), encoding="utf-8", newline="") as text:
        rows = list(csv.DictReader(text))
    for row in rows[:3]:
        w = [float(row[name]) for name in case.names]
        _, gradient, _ = likelihood.derivatives(w)
        said, exact = float(row["gradient_sum"]), math.fsum(map(abs, gradient))
        assert abs(said - exact) <= 1e-8 * (1 + likelihood.total), f"gradient {said}, not {exact} at {w}"
        step, differences = 1e-5, 0.0
        for i in range(len(w)):
            up, down = list(w), list(w)
            up[i] += step
            down[i] -= step
            differences += abs(likelihood.value(up) - likelihood.value(down)) / (2 * step)
        assert abs(said - differences) <= 1e-6 * (1 + likelihood.total), f"gradient {said}, by differences {differences}"


def check_errors(case, likelihood, reply, w):
    """Standard errors: by the inverse of the information, diverging weights far out."""
    by_name = {x["parameter"]: x for x in reply["weights"]}
    entries = [by_name[name] for name in case.names]
    away = [x + {"+": 40, "-": -40, None: 0}[e["diverges"]] for x, e in zip(w, entries)]
    _, _, hessian = likelihood.derivatives(away)
    kept = [i for i, e in enumerate(entries) if not e["diverges"]]
    information = [[-hessian[i][k] for k in kept] for i in kept]
    for row, i in enumerate(kept):
        column = solve(information, [float(k == row) for k in range(len(kept))])
        error = entries[i]["standard_error"]
        assert column and error and abs(error - math.sqrt(column[row])) <= 1e-3 * error, f"error {error}, {column}"


def check_diagnosis(case, likelihood, reply, w):
    """What is said to diverge loses nothing further out; what is said to be determined does."""
    by_name = {x["parameter"]: x for x in reply["weights"]}
    diverging = sum(x["diverges"] is not None for x in reply["weights"])
    alone = diverging == 1
    for i, name in enumerate(case.names):
        entry = by_name[name]
        out = {s: likelihood.value([x + (s * 40 if k == i else 0) for k, x in enumerate(w)]) for s in (1, -1)}
        if entry["diverges"] and alone:
            assert out[1 if entry["diverges"] == "+" else -1] >= reply["log_likelihood"] - 1e-6, f"{name} does not diverge"
        elif entry["identified"] and not entry["diverges"]:
            assert max(out.values()) < reply["log_likelihood"] - 1e-7, f"{name} is not determined: {out}"
            assert entry["standard_error"] is not None, f"{name} has no error"
    for group in reply["unidentified"]:
        assert 0 < group["free_directions"] <= len(group["parameters"])
    if not reply["unidentified"] and diverging < 2:  # several may have to keep a distance
        check_errors(case, likelihood, reply, w)


def check(case, lpmln, folder):
    case.write(folder)
    likelihood = case.likelihood()
    reply = learn(lpmln, folder, "--history", "h.csv")
    w = weights_of(case, reply)
    assert len(reply["weights"]) == len(case.names), f"parameters {reply['weights']}"
    said, true = reply["log_likelihood"], likelihood.value(w)
    assert abs(said - true) <= 1e-8 * (1 + abs(true)), f"log-likelihood {said}, not {true} at {w}"
    best, where = maximise(likelihood, len(w), case.rng)
    assert said >= best - 1e-6 * max(1, abs(best)), f"{said} at {w}, but {best} at {where}"
    assert reply["converged"], "not converged"
    check_gradients(case, likelihood, folder)
    check_diagnosis(case, likelihood, reply, w)


def run_case(lpmln, label):
    case = Case(label)
    with tempfile.TemporaryDirectory() as folder:
        try:
            check(case, lpmln, folder)
            return None
        except (AssertionError, subprocess.TimeoutExpired, KeyError, ValueError) as fault:
            with open(os.path.join(folder, "p.obs"), encoding="utf-8") as text:
                return f"-- {label}: {fault}\n{program_text(case.program)}% observations\n{text.read()}"


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--lpmln", default="build/lpmln")
    parser.add_argument("--count", type=int, default=500)
    parser.add_argument("--seed", default="1")
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--case", action="append", default=[])
    options = parser.parse_args()
    lpmln = os.path.abspath(options.lpmln)
    labels = options.case or [f"{generate.SCHEDULE[i % len(generate.SCHEDULE)]} learn{options.seed}/{i}"
                              for i in range(options.count)]
    with multiprocessing.Pool(options.jobs) as pool:
        tally = closing.Tally()
        for fault in pool.imap(functools.partial(run_case, lpmln), labels):
            tally.check(fault, not fault)
    return tally.close(asked=len(labels))


if __name__ == "__main__":
    sys.exit(main())
