"""What every suite counts, and the line that it closes with: 'N passed, N failed, N skipped'.

A part that can't be tested here (a tool is not there, a program is too large for the oracle)
is skipped: it is counted and its reason is told, never taken for a pass.  A suite of random
cases says how many were asked for; if fewer were looked at, that is a failure.
"""


class Tally:
    def __init__(self):
        self.passed = self.failed = 0
        self.reasons = {}

    @property
    def skipped(self):
        return sum(self.reasons.values())

    def check(self, what, good):
        """One thing that must hold."""
        self.passed, self.failed = self.passed + bool(good), self.failed + (not good)
        if not good:
            print("FAILED", what, flush=True)
        return bool(good)

    def skip(self, why, count=1):
        self.reasons[why] = self.reasons.get(why, 0) + count

    def close(self, asked=None):
        """Prints the line; returns the exit code.  `asked`: so many cases were to be looked at."""
        seen = self.passed + self.failed + self.skipped
        if seen < (1 if asked is None else max(asked, 1)):
            print(f"FAILED only {seen} of {asked or 1} cases were looked at")
            self.failed += 1
        for why, count in self.reasons.items():
            print(f"skipped: {count} × {why}")
        print(f"{self.passed} passed, {self.failed} failed, {self.skipped} skipped")
        return 1 if self.failed else 0
