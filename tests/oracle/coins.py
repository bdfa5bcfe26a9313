"""Random programs with `p :: head :- body` against their definition.

    python3 tests/oracle/coins.py --lpmln build/lpmln --count 500

Each rule with probabilities throws once: one of its heads, or none.  For every outcome
the stable models of the rules that are left are found by trying all sets of atoms; each
has the probability of the outcome, and what is asked is a share of their sum.  A coin that
comes up with another probability than it was given must be warned of, with both numbers.

Some probabilities are then to be learned, t(p).  What is learned must have the likelihood
that the evaluator gives it, and no other values may have a higher one.
"""

import argparse
import itertools
import json
import math
import os
import random
import re
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
import closing  # noqa: E402

ATOMS = "abcde"
SHARES = (0, 0.1, 0.25, 0.3, 0.5, 0.7, 0.75, 1)


def body_of(r):
    return [(r.choice(ATOMS), r.random() < 0.6) for _ in range(r.choice((0, 0, 1, 1, 2)))]


def heads_of(r):
    heads = []
    for atom in r.sample(ATOMS, r.choice((1, 1, 1, 2, 3))):
        p = r.choice(SHARES)
        if sum(share for share, _ in heads) + p <= 1:
            heads.append((p, atom))
    return heads or [(0.5, r.choice(ATOMS))]


def program_of(r):
    coins = [(heads_of(r), body_of(r)) for _ in range(r.randint(1, 5))]
    rules = [(r.choice(ATOMS), body_of(r)) for _ in range(r.randint(0, 2))]
    constraints = [body_of(r) for _ in range(r.choice((0, 0, 1)))]
    return coins, rules, [c for c in constraints if c]


def text_of(program, variables=False):
    def end(body):
        literals = ", ".join(atom if sign else "not " + atom for atom, sign in body)
        return f" :- {literals}." if literals else "."
    coins, rules, constraints = program
    lines = ["; ".join(f"{p} :: {atom}" for p, atom in heads) + end(body) for heads, body in coins]
    if variables:  # the probabilities of each second rule come from a fact
        for i, (heads, body) in list(enumerate(coins))[1::2]:
            names = [f"P{k}" for k in range(len(heads))]
            given = "".join(f', "{p}"' for p, _ in heads)
            lines[i] = ("; ".join(f"{name} :: {atom}" for name, (_, atom) in zip(names, heads))
                        + end([*body, (f"given({i}, {', '.join(names)})", True)]) + f" given({i}{given}).")
    lines += [head + end(body) for head, body in rules]
    return "\n".join(lines + [end(c).strip() for c in constraints]) + "\n"


def stable(rules, constraints, model):
    holds = all  # of a body's literals
    if any(holds((a in model) == sign for a, sign in c) for c in constraints):
        return False
    kept = [(h, [a for a, sign in b if sign]) for h, b in rules
            if holds(a not in model for a, sign in b if not sign)]
    least, size = set(), -1
    while size != len(least):
        size = len(least)
        least |= {h for h, b in kept if holds(a in least for a in b)}
    return least == model


MODELS = [set(m) for n in range(len(ATOMS) + 1) for m in itertools.combinations(ATOMS, n)]


def outcomes(program):
    """(weight, chosen heads by rule, stable model) of every outcome that has weight."""
    coins, rules, constraints = program
    each = [[*heads, (1 - sum(p for p, _ in heads), None)] for heads, _ in coins]
    for outcome in itertools.product(*[list(enumerate(heads)) for heads in each]):
        weight = math.prod(p for _, (p, _) in outcome)
        if weight < 1e-15:
            continue
        chosen = rules + [(a, coins[i][1]) for i, (_, (_, a)) in enumerate(outcome) if a]
        for model in MODELS:
            if stable(chosen, constraints, model):
                yield weight, [k for k, _ in outcome], model


def probabilities(program):
    total, mass = 0, dict.fromkeys(ATOMS, 0)
    for weight, _, model in outcomes(program):
        total += weight
        for atom in model:
            mass[atom] += weight
    return {a: m / total for a, m in mass.items()} if total else None


def deviations(program):
    """By rule and head: the probability that it was given, and how often it is chosen."""
    total, found = 0, {}
    for weight, chosen, _ in outcomes(program):
        total += weight
        for i, k in enumerate(chosen):
            found[i, k] = found.get((i, k), 0) + weight
    result = {}
    for i, (heads, _) in enumerate(program[0]):
        left = 1
        for k, (p, _) in enumerate(heads):
            share = p / left if left > 1e-12 else 0
            if 1e-12 < share < 1 - 1e-12:
                result[i, k] = p, found.get((i, k), 0) / total
            left -= p
    return result


def answer(lpmln, text):
    queries = [word for atom in ATOMS for word in ("-q", atom)]
    run = subprocess.run([lpmln, "infer", "-", *queries, "--format", "json"], input=text,
                         capture_output=True, text=True, timeout=60)
    if run.returncode not in (0, 1):
        return f"exit code {run.returncode}: {run.stderr}"
    if run.returncode == 1:
        return None
    answered = json.loads(run.stdout)
    return {m["atom"]: m["probability"] for m in answered["marginals"]}, warnings(text, answered)


def warnings(text, answered):
    """By rule and head: both numbers."""
    found = {}
    for d in answered["diagnostics"]:
        numbers = re.match(r"without evidence this comes up with probability (\S+), not (\S+)$", d["message"])
        if numbers:
            before = text.splitlines()[d["line"] - 1][:d["column"] - 1]
            found[d["line"] - 1, before.count("::")] = float(numbers[2]), float(numbers[1])
    return found


def agree(program, expected, found):
    if expected is None or not isinstance(found, tuple):
        return expected == found
    marginals, said = found
    wanted = {key: pair for key, pair in deviations(program).items() if abs(pair[0] - pair[1]) > 1e-7}
    return (all(abs(expected[a] - marginals.get(a, 0)) < 1e-9 for a in ATOMS) and wanted.keys() == said.keys()
            and all(abs(x - y) < 1e-5 for key in wanted for x, y in zip(wanted[key], said[key])))


# ---- probabilities to learn ---------------------------------------------------------------

def learnable(r):
    """A program whose first rules have probabilities to learn, and what was seen of it."""
    coins = [([(r.choice((0.3, 0.5, 0.8)), r.choice(ATOMS))], body_of(r) if i else []) for i in range(r.randint(1, 3))]
    program = coins + [(heads_of(r), body_of(r)) for _ in range(r.randint(0, 2))], *program_of(r)[1:]
    blocks = [[(a, r.random() < 0.5) for a in r.sample(ATOMS, 2)] for _ in range(4)]
    possible = [m for _, _, m in outcomes(program)]
    return program, len(coins), [b for b in blocks if any(agrees(m, b) for m in possible)]


def agrees(model, block):
    return all((a in model) == sign for a, sign in block)


def likelihood(program, values, blocks):
    coins = [([(values[i], heads[0][1])] if i < len(values) else heads, body)
             for i, (heads, body) in enumerate(program[0])]
    all_models = [(w, m) for w, _, m in outcomes((coins, *program[1:]))]
    total = sum(w for w, _ in all_models)
    sums = [sum(w for w, m in all_models if agrees(m, b)) for b in blocks]
    return sum(math.log(s / total) for s in sums) if total and all(sums) else -math.inf


def learn(lpmln, program, count, blocks, folder):
    lines = text_of(program).splitlines()
    text = "\n".join("t(" + line.replace(" :: ", ") :: ", 1) if i < count else line for i, line in enumerate(lines))
    data = "\n---\n".join(" ".join(("" if sign else "not ") + a + "." for a, sign in b) for b in blocks)
    for name, content in (("p.lpmln", text), ("d.obs", data)):
        with open(os.path.join(folder, name), "w", encoding="utf-8") as file:
            file.write(content + "\n")
    run = subprocess.run([os.path.abspath(lpmln), "learn", "p.lpmln", "-e", "d.obs", "--format", "json", "-o", "found.lpmln"], cwd=folder,
                         capture_output=True, text=True, timeout=60)
    if run.returncode:
        return f"{text}\n{data}\nexit code {run.returncode}: {run.stderr}", None
    answered = json.loads(run.stdout)
    with open(os.path.join(folder, "found.lpmln"), encoding="utf-8") as file:
        lines = file.read().splitlines()[:count]  # t(0.3) is still there if its body can't hold
    written = [float(re.search(r"[\d.e-]+", line)[0]) for line in lines]
    return f"{text}\n{data}\n{answered}", (answered["log_likelihood"], answered["converged"], written)


def learned_well(r, program, count, blocks, found):
    if not found:
        return False
    best, converged, written = found
    own = likelihood(program, written, blocks)
    others = [likelihood(program, [r.uniform(0.01, 0.99) for _ in range(count)], blocks) for _ in range(20)]
    return abs(own - best) < 1e-5 and (not converged or max(others) < best + 1e-5)


def check_learning(options, tally, number):
    r = random.Random(f"learn {options.seed}/{number}")
    program, count, blocks = learnable(r)
    if not blocks:
        return
    with tempfile.TemporaryDirectory() as folder:
        label, found = learn(options.lpmln, program, count, blocks, folder)
    tally.check(f"learn {options.seed}/{number}:\n{label}", learned_well(r, program, count, blocks, found))


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--lpmln", default="build/lpmln")
    parser.add_argument("--count", type=int, default=500)
    parser.add_argument("--seed", default="1")
    options = parser.parse_args()
    tally, models = closing.Tally(), 0
    for i in range(options.count):
        program = program_of(random.Random(f"{options.seed}/{i}"))
        text = text_of(program, variables=i % 2)
        expected, found = probabilities(program), answer(options.lpmln, text)
        models += expected is not None
        tally.check(f"coins {options.seed}/{i}:\n{text}{expected}\n{found}",
                    agree(program, expected, found))
    for i in range(options.count // 10):
        check_learning(options, tally, i)
    tally.check("more than half of the programs have a stable model", 2 * models > options.count)
    return tally.close(options.count)


if __name__ == "__main__":
    sys.exit(main())
