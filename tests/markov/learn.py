"""Theorem 4: learning from the translation is learning from the program.

Random tight programs with variables and parameters, observations drawn from them, complete in
one half of the cases and literals of some atoms in the other: `lpmln learn` on the program, and
on its translation into Markov logic (rules, completion, databases) in both dialects, must find
the same log-likelihood and the same weights; a prior makes these unique.  The databases of
Alchemy say what is unknown, so that they need no open world.  In every second program a
parameter weighs rules that can't be one formula.
"""

import glob
import json
import os
import random
import sys
import tempfile

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "write"))
import pool  # noqa: E402

PEOPLE = ("ann", "bob")
FREE = ("smokes", "stress")
DERIVED = ("ill", "tired", "sad")


def body(rng, below):
    literals = [("" if k == 0 else rng.choice(("", "not "))) + f"{p}(X)"
                for k, p in enumerate(rng.sample(below, min(len(below), rng.randint(1, 2))))]
    return ", ".join(["person(X)"] + literals)


def program_of(rng):
    """Predicates depend on earlier ones only, so it is tight."""
    lines = [f"person({p})." for p in PEOPLE] + [f"{{{p}(X)}} :- person(X)." for p in FREE]
    number = 0
    for k, p in enumerate(DERIVED):
        for _ in range(rng.randint(1, 2)):
            number += 1
            lines.append(f"@w({number}) {p}(X) :- {body(rng, FREE + DERIVED[:k])}.")
        if rng.random() < 0.3:
            lines.append(f"{p}(X) :- {body(rng, FREE + DERIVED[:k])}.")
    if rng.random() < 0.5:
        number += 1
        lines.append(f"@w({number}) :- {body(rng, FREE + DERIVED)}.")
    if rng.random() < 0.3:
        lines.append(f"{rng.choice(('0.5', '-1', '1.25'))} :- {body(rng, FREE + DERIVED)}.")
    return "\n".join(lines) + "\n", number


def tying(rng, parameters):
    """Rules that keep no variables, or share a parameter with another."""
    shared = rng.randint(1, parameters)
    return rng.choice((f"@w({shared}) :- {body(rng, FREE + DERIVED)}.\n",
                       f"@w({shared}) :- person(X), ill(X), not sad(X), X != ann.\n",
                       "next(ann,1). next(bob,2). late(N+1) :- tired(X), next(X,N).\n"
                       f"@w({shared}) :- late(N), not late(N-1), N > 0.\n"))


def forget(rng, path):
    """Literals of some atoms in place of each answer set."""
    with open(path, encoding="utf-8") as file:
        seen = [set(line.split()) for line in file.read().splitlines()]
    atoms = [f"{p}({x})" for p in FREE + DERIVED for x in PEOPLE]
    blocks = []
    for true in seen:
        kept = [a for a in atoms if rng.random() < 0.6] or atoms[:1]
        blocks.append(" ".join(("" if a in true else "not ") + a + "." for a in kept))
    with open(path, "w", encoding="utf-8") as file:
        file.write("\n---\n".join(blocks) + "\n")


def run(options, *arguments):
    return pool.lpmln(options, *arguments)[0]


def learned(options, *arguments):
    answer = json.loads(run(options, "learn", *arguments, "--prior", "0,2", "--format", "json"))
    return answer["log_likelihood"], sorted(w["weight"] for w in answer["weights"])


def check(options, number):
    rng = random.Random(f"{options.seed}/{number}")
    text, parameters = program_of(rng)
    if number % 2:
        text += tying(rng, parameters)
    with tempfile.TemporaryDirectory() as folder:
        def path(name):
            return os.path.join(folder, name)
        with open(path("p.lpmln"), "w", encoding="utf-8") as file:
            file.write(text)
        weights = [f for k in range(1, parameters + 1) for f in ("-w", f"{k}={rng.uniform(-2, 2):.3f}")]
        run(options, "sample", path("p.lpmln"), "-n", "5", "--seed", str(number), "-o", path("data.txt"), *weights)
        if number // 2 % 2:
            forget(rng, path("data.txt"))
        left = learned(options, path("p.lpmln"), "-e", path("data.txt"))
        for dialect in ("alchemy", "tuffy"):
            run(options, "translate", path("p.lpmln"), "-e", path("data.txt"), "--to", "mln", "--dialect", dialect,
                "--data-output", path("d.db"), "-o", path("p.mln"))
            databases = [f for name in sorted(glob.glob(path("d*.db"))) for f in ("-e", name)]
            open_world = ("--open-world",) if dialect == "tuffy" else ()
            right = learned(options, path("p.mln"), *databases, *open_world)
            with open(path("p.mln"), encoding="utf-8") as file:
                wrong = compare(left, right, len(databases) // 2)
                if wrong:
                    return f"{dialect}: {wrong}\n{text}\n{file.read()}"
    return None


def compare(left, right, databases):
    if databases != 5:
        return f"{databases} databases"
    if len(left[1]) != len(right[1]) or abs(left[0] - right[0]) > 1e-5:
        return f"{left} here, {right} by the translation"
    if any(abs(a - b) > 1e-4 for a, b in zip(left[1], right[1])):
        return f"{left} here, {right} by the translation"
    return None


if __name__ == "__main__":
    sys.exit(pool.numbered(check, "markov learn", __doc__))
