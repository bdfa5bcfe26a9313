"""What a command needs: CPU seconds, wall seconds and memory of it and its children."""

import os
import signal
import subprocess
import tempfile
import threading
import time


class Run:
    """seconds, wall and mib are None if the command did not end in time or failed."""

    def __init__(self, code, seconds, wall, mib, output, errors):
        self.code, self.output, self.errors = code, output, errors
        self.late = code is None
        self.good = code in (0, 10, 20, 30)  # clingo's codes say what it found
        self.all_wall = wall  # however it ended
        self.seconds, self.wall, self.mib = (seconds, wall, mib) if self.good else (None, None, None)


def end(child):
    """It and what it started."""
    try:
        os.killpg(child.pid, signal.SIGKILL)
    except ProcessLookupError:
        pass


def run(command, timeout, keep=True):
    """keep: what it prints.  (Memory below that of this process itself can't be seen.)"""
    with tempfile.TemporaryFile() if keep else open(os.devnull, "rb+") as output, tempfile.TemporaryFile() as errors:
        started = time.monotonic()
        child = subprocess.Popen(command, stdout=output, stderr=errors, start_new_session=True)
        late = threading.Event()
        timer = threading.Timer(timeout, lambda: (late.set(), end(child)))
        timer.start()
        _, status, usage = os.wait4(child.pid, 0)
        wall = time.monotonic() - started
        timer.cancel()
        child.returncode = os.waitstatus_to_exitcode(status)
        output.seek(0)
        errors.seek(0)
        return Run(None if late.is_set() else child.returncode, usage.ru_utime + usage.ru_stime, wall,
                   usage.ru_maxrss / 1024, output.read().decode(errors="replace"), errors.read().decode(errors="replace"))


def best(command, timeout, runs):
    """The fastest of some runs; a slow one is not repeated."""
    found = run(command, timeout, keep=False)
    for _ in range(runs - 1):
        if not found.good or found.seconds > 2:
            break
        again = run(command, timeout, keep=False)
        if again.good and again.seconds < found.seconds:
            found = again
    return found
