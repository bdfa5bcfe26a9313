#!/usr/bin/env python3
"""Ctrl-C and --time-limit in every phase: the program ends within a second.

    python3 tests/stop/run.py [--lpmln build/lpmln] [--only WORD]…

Each program is too large for what it is asked.  It is told to stop when it has worked for a
while, and may then work for one second more: of a core, with its workers, because a busy machine
gives no other measure.  The exit codes are 130 (Ctrl-C) and 4 (a limit).
"""

import argparse
import os
import random
import signal
import subprocess
import sys
import tempfile
import time

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
sys.path.insert(0, os.path.join(ROOT, "tests"))
import closing  # noqa: E402
import processes  # noqa: E402

AFTER, MOST, HANGS = 0.4, 1.0, 300  # seconds of a core before the signal and after it; of the clock
ATOMS, CLAUSES, PARAMETERS = 200, 600, 2000


def clauses(draw, fact):
    """Random clauses: no engine gets through them."""
    text = "".join(fact(i) for i in range(ATOMS))
    for _ in range(CLAUSES):
        some = draw.sample(range(ATOMS), 3)
        text += ":- " + ", ".join(draw.choice(("", "not ")) + f"x({i})" for i in some) + ".\n"
    return text


def inputs(draw):
    many = range(PARAMETERS)
    ties = [draw.sample(many, 2) for _ in range(2 * PARAMETERS)]
    seen = "".join("".join(draw.choice(("", "not ")) + f"x({i})." for i in many[::3]) + "\n---\n" for _ in range(20))
    decided = "".join(f"y({i}) :- x({draw.randrange(60)}), not x({draw.randrange(60)}), d({i % 30}). "
                      f"#utility({draw.randint(-5, 5)}) y({i}), y({7 * i % 150}).\n" for i in range(150))
    return {
        "long.lpmln": "".join(f"0.5 : a{i}(X,Y) :- b{i}(X,Y), not c{i}(Y), d(X,{i}).\n" for i in range(300000)),
        "long.pl": "".join(f"0.5::a{i}(X,Y) :- b{i}(X,Y), \\+ c{i}(Y), d(X,{i}).\n" for i in range(300000)),
        "long.obs": "".join(f":- not x({i}).\n" for i in range(1000000)),
        "ground.lpmln": "n(1..400). 0.1 p(X,Y,Z) :- n(X), n(Y), n(Z).\n",
        "endless.lpmln": "p(0). p(X+1) :- p(X), not q(X). q(-1). 1 a.\n",
        "hard.lpmln": clauses(draw, lambda i: f"{draw.uniform(-1, 1):.3f} x({i}).\n"),
        "tied.lpmln": "".join(f"@w({i}) x({i}). " for i in many) + "".join(f"0.5 :- x({i}), not x({k}).\n" for i, k in ties),
        "tied.obs": seen,
        "splits.lpmln": clauses(draw, lambda i: "") + f"@w(1) x(X) :- n(X). n(0..{ATOMS - 1}).\n",
        "splits.obs": "x(1). not x(2).\n",
        "decide.lpmln": "#decision d(0..29). {x(0..59)}.\n" + decided,
        "wide.lpmln": "0.3 a(1..40000). b(X) :- a(X).\n",
        "candidates.lp": "".join(f"x({i}) :- x({k}).\n" for i, k in ties[:200]),
    }


CASES = [
    ("reading", "check long.lpmln"),
    ("reading ProbLog", "check long.pl"),
    ("reading observations", "infer hard.lpmln -e long.obs"),
    ("grounding", "infer ground.lpmln"),
    ("grounding without end", "infer endless.lpmln"),
    ("compiling", "infer hard.lpmln --method exact"),
    ("bounds", "infer hard.lpmln --method bounds --precision 0.000001"),
    ("enumeration", "infer hard.lpmln --method enumerate"),
    ("sampling", "infer hard.lpmln --method mc-asp --samples 10000000"),
    ("sensitivities", "infer wide.lpmln --sensitivity"),
    ("map", "map hard.lpmln --method exact"),
    ("models", "models hard.lpmln -n 10 --method exact"),
    ("samples", "sample hard.lpmln -n 100000"),
    ("why", "why hard.lpmln -q x(1)"),
    ("decide", "decide decide.lpmln"),
    ("compile", "compile hard.lpmln -o hard.lpc"),
    ("translate", "translate hard.lpmln --to nnf"),
    ("learning", "learn tied.lpmln -e tied.obs"),
    ("learning from samples", "learn tied.lpmln -e tied.obs --method mc-asp"),
    ("folds", "learn tied.lpmln -e tied.obs --folds 5"),
    ("groups", "learn splits.lpmln -e splits.obs --split"),
    ("compare", "compare splits.lpmln tied.lpmln -e splits.obs"),
    ("induce", "induce tied.lpmln --candidates candidates.lp -e tied.obs"),
]


def follow(process, told):
    """Works until it is told to stop, and then on: seconds of a core after that, None: it was not told in time."""
    began, at, last = time.monotonic(), None, 0.0
    while process.poll() is None and time.monotonic() - began < HANGS:
        last = max(last, processes.work_of(process.pid))
        if at is None and told(last, time.monotonic() - began):
            at = last
        if at is not None and last - at > 5 * MOST:
            break
        time.sleep(0.01)
    return None if at is None else last - at


def run(lpmln, folder, command, limit):
    """What is wrong, or None."""
    line = [lpmln, *command.split(), "--quiet", *(["--time-limit", "1"] if limit else [])]
    with subprocess.Popen(line, cwd=folder, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                          stderr=subprocess.DEVNULL, start_new_session=True) as process:

        def told(work, seconds):
            if not limit and work >= AFTER:
                process.send_signal(signal.SIGINT)
            return seconds >= 1 if limit else work >= AFTER

        try:
            after = follow(process, told)
        finally:
            if process.poll() is None:
                os.killpg(process.pid, signal.SIGKILL)
    wanted = (0, 3, 4) if limit else (130,)  # some answer in a second
    if after is not None and after > MOST:
        return f"works on for {after:.1f} s of a core"
    if process.returncode not in wanted:
        return f"exit code {process.returncode}" + (", before it was told to stop" if after is None else "")
    return None


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--lpmln", default=os.path.join(ROOT, "build", "lpmln"))
    parser.add_argument("--only", action="append", help="cases whose names have this in them")
    options = parser.parse_args()
    tally = closing.Tally()
    with tempfile.TemporaryDirectory() as folder:
        for name, text in inputs(random.Random(5)).items():
            with open(os.path.join(folder, name), "w", encoding="utf-8") as file:
                file.write(text)
        for what, command in CASES:
            for limit in (False, True) if not options.only or any(word in what for word in options.only) else ():
                wrong = run(os.path.abspath(options.lpmln), folder, command, limit)
                tally.check(f"{what}{', time limit' if limit else ''}: {wrong}", wrong is None)
    return tally.close()


if __name__ == "__main__":
    sys.exit(main())
