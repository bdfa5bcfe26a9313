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
from brute import Likelihood, climb, maximise, solve  # noqa: E402
from syntax import Weight, ground, program_text  # noqa: E402

NAMES = ("1", "slope", "f(2)")
OPTIMIZERS_EVERY = 4  # programs


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
        self.number = int(label.rpartition("/")[2])
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
        described = [(self.counts(m), float(m.log_weight)) for m in self.models]  # initial values are 0
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


class Fixed:
    """A likelihood with one weight fixed."""

    def __init__(self, likelihood, i, value):
        self.likelihood, self.i, self.at = likelihood, i, value

    def whole(self, w):
        return [*w[:self.i], self.at, *w[self.i:]]

    def derivatives(self, w):
        value, gradient, hessian = self.likelihood.derivatives(self.whole(w))
        drop = lambda row: [*row[:self.i], *row[self.i + 1:]]
        return value, drop(gradient), [drop(row) for row in drop(hessian)]


def supremum_within(likelihood, size, i, sign, rng):
    """Of F over sign * w_i <= LEVEL: at that bound, or at an optimum within."""
    fixed = Fixed(likelihood, i, sign * LEVEL)
    best = (maximise(fixed, size - 1, rng, 8)[0] if size > 1 else fixed.derivatives([])[0])
    for k in range(8):
        value, w = climb(likelihood, [0.0 if k == 0 else rng.gauss(0, 3) for _ in range(size)])
        if sign * w[i] <= LEVEL:
            best = max(best, value)
    return best


LEVEL = 9  # not lpmln's own


def divergence(likelihood, size, i, best, rng):
    """'+', '-', None, or "?" if the numbers don't tell."""
    lacks = {sign: (best - supremum_within(likelihood, size, i, sign, rng)) / max(1, abs(best))
             for sign in (1, -1)}
    for sign, name in ((1, "+"), (-1, "-")):
        if lacks[sign] > 1e-6:
            return name
    return None if max(lacks.values()) < 1e-9 else "?"


class Verdict(Exception):
    """Whether a weight diverges is answered otherwise than by the definition.

    An open point: it happens in about one problem of 250, where the supremum within the bound
    is hard to tell from the whole one.  More than one of 100 is a fault.
    """


def check_divergence(case, likelihood, reply, best, verdicts):
    """By its definition: the supremum within any bound is below the whole supremum."""
    for i, name in enumerate(case.names):
        if name not in verdicts:
            verdicts[name] = divergence(likelihood, len(case.names), i, best, case.rng)
        said = next(x for x in reply["weights"] if x["parameter"] == name)["diverges"]
        if verdicts[name] not in (said, "?"):
            raise Verdict(f"{name} diverges {said}, by definition {verdicts[name]}")


def check_optimizers(case, likelihood, lpmln, folder, best, verdicts):
    """The same verdict from all that reach the same likelihood."""
    for optimizer in ("lbfgs", "newton", "em"):
        reply = learn(lpmln, folder, "--optimizer", optimizer)
        if reply["supremum"] >= best - 1e-7 * max(1, abs(best)):
            check_divergence(case, likelihood, reply, best, verdicts)


def check_diagnosis(case, likelihood, reply, w):
    """What is said to be determined loses something further out."""
    by_name = {x["parameter"]: x for x in reply["weights"]}
    diverging = sum(x["diverges"] is not None for x in reply["weights"])
    for i, name in enumerate(case.names):
        entry = by_name[name]
        out = {s: likelihood.value([x + (s * 40 if k == i else 0) for k, x in enumerate(w)]) for s in (1, -1)}
        if entry["identified"] and not entry["diverges"]:
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
    verdicts = {}
    best = max(best, reply["supremum"])
    check_divergence(case, likelihood, reply, best, verdicts)
    if case.number % OPTIMIZERS_EVERY == 0:
        check_optimizers(case, likelihood, lpmln, folder, best, verdicts)


def run_case(lpmln, label):
    case = Case(label)
    with tempfile.TemporaryDirectory() as folder:
        try:
            check(case, lpmln, folder)
            return None
        except Verdict as other:
            return other
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
            if isinstance(fault, Verdict):
                tally.skip("an open point: whether a weight diverges, otherwise than by the definition")
            else:
                tally.check(fault, not fault)
    tally.check("few verdicts are otherwise", tally.skipped * 100 <= max(len(labels), 100))
    return tally.close(asked=len(labels))


if __name__ == "__main__":
    sys.exit(main())
