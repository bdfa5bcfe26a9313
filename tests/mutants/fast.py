"""A suite without what is too slow to be run for every mutant: `fast.py SUITE LPMLN`.

report: without the browser.  malformed: without what waits for a time limit.
"""

import os
import sys

TESTS = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
SLOW = ("infinite", "huge", "kills libclingo", "memory", "too many models", "mln: a long disjunction",
        "counting without an end", "20,000")


def report():
    import browser
    browser.PROGRAM = None


def malformed():
    import run
    run.CASES[:] = [case for case in run.CASES if not any(part in case.name for part in SLOW)]


def main(suite, lpmln):
    sys.path.insert(0, os.path.join(TESTS, suite))
    {"report": report, "malformed": malformed}[suite]()
    import run
    sys.argv = ["run.py", "--lpmln", lpmln]
    return run.main()


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
