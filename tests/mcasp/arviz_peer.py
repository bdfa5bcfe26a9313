"""Effective sample sizes and R-hat against ArviZ, on series that both sides make by themselves.

    python3 tests/mcasp/arviz_peer.py --program build/sanitize/unit/test_diagnostics [--numbers]

ArviZ is installed from PyPI below build/ on the first run; without it all is skipped.  --numbers
prints what tests/unit/arviz_numbers.h holds.
"""

import argparse
import os
import subprocess
import sys

ROOT = os.path.abspath(os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", ".."))
sys.path.insert(0, os.path.join(ROOT, "tests"))
import closing  # noqa: E402
import peers  # noqa: E402

OTHER = r"""
import math, numpy as np, arviz as az
CHAINS, LENGTH = 4, 501
def series(kind):
    state = 12345 + kind
    def draw():
        nonlocal state
        state = state * 48271 % 2147483647
        return state / 2147483647
    x = np.zeros((CHAINS, LENGTH))
    for c in range(CHAINS):
        now = 0.0
        for i in range(LENGTH):
            noise = draw() + draw() + draw() - 1.5
            if kind == 2:
                noise /= 0.05 + draw()
            now = (0 if kind == 0 else 0.8 if kind == 1 else 0.4) * now + noise
            value = now + (0.4 if kind == 3 and c == 0 else 0)
            value = 3 * value if kind == 4 and c == 0 else value
            x[c, i] = float(now > 0.7) if kind == 5 else math.floor(3 * now + 4) if kind == 6 else value
    return x
for kind in range(7):
    x = series(kind)
    print(*(repr(float(v)) for v in (az.ess(x, method="bulk"), az.ess(x, method="tail"), az.rhat(x, method="rank"))))
"""


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--program", default="build/sanitize/unit/test_diagnostics")
    parser.add_argument("--numbers", action="store_true")
    options = parser.parse_args()
    tally = closing.Tally()
    python = peers.python_with("arviz", "arviz<0.22 matplotlib<3.10", "import arviz")
    if not python:
        tally.skip("ArviZ is not there", 7)
        return tally.close()
    theirs = subprocess.run([python, "-W", "ignore", "-c", OTHER], capture_output=True, text=True, check=True).stdout
    if options.numbers:
        for line in theirs.splitlines():
            print("    {" + ", ".join(line.split()) + "},")
        return 0
    ours = subprocess.run([options.program, "--print"], capture_output=True, text=True, check=True).stdout
    for kind, (a, b) in enumerate(zip(ours.splitlines(), theirs.splitlines())):
        pairs = list(zip(map(float, a.split()), map(float, b.split())))
        tally.check(f"series {kind}: {pairs}", all(abs(x - y) <= 1e-6 * abs(y) for x, y in pairs))
    return tally.close(asked=7)


if __name__ == "__main__":
    sys.exit(main())
