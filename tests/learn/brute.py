"""The likelihood of observations by enumeration, and its maximum by brute force.

A stable model matters only through the numbers of violated instances of each
parameter, so models with equal numbers are added up.  Shares no code with lpmln.
"""

import math


def log_add(values):
    top = max(values)
    return top + math.log(math.fsum(math.exp(v - top) for v in values))


class Mass:
    """ln of a sum of exp(constant - w.n) over some models, by n."""

    def __init__(self, models):
        grouped = {}
        for counts, constant in models:
            grouped.setdefault(counts, []).append(constant)
        self.terms = [(counts, log_add(constants)) for counts, constants in grouped.items()]

    def moments(self, w):
        """The value, the mean of n and its covariance."""
        logs = [c - math.fsum(x * k for x, k in zip(w, n)) for n, c in self.terms]
        value, size = log_add(logs), len(w)
        mean, second = [0.0] * size, [[0.0] * size for _ in w]
        for (n, _), log in zip(self.terms, logs):
            p = math.exp(log - value)
            for i in range(size):
                mean[i] += p * n[i]
        for (n, _), log in zip(self.terms, logs):
            p = math.exp(log - value)
            for i in range(size):
                for k in range(size):
                    second[i][k] += p * (n[i] - mean[i]) * (n[k] - mean[k])
        return value, mean, second

    def value(self, w):
        return log_add([c - math.fsum(x * k for x, k in zip(w, n)) for n, c in self.terms])


class Likelihood:
    """ln P of observations, each seen some number of times."""

    def __init__(self, models, observations):
        self.program = Mass(models)
        self.observed = [(count, Mass(inside)) for count, inside in observations]
        self.total = sum(count for count, _ in observations)

    def value(self, w):
        return (math.fsum(count * mass.value(w) for count, mass in self.observed)
                - self.total * self.program.value(w))

    def derivatives(self, w):
        size = len(w)
        value, mean, cov = self.program.moments(w)
        value *= -self.total
        gradient = [self.total * m for m in mean]
        hessian = [[-self.total * c for c in row] for row in cov]
        for count, mass in self.observed:
            v, mean, cov = mass.moments(w)
            value += count * v
            for i in range(size):
                gradient[i] -= count * mean[i]
                for k in range(size):
                    hessian[i][k] += count * cov[i][k]
        return value, gradient, hessian


def solve(matrix, right):
    """Gauss; None if it is singular."""
    n = len(right)
    rows = [list(row) + [b] for row, b in zip(matrix, right)]
    for i in range(n):
        pivot = max(range(i, n), key=lambda r: abs(rows[r][i]))
        if abs(rows[pivot][i]) < 1e-300:
            return None
        rows[i], rows[pivot] = rows[pivot], rows[i]
        for r in range(i + 1, n):
            factor = rows[r][i] / rows[i][i]
            rows[r] = [a - factor * b for a, b in zip(rows[r], rows[i])]
    x = [0.0] * n
    for i in reversed(range(n)):
        x[i] = (rows[i][n] - sum(rows[i][k] * x[k] for k in range(i + 1, n))) / rows[i][i]
    return x


def climb(likelihood, w, most=300):
    """Newton's method, damped until every step goes up."""
    value, gradient, hessian = likelihood.derivatives(w)
    damping = 1.0
    for _ in range(most):
        if max(map(abs, gradient)) < 1e-11:
            break
        n = len(w)
        matrix = [[-hessian[i][k] + (damping if i == k else 0.0) for k in range(n)] for i in range(n)]
        step = solve(matrix, gradient)
        uphill = step is not None and sum(s * g for s, g in zip(step, gradient)) > 0
        if uphill and max(map(abs, step)) < 8:
            there = [x + s for x, s in zip(w, step)]
            new = likelihood.derivatives(there)
            if new[0] > value:
                w, (value, gradient, hessian) = there, new
                damping = max(damping / 10, 1e-14)
                continue
        damping *= 10
        if damping > 1e12:
            break
    return value, w


def maximise(likelihood, size, rng, starts=12):
    best = climb(likelihood, [0.0] * size)
    for _ in range(starts):
        best = max(best, climb(likelihood, [rng.gauss(0, 3) for _ in range(size)]),
                   key=lambda pair: pair[0])
    return best
