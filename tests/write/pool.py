"""Runs checks in parallel: prints those that fail and the closing line."""

import argparse
import multiprocessing
import os
import subprocess
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
import closing  # noqa: E402


def run(one, jobs, workers):
    """one(job) gives a label and None, or what is wrong; then, if parts were left out, the
    reasons.  Returns an exit code."""
    tally = closing.Tally()
    with multiprocessing.Pool(workers) as pool:
        for label, wrong, *left_out in pool.imap(one, jobs, chunksize=8):
            tally.check(f"{label}: {wrong}", not wrong)
            for why in left_out[0] if left_out else ():
                tally.skip(why)
    return tally.close(asked=len(jobs))


def one(job):
    check, name, options, number = job
    label = f"{name} {options.seed}/{number}"
    try:
        return label, check(options, number)
    except Exception as fault:  # a fault of one program must not hide the others
        return label, repr(fault)


def numbered(check, name, text):
    """A suite of random programs: check(options, number) gives None, or what is wrong.
    `text` is what it does.  Returns an exit code."""
    parser = argparse.ArgumentParser(description=text.splitlines()[0])
    parser.add_argument("--lpmln", default="build/lpmln")
    parser.add_argument("--count", type=int, default=200)
    parser.add_argument("--seed", default="1")
    parser.add_argument("--jobs", type=int, default=2)
    options = parser.parse_args()
    return run(one, [(check, name, options, i) for i in range(options.count)], options.jobs)


def lpmln(options, *arguments):
    """What a command prints, and what it says besides; it must have an answer."""
    done = subprocess.run([options.lpmln, *arguments, "--quiet"], capture_output=True, text=True, timeout=60)
    if done.returncode:
        raise ValueError(f"{' '.join(arguments)}: exit {done.returncode}: {done.stderr}")
    return done.stdout, done.stderr
