"""Programs side by side, against likelihoods maximised by brute force.

    python3 tests/questions/compare.py --lpmln build/lpmln --count 100

The stable models and what they violate are the solver's (`models --method enumerate`).  Observations
are whole stable models, so the likelihood is concave and Newton's method, here in Python, finds its
maximum.  Which programs contain which is known from how they were made.
"""

import collections
import math
import os
import random
import sys
import tempfile

from cases import ask, main

ATOMS = "abcd"


def bodies(rng):
    """Rules without weights, all different."""
    rules = [f"{atom}." for atom in ATOMS[:rng.randint(1, 3)]]
    for _ in range(rng.randint(1, 3)):
        head = rng.choice(ATOMS) if rng.random() < 0.8 else ""
        body = ", ".join(rng.choice(("", "not ")) + rng.choice(ATOMS) for _ in range(rng.randint(1, 2)))
        rules.append(f"{head} :- {body}.")
    return list(dict.fromkeys(rules))


def text_of(rules, weights):
    """A weight is a number, or the name of a parameter."""
    return "\n".join(f"@w({w}) {r}" if isinstance(w, str) else f"{w:.3f} {r}" for r, w in zip(rules, weights)) + "\n"


def smaller(rng, weights):
    """Some parameters fixed, some tied."""
    names = sorted({w for w in weights if isinstance(w, str)})
    becomes = {name: rng.choice((name, name, rng.choice(names), round(rng.uniform(-1, 1), 3))) for name in names}
    return [becomes.get(w, w) if isinstance(w, str) else w for w in weights]


def contains(large, small):
    is_now = {}
    for of, w in zip(large, small):
        if not isinstance(of, str):
            if w != of:
                return False
        elif is_now.setdefault(of, w) != w:
            return False
    return True


def eliminate(matrix, vector):
    """A solution of matrix x = vector, and the rank; directions that are not determined stay 0."""
    n = len(vector)
    rows = [list(row) + [b] for row, b in zip(matrix, vector)]
    left, pivots = list(range(n)), []
    for column in range(n):
        if not left:
            break
        best = max(left, key=lambda r: abs(rows[r][column]))
        if abs(rows[best][column]) < 1e-7:
            continue
        left.remove(best)
        pivots.append((best, column))
        for r in range(n):
            if r != best and rows[r][column]:
                factor = rows[r][column] / rows[best][column]
                rows[r] = [x - factor * y for x, y in zip(rows[r], rows[best])]
    solution = [0.0] * n
    for row, column in pivots:
        solution[column] = rows[row][n] / rows[row][column]
    return solution, len(pivots)


def maximum(counts, seen, weights):
    """The maximum of the log-likelihood, and how many directions the data determines; None: at infinity."""
    names = sorted({w for w in weights if isinstance(w, str)})
    total = sum(seen)
    base = [-sum(n * w for n, w in zip(row, weights) if not isinstance(w, str)) for row in counts]
    design = [[sum(n for n, w in zip(row, weights) if w == name) for name in names] for row in counts]

    def value(x):
        logs = [b - sum(d * each for d, each in zip(row, x)) for b, row in zip(base, design)]
        most = max(logs)
        mass = [math.exp(y - most) for y in logs]
        z = sum(mass)
        return sum(s * y for s, y in zip(seen, logs)) - total * (most + math.log(z)), [m / z for m in mass]

    x, rank = [0.0] * len(names), 0
    now, p = value(x)
    if not names:
        return now, 0
    for _ in range(200):
        mean = [sum(q * row[i] for q, row in zip(p, design)) for i in range(len(names))]
        information = [[total * sum(q * (row[i] - mean[i]) * (row[k] - mean[k]) for q, row in zip(p, design))
                        for k in range(len(names))] for i in range(len(names))]
        slope = [total * mean[i] - sum(s * row[i] for s, row in zip(seen, design)) for i in range(len(names))]
        if max(map(abs, slope)) < 1e-9:
            break
        step, rank = eliminate(information, slope)
        size = 1.0
        while size > 1e-12 and value([a + size * b for a, b in zip(x, step)])[0] < now:
            size /= 2
        x = [a + size * b for a, b in zip(x, step)]
        now, p = value(x)
    if max(map(abs, x)) > 8 or max(map(abs, slope)) > 1e-7:
        return None
    return now, eliminate(information, slope)[1]


def tail(x, degrees):
    """Of the chi-square distribution, by the series of the lower incomplete gamma function."""
    if x <= 0:
        return 1.0
    a, z = degrees / 2, x / 2
    term = total = 1 / a
    n = a
    while term > 1e-18 * total:
        n += 1
        term *= z / n
        total += term
    return 1 - total * math.exp(a * math.log(z) - z - math.lgamma(a))


def violations(lpmln, path, rules):
    """By stable model: its atoms, and whether it violates each rule."""
    with open(path, "w", encoding="utf-8") as file:
        file.write(text_of(rules, [i * 0.001 + 0.001 for i in range(len(rules))]))
    code, listed = ask(lpmln, "models", path, "--method", "enumerate", "-n", "0")
    if code or len(listed["models"]) < 3:
        return None, None
    models, counts = [], []
    for m in listed["models"]:
        violated = collections.Counter(v["rule"].split(" ", 1)[1] for v in m["violated"])
        models.append(set(m["atoms"]))
        counts.append([violated[r] for r in rules])
    return models, counts


def check(lpmln, folder, rng):
    rules = bodies(rng)
    models, counts = violations(lpmln, os.path.join(folder, "all.lpmln"), rules)
    if models is None or not all(map(any, zip(*counts))):  # a rule without a say is not there
        return None
    seen = [0] * len(models)
    for _ in range(rng.randint(20, 60)):
        seen[rng.randrange(len(models))] += 1
    with open(os.path.join(folder, "seen.obs"), "w", encoding="utf-8") as file:
        for m, times in zip(models, seen):
            if times:
                file.write(" ".join(f"{'' if a in m else 'not '}{a}." for a in ATOMS) + f"\n--- {times}\n")
    large = [f"w{i}" if rng.random() < 0.8 else round(rng.uniform(-1, 1), 3) for i in range(len(rules))]
    programs = [large, smaller(rng, large), smaller(rng, large)]
    found = [maximum(counts, seen, weights) for weights in programs]
    if None in found or not any(isinstance(w, str) for w in large):
        return None
    paths = []
    for i, weights in enumerate(programs):
        paths.append(os.path.join(folder, f"p{i}.lpmln"))
        order = rng.sample(range(len(rules)), len(rules))
        with open(paths[-1], "w", encoding="utf-8") as file:
            file.write(text_of([rules[k] for k in order], [weights[k] for k in order]))
    code, answer = ask(lpmln, "compare", *paths, "-e", os.path.join(folder, "seen.obs"))
    if code:
        return f"exit code {code}"
    return differs(answer, programs, paths, found, sum(seen))


def differs(answer, programs, paths, found, total):
    for model, (likelihood, rank) in zip(answer["models"], found):
        expected = {"log_likelihood": likelihood, "parameters": rank, "aic": 2 * rank - 2 * likelihood,
                    "bic": rank * math.log(total) - 2 * likelihood}
        for key, value in expected.items():
            if abs(model[key] - value) > 1e-6:
                return f"{key} of {model['program']}: {model[key]}, brute force {value}"
    tests = {(t["smaller"], t["larger"]): t for t in answer["tests"]}
    for i, small in enumerate(programs):
        for k, large in enumerate(programs):
            test = tests.pop((paths[i], paths[k]), None)
            expected = found[i][1] < found[k][1] and contains(large, small)
            if expected != (test is not None):
                return f"{small} in {large}: {'no test' if expected else 'a test'}"
            if test:
                degrees, statistic = found[k][1] - found[i][1], max(0.0, 2 * (found[k][0] - found[i][0]))
                if test["degrees"] != degrees or abs(test["statistic"] - statistic) > 1e-5:
                    return f"{test}, brute force {statistic} with {degrees}"
                if abs(test["p_value"] - tail(test["statistic"], degrees)) > 1e-9:
                    return f"p-value {test['p_value']}, series {tail(test['statistic'], degrees)}"
    return f"tests {tests}" if tests else ""


def case(task):
    lpmln, seed, number = task
    rng = random.Random(f"{seed}/{number}")
    for _ in range(50):
        with tempfile.TemporaryDirectory() as folder:
            fault = check(lpmln, folder, rng)
            if fault:
                text = "\n".join(open(os.path.join(folder, f"p{i}.lpmln"), encoding="utf-8").read() for i in range(3))
                return f"{fault}\n{text}"
            if fault is not None:
                return ""
    return "no program with a maximum"


if __name__ == "__main__":
    sys.exit(main(__doc__, 100, case))
