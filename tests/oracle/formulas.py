"""Formulas in bodies, observations and queries, on random programs.

Bodies have negative formulas (and constraints any), observations and queries any formula;
some rules and queries have a variable.  The probabilities are those of the definition:
sets of atoms, satisfied rules, reducts in which a negative formula is replaced by its
truth.  No auxiliary atoms and nothing of lpmln or of the other oracle has a part in it.
"""

import itertools
import json
import math
import os
import random
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "write"))
import pool  # noqa: E402

PLAIN = ("a", "b", "c", "d")
UNARY = ("p", "q")
DOMAIN = (1, 2)
ATOMS = PLAIN + tuple(f"{p}({i})" for p in UNARY for i in DOMAIN)
METHODS = ("exact", "enumerate")


# ---- formulas: ("atom", text) ("not", f) ("and", …) ("or", …); X is a variable -------------

def formula(rng, depth, variable):
    kind = rng.random()
    if depth == 0 or kind < 0.35:
        return ("atom", rng.choice(UNARY) + "(X)" if variable and rng.random() < 0.5
                else rng.choice(ATOMS))
    if kind < 0.6:
        return ("not", formula(rng, depth - 1, variable))
    parts = tuple(formula(rng, depth - 1, variable) for _ in range(rng.randint(2, 3)))
    return (("and",) if kind < 0.8 else ("or",)) + parts


def negative(rng, depth, variable):
    kind = rng.random()
    if depth == 0 or kind < 0.5:
        return ("not", formula(rng, depth, variable))
    parts = tuple(negative(rng, depth - 1, variable) for _ in range(2))
    return (("and",) if kind < 0.7 else ("or",)) + parts


def text(f, inside=False):
    if f[0] == "atom":
        return f[1]
    if f[0] == "not":
        return "not " + (text(f[1]) if f[1][0] == "atom" else f"({text(f[1])})")
    parts = [text(g) if g[0] in ("atom", "not") else f"({text(g)})" for g in f[1:]]
    return (", " if f[0] == "and" else " ; ").join(parts)


def element(f):
    """As an element of a body."""
    return text(f) if f[0] in ("atom", "not") else f"({text(f)})"


def ground(f, value):
    if f[0] == "atom":
        return ("atom", f[1].replace("X", str(value)))
    return f[:1] + tuple(ground(g, value) for g in f[1:])


def holds(f, world):
    if f[0] == "atom":
        return f[1] in world
    if f[0] == "not":
        return not holds(f[1], world)
    return (all if f[0] == "and" else any)(holds(g, world) for g in f[1:])


# ---- programs -------------------------------------------------------------------------------

class Rule:
    """Weight (None: hard), head (None: a constraint), choice, positive atoms, a formula."""

    def __init__(self, rng):
        self.variable = rng.random() < 0.35
        self.weight = rng.choice((None, 0.5, 1.0, -0.75, 2.0))
        self.choice = self.weight is None and rng.random() < 0.5
        self.head = None if not self.choice and rng.random() < 0.3 else self.atom(rng)
        self.positive = [self.atom(rng) for _ in range(rng.randint(0, 2))]
        make = formula if self.head is None else negative
        self.formula = make(rng, rng.randint(1, 3), self.variable)

    def atom(self, rng):
        if self.variable and rng.random() < 0.6:
            return rng.choice(UNARY) + "(X)"
        return rng.choice(ATOMS)

    def __str__(self):
        body = [element(self.formula)] + self.positive + (["dom(X)"] if self.variable else [])
        head = "" if self.head is None else "{" + self.head + "}" if self.choice else self.head
        weight = "" if self.weight is None else f"{self.weight} : "
        return f"{weight}{head} :- {', '.join(body)}."

    def instances(self):
        for value in DOMAIN if self.variable else (0,):
            def put(atom):
                return atom.replace("X", str(value))
            yield (self.weight, self.head and put(self.head), self.choice,
                   [put(a) for a in self.positive], ground(self.formula, value))


def satisfied(rule, world):
    _, head, choice, positive, negated = rule
    body = all(a in world for a in positive) and holds(negated, world)
    return not body or choice or head in world


def is_stable(rules, world):
    """Is it the least model of the reduct?  A choice keeps what the world has."""
    left = [(head, positive) for _, head, choice, positive, negated in rules
            if holds(negated, world) and head and (not choice or head in world)]
    least, grew = set(), True
    while grew:
        grew = False
        for head, positive in left:
            if head not in least and all(a in least for a in positive):
                least.add(head)
                grew = True
    return least == set(world)


def models(rules):
    found = []
    for bits in itertools.product((False, True), repeat=len(ATOMS)):
        world = frozenset(a for a, bit in zip(ATOMS, bits) if bit)
        kept = [r for r in rules if satisfied(r, world)]
        if any(r[0] is None for r in rules if not satisfied(r, world)) or not is_stable(kept, world):
            continue
        found.append((-sum(r[0] for r in rules if not satisfied(r, world)), world))
    return found


# ---- a case -----------------------------------------------------------------------------------

def expected(found, observed, query, given):
    """None: impossible."""
    agree = [(math.exp(w), m) for w, m in found if all(holds(o, m) for o in observed)]
    base = sum(w for w, m in agree if holds(given, m)) if given else sum(w for w, _ in agree)
    if not base:
        return None
    return sum(w for w, m in agree if holds(query, m) and (not given or holds(given, m))) / base


def queries_of(rng):
    """(text, [(printed, query, given)])"""
    result = []
    for number in range(5):
        given = formula(rng, 2, False) if number % 2 else None
        query = formula(rng, 3, False)
        line = text(query) + (f" | {text(given)}" if given else "")
        result.append((line, [(line, query, given)]))
    query, shape = formula(rng, 2, True), "dom(X), ({})"
    line = shape.format(text(query))
    result.append((line, [(line.replace("X", str(v)), ground(query, v), None) for v in DOMAIN]))
    return result


def ask(options, method, folder, queries):
    command = [options.lpmln, "infer", os.path.join(folder, "p.lpmln"), "-e",
               os.path.join(folder, "p.obs"), "--format", "json", "--quiet", "--method", method]
    for line, _ in queries:
        command += ["-q", line]
    done = subprocess.run(command, capture_output=True, text=True, timeout=60)
    return done.returncode, done.stdout, done.stderr


def wrong_answer(found, observed, queries, reply):
    code, out, err = reply
    if expected(found, observed, ("or", ("atom", "a"), ("not", ("atom", "a"))), None) is None:
        return None if code == 1 else f"exit {code} for what is impossible: {err}"
    if code not in (0, 1):
        return f"exit {code}: {err}"
    said = {m["atom"]: m["probability"] for m in json.loads(out)["marginals"]}
    for m in json.loads(out)["marginals"]:
        log = -math.inf if m["log_probability"] is None else m["log_probability"]
        if abs(math.exp(log) - m["probability"]) > 1e-9:
            return f"{m['atom']}: probability {m['probability']}, its logarithm {log}"
    for _, answers in queries:
        for printed, query, given in answers:
            right = expected(found, observed, query, given)
            if (right is None) != (printed not in said):
                if right == 0 and "X" not in printed and "dom" in printed:
                    continue  # an instance that the grounder knows to be impossible
                return f"{printed}: {said.get(printed)}, not {right}"
            if right is not None and abs(said[printed] - right) > 1e-9:
                return f"{printed}: {said[printed]}, not {right}"
    return None


def check(options, number):
    rng = random.Random(f"{options.seed}/{number}")
    rules = [Rule(rng) for _ in range(rng.randint(3, 7))]
    lines = [str(r) for r in rules] + [f"dom({DOMAIN[0]}..{DOMAIN[-1]}).",
                                       "{" + "; ".join(rng.sample(ATOMS, 4)) + "}."]
    free = lines[-1][1:-2].split("; ")
    instances = [i for r in rules for i in r.instances()]
    instances += [(None, a, True, [], ("not", ("and", ("atom", a), ("not", ("atom", a))))) for a in free]
    observed = [formula(rng, 2, False) for _ in range(rng.randint(0, 1))]
    statements = [f"{text(o)}." if o[0] != "and" else f":- not ({text(o)})." for o in observed]
    found, queries = models(instances), queries_of(rng)
    with tempfile.TemporaryDirectory() as folder:
        for name, content in (("p.lpmln", lines), ("p.obs", statements)):
            with open(os.path.join(folder, name), "w", encoding="utf-8") as file:
                file.write("\n".join(content) + "\n")
        for method in METHODS:
            wrong = wrong_answer(found, observed, queries, ask(options, method, folder, queries))
            if wrong:
                return f"{method}: {wrong}\n" + "\n".join(lines + ["-- observed"] + statements)
    return None


if __name__ == "__main__":
    sys.exit(pool.numbered(check, "formulas", __doc__))
