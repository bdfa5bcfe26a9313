"""Theorem 6 and Propositions 1 to 3: k-coherent programs, made so that k is known."""

import math
import random


class Case:
    """Soft facts with instances; choices, which make k; what follows from both without loops."""

    def __init__(self, label, choices=3):
        self.rng = rng = random.Random(label)
        self.facts = {f"pf{i}": rng.randint(1, 4) for i in range(rng.randint(1, 4))}  # instances
        self.weights = {name: round(rng.uniform(-2.5, 2.5), 3) for name in self.facts}
        self.choices = [f"c{i}" for i in range(rng.randint(0, choices))]
        self.inputs = [f"{name}({k})" for name, n in self.facts.items() for k in range(1, n + 1)] + self.choices
        self.rules = []  # head, positive body, negated body; heads later than bodies
        for i in range(rng.randint(1, 5)):
            below = self.inputs + [f"d{j}" for j in range(i)]
            body = rng.sample(below, min(len(below), rng.randint(1, 3)))
            for _ in range(rng.randint(1, 2)):
                cut = rng.randint(0, len(body))
                self.rules.append((f"d{i}", body[:cut], body[cut:]))

    def program(self, weight):
        """`weight`: how the weight of a soft fact is written."""
        lines = [f"i{name}(1..{n}).  {weight(name)} {name}(X) :- i{name}(X)." for name, n in self.facts.items()]
        lines += [f"{{ {name} }}." for name in self.choices]
        lines += [f"{head} :- {', '.join(yes + [f'not {x}' for x in no])}." for head, yes, no in self.rules]
        return "\n".join(lines) + "\n"

    def model(self):
        """A random stable model: a choice of inputs and what follows."""
        true = {x for x in self.inputs if self.rng.random() < self.rng.choice((0.2, 0.5, 0.8))}
        for head, yes, no in self.rules:
            if true.issuperset(yes) and true.isdisjoint(no):
                true.add(head)
        return true

    def atoms(self):
        return self.inputs + sorted({head for head, _, _ in self.rules})

    def block(self, true):
        return "".join(f"{'' if atom in true else 'not '}{atom}.\n" for atom in self.atoms())


def check_weights(case, models, reply, how):
    by_name = {w["parameter"]: w for w in reply["weights"]}
    for name, n in case.facts.items():
        m = sum(f"{name}({k})" in true for true in models for k in range(1, n + 1))
        rest, said = n * len(models) - m, by_name[name]
        if m and rest:
            assert abs(said["weight"] - math.log(m / rest)) < 1e-5, f"{how}: {name} {said['weight']}, not ln({m}/{rest})"
            assert not said["diverges"] and said["identified"], f"{how}: {name} {said}"
        else:
            assert said["diverges"] == ("+" if m else "-"), f"{how}: {name} does not diverge"


def check_propositions(tool, case):
    """At weights of its own: the normaliser, P(I) of a model, P(pf)."""
    tool.write("q.lpmln", case.program(lambda name: f"{case.weights[name]} :"))
    log_z = len(case.choices) * math.log(2) + sum(n * math.log1p(math.exp(-case.weights[name])) for name, n in case.facts.items())
    reply = tool.ask("infer", "q.lpmln")
    assert abs(reply["log_partition"] - log_z) < 1e-9, f"ln Z is {reply['log_partition']}, not {log_z}"
    said = {m["atom"]: m["probability"] for m in reply["marginals"]}
    for name, n in case.facts.items():
        for k in range(1, n + 1):
            assert abs(said[f"{name}({k})"] - 1 / (1 + math.exp(-case.weights[name]))) < 1e-9, f"P({name}({k}))"
    true = case.model()
    tool.write("q.obs", case.block(true))
    broken = sum(case.weights[name] for name, n in case.facts.items() for k in range(1, n + 1) if f"{name}({k})" not in true)
    reply = tool.ask("infer", "q.lpmln", "-e", "q.obs", "-q", case.inputs[0])
    assert abs(reply["log_evidence"] + broken + log_z) < 1e-9, f"ln P(I) is {reply['log_evidence']}"


def check(tool, label):
    case = Case(label)
    tool.write("p.lpmln", case.program(lambda name: f"@w({name})"))
    said = tool.ask("check", "p.lpmln")
    assert said["simple"] and said["coherent"] == 2 ** len(case.choices), f"coherent {said['coherent']}"
    models = [case.model() for _ in range(case.rng.randint(1, 6))]
    tool.write("p.obs", "---\n".join(case.block(true) for true in models))
    reply = tool.ask("learn", "p.lpmln", "-e", "p.obs")
    assert reply["method"] == "closed-form", reply["method"]
    check_weights(case, models, reply, "closed form")
    check_weights(case, models, tool.ask("learn", "p.lpmln", "-e", "p.obs", "--optimizer", "newton"), "newton")
    check_propositions(tool, case)
