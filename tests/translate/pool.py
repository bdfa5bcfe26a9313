"""Runs checks in parallel: prints those that fail and the closing line."""

import multiprocessing


def run(one, jobs, workers):
    """one(job) gives a label and None, or what is wrong.  Returns an exit code."""
    failed = 0
    with multiprocessing.Pool(workers) as pool:
        for label, wrong in pool.imap(one, jobs, chunksize=8):
            if wrong:
                failed += 1
                print(f"FAILED {label}: {wrong}")
    print(f"{len(jobs) - failed} passed, {failed} failed")
    return 1 if failed else 0
