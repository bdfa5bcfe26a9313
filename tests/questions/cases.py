"""What tests of questions on random programs share: asking, and running many cases."""

import argparse
import json
import multiprocessing
import os
import subprocess


def literal(rng, atoms):
    return rng.choice(("", "", "not ")) + rng.choice(atoms)


def ask(lpmln, *arguments):
    """The exit code and the answer."""
    done = subprocess.run([lpmln, *arguments, "--format", "json", "--quiet"], capture_output=True, text=True, timeout=60)
    return done.returncode, json.loads(done.stdout) if done.stdout else None


def main(description, count, *cases):
    """Each case((lpmln, seed, number)) returns what is wrong, or nothing."""
    parser = argparse.ArgumentParser(description=description.splitlines()[0])
    parser.add_argument("--lpmln", default="build/lpmln")
    parser.add_argument("--count", type=int, default=count)
    parser.add_argument("--seed", default="1")
    parser.add_argument("--jobs", type=int, default=2)
    options = parser.parse_args()
    tasks = [(os.path.abspath(options.lpmln), options.seed, i) for i in range(options.count)]
    with multiprocessing.Pool(options.jobs) as pool:
        faults = [fault for case in cases for fault in pool.map(case, tasks, chunksize=4)]
    for number, fault in enumerate(faults):
        if fault:
            print(f"{options.seed}/{number % options.count}: {fault}")
    failed = sum(map(bool, faults))
    assert len(faults) == len(cases) * options.count > 0
    print(f"{len(faults) - failed} passed, {failed} failed, 0 skipped")
    return failed > 0
