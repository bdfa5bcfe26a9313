"""The benchmark programs: the paper's networks over bench/graphs, and families made here."""

import os
import random
import re
import sys

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
GRAPHS = os.path.join(ROOT, "bench", "graphs")
sys.path.insert(0, os.path.join(ROOT, "examples", "network"))

import generate  # noqa: E402 (the example's generator makes the programs)

SESSIONS = generate.SESSIONS


def edges_of(graph):
    """The edges of a file in bench/graphs."""
    with open(os.path.join(GRAPHS, graph + ".lp")) as file:
        return [(int(x), int(y)) for x, y in re.findall(r"edge\((\d+), *(\d+)\)", file.read())]


def network(graph, sessions=1, form="nl"):
    """The program of a graph, as in the paper or in its linear form, and the data of its sessions."""
    return generate.program(edges_of(graph), sessions, form), generate.observations(sessions)


def failing(nodes):
    """Options: some weights of a network's stations."""
    rng = random.Random(5)
    return [word for x in range(1, nodes + 1) for word in ("-w", f"fail({x})={rng.uniform(-2, 0.5):.2f}")]


def smokers(people):
    """Friends along a chain, with some ties to the next but one; everyone is under stress or not,
    every tie influences or not."""
    rng = random.Random(1)
    lines = [f"person(1..{people}).",
             "@log(0.3/0.7) stress(X) :- person(X).",
             "@log(0.2/0.8) influences(X,Y) :- friend(X,Y).",
             "smokes(X) :- stress(X).",
             "smokes(Y) :- friend(X,Y), influences(X,Y), smokes(X)."]
    for x in range(1, people):
        lines.append(f"friend({x},{x + 1}). friend({x + 1},{x}).")
        if x + 2 <= people and rng.random() < 0.3:
            lines.append(f"friend({x},{x + 2}). friend({x + 2},{x}).")
    return "\n".join(lines) + "\n", f"smokes({people // 3}). not smokes({people // 2}).\n"


def diagnosis(rows):
    """Three patients, noisy-or, and a table of what they show: each symptom 1, 0 or unknown."""
    rng = random.Random(1)
    program = """patient(ann;bob;cyd).  disease(flu;cold;covid).
causes(flu,fever;flu,cough;cold,cough;covid,fever;covid,cough;covid,anosmia).
@w(prior(D),-1) has(P,D) :- patient(P), disease(D).
@w(act(D,S),1) mech(P,D,S) :- patient(P), causes(D,S).
shows(P,S) :- has(P,D), mech(P,D,S).
"""
    header = ",".join(f'"shows({p},{s})"' for p in ("ann", "bob", "cyd") for s in ("fever", "cough", "anosmia"))
    lines = [",".join(rng.choice(("0", "1", "")) for _ in range(9)) for _ in range(rows)]
    return program, "\n".join([header] + lines) + "\n"


def different_rows(rows, kind):
    """A table of 30 atoms whose rows differ: a chain of soft constraints, all of it seen; causes that are hidden
    behind their effects; friends whose habits are seen in part."""
    rng = random.Random(f"rows {kind}")
    if kind == "chain":
        program = "{a(0..29)}.\n@w(b(I)) :- not a(I), I=0..29.\n@w(c) :- a(I), a(I+1).\n"
        names = [f"a({i})" for i in range(30)]
        lines = [",".join(rng.choice("01") for _ in names) for _ in range(rows)]
    elif kind == "causes":
        program = "@w(h) h(1..3).\n" + "".join(f"@w(l({i})) a({i}) :- h({i % 3 + 1}).\n@w(m({i})) a({i}).\n" for i in range(30))
        names = [f"a({i})" for i in range(30)]
        strong, weak = [rng.uniform(.3, .8) for _ in names], [rng.uniform(.05, .3) for _ in names]
        lines = []
        for _ in range(rows):
            held = [rng.random() < .4 for _ in range(3)]
            lines.append(",".join("" if rng.random() < .05 else str(int(rng.random() < weak[i] or
                                  (held[i % 3] and rng.random() < strong[i]))) for i in range(30)))
    else:
        edges = set()
        while len(edges) < 45:
            edges.add(tuple(sorted(rng.sample(range(30), 2))))
        program = ("p(0..29). {s(X)} :- p(X). {c(X)} :- p(X).\n" + "".join(f"f({a},{b}).\n" for a, b in sorted(edges)) +
                   "@w(1,1.4) :- s(X). @w(2,2.3) :- c(X). @w(3,1.5) :- s(X), not c(X).\n"
                   "@w(4,1.1) :- f(X,Y), s(X), not s(Y).\n@w(4,1.1) :- f(X,Y), s(Y), not s(X).\n")
        names = [f"s({i})" if i < 20 else f"c({i})" for i in range(30)]
        lines = [",".join(rng.choice("0001") for _ in names) for _ in range(rows)]
    return program, "\n".join([",".join(names)] + lines) + "\n"


def robot(horizon):
    """The paper's robot, one instance, over a longer time; it is last seen without the book."""
    path = os.path.join(ROOT, "examples", "robot", "robot.lpmln")
    with open(path) as file:
        program = file.read()
    program = program.replace("astep(0).", f"astep(0..{horizon - 1}).")
    program = program.replace("step(0..1).", f"step(0..{horizon}).", 1)
    program = program.replace("instance(1..4).", "instance(1).")
    return program, f':- not hasBook("f", {horizon}, 1).\n'


def bayes(nodes):
    """A Bayesian network: every node has the three before it as parents."""
    rng = random.Random(2)
    lines = []
    for i in range(nodes):
        parents = list(range(max(0, i - 3), i))
        for k in range(2 ** len(parents)):
            body = [f"{'' if k >> j & 1 else 'not '}x({p})" for j, p in enumerate(parents)]
            lines.append(f"{rng.uniform(-2, 2):.3f} c({i},{k}).")
            lines.append(f"x({i}) :- {', '.join(body + [f'c({i},{k})'])}.")
    return "\n".join(lines) + "\n", f"x({nodes - 1}). not x({nodes // 2}).\n"


def dense(n, seed=1):
    """Too dense to compile: n guessed atoms, n derived ones in positive loops through random rules,
    soft constraints between random pairs; not tight, one component."""
    rng = random.Random(seed)
    lines = [f"{rng.uniform(-1.5, 1.5):.3f} a({i})." for i in range(n)]
    for i in range(n):
        for _ in range(2):
            lines.append(f"b({i}) :- b({rng.randrange(n)}), a({rng.randrange(n)}).")
        lines.append(f"b({i}) :- a({rng.randrange(n)}), a({rng.randrange(n)}), not a({rng.randrange(n)}).")
        lines.append(f"{rng.uniform(-1, 1):.3f} :- b({rng.randrange(n)}), not b({rng.randrange(n)}).")
    return "\n".join(lines) + "\n", f"b(0). not b({n // 2}).\n"


def soft_edges(n):
    """Soft edges between all nodes, both ways; who reaches whom?"""
    return f"n(1..{n}).\n-1 e(X,Y) :- n(X), n(Y), X < Y.\nr(X,Y) :- e(X,Y). r(X,Y) :- e(Y,X).\nr(X,Y) :- r(X,Z), r(Z,Y).\n"


def social(n):
    """Unknown friendships, friends smoke alike; who reaches whom through friends?"""
    return (f"person(1..{n}).\n-1 friend(X,Y) :- person(X), person(Y), X < Y.\n"
            "knows(X,Y) :- friend(X,Y). knows(Y,X) :- friend(X,Y).\n-1.5 smokes(X) :- person(X).\n"
            "0.8 :- friend(X,Y), smokes(X), not smokes(Y).\n0.8 :- friend(X,Y), smokes(Y), not smokes(X).\n"
            "reach(X,Y) :- knows(X,Y).\nreach(X,Y) :- reach(X,Z), knows(Z,Y).\n")


def choices(n):
    """2^n stable models, for lpmln and for clingo."""
    rest = f"b :- a(1), a(2). c(X) :- a(X), not a(X+1), X < {n}.\n"
    return f"0.5 a(1..{n}). " + rest, "{a(1..%d)}. " % n + rest
