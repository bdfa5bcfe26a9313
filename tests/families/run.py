"""Families of programs against programs that share nothing with lpmln: bench/families.py, bench/independent.py.

ln Z, or the probability of the query, at sizes that are far beyond enumeration; --long: at the sizes that are measured,
and with more seeds.
"""

import argparse
import json
import math
import os
import subprocess
import sys
import tempfile

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
sys.path[:0] = [os.path.join(ROOT, "tests"), os.path.join(ROOT, "bench")]
import families  # noqa: E402
import independent  # noqa: E402
from closing import Tally  # noqa: E402

SIZES = {"open_friends": [5, 8], "known_friends": [20, 40], "coloring": [10, 20], "clauses": [15, 25], "ising": [4, 8],
         "strip": [4, 8], "edges_grid": [2, 3], "complete": [5, 7], "tree_smokers": [20, 60], "hmm": [10, 100], "tables": [6, 30], "chain": [10, 300],
         "knapsack": [20, 60], "nodes_scale_free": [12, 16], "nodes_grid4": [3, 5]}
LONG = {"open_friends": [12, 15], "known_friends": [60, 120], "coloring": [40, 50], "ising": [11, 13], "strip": [18, 100],
        "edges_grid": [4], "complete": [9, 12], "tree_smokers": [200, 300, 1000], "hmm": [200, 1000, 4000], "tables": [100, 300], "chain": [2000],
        "knapsack": [120, 240], "nodes_grid4": [10, 30]}


def lpmln_answer(program, problem, folder, limit):
    """ln Z or a probability; None: no answer within the limit."""
    path = os.path.join(folder, "p" + problem.suffix)
    with open(path, "w") as file:
        file.write(problem.text)
    command = [program, "infer", path, "--method", "exact", "--format", "json", "--time-limit", str(limit)]
    if problem.query and not problem.problog:
        command += ["-q", problem.query]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode == 4:
        return None
    answer = json.loads(done.stdout)
    return answer["marginals"][0]["probability"] if problem.query else answer["log_partition"]


def threads_agree(program, folder, tally):
    """Programs that are large enough for idle threads to help: the same compiled file."""
    for family, size in ("clauses", 55), ("ising", 11), ("open_friends", 13), ("edges_grid", 5):
        path, files = os.path.join(folder, "p.lpmln"), []
        with open(path, "w") as file:
            file.write(families.make(family, size, 1).text)
        for threads in "1", "2", "3":
            out = os.path.join(folder, threads + ".lpc")
            subprocess.run([program, "compile", path, "-o", out, "--threads", threads, "--quiet"], check=True)
            with open(out, "rb") as file:
                files.append(file.read())
        tally.check(f"{family} {size}: threads change the circuit", files[0] == files[1] == files[2])


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--lpmln", default="build/lpmln")
    parser.add_argument("--long", action="store_true")
    parser.add_argument("--seeds", type=int, default=2)
    parser.add_argument("--limit", type=float, default=60)
    options = parser.parse_args()
    tally, asked = Tally(), 0
    with tempfile.TemporaryDirectory() as folder:
        threads_agree(options.lpmln, folder, tally)
        for family in families.FAMILIES:
            for size in SIZES[family] + (LONG.get(family, []) if options.long else []):
                for seed in range(1, options.seeds + 1):
                    problem, what = families.make(family, size, seed), f"{family} {size}, seed {seed}"
                    asked += 1
                    expected = independent.answer(problem)
                    if expected is None:
                        tally.skip("too large for the independent program")
                        continue
                    found = lpmln_answer(options.lpmln, problem, folder, options.limit)
                    if found is None and options.long:
                        tally.skip(f"no answer within {options.limit:.0f} s: {what}")
                        continue
                    tally.check(f"{what}: {found} instead of {expected}",
                                found is not None and math.isclose(found, expected, rel_tol=1e-9, abs_tol=1e-12))
    return tally.close(asked)


if __name__ == "__main__":
    sys.exit(main())
