"""Runs checks in parallel: prints those that fail and the closing line."""

import multiprocessing
import os
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
