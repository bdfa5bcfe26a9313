#!/usr/bin/env python3
"""Learning on several ranks of this machine: CPU seconds of the busiest rank, and of all together.

    python3 bench/ranks.py [--lpmln build/lpmln] [--ranks N ...] [--rows N] [--rounds N]

Network L20b, rows in each of which it was seen of six stations whether they are connected to station 1: each row has a
circuit of its own. lpmln and lpmln-mpi take turns; the table of docs/cluster.md has the least of the rounds.
"""

import argparse
import os
import random
import resource
import subprocess
import sys
import tempfile

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
sys.path.insert(0, os.path.join(ROOT, "examples", "network"))
import generate  # noqa: E402

STATIONS = 20


def reached(edges, failed):
    found, todo = {1}, [1]
    while todo:
        at = todo.pop()
        for x, y in edges:
            if x == at and y not in found and not failed & {x, y}:
                found.add(y)
                todo.append(y)
    return found


def write_problem(folder, rows):
    pick, edges, lines = random.Random(1), generate.layers(STATIONS, both=True), set()
    with open(os.path.join(folder, "net.lpmln"), "w", encoding="utf-8") as file:
        file.write(generate.program(edges, sessions=1))
    while len(lines) < rows:
        failed = {k for k in range(1, STATIONS + 1) if pick.random() < 0.2}
        there, seen = reached(edges, failed), pick.sample(range(2, STATIONS + 1), 6)
        lines.add(",".join(str(int(k in there)) if k in seen else "" for k in range(2, STATIONS + 1)))
    with open(os.path.join(folder, "rows.csv"), "w", encoding="utf-8") as file:
        file.write(",".join(f'"connected(1,{k},1)"' for k in range(2, STATIONS + 1)) + "\n")
        file.write("\n".join(sorted(lines)) + "\n")


def rank(command):
    """What each rank runs: the command, and a file of what it cost."""
    code = subprocess.call(command, stdout=subprocess.DEVNULL)
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    with open(f"cost{os.environ.get('OMPI_COMM_WORLD_RANK', '0')}", "w", encoding="utf-8") as file:
        file.write(str(used.ru_utime + used.ru_stime))
    return code


def measure(lpmln, ranks, folder, more):
    """CPU seconds by rank."""
    line = [sys.executable, os.path.abspath(__file__), "--rank", lpmln + ("-mpi" if ranks else ""), "learn", "net.lpmln", "--data",
            "rows.csv", "--restarts", "0", "--quiet", *more]
    if ranks:
        line = ["mpirun", "--oversubscribe", "-n", str(ranks), *line]
    environment = dict(os.environ, OMPI_ALLOW_RUN_AS_ROOT="1", OMPI_ALLOW_RUN_AS_ROOT_CONFIRM="1",
                       OMPI_MCA_btl_vader_single_copy_mechanism="none")
    subprocess.run(line, cwd=folder, env=environment, check=True)
    costs = []
    for i in range(max(ranks, 1)):
        with open(os.path.join(folder, f"cost{i}"), encoding="utf-8") as file:
            costs.append(float(file.read()))
    return costs


def main():
    if sys.argv[1:2] == ["--rank"]:
        sys.exit(rank(sys.argv[2:]))
    parser = argparse.ArgumentParser()
    parser.add_argument("--lpmln", default="build/lpmln")
    parser.add_argument("--ranks", type=int, nargs="+", default=[1, 2, 4])
    parser.add_argument("--rows", type=int, default=2000)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--more", nargs=argparse.REMAINDER, default=[])
    args = parser.parse_args()
    busiest, together = {}, {}
    with tempfile.TemporaryDirectory() as folder:
        write_problem(folder, args.rows)
        for _ in range(args.rounds):
            for ranks in (0, *args.ranks):
                costs = measure(os.path.abspath(args.lpmln), ranks, folder, args.more)
                busiest[ranks] = min(busiest.get(ranks, max(costs)), max(costs))
                together[ranks] = min(together.get(ranks, sum(costs)), sum(costs))
    print("| ranks | CPU of the busiest rank | speed-up of that | all ranks together |\n|---|---|---|---|")
    for ranks in busiest:
        print(f"| {ranks or 'lpmln'} | {busiest[ranks]:.1f} s | {busiest[0] / busiest[ranks]:.2f} | {together[ranks]:.1f} s |")


if __name__ == "__main__":
    main()
