#!/usr/bin/env python3
"""Learning from tables of more and more different rows, or inferring from each of them: CPU seconds and memory.

    python3 bench/rows.py [--lpmln build/lpmln] [--rows N ...] [--atoms N] [--infer] [--more OPTION ...]

Rows of atoms that hang together, under --memory-limit 500: the tables of docs/cluster.md.  --infer: the probability of one atom
for each row.  --more: further options of learn, or infer.
"""

import argparse
import os
import random
import resource
import subprocess
import tempfile


def write_rows(path, atoms, rows, unknown):
    rng = random.Random(rows)
    with open(path, "w", encoding="utf-8") as file:
        file.write(",".join(f"a({i})" for i in range(1, atoms + 1)) + "\n")
        for _ in range(rows):
            bits = rng.getrandbits(atoms)
            hidden = rng.randrange(atoms) if unknown else -1
            file.write(",".join("" if i == hidden else "01"[bits >> i & 1] for i in range(atoms)) + "\n")


def measure(lpmln, folder, atoms, rows, unknown, command, more):
    """CPU seconds and the most MB that were in use, in a process of its own."""
    write_rows(os.path.join(folder, "rows.csv"), atoms, rows, unknown)
    pid = os.fork()
    if not pid:
        nothing = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nothing, 1)
        os.execv(lpmln, [lpmln, *command, os.path.join(folder, "chain.lpmln"), "--data",
                         os.path.join(folder, "rows.csv"), "--threads", "1", "--memory-limit", "500", *more])
    _, status, used = os.wait4(pid, 0)
    if status:
        raise subprocess.CalledProcessError(status, lpmln)
    return used.ru_utime + used.ru_stime, used.ru_maxrss / 1024


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--lpmln", default="build/lpmln")
    parser.add_argument("--rows", type=int, nargs="+", default=[10**4, 10**5, 10**6])
    parser.add_argument("--atoms", type=int, default=30)
    parser.add_argument("--infer", action="store_true")
    parser.add_argument("--more", nargs=argparse.REMAINDER, default=[])
    args = parser.parse_args()
    command = ["infer", "-q", f"a({args.atoms})"] if args.infer else ["learn"]
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    print("| rows | all atoms seen | | one unknown in each | |\n|---|---|---|---|---|")
    with tempfile.TemporaryDirectory() as folder:
        with open(os.path.join(folder, "chain.lpmln"), "w", encoding="utf-8") as file:
            file.write(f"@w(s) a(1..{args.atoms}).\n@w(t) a(X+1) :- a(X), X < {args.atoms}.\n")
        for rows in args.rows:
            cells = []
            for unknown in (False, True):
                seconds, memory = measure(os.path.abspath(args.lpmln), folder, args.atoms, rows, unknown, command, args.more)
                cells += [f"{seconds:.1f} s", f"{memory:.0f} MB"]
            print(f"| {rows:,} | {' | '.join(cells)} |", flush=True)


if __name__ == "__main__":
    main()
