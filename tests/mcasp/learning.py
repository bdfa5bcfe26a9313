"""Learning from samples on random problems, against the exact optimum.

    python3 tests/mcasp/learning.py --lpmln build/lpmln [--count 40] [--seed 1]

Half of the problems have complete observations, half leave about half of the atoms open; all have a
Gaussian prior, so that there is an optimum.  Judged are: the share of 95% intervals of the Monte
Carlo error that hold the exact weight, the share of runs whose loss in log-likelihood (with prior) is
below what is promised, that no run says that it converged which is far from the optimum (of gradient
ascent, too), and the share of 95% intervals of the log-likelihood that hold the exact one.
"""

import argparse
import json
import math
import os
import random
import subprocess
import sys
import tempfile

ROOT = os.path.abspath(os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", ".."))
sys.path.insert(0, os.path.join(ROOT, "tests"))
import closing  # noqa: E402

DEVIATION = 2.0


def promised(parameters):
    """As docs/learning.md says."""
    return max(0.005 * parameters, 0.01)


def make_program(rng):
    """Lines with @w(i) in front of the soft rules, and the atoms that are observed."""
    atoms = [f"a{i}" for i in range(rng.randint(3, 5))]
    lines = ["{ " + "; ".join(atoms) + " }."]
    for i in range(rng.randint(1, 4)):
        body = rng.sample(atoms, 2)
        literals = [rng.choice(("", "not ")) + x for x in body]
        head = rng.choice([x for x in atoms if x not in body])
        lines.append(rng.choice((f"@w({i}) {head}.", f"@w({i}) {head} :- {', '.join(literals)}.",
                                 f"@w({i}) :- {', '.join(literals)}.", f"@w({i}) d :- {', '.join(literals)}.")))
    lines.append(f"e :- {atoms[0]}, not {atoms[1]}. e :- f. f :- e, {atoms[2]}. f :- {atoms[1]}, {atoms[2]}.")
    if rng.random() < 0.3:
        lines.append(f":- {', '.join(rng.sample(atoms, 3))}.")
    return "\n".join(lines) + "\n", atoms + ["e", "d"]


class Problem:
    def __init__(self, lpmln, folder, label, complete):
        self.lpmln, self.folder = lpmln, folder
        rng = random.Random(label)
        self.text, self.atoms = make_program(rng)
        self.parameters = self.text.count("@w(")
        self.program = self.write("p.lpmln", self.text)
        known = self.text
        for i in range(self.parameters):
            known = known.replace(f"@w({i})", f"{rng.uniform(-1.5, 1.5):.3f}")
        drawn = self.json("sample", self.write("true.lpmln", known), "-n", str(rng.randint(5, 30)), "--seed", "1")
        blocks = []
        for model in drawn["samples"]:
            told = [a for a in self.atoms if complete or rng.random() < 0.5]
            blocks.append(" ".join(("" if a in model else "not ") + a + "." for a in told) or "not nothing_there.")
        self.data = self.write("d.obs", "\n---\n".join(blocks) + "\n---\n")

    def write(self, name, text):
        path = os.path.join(self.folder, name)
        with open(path, "w", encoding="utf-8") as file:
            file.write(text)
        return path

    def json(self, *line):
        done = subprocess.run([self.lpmln, *line, "--format", "json", "--quiet"], capture_output=True, text=True,
                              timeout=300, check=False)
        assert done.returncode == 0, f"{line}: exit {done.returncode}\n{done.stderr}"
        return json.loads(done.stdout)

    def learn(self, *options):
        return self.json("learn", self.program, "-e", self.data, "--prior", f"0,{DEVIATION}", *options)

    def objective(self, weights):
        """Exact, of given weights: they become numbers, and a parameter without influence is learned."""
        text = self.text
        for i, w in weights.items():
            text = text.replace(f"@w({i})", repr(w))
        fixed = self.write("fixed.lpmln", text + "@w(none) zzz.\n")
        value = self.json("learn", fixed, "-e", self.data, "--prior", f"0,{DEVIATION}")["log_likelihood"]
        return value - log_prior(weights)


def log_prior(weights):
    """Its negative, but for a constant."""
    return sum(w * w for w in weights.values()) / (2 * DEVIATION ** 2)


def weights_of(answer):
    return {w["parameter"]: w["weight"] for w in answer["weights"]}


class Count:
    def __init__(self):
        self.intervals = self.inside = self.runs = self.converged = self.kept = 0
        self.likelihoods = self.covered = 0
        self.false_claims, self.squares = [], []

    def add(self, label, problem, seed):
        exact = problem.learn("--method", "exact", "--restarts", "0")
        answer = problem.learn("--method", "mc-asp", "--seed", str(seed))
        self.runs += 1
        ascent = problem.learn("--method", "mc-asp", "--optimizer", "ascent", "--iterations", "40", "--seed", str(seed))
        self.claim(label + " by ascent", problem, ascent, weights_of(exact))
        found, best = weights_of(answer), weights_of(exact)
        if not answer["converged"]:
            return
        self.converged += 1
        self.kept += self.claim(label, problem, answer, best) <= promised(problem.parameters)
        if answer["log_likelihood_error"]:
            self.likelihoods += 1
            off = answer["log_likelihood"] - problem.objective(found) - log_prior(found)
            self.covered += abs(off) <= 1.96 * answer["log_likelihood_error"]
        for w in answer["weights"]:
            if w["mc_error"] is None or w["mc_error"] == 0:
                continue
            z = (w["weight"] - best[w["parameter"]]) / w["mc_error"]
            self.intervals += 1
            self.inside += abs(z) <= 1.96
            self.squares.append(z * z)

    def claim(self, label, problem, answer, best):
        """What a run that says that it converged loses; 0 of others."""
        if not answer["converged"]:
            return 0
        loss = problem.objective(best) - problem.objective(weights_of(answer))
        if loss > 4 * promised(problem.parameters):
            self.false_claims.append((label, loss))
        return loss


def within(share, low, high, n):
    """The bounds, wider by three standard errors of a share of n."""
    slack = 3 * math.sqrt(0.05 * 0.95 / n)
    return low - slack <= share <= high + slack


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--lpmln", default="build/lpmln")
    parser.add_argument("--count", type=int, default=40)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    tally, lpmln = closing.Tally(), os.path.abspath(options.lpmln)
    for complete in (True, False):
        count = Count()
        for i in range(options.count // 2):
            label = f"{options.seed}/{i}/{complete}"
            with tempfile.TemporaryDirectory() as folder:
                count.add(label, Problem(lpmln, folder, label, complete), i)
        kind = "complete" if complete else "incomplete"
        print(f"{kind}: {count.runs} runs, {count.converged} converged, {count.inside} of {count.intervals} intervals "
              f"({100 * count.inside / count.intervals:.1f}%), mean square {sum(count.squares) / len(count.squares):.2f}, "
              f"{count.kept} of {count.converged} losses as promised, {count.covered} of {count.likelihoods} likelihoods",
              flush=True)
        tally.check(f"{kind}: intervals", within(count.inside / count.intervals, 0.91, 0.985, count.intervals))
        tally.check(f"{kind}: losses", count.kept / count.converged >= 0.95 - 3 * math.sqrt(0.05 * 0.95 / count.converged))
        tally.check(f"{kind}: said to have converged: {count.false_claims}", not count.false_claims)
        tally.check(f"{kind}: most converge", count.converged >= 0.9 * count.runs)
        tally.check(f"{kind}: most have a likelihood", count.likelihoods >= 0.8 * count.converged)
        tally.check(f"{kind}: likelihoods", within(count.covered / max(count.likelihoods, 1), 0.91, 1, count.likelihoods or 1))
    return tally.close(asked=12)


if __name__ == "__main__":
    sys.exit(main())
