"""Programs of growing size on which exact inference is measured beside other systems.

    families.py FAMILY SIZE [SEED]          prints the program
    families.py bif FILE.bif[.gz] [native]  a Bayesian network: annotated disjunctions, or choices and soft constraints

make(FAMILY, SIZE, SEED) gives a Problem: the text, what to ask, and the same thing once more as data, from which
independent.py computes the answer without lpmln.
"""

import gzip
import itertools
import math
import random
import re
import sys


class Problem:
    """query None: ln Z is the answer, else the probability of the query."""

    def __init__(self, text, query=None, problog=False, **data):
        self.text, self.query, self.problog, self.data = text, query, problog, data

    @property
    def suffix(self):
        return ".pl" if self.problog else ".lpmln"


def arcs(edges):
    """Both ways."""
    return sorted({pair for a, b in edges for pair in ((a, b), (b, a))})


def sparse(n, degree, rng):
    edges = set()
    while len(edges) < n * degree / 2:
        a, b = sorted((rng.randrange(n), rng.randrange(n)))
        if a != b:
            edges.add((a, b))
    return sorted(edges)


def grid(width, height):
    edges = []
    for y in range(height):
        for x in range(width):
            if x + 1 < width:
                edges.append((y * width + x, y * width + x + 1))
            if y + 1 < height:
                edges.append((y * width + x, (y + 1) * width + x))
    return edges


def scale_free(n, rng):
    """A new node is joined to two old ones, the busy ones more often."""
    ends, edges = [0, 1], {(0, 1)}
    for v in range(2, n):
        for u in {rng.choice(ends), rng.choice(ends)}:
            edges.add((u, v))
            ends += [u, v]
    return sorted(edges)


def facts(name, pairs):
    return "".join(f"{name}({a},{b}).\n" for a, b in pairs)


def odds(p):
    return f"@log({p!r}/{round(1 - p, 6)!r})"


# ---- Markov logic ---------------------------------------------------------------------------------

SMOKING = ("1.4 :- s(X). 2.3 :- c(X). 1.5 :- s(X), not c(X).\n"
           "1.1 :- f(X,Y), s(X), not s(Y).\n1.1 :- f(X,Y), s(Y), not s(X).\n")


def open_friends(n, rng):
    return Problem(f"p(0..{n - 1}). {{s(X)}} :- p(X). {{c(X)}} :- p(X). {{f(X,Y)}} :- p(X), p(Y), X < Y.\n"
                   f"4.6 :- f(X,Y).\n{SMOKING}", kind="open_friends", n=n)


def known_friends(n, rng):
    edges = sparse(n, 3, rng)
    smoking = [1 + math.exp(-2.3), math.exp(-1.4) * (math.exp(-2.3) + math.exp(-1.5))]
    factors = [((v,), smoking) for v in range(n)] + [(e, [1, math.exp(-1.1), math.exp(-1.1), 1]) for e in edges]
    return Problem(f"p(0..{n - 1}). {{s(X)}} :- p(X). {{c(X)}} :- p(X).\n{facts('f', edges)}{SMOKING}",
                   kind="factors", sizes=[2] * n, factors=factors)


def coloring(n, rng):
    edges = sparse(n, 3, rng)
    likes = [f"{rng.uniform(-1, 1):.2f}" for _ in range(n)]
    same = [math.exp(-1.5) if a == b else 1 for a in range(3) for b in range(3)]
    factors = [((v,), [math.exp(-float(likes[v])), 1, 1]) for v in range(n)] + [(e, same) for e in edges]
    text = (f"col(1..3). v(0..{n - 1}). 1 {{ c(X,C) : col(C) }} 1 :- v(X).\n{facts('e', edges)}"
            "1.5 :- e(X,Y), c(X,C), c(Y,C).\n" + "".join(f"{w} :- c({v},1).\n" for v, w in enumerate(likes)))
    return Problem(text, kind="factors", sizes=[3] * n, factors=factors)


def clauses(n, rng, ratio=2.0):
    weights = [f"{rng.uniform(-2, 2):.3f}" for _ in range(n)]
    text = "".join(f"{w} x({v}).\n" for v, w in enumerate(weights))
    factors = [((v,), [math.exp(-float(w)), 1]) for v, w in enumerate(weights)]
    for _ in range(int(n * ratio)):
        chosen = [(rng.choice((True, False)), v) for v in rng.sample(range(n), 3)]
        text += ":- " + ", ".join(("x(%d)" if true else "not x(%d)") % v for true, v in chosen) + ".\n"
        forbidden = sum(true << (2 - i) for i, (true, _) in enumerate(chosen))
        factors.append((tuple(v for _, v in chosen), [i != forbidden for i in range(8)]))
    return Problem(text, kind="factors", sizes=[2] * n, factors=factors)


def ising(n, rng):
    name = lambda v: f"s({v % n},{v // n})"
    text, factors = f"{{ s(0..{n - 1},0..{n - 1}) }}.\n", []
    for a, b in grid(n, n):
        j = f"{rng.uniform(-1, 1):.3f}"
        text += f"{j} :- {name(a)}, not {name(b)}. {j} :- {name(b)}, not {name(a)}.\n"
        factors.append(((a, b), [1, math.exp(-float(j)), math.exp(-float(j)), 1]))
    for v in range(n * n):
        field = f"{rng.uniform(-1, 1):.3f}"
        text += f"{field} :- {name(v)}.\n"
        factors.append(((v,), [1, math.exp(-float(field))]))
    return Problem(text, kind="factors", sizes=[2] * n * n, factors=factors, order=range(n * n))


# ---- reachability ---------------------------------------------------------------------------------

def soft_nodes(edges, n, rng):
    fails = [round(rng.uniform(.1, .4), 2) for _ in range(n)]
    text = (facts("edge", arcs(edges)) + "".join(f"{odds(p)} fail({v}).\n" for v, p in enumerate(fails)) +
            "connected(X,Y) :- edge(X,Y), not fail(X), not fail(Y).\n"
            "connected(X,Y) :- connected(X,Z), connected(Z,Y).\n")
    return Problem(text, f"connected(0,{n - 1})", kind="nodes", up=[1 - p for p in fails], edges=edges)


def strip(length, rng):
    """A grid of width 4 whose nodes fail, in ProbLog's language."""
    n, edges = 4 * length, grid(4, length)
    up = [round(rng.uniform(.6, .9), 2) for _ in range(n)]
    text = (facts("edge", arcs(edges)) + "".join(f"{p!r}::ok({v}).\n" for v, p in enumerate(up)) +
            f"r(0) :- ok(0).\nr(Y) :- r(X), edge(X,Y), ok(Y).\nquery(r({n - 1})).\n")
    return Problem(text, f"r({n - 1})", problog=True, kind="nodes", up=up, edges=edges)


def edges_grid(n, rng):
    up = {arc: round(rng.uniform(.2, .8), 2) for arc in arcs(grid(n, n))}
    text = ("".join(f"{odds(p)} up({a},{b}).\n" for (a, b), p in up.items()) +
            "connected(X,Y) :- up(X,Y).\nconnected(X,Y) :- connected(X,Z), connected(Z,Y).\n")
    return Problem(text, f"connected(0,{n * n - 1})", kind="arcs", n=n * n, up=up)


def complete(n, rng):
    """Every two of n nodes joined by an undirected soft edge."""
    text = (f"n(1..{n}). -1 e(X,Y) :- n(X), n(Y), X < Y.\nu(X,Y) :- e(X,Y). u(Y,X) :- e(X,Y).\n"
            "r(1). r(Y) :- r(X), u(X,Y).\n")
    return Problem(text, "r(2)", kind="complete", n=n, p=1 / (1 + math.e))


# ---- chains, trees, sums --------------------------------------------------------------------------

def tree_smokers(n, rng):
    parents = [rng.randrange(v) for v in range(1, n)]
    edges = [(u, v) for v, u in enumerate(parents, 1)]
    text = (facts("friend", arcs(edges)) + "".join(f"person({v}).\n" for v in range(n)) +
            "0.3::stress(X) :- person(X).\n0.2::infl(Y,X) :- friend(X,Y).\nsmokes(X) :- stress(X).\n"
            "smokes(X) :- friend(X,Y), infl(Y,X), smokes(Y).\n0.4::asthma(X) :- smokes(X).\n"
            f"evidence(asthma({n // 2})).\nquery(smokes(0)).\n")
    return Problem(text, "smokes(0)", problog=True, kind="tree", n=n, edges=edges, seen=n // 2)


def chain(n, rng):
    """Each link makes the next one likely: the true ones are always the first ones."""
    first, next_ = (f"{rng.uniform(.2, 2):.3f}" for _ in range(2))
    text = f"{first} x(0). t(0..{n - 1}). {next_} x(T+1) :- x(T), t(T). y(T) :- x(T).\n"
    return Problem(text, f"y({n})", kind="chain", n=n, first=float(first), next_=float(next_))


def shares(count, rng):
    """Probabilities that add up to a little less than 1, as they are printed."""
    p = [rng.random() + .05 for _ in range(count)]
    p = [round(x / sum(p), 4) for x in p[:-1]]
    return p + [round(1 - sum(p) - 1e-9, 9)]


def choice(p, heads, body=""):
    return "; ".join(f"{x!r}::{head}" for x, head in zip(p, heads)) + (f" :- {body}" if body else "") + ".\n"


def hmm(length, rng, states=4):
    every = range(states)
    start = shares(states, rng)
    text = choice(start, [f"x(0,{q})" for q in every])
    move, show = [], []
    for s in every:
        move.append(shares(states, rng))
        text += choice(move[s], [f"x(T,{q})" for q in every], f"step(T), U is T-1, x(U,{s})")
        show.append(shares(states, rng))
        text += choice(show[s], [f"o(T,{q})" for q in every], f"x(T,{s})")
    text += "".join(f"step({t}).\n" for t in range(1, length + 1))
    seen = [rng.randrange(states) for _ in range(length + 1)]
    text += "".join(f"evidence(o({t},{q})).\n" for t, q in enumerate(seen))
    return Problem(text + f"query(x({length // 2},0)).\n", f"x({length // 2},0)", problog=True,
                   kind="hmm", start=start, move=move, show=show, seen=seen)


def tables(n, rng):
    """A Bayesian network along a row, as annotated disjunctions: up to three parents among the last four, two to four
    values, some of them impossible."""
    sizes, text, factors = [rng.randint(2, 4) for _ in range(n)], "", []
    for v in range(n):
        parents = sorted(rng.sample(range(max(0, v - 4), v), min(v, rng.randint(1, 3))))
        table = []
        for at in itertools.product(*(range(sizes[u]) for u in parents)):
            p = [rng.random() * (rng.random() > .2) for _ in range(sizes[v])]
            p = [x / sum(p) for x in p] if any(p) else [1] + [0] * (sizes[v] - 1)
            row, said = bif_row([f"v({v},{j})" for j in range(sizes[v])], p, [f"v({u},{k})" for u, k in zip(parents, at)], False)
            text += row
            table += said
        factors.append((tuple(parents) + (v,), table))
    query = f"v({n - 1},0)"
    return Problem(text + f"query({query}).\n", query, problog=True, kind="factors", sizes=sizes, factors=factors,
                   asked=(n - 1, 0))


def knapsack(n, rng, heaviest=100):
    weights = [rng.randint(1, heaviest) for _ in range(n)]
    likes = [f"{rng.uniform(-1.5, 1.5):.3f}" for _ in range(n)]
    text = "".join(f"{l} a({i}). w({i},{w}).\n" for i, (l, w) in enumerate(zip(likes, weights)))
    return Problem(text + f"ok :- #sum {{ W,X : a(X), w(X,W) }} <= {sum(weights) // 3}.\n", "ok", kind="knapsack",
                   weights=weights, p=[1 / (1 + math.exp(-float(l))) for l in likes], bound=sum(weights) // 3)


FAMILIES = {f.__name__: f for f in (open_friends, known_friends, coloring, clauses, ising, strip, edges_grid, complete,
                                    tree_smokers, chain, hmm, tables, knapsack)}
FAMILIES["nodes_scale_free"] = lambda n, rng: soft_nodes(scale_free(n, rng), n, rng)
FAMILIES["nodes_grid4"] = lambda n, rng: soft_nodes(grid(4, n), 4 * n, rng)


def make(family, size, seed=1):
    return FAMILIES[family](size, random.Random(f"{family} {size} {seed}"))


# ---- Bayesian networks ----------------------------------------------------------------------------

def read_bif(path):
    """values: by variable; tables: its parents, and by their values the probabilities."""
    with (gzip.open if path.endswith(".gz") else open)(path, "rt") as file:
        text = file.read()
    values, tables = {}, {}
    for found in re.finditer(r"variable\s+(\S+)\s*\{\s*type\s+discrete\s*\[\s*\d+\s*\]\s*\{([^}]*)\}", text):
        values[found[1]] = [value.strip() for value in found[2].split(",")]
    for found in re.finditer(r"probability\s*\(\s*([^)|]+?)\s*(?:\|\s*([^)]*?))?\s*\)\s*\{(.*?)\n\}", text, re.S):
        parents, rows = [p.strip() for p in found[2].split(",")] if found[2] else [], {}
        for row in re.finditer(r"(?:table|\(([^)]*)\))\s*([^;]*);", found[3]):
            p = [float(x) for x in row[2].split(",")]
            rows[tuple(v.strip() for v in row[1].split(",")) if row[1] else ()] = [x / sum(p) for x in p]
        tables[found[1].strip()] = (parents, rows)
    return values, tables


def bif_row(atoms, p, body, native):
    """The text of one row of a table, and the probabilities that it says."""
    if native:
        return "".join(f"{'' if x == 0 else repr(-math.log(x)) + ' '}:- {', '.join([atom] + body)}.\n"
                       for atom, x in zip(atoms, p) if x < 1), p
    some = [j for j, x in enumerate(p) if x > 0]
    said = [0.0] * len(p)
    for j in some[:-1]:
        said[j] = float(f"{p[j]:.12f}")
    said[some[-1]] = 1 - sum(said)
    heads = [f"{said[j]:.12f}::{atoms[j]}" for j in some] if len(some) > 1 else [atoms[some[0]]]
    return "; ".join(heads) + (" :- " + ", ".join(body) if body else "") + ".\n", said


def bif(path, native):
    values, tables = read_bif(path)
    number = {v: i for i, v in enumerate(values)}
    atoms = {v: [f"v({i},{j})" for j in range(len(values[v]))] for v, i in number.items()}
    text = "".join(f"1 {{ {'; '.join(atoms[v])} }} 1.\n" for v in values) if native else ""
    factors = []
    for v, (parents, rows) in tables.items():
        table = {}
        for key, p in rows.items():
            at = [values[u].index(x) for u, x in zip(parents, key)]
            row, said = bif_row(atoms[v], p, [atoms[u][k] for u, k in zip(parents, at)], native)
            text += row
            table[tuple(at)] = said
        factors.append((tuple(number[u] for u in parents) + (number[v],), [x for key in sorted(table) for x in table[key]]))
    last = number[list(values)[-1]]
    query = f"v({last},0)"
    text += "" if native else f"query({query}).\n"
    return Problem(text, query, problog=not native, kind="factors", sizes=[len(v) for v in values.values()],
                   factors=factors, asked=(last, 0))


if __name__ == "__main__":
    if len(sys.argv) < 3:
        sys.exit(__doc__)
    if sys.argv[1] == "bif":
        sys.stdout.write(bif(sys.argv[2], "native" in sys.argv[3:]).text)
    else:
        sys.stdout.write(make(sys.argv[1], int(sys.argv[2]), *sys.argv[3:4]).text)
