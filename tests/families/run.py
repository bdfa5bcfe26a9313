"""Families of programs against programs that share nothing with lpmln: bench/families.py, bench/independent.py.

ln Z, or the probability of the query, at sizes that are far beyond enumeration; --long: at the sizes that are measured,
and with more seeds.
"""

import argparse
import json
import math
import os
import random
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


def clamp(v, k, size):
    return (v,), [float(j == k) for j in range(size)]


def rows_of(problem, rng, count=8):
    """Rows of values of five variables, not all known; the atoms that say them, which may hold; and the rows as text."""
    sizes = problem.data["sizes"]
    seen = sorted(rng.sample(range(len(sizes)), 5))
    rows = [{v: rng.randrange(sizes[v]) for v in seen if rng.random() < .8} for _ in range(count)]
    values = [(v, k) for v in seen for k in range(sizes[v])
              if independent.log_sum(sizes, problem.data["factors"] + [clamp(v, k, sizes[v])]) > -math.inf]
    atoms = [f"v({v},{k})" for v, k in values]
    cells = [",".join("" if v not in row else str(int(row[v] == k)) for v, k in values) for row in rows]
    return rows, atoms, "\n".join([",".join(f'"{atom}"' for atom in atoms)] + cells) + "\n"


def expected_row(problem, row):
    """P(query | row); None: the row is impossible."""
    sizes, (asked, value) = problem.data["sizes"], problem.data["asked"]
    given = problem.data["factors"] + [clamp(v, k, sizes[v]) for v, k in row.items()]
    below = independent.log_sum(sizes, given)
    above = independent.log_sum(sizes, given + [clamp(asked, value, sizes[asked])])
    return None if below == -math.inf else math.exp(above - below)


def rows_agree(program, folder, tally, size, seed):
    """A network of tables, compiled with observables; rows of evidence, and the same as evidence of one question."""
    problem, rng = families.make("tables", size, seed), random.Random(seed)
    rows, atoms, table = rows_of(problem, rng)
    files = {name: os.path.join(folder, name) for name in ("p.pl", "p.lpc", "rows.csv")}
    for name, text in ("p.pl", problem.text), ("rows.csv", table):
        with open(files[name], "w") as file:
            file.write(text)
    observable = [word for atom in atoms for word in ("--observable", atom)]
    made = subprocess.run([program, "compile", files["p.pl"], *observable, "-o", files["p.lpc"], "--quiet"], check=False)
    done = subprocess.run([program, "infer", files["p.lpc"], "--data", files["rows.csv"], "-q", problem.query],
                          capture_output=True, text=True, check=False)
    if not tally.check(f"tables {size}, seed {seed}, with observables", made.returncode == 0):
        return
    for row, line in zip(rows, done.stdout.splitlines()[1:]):
        expected, found = expected_row(problem, row), line.split(",")[0]
        if expected is None:
            tally.check(f"tables {size}, seed {seed}: {row} is impossible", not found)
        else:
            tally.check(f"tables {size}, seed {seed}: {row}: {found} is not {expected}",
                        found and math.isclose(float(found), expected, rel_tol=1e-6, abs_tol=1e-9))


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
        for size, seed in [(6, seed) for seed in range(1, 21)] + [(30, seed) for seed in range(1, 6)]:
            rows_agree(options.lpmln, folder, tally, size, seed)
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
