"""Running lpmln for the experiments."""

import json
import math
import os
import sys

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
sys.path[:0] = [os.path.join(ROOT, "bench"), os.path.join(ROOT, "examples", "network")]

import measure  # noqa: E402 (found through the line above)


class Tool:
    """lpmln, with a folder for programs that are made on the way."""

    def __init__(self, lpmln, folder, limit):
        self.lpmln, self.folder, self.limit = os.path.abspath(lpmln), folder, limit

    def write(self, name, text):
        path = os.path.join(self.folder, name)
        with open(path, "w") as file:
            file.write(text)
        return path

    def run(self, *arguments, limit=None):
        return measure.run([self.lpmln, *arguments], limit or self.limit)

    def ask(self, *arguments, limit=None):
        """The answer as JSON, or None with the reason printed."""
        done = self.run(*arguments, "--format", "json", limit=limit)
        if done.code in (0, 4) and done.output:
            return json.loads(done.output)
        print(f"  no answer: lpmln {arguments[0]} (exit code {done.code}) {done.errors.strip()[:200]}")
        return None

    def log_likelihood(self, program, data, parameters, weights):
        """Exactly, at given weights."""
        settings = [part for name, w in zip(parameters, weights) for part in ("-w", f"{name}={w!r}")]
        answer = self.ask("infer", program, "-e", data, "--method", "exact", *settings)
        return answer["log_evidence"] if answer else None


def read(path):
    with open(os.path.join(ROOT, path)) as file:
        return file.read()


def cell(x, digits=3):
    """A number for people."""
    if x is None or (isinstance(x, float) and math.isnan(x)):
        return "–"
    if x == float("inf"):
        return "∞"
    text = f"{x:.{digits}f}"
    text = text.lstrip("-") if not text.strip("-0.") else text
    return text.replace("-", "−")


def seconds(run, limit):
    """Wall seconds of a run, or that it took longer."""
    return f"> {limit:.0f}" if run.late else cell(run.wall) if run.good else "–"


def fit(points, log_x):
    """Least squares of ln y by ln x (a power) or by x (an exponential): slope and R squared."""
    pairs = [(math.log(x) if log_x else x, math.log(y)) for x, y in points if y]
    n = len(pairs)
    if n < 3:
        return None
    mx, my = sum(a for a, _ in pairs) / n, sum(b for _, b in pairs) / n
    sxx = sum((a - mx) ** 2 for a, _ in pairs)
    sxy = sum((a - mx) * (b - my) for a, b in pairs)
    syy = sum((b - my) ** 2 for _, b in pairs)
    return sxy / sxx, sxy * sxy / (sxx * syy) if syy else 1.0
