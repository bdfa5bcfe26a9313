"""Theorems 2 to 4 on random propositional programs; what each theorem compares is written here, in Python."""

import random
from collections import namedtuple

# head: atoms, none for a constraint; weight: None if hard, else a number; choice: `{ head }`
Rule = namedtuple("Rule", "head yes no weight choice")


class Case:
    """A program over a few atoms.  Tight: a positive body is earlier than the head."""

    def __init__(self, label, tight=False):
        self.rng = rng = random.Random(label)
        self.atoms = [f"a{i}" for i in range(rng.randint(3, 5))]
        self.rules = [Rule([a], [], [], None, True) for a in self.atoms if rng.random() < 0.5]
        for _ in range(rng.randint(3, 7)):
            head = [] if rng.random() < 0.25 else rng.sample(self.atoms, 2 if rng.random() < 0.2 else 1)
            before = [a for a in self.atoms if not head or a < min(head)] if tight else [a for a in self.atoms if a not in head]
            yes = rng.sample(before, min(len(before), rng.randint(0, 2)))
            rest = [a for a in self.atoms if a not in yes and a not in head]
            no = rng.sample(rest, min(len(rest), rng.randint(0 if yes or head else 1, 2)))
            soft = rng.random() < 0.7
            self.rules.append(Rule(head, yes, no, round(rng.uniform(-2, 2), 2) if soft else None, False))
        self.rules.append(Rule([rng.choice(self.atoms)], [], [], round(rng.uniform(-2, 2), 2), False))

    def soft(self):
        return [i for i, rule in enumerate(self.rules) if rule.weight is not None]


def written(rule, weight="", index=None):
    """As LPMLN; `index`: a variable that every atom gets, bound by k/1."""
    at = (lambda a: f"{a}({index})") if index else (lambda a: a)
    head = "; ".join(map(at, rule.head))
    body = [at(a) for a in rule.yes] + [f"not {at(a)}" for a in rule.no] + ([f"k({index})"] if index else [])
    text = f"{{ {head} }}" if rule.choice else head
    before = "" if not weight else f"{weight} " if weight.startswith("@") else f"{weight} : "
    return f"{before}{text}{' :- ' + ', '.join(body) if body else ''}."


def program(case, parameters=False, index=None):
    lines = []
    for i, rule in enumerate(case.rules):
        weight = "" if rule.weight is None else f"@w(r{i})" if parameters else str(rule.weight)
        lines.append(written(rule, weight, index))
    return "\n".join(lines) + "\n"


# ---- Theorem 2: the program with weights of 0 and less --------------------------------------------------

def negative(case):
    """Step (b) of Algorithm 2."""
    lines = []
    for i, rule in enumerate(case.rules):
        if rule.weight is None or rule.weight <= 0:
            lines.append(written(rule, "" if rule.weight is None else str(rule.weight)))
            continue
        lines.append(written(rule, "0"))
        lines.append(written(Rule([f"neg{i}"], rule.yes, rule.no + rule.head, None, False)))
        lines.append(f"-{rule.weight} : :- not neg{i}.")
    return "\n".join(lines) + "\n"


def drawn(label, tool, tight=False):
    """The first program of the label that has two stable models, in p.lpmln."""
    for attempt in range(1000):
        case = Case(f"{label}.{attempt}", tight)
        tool.write("p.lpmln", program(case))
        found = tool.try_ask("models", "p.lpmln", "-n", "0")
        if found and len(found["models"]) >= 2:
            return case, found["models"]
    raise ValueError("no program with two stable models")


def check_negative(tool, label):
    case, models = drawn(label, tool)
    tool.write("n.lpmln", negative(case))
    other = {frozenset(a for a in m["atoms"] if not a.startswith("neg")): m["probability"]
             for m in tool.ask("models", "n.lpmln", "-n", "0")["models"]}
    assert len(other) == len(models), f"{len(models)} stable models, but {len(other)} of the negative program"
    for model in models:
        p = other.get(frozenset(model["atoms"]))
        assert p is not None and abs(p - model["probability"]) < 1e-9, f"{model['atoms']}: {model['probability']}, but {p}"


# ---- learning the same from two sources ------------------------------------------------------------------

def same(one, other, names):
    """Two answers of learn: the maximum, and where it is; `names`: parameter of the one -> of the other."""
    best = [max(reply["log_likelihood"], reply["supremum"]) for reply in (one, other)]
    assert abs(best[0] - best[1]) < 1e-4, f"likelihoods {best}"
    left, right = ({w["parameter"]: w for w in reply["weights"]} for reply in (one, other))
    if not all(w["identified"] and not w["diverges"] for w in [*left.values(), *right.values()]):
        return  # the maximum is not at one place
    for name, partner in names.items():
        if name in left and partner in right:
            a, b = left[name], right[partner]
            assert abs(a["weight"] - b["weight"]) < 1e-3 * (1 + abs(a["weight"])), f"{name}: {a['weight']}, {b['weight']}"


def observed(case, models):
    """Some stable models, as sets of atoms."""
    return [set(case.rng.choice(models)["atoms"]) for _ in range(case.rng.randint(2, 5))]


def block(case, true, index=None):
    at = (lambda a: f"{a}({index})") if index else (lambda a: a)
    return "".join(f"{'' if a in true else 'not '}{at(a)}.\n" for a in case.atoms)


# ---- Theorem 3: several stable models as one -------------------------------------------------------------

def check_indexed(tool, label):
    case, models = drawn(label, tool)
    data = observed(case, models)
    tool.write("q.lpmln", program(case, parameters=True))
    tool.write("q.obs", "---\n".join(block(case, true) for true in data))
    tool.write("m.lpmln", f"k(1..{len(data)}).\n" + program(case, parameters=True, index="K"))
    tool.write("m.obs", "".join(block(case, true, k) for k, true in enumerate(data, 1)))
    same(tool.ask("learn", "q.lpmln", "-e", "q.obs"), tool.ask("learn", "m.lpmln", "-e", "m.obs"),
         {f"r{i}": f"r{i}" for i in case.soft()})


# ---- Theorem 4: the completion as a Markov logic network ---------------------------------------------------

def formula(rule):
    head = " v ".join(f"{a.upper()}(x)" for a in rule.head)
    body = " ^ ".join([f"{a.upper()}(x)" for a in rule.yes] + [f"!{a.upper()}(x)" for a in rule.no])
    if not body:
        return f"({head})"
    return f"({body}) => ({head})" if head else f"!({body})"


def support(rule, atom):
    """What a rule gives to an atom of its head: the body, the other heads being false."""
    parts = [f"{a.upper()}(x)" for a in rule.yes] + [f"!{a.upper()}(x)" for a in rule.no + [a for a in rule.head if a != atom]]
    return f"({' ^ '.join(parts)})" if parts else None


def completion(case):
    """Soft rules first, without weights: f1, f2, ...; then hard rules and completions."""
    lines = ["t = {K}"] + [f"{a.upper()}(t)" for a in case.atoms]
    lines += [formula(case.rules[i]) for i in case.soft()]
    lines += [formula(rule) + "." for rule in case.rules if rule.weight is None and not rule.choice]
    for atom in case.atoms:
        rules = [rule for rule in case.rules if atom in rule.head]
        supports = [support(rule, atom) for rule in rules]
        if not rules:
            lines.append(f"!{atom.upper()}(x).")
        elif not any(rule.choice for rule in rules) and all(supports):
            lines.append(f"{atom.upper()}(x) => ({' v '.join(supports)}).")
    return "\n".join(lines) + "\n"


def check_completion(tool, label):
    case, models = drawn(label, tool, tight=True)
    data = observed(case, models)
    tool.write("q.lpmln", program(case, parameters=True))
    tool.write("q.obs", "---\n".join(block(case, true) for true in data))
    tool.write("c.mln", completion(case))
    files = []
    for k, true in enumerate(data):
        tool.write(f"d{k}.db", "".join(f"{'' if a in true else '!'}{a.upper()}(K)\n" for a in case.atoms))
        files += ["-e", f"d{k}.db"]
    same(tool.ask("learn", "q.lpmln", "-e", "q.obs"), tool.ask("learn", "c.mln", *files),
         {f"r{i}": f"f{k}" for k, i in enumerate(case.soft(), 1)})
