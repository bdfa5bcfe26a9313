"""What the tests share: the repository's examples, random programs by brute force."""

import itertools
import math
import os
import random

import pytest

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
EXAMPLES = os.path.join(ROOT, "examples")

DIAGNOSIS = """
disease(flu; cold). symptom(fever; cough). causes(flu, fever). causes(flu, cough). causes(cold, cough).
@w(flu, -1) has(flu). @w(cold, -0.5) has(cold).
@w(act(D, S), 1) shows(S) :- has(D), causes(D, S).
@w(else, -2) shows(S) :- symptom(S).
"""


@pytest.fixture
def examples():
    return EXAMPLES


@pytest.fixture
def diagnosis():
    import lpmln

    return lpmln.Program(text=DIAGNOSIS)


class Brute:
    """Independent soft facts and soft rules over them, in layers: every set of violated instances by hand."""

    def __init__(self, seed):
        r = random.Random(seed)
        self.facts = [f"f{i}" for i in range(r.randint(1, 4))]
        self.weights = {f"w{i}": round(r.uniform(-2, 2), 2) for i in range(len(self.facts) + 1)}
        self.rules = [(f"h{k}", r.sample(self.facts, r.randint(1, len(self.facts)))) for k in range(r.randint(1, 2))]

    @property
    def text(self):
        lines = [f"@w(w{i}, {self.weights[f'w{i}']}) {fact}." for i, fact in enumerate(self.facts)]
        last = f"w{len(self.facts)}"
        lines += [f"@w({last}, {self.weights[last]}) {head} :- {', '.join(body)}." for head, body in self.rules]
        return "\n".join(lines)

    def models(self, weights=None):
        """(atoms, weight) of every stable model: a soft rule with a true body is chosen or violated."""
        w, last = {**self.weights, **(weights or {})}, f"w{len(self.facts)}"
        for chosen in itertools.product((False, True), repeat=len(self.facts)):
            true = {fact for fact, holds in zip(self.facts, chosen) if holds}
            log = -sum(w[f"w{i}"] for i, holds in enumerate(chosen) if not holds)
            ready = [head for head, body in self.rules if set(body) <= true]
            for derived in itertools.product((False, True), repeat=len(ready)):
                yield (true | {h for h, d in zip(ready, derived) if d},
                       math.exp(log - w[last] * sum(not d for d in derived)))

    def prob(self, query, given=None, weights=None):
        agree = [(atoms, w) for atoms, w in self.models(weights)
                 if all((a in atoms) == v for a, v in (given or {}).items())]
        total = sum(w for _, w in agree)
        return sum(w for atoms, w in agree if query in atoms) / total if total else math.nan

    def log_evidence(self, given, weights=None):
        every = list(self.models(weights))
        agree = sum(w for atoms, w in every if all((a in atoms) == v for a, v in given.items()))
        return math.log(agree / sum(w for _, w in every)) if agree else -math.inf
