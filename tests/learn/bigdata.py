"""A table of 10^5 rows with about 5,000 different ones, over a program of 30 atoms."""

import random


def program():
    """Ten causes, ten effects, ten hidden links."""
    lines = ["cause(1..10)."]
    for i in range(1, 11):
        lines.append(f"@w(c{i}) c({i}).")
        lines.append(f"@w(leak) l({i}).")
        lines.append(f"e({i}) :- c({i}), not l({i}).")
        if i > 1:
            lines.append(f"e({i}) :- c({i - 1}), l({i}).")
    return "\n".join(lines) + "\n"


def table(rows=100_000, different=5000, seed=1):
    """The rows, as text: different ones first, then repeats."""
    rng = random.Random(seed)
    columns = [f"c({i})" for i in range(1, 11)] + [f"e({i})" for i in range(1, 11)]

    def row():
        c = [rng.random() < 0.1 + 0.05 * i for i in range(10)]
        l = [rng.random() < 0.3 for _ in range(10)]
        e = [(c[i] and not l[i]) or (i > 0 and c[i - 1] and l[i]) for i in range(10)]
        return ",".join("" if rng.random() < 0.01 else str(int(x)) for x in c + e)

    known, lines = set(), []
    while len(known) < different:
        line = row()
        known.add(line)
    pool = sorted(known)
    lines = pool + [rng.choice(pool) for _ in range(rows - len(pool))]
    return "\n".join([",".join(columns)] + lines) + "\n"
