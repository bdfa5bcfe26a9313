#!/usr/bin/env python3
"""Programs that are too hard to compile: each is answered in time, and the truth is inside what is certain.

Ten kinds of programs whose probabilities are known in another way: by counting (of atoms that are all alike only
how many hold matters), by recursion, by inclusion and exclusion, by dynamic programming over layers.  Some twenty atoms
are asked for in each, so that the share of 95% intervals that hold the truth can be judged."""
import argparse
import json
import math
import os
import random
import subprocess
import sys
import tempfile
from collections import Counter

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
import closing  # noqa: E402

ASKED = 20  # atoms of a program
ENOUGH = 1500  # estimates whose share within 1.96 errors is judged; those of a program depend on each other


def log_sum(values):
    top = max(values)
    return top + math.log(sum(math.exp(v - top) for v in values))


def log_choose(n, k):
    return math.lgamma(n + 1) - math.lgamma(k + 1) - math.lgamma(n - k + 1)


# ---- atoms that are all alike: P(a) = E[number that hold] / n -----------------------------------------------------

def alike(name, truth, count=ASKED, first=1):
    return {name % i: truth for i in range(first, first + count)}


def by_number(n, log_weight):
    """P(an atom) if a state's weight depends on the number of atoms that hold alone."""
    logs = [log_choose(n, k) + log_weight(k) for k in range(n + 1)]
    total = log_sum(logs)
    return sum(math.exp(x - total) * k for k, x in enumerate(logs)) / n


def crowd(rng):
    """Everybody with everybody: a cost for each pair that disagrees."""
    n, w, field = rng.randint(50, 70), round(rng.uniform(0.01, 0.06), 4), round(rng.uniform(-1, 1), 3)
    text = "n(1..%d). %r a(X) :- n(X).\n%r :- a(X), n(Y), not a(Y).\n" % (n, field, w)
    return text, alike("a(%d)", by_number(n, lambda k: -field * (n - k) - w * k * (n - k)))


def triples(rng):
    """A cost for each three that hold together."""
    n, w = rng.randint(30, 40), round(rng.uniform(0.002, 0.02), 4)
    text = "n(1..%d). 0.5 a(X) :- n(X).\n%r :- a(X), a(Y), a(Z), X < Y, Y < Z.\n" % (n, w)
    return text, alike("a(%d)", by_number(n, lambda k: -0.5 * (n - k) - w * k * (k - 1) * (k - 2) / 6))


def friends(rng):
    """Unknown friendships between all, and friends smoke alike; friendships are summed out by hand."""
    n, w = rng.randint(28, 34), round(rng.uniform(0.05, 0.2), 3)
    text = ("p(1..%d). 0.4 s(X) :- p(X). -1 f(X,Y) :- p(X), p(Y), X < Y.\n"
            "%r :- f(X,Y), s(X), not s(Y).\n%r :- f(X,Y), s(Y), not s(X).\n" % (n, w, w))
    same, other = math.log(1 + math.e), math.log(math.e + math.exp(-w))

    def log_weight(k):
        alike = k * (k - 1) / 2 + (n - k) * (n - k - 1) / 2
        # a friendship that does not hold violates weight -1: e^1
        return -0.4 * (n - k) + alike * same + k * (n - k) * other
    return text, alike("s(%d)", by_number(n, log_weight))


def two_camps(rng):
    """Two groups that dislike each other; within a group all are alike."""
    n, w, h = rng.randint(25, 35), round(rng.uniform(0.01, 0.05), 4), round(rng.uniform(0.1, 0.8), 3)
    text = ("n(1..%d). %r a(X) :- n(X). %r b(X) :- n(X).\n%r :- a(X), b(Y).\n" % (n, h, -h, w))
    logs = {(i, k): log_choose(n, i) + log_choose(n, k) - h * (n - i) + h * (n - k) - w * i * k
            for i in range(n + 1) for k in range(n + 1)}
    total = log_sum(list(logs.values()))
    a = sum(math.exp(x - total) * i for (i, _), x in logs.items()) / n
    b = sum(math.exp(x - total) * k for (_, k), x in logs.items()) / n
    return text, {**alike("a(%d)", a, ASKED // 2), **alike("b(%d)", b, ASKED // 2)}


def colours(rng):
    """Three colours, a cost for each pair of the same one, and a liking for the first."""
    n, w, h = rng.randint(20, 28), round(rng.uniform(0.02, 0.1), 4), round(rng.uniform(0.1, 0.5), 3)
    text = ("n(1..%d). 1 { c(X,1..3) } 1 :- n(X). %r :- c(X,C), c(Y,C), X < Y. %r :- c(X,1).\n" % (n, w, -h))
    logs = {}
    for i in range(n + 1):
        for k in range(n - i + 1):
            j = n - i - k
            ways = math.lgamma(n + 1) - math.lgamma(i + 1) - math.lgamma(k + 1) - math.lgamma(j + 1)
            logs[i, k] = ways - w * sum(m * (m - 1) / 2 for m in (i, k, j)) + h * i
    total = log_sum(list(logs.values()))
    first = sum(math.exp(x - total) * i for (i, _), x in logs.items()) / n
    return text, {**alike("c(%d,1)", first, ASKED // 2), **alike("c(%d,2)", (1 - first) / 2, ASKED // 2)}


# ---- networks -----------------------------------------------------------------------------------------------------

def reached(n, w):
    """How many of n nodes the first one reaches through soft edges of weight w, one way or both ways: P of each number.
    The first k are all reached unless exactly i < k are, which no edge then leads out of."""
    q = 1 / (1 + math.exp(w))  # no edge
    whole = [0, 1.0]
    for k in range(2, n + 1):
        whole.append(1 - sum(math.comb(k - 1, i - 1) * whole[i] * q ** (i * (k - i)) for i in range(1, k)))
    return [math.comb(n - 1, k - 1) * whole[k] * q ** (k * (n - k)) if k else 0 for k in range(n + 1)]


def complete(rng):
    """Soft edges between all nodes; which are connected with the first one?"""
    n, w = rng.randint(13, 16), round(rng.uniform(-3.2, -2), 3)
    text = ("n(1..%d). %r e(X,Y) :- n(X), n(Y), X < Y.\nd(X,Y) :- e(X,Y). d(Y,X) :- e(X,Y).\n"
            "r(1). r(Y) :- r(X), d(X,Y).\n" % (n, w))
    truth = sum(p * (k - 1) for k, p in enumerate(reached(n, w)) if k) / (n - 1)
    return text, alike("r(%d)", truth, n - 1, first=2)


def rumour(rng):
    """Directed edges, and the last node is known to be reached."""
    n, w = rng.randint(12, 14), round(rng.uniform(-3.2, -2), 3)
    text = ("n(1..%d). %r e(X,Y) :- n(X), n(Y), X != Y.\nr(1). r(Y) :- r(X), e(X,Y).\n:- not r(%d).\n" % (n, w, n))
    size = reached(n, w)
    both = sum(p * (k - 1) * (k - 2) for k, p in enumerate(size) if k) / ((n - 1) * (n - 2))
    last = sum(p * (k - 1) for k, p in enumerate(size) if k) / (n - 1)
    return text, alike("r(%d)", both / last, n - 2, first=2)


def diagnosis(rng):
    """Diseases, findings by noisy or, findings that were seen: by inclusion and exclusion over these."""
    diseases, findings = rng.randint(50, 70), 10
    prior = [round(rng.uniform(0.01, 0.2), 3) for _ in range(diseases)]
    link = {(d, f): round(rng.uniform(0.1, 0.9), 3) for d in range(diseases) for f in range(findings)
            if rng.random() < 0.4}
    lines = ["%r :: d(%d)." % (p, d) for d, p in enumerate(prior)]
    lines += ["%r :: c(%d,%d)." % (p, d, f) for (d, f), p in link.items()]
    lines += ["f(%d) :- d(%d), c(%d,%d)." % (f, d, d, f) for d, f in link]
    lines += ["evidence(f(%d))." % f for f in range(findings)]

    held, total = [0.0] * diseases, 0.0
    for chosen in range(1 << findings):  # of these none was seen, of the others anything
        none = [f for f in range(findings) if chosen >> f & 1]
        causes = [p * math.prod(1 - link.get((d, f), 0) for f in none) for d, p in enumerate(prior)]
        product = (-1) ** len(none) * math.prod(c + 1 - p for c, p in zip(causes, prior))
        total += product
        for d, p in enumerate(prior):
            held[d] += product * causes[d] / (causes[d] + 1 - p)
    truth = {"d(%d)" % d: held[d] / total for d in range(ASKED)}
    return "\n".join(lines + ["query(%s)." % a for a in truth]) + "\n", truth


# ---- by dynamic programming ---------------------------------------------------------------------------------------

def layers(rng):
    """Layers of spins, each of which pulls at all of the next: by the numbers of the layers, one after the other."""
    n, count = rng.randint(14, 18), 8
    w, h = round(rng.uniform(0.02, 0.1), 4), round(rng.uniform(-0.3, 0.3), 3)
    text = ("c(1..%d). n(1..%d). %r s(X,Y) :- c(X), n(Y).\n%r :- s(X,Y), c(X+1), n(Z), not s(X+1,Z).\n"
            "%r :- not s(X,Y), c(X), n(Y), s(X+1,Z).\n" % (count, n, h, w, w))
    own = [log_choose(n, k) - h * (n - k) for k in range(n + 1)]
    rest = list(own)  # of the layers from here to the last, by the number of this one
    for _ in range(count - 1):
        rest = [own[k] + log_sum([r - w * (k * (n - j) + (n - k) * j) for j, r in enumerate(rest)]) for k in range(n + 1)]
    total = log_sum(rest)
    return text, alike("s(1,%d)", sum(math.exp(r - total) * k for k, r in enumerate(rest)) / n, n)


def votes(rng):
    """Committees of random members; a cost for each that is split evenly or nearly so, all members alike by
    symmetry of the sign."""
    n, m = rng.randint(40, 50), 60
    lines = ["n(1..%d). 0 a(X) :- n(X)." % n]
    for c in range(m):
        for x in rng.sample(range(1, n + 1), 9):
            lines.append("m(%d,%d)." % (c, x))
    lines.append("c(0..%d). 0.7 :- c(C), 4 { a(X) : m(C,X) } 5." % (m - 1))
    return "\n".join(lines) + "\n", alike("a(%d)", 0.5)


KINDS = [crowd, triples, friends, two_camps, colours, complete, rumour, diagnosis, layers, votes]


# ---- asking -------------------------------------------------------------------------------------------------------

def ask(options, kind, text, truth, folder, seed=1):
    path = os.path.join(folder, kind.__name__ + (".pl" if kind is diagnosis else ".lpmln"))
    with open(path, "w", encoding="utf-8") as file:
        file.write(text)
    command = [options.lpmln, "infer", path, "--format", "json", "--quiet",
               "--seed", str(seed)]  # the same random numbers would make errors of like programs alike
    for query in truth if kind is not diagnosis else ():
        command += ["-q", query]
    if options.time_limit:
        command += ["--time-limit", str(options.time_limit)]
    before = os.times()
    run = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, timeout=300)
    after = os.times()  # CPU time: on a busy machine the clock says little
    return run, after[2] + after[3] - before[2] - before[3]


def faults(run, seconds, most, truth, count):
    """What is wrong with an answer; counts estimates and how many of them hold the truth."""
    if run.returncode != 0:
        yield "exit code %d: %s" % (run.returncode, run.stderr.strip()[-300:])
        return
    answer = json.loads(run.stdout)
    if seconds > most:
        yield "%.1f CPU seconds" % seconds
    if not answer["complete"]:
        yield "not complete"
    found = {m["atom"]: m for m in answer["marginals"]}
    count[answer["method"] + (" and samples" if answer.get("samples") else "")] += 1
    for atom, p in truth.items():
        m = found[atom]
        lower, upper = m.get("lower", m["probability"]), m.get("upper", m["probability"])
        if not lower - 1e-9 <= p <= upper + 1e-9:
            yield "%s: %.9f is not in [%.9f, %.9f]" % (atom, p, lower, upper)
        if not lower - 1e-12 <= m["probability"] <= upper + 1e-12:
            yield "%s: the estimate %.9f is not in [%.9f, %.9f]" % (atom, m["probability"], lower, upper)
        if m.get("ess") is not None:
            count["estimates"] += 1
            count["hold"] += abs(m["probability"] - p) <= 1.96 * m["error"]


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--lpmln", default="build/lpmln")
    parser.add_argument("--each", type=int, default=1, help="programs of each kind")
    parser.add_argument("--time-limit", type=float, default=0, help="option of lpmln; 0: the defaults")
    parser.add_argument("--kind", help="only this one")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--verbose", action="store_true")
    options = parser.parse_args()
    most = options.time_limit + 1 if options.time_limit else 60
    count, tally = Counter(), closing.Tally()
    kinds = [k for k in KINDS if options.kind in (None, k.__name__)]
    with tempfile.TemporaryDirectory() as folder:
        for kind in kinds:
            for i in range(options.each):
                text, truth = kind(random.Random("%s %d %d" % (kind.__name__, options.seed, i)))
                run, seconds = ask(options, kind, text, truth, folder, seed=1000 * options.seed + i)
                wrong = list(faults(run, seconds, most, truth, count))
                tally.check("%s %d: %s" % (kind.__name__, i, "; ".join(wrong)), not wrong)
                if options.verbose:
                    print(kind.__name__, i, "%.1f CPU s" % seconds, run.stdout.replace("\n", ""), truth, flush=True)
    asked = len(kinds) * options.each
    if count["estimates"] >= ENOUGH:
        asked += 1
        share = count["hold"] / count["estimates"]
        tally.check("%.1f%% of %d estimates are within 1.96 errors" % (100 * share, count["estimates"]), 0.92 <= share <= 0.97)
    print("answers:", ", ".join("%s %d" % item for item in sorted(count.items())))
    return tally.close(asked)


if __name__ == "__main__":
    sys.exit(main())
