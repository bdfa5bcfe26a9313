"""What a ground LPMLN program means, by brute force.

Shares no code with lpmln and uses no solver.  There are two evaluators:

  by_tables    every interpretation of the head atoms, every smaller one as a
               counter-example; for about a dozen atoms
  by_guessing  guess the few atoms on which the rest depends, derive the
               others, look for a smaller model; for programs of 60 atoms

Both work on *truth tables*: integers whose bit I says whether something holds
in interpretation I, so that one Python operation treats all interpretations.

Stability is that of here-and-there pairs (H, T), H a subset of T: T is stable
iff it satisfies the rules and no proper subset H satisfies their reduct.  A
negated literal is judged in T, a positive one in H; an aggregate must hold in
T and, with its negated elements judged in T, in H (Ferraris; so does clingo).
"""

import decimal
import itertools
import math
import operator
from collections import Counter, namedtuple
from decimal import Decimal

# nots is the number of 'not' in front: 0, 1 or 2.
Literal = namedtuple("Literal", "atom nots")
# Holds if one of its conditions, tuples of literals, holds.
Element = namedtuple("Element", "weight conditions")
# guards: pairs (operator, bound) that the value must satisfy, all of them.
Aggregate = namedtuple("Aggregate", "function elements guards nots")
# head: atoms, a disjunction unless choice; bounds: (least, most) of a choice,
# None where open; weight: None if hard; origin: the source rule's number.
Rule = namedtuple("Rule", "head choice bounds body weight origin")
Program = namedtuple("Program", "facts rules")
# violated: the origins of the violated soft instances, one for each.
Model = namedtuple("Model", "atoms log_weight violated")

decimal.getcontext().prec = 60  # digits of weights and their sums

COMPARE = {"<": operator.lt, "<=": operator.le, ">": operator.gt,
           ">=": operator.ge, "=": operator.eq, "!=": operator.ne}
# The value of no elements, and what one more element does to it.
FUNCTION = {"#count": (0, lambda value, weight: value + 1),
            "#sum": (0, operator.add),
            "#sum+": (0, lambda value, weight: value + max(weight, 0)),
            "#min": (math.inf, min),
            "#max": (-math.inf, max)}


# ---- truth tables ----------------------------------------------------------
# 'here' and 'there' map atoms to tables: here is asked for positive literals,
# there for negated ones.  'full' is the table of 'always'.  An atom without a
# table is false.

def literal_table(literal, here, there, full):
    if literal.nots == 0:
        return here.get(literal.atom, 0)
    table = there.get(literal.atom, 0)
    return full ^ table if literal.nots == 1 else table


def conjunction_table(literals, here, there, full):
    table = full
    for literal in literals:
        table &= literal_table(literal, here, there, full)
    return table


def element_table(element, here, there, full):
    table = 0
    for condition in element.conditions:
        table |= conjunction_table(condition, here, there, full)
    return table


def aggregate_table(aggregate, here, there, full):
    if aggregate.nots:  # negated as a whole: judged in T
        here = there
    start, add = FUNCTION[aggregate.function]
    where = {start: full}  # value -> where the elements so far have it
    for element in aggregate.elements:
        holds = element_table(element, here, there, full)
        after = Counter()
        for value, table in where.items():
            after[value] |= table & ~holds
            after[add(value, element.weight)] |= table & holds
        where = after
    table = 0
    for value, part in where.items():
        if all(COMPARE[op](value, bound) for op, bound in aggregate.guards):
            table |= part
    return full ^ table if aggregate.nots == 1 else table


def body_table(body, here, there, full):
    table = full
    for item in body:
        evaluate = literal_table if isinstance(item, Literal) else aggregate_table
        table &= evaluate(item, here, there, full)
    return table


def head_table(rule, value, full):
    """Where the head is satisfied classically: for a choice, its bounds."""
    if not rule.choice:
        table = 0
        for atom in rule.head:
            table |= value.get(atom, 0)
        return table
    least, most = rule.bounds
    guards = [(op, n) for op, n in ((">=", least), ("<=", most)) if n is not None]
    elements = [Element(1, ((Literal(atom, 0),),)) for atom in rule.head]
    return aggregate_table(Aggregate("#count", elements, guards, 0), value, value, full)


class Space:
    """The interpretations of some atoms: bit k of I says that atom k is true."""

    def __init__(self, atoms, facts):
        self.atoms = sorted(atoms)
        self.size = 1 << len(self.atoms)
        self.full = (1 << self.size) - 1
        self.value = dict.fromkeys(facts, self.full)
        for k, atom in enumerate(self.atoms):
            # Ones in the upper half of every period of 2^(k+1) bits.
            self.value[atom] = self.full // ((1 << (1 << k)) + 1) << (1 << k)

    def bits(self, table):
        """A string that can be indexed by an interpretation, unlike an int."""
        return format(table, f"0{self.size}b")[::-1]

    def members(self, table):
        return [i for i, bit in enumerate(self.bits(table)) if bit == "1"]


def satisfied(program, value, full):
    """Where all hard rules hold, and where each rule is violated."""
    allowed, broken = full, []
    for rule in program.rules:
        table = body_table(rule.body, value, value, full)
        broken.append(table & ~head_table(rule, value, full))
        if rule.weight is None:
            allowed &= ~broken[-1]
    return allowed, broken


def collect(program, space, value, stable, broken):
    """The models at the stable interpretations of the space."""
    truth = [(atom, space.bits(value[atom])) for atom in sorted(head_atoms(program))]
    soft = [(rule.weight, rule.origin, space.bits(table))
            for rule, table in zip(program.rules, broken) if rule.weight is not None]
    models = []
    for i in stable:
        hit = [(weight, origin) for weight, origin, bits in soft if bits[i] == "1"]
        models.append(Model(frozenset(atom for atom, bits in truth if bits[i] == "1"),
                            -sum((Decimal(weight) for weight, _ in hit), Decimal(0)),
                            tuple(origin for _, origin in hit)))
    return models


def head_atoms(program):
    """Only these can be true, beside the facts, and they need deciding."""
    return {atom for rule in program.rules for atom in rule.head} - set(program.facts)


def aggregates(rule):
    return [item for item in rule.body if isinstance(item, Aggregate)]


def inner_literals(aggregate):
    return [literal for element in aggregate.elements
            for condition in element.conditions for literal in condition]


# ---- first evaluator: all interpretations ------------------------------------

class Clause:
    """One rule's claim on the counter-examples H of every T where it is active."""

    def __init__(self, space, rule, head, active):
        self.space, self.rule = space, rule
        self.active = space.bits(active)
        self.head = 0
        for atom in head:
            self.head |= space.value[atom]
        negated = {literal.atom for aggregate in aggregates(rule)
                   for literal in inner_literals(aggregate) if literal.nots}
        # The table depends on T only through these atoms.
        self.mask = sum(1 << k for k, atom in enumerate(space.atoms) if atom in negated)
        self.tables = {}

    def table(self, there):
        key = there & self.mask
        if key not in self.tables:
            self.tables[key] = self._build(key)
        return self.tables[key]

    def _build(self, key):
        full = self.space.full
        there = {atom: full for k, atom in enumerate(self.space.atoms) if key >> k & 1}
        there.update((atom, full) for atom, t in self.space.value.items() if t == full)
        # What is negated as a whole holds already: the rule is active in T.
        body = [item for item in self.rule.body if not item.nots]
        return full ^ body_table(body, self.space.value, there, full) | self.head


def clauses_of(space, rule, broken):
    body = body_table(rule.body, space.value, space.value, space.full)
    active = body & ~broken  # a violated soft rule is not in the program
    if rule.choice:
        return [Clause(space, rule, [atom], active & space.value[atom]) for atom in rule.head]
    return [Clause(space, rule, rule.head, active)]


def minimal(space, clauses, there):
    smaller = space.full ^ 1 << there
    for k, atom in enumerate(space.atoms):
        if not there >> k & 1:
            smaller &= ~space.value[atom]
    for clause in clauses:
        if clause.active[there] == "1":
            smaller &= clause.table(there)
        if not smaller:
            return True
    return not smaller


def by_tables(program):
    space = Space(head_atoms(program), program.facts)
    allowed, broken = satisfied(program, space.value, space.full)
    clauses = [clause for rule, table in zip(program.rules, broken)
               for clause in clauses_of(space, rule, table)]
    stable = [i for i in space.members(allowed) if minimal(space, clauses, i)]
    return collect(program, space, space.value, stable, broken)


# ---- second evaluator: guess, derive, check ------------------------------------

def monotone(aggregate):
    return (aggregate.nots == 0 and aggregate.function in ("#count", "#sum", "#sum+")
            and all(op in (">", ">=") for op, _ in aggregate.guards)
            and (aggregate.function != "#sum"
                 or all(element.weight >= 0 for element in aggregate.elements)))


def definite(rule):
    return not rule.choice and len(rule.head) == 1 and rule.weight is None


def guessed_atoms(program):
    """Once these are known, the reduct is a monotone operator."""
    atoms = set()
    for rule in program.rules:
        if not definite(rule):
            atoms.update(rule.head)
        for item in rule.body:
            if isinstance(item, Literal):
                atoms.update([item.atom] if item.nots else [])
            else:
                atoms.update(literal.atom for literal in inner_literals(item)
                             if literal.nots or not monotone(item))
    return atoms & head_atoms(program)


def derive(program, space):
    """The least fixpoint, for all guesses at once.  A choice, a soft rule and
    a disjunction derive those of their heads that are guessed to be true; a
    soft choice derives nothing where its bounds are violated."""
    derived = {atom: 0 for atom in head_atoms(program)}
    derived.update(dict.fromkeys(program.facts, space.full))
    changed = True
    while changed:
        changed = False
        for rule in program.rules:
            table = space.full
            if not definite(rule) and rule.head:
                table = head_table(rule, space.value, space.full)
            for item in rule.body:
                fixed = isinstance(item, Aggregate) and not monotone(item)
                here = space.value if fixed else derived
                table &= body_table([item], here, space.value, space.full)
            for atom in rule.head:
                more = table if definite(rule) else table & space.value[atom]
                if more & ~derived[atom]:
                    derived[atom] |= more
                    changed = True
    return derived


# A rule of the reduct: one of the heads if the body holds here.
Reduced = namedtuple("Reduced", "head positive aggregates")


def reduct(rules, true):
    """The rules that matter for T: body true and, if soft, not violated."""
    result = []
    value = dict.fromkeys(true, 1)
    for rule in rules:
        if not body_table(rule.body, value, value, 1) or not head_table(rule, value, 1):
            continue
        positive = {item.atom for item in rule.body
                    if isinstance(item, Literal) and not item.nots}
        checks = [item for item in aggregates(rule) if not item.nots]
        heads = [{atom} for atom in rule.head] if rule.choice else [set(rule.head)]
        result += [Reduced(head & true, positive, checks) for head in heads if head & true]
    return result


def fires(rule, here, value, there):
    """value is here as a mapping."""
    return rule.positive <= here and all(
        aggregate_table(aggregate, value, there, 1) for aggregate in rule.aggregates)


def close(rules, here, there):
    """Adds what definite rules force; returns the first open disjunction."""
    changed = True
    while changed:
        changed, pending = False, None
        value = dict.fromkeys(here, 1)
        for rule in rules:
            if rule.head & here or not fires(rule, here, value, there):
                continue
            if len(rule.head) == 1:
                here |= rule.head
                value.update(dict.fromkeys(rule.head, 1))
                changed = True
            else:
                pending = rule
    return pending


def smaller_below(rules, start, forbidden, true, there):
    """Is there a model of the monotone rules, other than T, that contains
    start and avoids forbidden?"""
    stack = [set(start)]
    while stack:
        here = stack.pop()
        pending = close(rules, here, there)
        if here & forbidden or here == true:
            continue
        if pending is None:
            return True
        stack += [here | {atom} for atom in pending.head]
    return False


def has_smaller(rules, true, facts):
    """Non-monotone aggregates are decided by trying every part of their atoms;
    what is left is monotone, so that closing under it misses no model."""
    rules = reduct(rules, true)
    there = dict.fromkeys(true, 1)
    loose = {literal.atom for rule in rules for aggregate in rule.aggregates
             if not monotone(aggregate) for literal in inner_literals(aggregate)
             if not literal.nots and literal.atom in true} - set(facts)
    for flags in itertools.product((False, True), repeat=len(loose)):
        assumed = {atom for atom, flag in zip(loose, flags) if flag}
        value = dict.fromkeys(assumed | set(facts), 1)
        kept = [Reduced(rule.head, rule.positive, [a for a in rule.aggregates if monotone(a)])
                for rule in rules
                if all(monotone(a) or aggregate_table(a, value, there, 1)
                       for a in rule.aggregates)]
        if smaller_below(kept, assumed | set(facts), loose - assumed, true, there):
            return True
    return False


def by_guessing(program):
    space = Space(guessed_atoms(program), program.facts)
    derived = derive(program, space)
    allowed, broken = satisfied(program, derived, space.full)
    for atom in space.atoms:  # the guess must come true
        allowed &= ~(space.value[atom] ^ derived[atom])
    stable = space.members(allowed)
    # Without these the derivation itself is the least model of the reduct.
    if any(len(rule.head) > 1 and not rule.choice
           or any(not a.nots and not monotone(a) for a in aggregates(rule))
           for rule in program.rules):
        bits = {atom: space.bits(table) for atom, table in derived.items()}
        stable = [i for i in stable
                  if not has_smaller(program.rules, {a for a in bits if bits[a][i] == "1"},
                                     program.facts)]
    return collect(program, space, derived, stable, broken)


# ---- answers -------------------------------------------------------------------

def log_sum(log_weights):
    """ln of the sum of weights, in as many digits as the context has: beside a weight of 1e17
    one of 1e-3 counts, and no sum is too small."""
    if not log_weights:
        return Decimal("-Infinity")
    top = max(log_weights)
    return top + sum(n * (w - top).exp() for w, n in Counter(log_weights).items()).ln()


def consistent(model, facts, evidence):
    """evidence: bodies of ground constraints, none of which may hold."""
    value = dict.fromkeys(itertools.chain(model.atoms, facts), 1)
    return not any(body_table(body, value, value, 1) for body in evidence)


class Answer:
    """Everything that is asked about a program under evidence."""

    TIE = Decimal("1e-6")  # in log weight

    def __init__(self, program, models, evidence=()):
        self.facts = frozenset(program.facts)
        self.models = [m for m in models if consistent(m, self.facts, evidence)]
        self._log_all = log_sum([m.log_weight for m in models])
        self._log_mass = log_sum([m.log_weight for m in self.models])
        self.count = len(self.models)
        if self.models:
            self._condition(head_atoms(program))

    def _condition(self, atoms):
        self.log_evidence = float(self._log_mass - self._log_all)
        self.log_partition, self.log_mass = float(self._log_all), float(self._log_mass)
        share_of = {w: (w - self._log_mass).exp() for w in {m.log_weight for m in self.models}}
        share = [share_of[m.log_weight] for m in self.models]
        weight = [float(s) for s in share]
        self.marginals, self.log_marginals = {}, {}
        self.certain, self.impossible = set(self.facts), set()
        for atom in atoms:
            inside = [s for s, model in zip(share, self.models) if atom in model.atoms]
            self.marginals[atom] = float(sum(inside))
            self.log_marginals[atom] = float(sum(inside).ln()) if inside else -math.inf
            if not inside:
                self.impossible.add(atom)
            elif len(inside) == self.count:
                self.certain.add(atom)
        self.expected = Counter()  # E[n_i | evidence] of soft rule i
        for w, model in zip(weight, self.models):
            for origin in model.violated:
                self.expected[origin] += w

    def log_probability(self, model):
        return float(model.log_weight - self._log_mass)

    def probability(self, model):
        return math.exp(self.log_probability(model))

    def best(self):
        top = max(model.log_weight for model in self.models)
        return [m for m in self.models if m.log_weight >= top - self.TIE]

    def all_atoms(self, model):
        return model.atoms | self.facts
