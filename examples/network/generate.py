#!/usr/bin/env python3
"""Makes networks like the paper's, as programs and as observations.

    generate.py edges 15                  its ten stations with 10, 14, 15, 20 or 40 edges
    generate.py layers 20 --both          its layered networks, edges one way or both ways
    generate.py random 20 3 --seed 1      random edges, 3 a station on average
    generate.py grid 4                    a square of 4 x 4 stations

prints the program; with --observations it prints what was observed in the sessions, and with
--form aux it writes reachability with one recursive atom in the body instead of two.
"""

import argparse
import random

# What is connected to station 1 in the paper's four sessions, of the stations 7 to 10.
SESSIONS = ({7: 1, 8: 0, 9: 1, 10: 0}, {7: 1, 8: 1, 9: 0, 10: 1},
            {7: 1, 8: 0, 9: 0, 10: 1}, {7: 0, 8: 1, 9: 1, 10: 1})

TEN = [(1, 2), (1, 4), (2, 3), (4, 5), (4, 6), (3, 7), (6, 7), (5, 7), (3, 8), (6, 10), (5, 9)]
BELOW = TEN[2:]  # without the edges from 1, where layers come in between

# The paper prints the first graph ('10 edges', there are 11) and the last ('40 edges', 38 of them
# different). Of those in between it tells only that edge(4,1), a cycle with edge(1,4), is what
# makes the difference between 14 and 15; the other edges are our choice.
FOURTEEN = TEN + [(2, 10), (1, 6), (2, 4)]
TWENTY = TEN + [(1, 3), (1, 5), (1, 6), (4, 1), (1, 7), (1, 8), (1, 9), (1, 10), (2, 4)]
FORTY = TEN + ([(1, k) for k in (3, 5, 6, 7, 8, 9, 10)] + [(2, k) for k in range(4, 11)] +
               [(3, k) for k in (4, 5, 6, 9, 10)] + [(4, k) for k in (1, 2, 3, 4, 7, 8, 9, 10)])
EDGES = {10: TEN, 14: FOURTEEN, 15: FOURTEEN + [(4, 1)], 20: TWENTY, 40: FORTY}


def layers(nodes, both=False):
    """Layers of two stations between 1 and the pair 2, 4; all edges between neighbouring layers."""
    if nodes < 10 or nodes % 2:
        raise ValueError("layers need an even number of stations, 10 or more")
    rows = [(1,)] + [(k, k + 1) for k in range(11, nodes, 2)] + [(2, 4)]
    found = []
    for upper, lower in zip(rows, rows[1:]):
        for x in upper:
            for y in lower:
                found += [(x, y), (y, x)] if both and nodes > 10 else [(x, y)]
    return found + BELOW


def random_edges(nodes, degree, seed=0):
    """nodes * degree different edges, none from a station to itself."""
    if not 0 <= degree < nodes:
        raise ValueError("a station has fewer edges than there are stations")
    pairs = [(x, y) for x in range(1, nodes + 1) for y in range(1, nodes + 1) if x != y]
    return sorted(random.Random(seed).sample(pairs, nodes * degree))


def grid(side):
    """side * side stations, edges between neighbours both ways."""
    found = []
    for k in range(1, side * side + 1):
        for other in ([k + 1] if k % side else []) + ([k + side] if k + side <= side * side else []):
            found += [(k, other), (other, k)]
    return found


NL = """connected(X,Y,T) :- edge(X,Y), not fail(X,T), not fail(Y,T).
connected(X,Y,T) :- connected(X,Z,T), connected(Z,Y,T).
"""
AUX = """aux(X,Y,T) :- edge(X,Y), not fail(X,T), not fail(Y,T).
connected(X,Y,T) :- aux(X,Y,T).
connected(X,Y,T) :- connected(X,Z,T), aux(Z,Y,T).
"""


def program(edges, sessions=4, form="nl"):
    nodes = max(max(edge) for edge in edges)
    facts = "\n".join(f"edge({x},{y})." for x, y in edges)
    return (f"node(1..{nodes}). session(1..{sessions}).\n#domain session(T).\n"
            f"@w(fail(X)) fail(X,T) :- node(X).\n{facts}\n" + (AUX if form == "aux" else NL))


def observations(sessions=4):
    """The paper's four, over and over."""
    lines = []
    for t in range(sessions):
        for node, up in SESSIONS[t % 4].items():
            lines.append(f":- {'not ' if up else ''}connected(1,{node},{t + 1}).")
    return "\n".join(lines) + "\n"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("kind", choices=["edges", "layers", "random", "grid"])
    parser.add_argument("size", type=int)
    parser.add_argument("degree", type=int, nargs="?", default=3)
    parser.add_argument("--both", action="store_true", help="layers: edges both ways")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--sessions", type=int, default=4)
    parser.add_argument("--form", choices=["nl", "aux"], default="nl")
    parser.add_argument("--observations", action="store_true")
    o = parser.parse_args()
    try:
        edges = {"edges": lambda: EDGES[o.size], "layers": lambda: layers(o.size, o.both),
                 "random": lambda: random_edges(o.size, o.degree, o.seed), "grid": lambda: grid(o.size)}[o.kind]()
    except KeyError:
        parser.error(f"edges are {', '.join(map(str, EDGES))}")
    except ValueError as error:
        parser.error(str(error))
    print(observations(o.sessions) if o.observations else program(edges, o.sessions, o.form), end="")


if __name__ == "__main__":
    main()
