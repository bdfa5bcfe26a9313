"""Theorem 1: Algorithm 1's transition matrix, summed over all subsets M by definition."""

import itertools
import math

import generate
import semantics
from syntax import ground, program_text

MOST_KEPT, MOST_STATES = 9, 60
ALMOST_NEVER = 1e-7  # a right run has such a chi-square once in ten million


def violated(program, model):
    """Numbers of the violated soft instances of the ground program."""
    value = dict.fromkeys(itertools.chain(model.atoms, program.facts), 1)
    _, broken = semantics.satisfied(program, value, 1)
    return frozenset(i for i, rule in enumerate(program.rules) if rule.weight and broken[i])


def case(label):
    """A program with few states and few instances that a step may keep."""
    for attempt in itertools.count():
        program, answer = generate.case(f"{label}.{attempt}")
        if not 2 <= answer.count <= MOST_STATES or program.evidence:
            continue
        ground_program, _ = ground(program)
        states = [(model, violated(ground_program, model)) for model in answer.models]
        weights = {i: rule.weight for i, rule in enumerate(ground_program.rules) if rule.weight}
        kept = [[i for i, w in weights.items() if (i in broken) == (w < 0)] for _, broken in states]
        if 1 <= max(map(len, kept)) <= MOST_KEPT:
            return program, answer, states, weights, kept


def matrix_of(states, weights, kept):
    rows = []
    for (_, now), could in zip(states, kept):
        row = [0.0] * len(states)
        for chosen in itertools.product((False, True), repeat=len(could)):
            probability, candidates = 1.0, range(len(states))
            for i, keeps in zip(could, chosen):
                size = abs(weights[i])
                probability *= -math.expm1(-size) if keeps else math.exp(-size)
                if keeps:
                    candidates = [k for k in candidates if (i in states[k][1]) == (i in now)]
            for k in candidates:
                row[k] += probability / len(candidates)
        rows.append(row)
    return rows


def check(tool, label):
    program, answer, states, weights, kept = case(label)
    tool.write("p.lpmln", program_text(program))
    reply = tool.ask("check", "p.lpmln", "--chain")["chain"]
    exact = matrix_of(states, weights, kept)
    place = {answer.all_atoms(model): i for i, (model, _) in enumerate(states)}
    order = [place[frozenset(said["atoms"])] for said in reply["models"]]
    assert sorted(order) == list(range(len(states))), f"{len(order)} states, not {len(states)}"
    for x, i in enumerate(order):
        said = reply["models"][x]["probability"]
        assert abs(said - answer.probability(states[i][0])) < 1e-9, f"P(X) is {said}"
        for y, k in enumerate(order):
            assert abs(reply["matrix"][x][y] - exact[i][k]) < 1e-12, f"Q({x},{y}) is {reply['matrix'][x][y]}, not {exact[i][k]}"
    assert reply["ergodic"] and min(map(min, exact)) > 0 and reply["least"] > 0, "not ergodic"
    assert reply["detailed_balance"] and reply["balance_error"] < 1e-12, f"out of balance by {reply['balance_error']}"
    assert reply["p_value"] > ALMOST_NEVER, f"the run does not go by it: p = {reply['p_value']}"
