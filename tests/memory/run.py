#!/usr/bin/env python3
"""The program lpmln when memory is out at its n-th allocation, wherever that is.

    python3 tests/memory/run.py [--lpmln build/lpmln] [--count N] [--seed N] [--jobs N]

It ends with the whole answer and exit code 0, or with another exit code and words on standard
error; it never crashes, never prints half an answer, and files are whole or not there.
"""

import argparse
import concurrent.futures
import json
import os
import random
import shlex
import subprocess
import sys
import tempfile

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
sys.path.insert(0, os.path.join(ROOT, "tests"))
import closing  # noqa: E402

PROGRAM = "@w(1,0.7) a. @w(2) b :- a. { c }. d :- c, not b. 2 :- d, a. e(1..2) :- c. 1 f(X) :- e(X).\n"
OBSERVED = "a. not b.\n---\nnot a.\n--- 2\nb.\n---\na.\n"
COMMANDS = [
    ["infer", "p.lpmln"],
    ["infer", "p.lpmln", "-e", "e.obs", "--format", "json", "-q", "f/1"],
    ["infer", "p.lpmln", "--method", "enumerate"],
    ["infer", "p.lpmln", "--data", "t.csv", "-q", "b"],
    ["infer", "p.lpmln", "--report", "OUT"],
    ["map", "p.lpmln", "--format", "json"],
    ["models", "p.lpmln", "-n", "4"],
    ["sample", "p.lpmln", "-n", "4", "--format", "json"],
    ["check", "p.lpmln"],
    ["translate", "p.lpmln", "--to", "asp"],
    ["compile", "p.lpmln", "-o", "OUT"],
    ["models", "p.lpc"],
    ["learn", "p.lpmln", "-e", "o.obs", "-o", "OUT"],
    ["learn", "p.lpmln", "-e", "o.obs", "--history", "OUT", "--format", "json"],
    ["learn", "p.lpmln", "-e", "o.obs", "--report", "OUT"],
    ["learn", "p.lpmln", "-e", "o.obs", "--checkpoint", "OUT"],
    ["--help"],
    ["infer", "--help"],
]
PARTIAL = ("--history", "--checkpoint")  # appended to: may be shorter


class Runner:
    def __init__(self, lpmln, folder):
        self.lpmln, self.folder = lpmln, folder
        self.library = os.path.join(folder, "failing.so")
        subprocess.run([*shlex.split(os.environ.get("CC", "cc")), "-shared", "-fPIC", "-O1", "-o", self.library,
                        os.path.join(ROOT, "tests/memory/failing.c")], check=True)
        for name, text in (("p.lpmln", PROGRAM), ("o.obs", OBSERVED), ("e.obs", "not d.\n"), ("t.csv", "a,c\n1,0\n,1\n")):
            with open(os.path.join(folder, name), "w", encoding="utf-8") as file:
                file.write(text)
        subprocess.run([lpmln, "compile", "p.lpmln", "-o", "p.lpc"], cwd=folder, check=True)

    def run(self, command, env=None, out="out"):
        line = [out if word == "OUT" else word for word in command]
        done = subprocess.run([self.lpmln, *line], cwd=self.folder, capture_output=True, text=True, timeout=120,
                              env={**os.environ, **(env or {})}, check=False)
        path, made = os.path.join(self.folder, out), None
        if os.path.exists(path):
            with open(path, "rb") as file:
                made = file.read()
            os.remove(path)
        return done, made

    def count(self, command):
        """Its allocations, and what it says when none fails."""
        path = os.path.join(self.folder, "count")
        done, made = self.run(command, {"LD_PRELOAD": self.library, "FAIL_COUNT": path})
        with open(path, encoding="utf-8") as file:
            return int(file.read()), done, made



def judge(runner, whole, command, n, forever):
    """None, or what is wrong."""
    right, right_made = whole
    env = {"LD_PRELOAD": runner.library, "FAIL_AT": str(n), **({"FAIL_FOREVER": "1"} if forever else {})}
    out = f"out{n}{'f' if forever else ''}"
    try:
        done, made = runner.run(command, env, out)
    except subprocess.TimeoutExpired:
        return "hangs"
    if done.returncode < 0 or done.returncode not in (0, 1, 2, 3, 4, 5):
        return f"exit {done.returncode}: {done.stderr[-300:]}"
    if done.returncode == 0:
        if done.stdout != right.stdout:
            return f"exit 0 with another answer: {done.stdout[:200]!r}"
        if (made is None) != (right_made is None):
            return "exit 0 without its file"
    elif not done.stderr.strip():
        return f"exit {done.returncode} without a word"
    elif done.returncode == 4 and "memory" not in done.stderr and "write" not in done.stderr:
        return f"exit 4, but nothing about memory: {done.stderr[-300:]}"
    if made is not None and right_made is not None and not set(command) & set(PARTIAL) and "--report" not in command:
        found = done.returncode and command[0] == "learn"  # the weights found so far, in the whole program
        if made[-40:] != right_made[-40:] if found else made != right_made:
            return "half a file"
    if "json" in command and not done.stdout and "write the answer" not in done.stderr:
        return f"exit {done.returncode} without an object: {done.stderr[-300:]}"
    if done.stdout and done.stdout != right.stdout and "json" in command:
        try:
            json.loads(done.stdout)
        except ValueError:
            return f"half an answer: {done.stdout[:200]!r}"
    return None


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--lpmln", default="build/lpmln")
    parser.add_argument("--count", type=int, default=300)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--jobs", type=int, default=2)
    options = parser.parse_args()
    tally, rng = closing.Tally(), random.Random(options.seed)
    with tempfile.TemporaryDirectory() as folder, concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        runner = Runner(os.path.realpath(options.lpmln), folder)
        jobs, each = [], max(2, options.count // len(COMMANDS))
        for command in COMMANDS:
            n, *whole = runner.count(command)
            tally.check(f"{command} is answered: {whole[0].stderr}", whole[0].returncode == 0)
            places = sorted(rng.sample(range(1, n + 1), min(each, n)))
            jobs += [(command, at, at % 2 == 0, pool.submit(judge, runner, whole, command, at, at % 2 == 0))
                     for at in places]
        for command, at, forever, job in jobs:
            wrong = job.result()
            tally.check(f"{' '.join(command)}, allocation {at}{' and all after' if forever else ''}: {wrong}", not wrong)
    return tally.close(asked=min(options.count // 2, 2 * len(COMMANDS)))


if __name__ == "__main__":
    sys.exit(main())
