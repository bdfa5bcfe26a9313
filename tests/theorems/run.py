#!/usr/bin/env python3
"""Theorems of the paper on random programs, each against an evaluator that shares no code with lpmln.

    python3 tests/theorems/run.py --lpmln build/lpmln --count 200
    python3 tests/theorems/run.py --only 6 --case 'coherent 1/17'

Theorem 1   `check --chain`: the transition matrix of Algorithm 1 is what the definition gives when it is
            summed over all subsets M; it is ergodic and in detailed balance; a run goes by it
Theorem 2   the program of step (b) of Algorithm 2 has the same stable models and probabilities
Theorem 3   blocks of observations, and one observation of the program with an index: the same weights
Theorem 4   tight programs, and their completions as Markov logic networks: the same weights
Theorem 5   1-coherent programs as LPMLN and as ProbLog: w = ln(p/(1-p))
Theorem 6   k-coherent programs: learned weights are ln(m/n), in closed form and by an optimiser; and
            Propositions 1 to 3 of the appendix: the normaliser, the weight of a model, P(pf)
"""

import argparse
import functools
import json
import math
import multiprocessing
import os
import subprocess
import sys
import tempfile

sys.path[:0] = [os.path.join(os.path.dirname(os.path.abspath(__file__)), *path) for path in ((), ("..",), ("..", "oracle"))]
import chain  # noqa: E402 (found through the line above)
import closing  # noqa: E402
import coherent  # noqa: E402
import generate  # noqa: E402
import plain  # noqa: E402
import problog  # noqa: E402

THEOREMS = {1: (chain.check, lambda seed, i: f"{generate.SCHEDULE[i % len(generate.SCHEDULE)]} chain{seed}/{i}"),
            2: (plain.check_negative, lambda seed, i: f"negative {seed}/{i}"),
            3: (plain.check_indexed, lambda seed, i: f"indexed {seed}/{i}"),
            4: (plain.check_completion, lambda seed, i: f"completion {seed}/{i}"),
            5: (problog.check, lambda seed, i: f"problog {seed}/{i}"),
            6: (coherent.check, lambda seed, i: f"coherent {seed}/{i}")}


class Tool:
    """lpmln in a folder of its own."""

    def __init__(self, lpmln, folder):
        self.lpmln, self.folder = lpmln, folder

    def write(self, name, text):
        with open(os.path.join(self.folder, name), "w", encoding="utf-8") as out:
            out.write(text)

    def ask(self, *arguments):
        done = subprocess.run([self.lpmln, *arguments, "--format", "json", "--quiet"], capture_output=True, text=True,
                              timeout=120, cwd=self.folder, check=False)
        assert done.returncode == 0, f"lpmln {' '.join(arguments)}: exit {done.returncode}: {done.stderr}"
        return json.loads(done.stdout)

    def try_ask(self, *arguments):
        """None: there is no answer."""
        try:
            return self.ask(*arguments)
        except AssertionError:
            return None


def run_case(lpmln, case):
    """None, or what is wrong."""
    theorem, label = case
    with tempfile.TemporaryDirectory() as folder:
        try:
            THEOREMS[theorem][0](Tool(lpmln, folder), label)
            return None
        except (AssertionError, KeyError, ValueError, subprocess.TimeoutExpired) as fault:
            texts = [open(os.path.join(folder, name), encoding="utf-8").read() for name in sorted(os.listdir(folder))]
            return f"Theorem {theorem}, {label}: {fault}\n" + "---\n".join(texts)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--lpmln", default="build/lpmln")
    parser.add_argument("--count", type=int, default=200, help="programs of each theorem")
    parser.add_argument("--seed", default="1")
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--only", type=int, action="append", default=[])
    parser.add_argument("--case", action="append", default=[])
    options = parser.parse_args()
    cases = [(theorem, label) for theorem, (_, name) in THEOREMS.items() if theorem in (options.only or THEOREMS)
             for label in options.case or (name(options.seed, i) for i in range(options.count))]
    suite = closing.Tally()
    with multiprocessing.Pool(options.jobs) as pool:
        for fault in pool.imap(functools.partial(run_case, os.path.abspath(options.lpmln)), cases):
            suite.check(fault, fault is None)
    return suite.close(len(cases))


if __name__ == "__main__":
    sys.exit(main())
