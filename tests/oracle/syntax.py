"""Programs with variables: how they are written and what their instances are.

The generator builds these trees, the shrinker cuts them down.  Variables are
bound only by *binders*, atoms over facts, which are kept apart from the rest
of the body: any other part of a rule can be removed and the rule stays safe.
"""

import itertools
from dataclasses import dataclass, replace
from typing import Optional

import semantics

# By convention the variables of conditions and aggregate elements; no others
# are local, so all that #domain and binders name is global.
LOCAL = {"L", "V"}

# ---- terms ---------------------------------------------------------------------
# A term is an int, a constant (str), a variable (str with a capital), or:

@dataclass(frozen=True)
class Plus:
    variable: str
    add: int

    def __str__(self):
        return f"{self.variable}{self.add:+d}"


@dataclass(frozen=True)
class Spread:
    """An interval or a pool: stands for each of its values in turn."""
    values: tuple
    interval: bool

    def __str__(self):
        if self.interval:
            return f"{self.values[0]}..{self.values[-1]}"
        return ";".join(map(str, self.values))


def is_variable(term):
    return isinstance(term, str) and term[0].isupper()


def value_of(term, binding):
    if isinstance(term, Plus):
        return binding[term.variable] + term.add
    return binding[term] if is_variable(term) else term


# ---- trees -----------------------------------------------------------------------

@dataclass(frozen=True)
class Atom:
    name: str  # with its '-' if strongly negated
    args: tuple = ()

    def __str__(self):
        return self.name + (f"({','.join(map(str, self.args))})" if self.args else "")

    def ground(self, binding):
        return str(Atom(self.name, tuple(value_of(term, binding) for term in self.args)))

    def variables(self):
        return {term.variable if isinstance(term, Plus) else term for term in self.args
                if isinstance(term, Plus) or is_variable(term) and term != "_"}


@dataclass(frozen=True)
class Literal:
    atom: Atom
    nots: int = 0

    def __str__(self):
        return "not " * self.nots + str(self.atom)

    def ground(self, binding):
        return semantics.Literal(self.atom.ground(binding), self.nots)

    def variables(self):
        return self.atom.variables()


@dataclass(frozen=True)
class Comparison:
    left: object
    op: str
    right: object

    def __str__(self):
        return f"{self.left} {self.op} {self.right}"

    def holds(self, binding):
        left, right = value_of(self.left, binding), value_of(self.right, binding)
        return semantics.COMPARE[self.op](left, right)

    def variables(self):
        return {term for term in (self.left, self.right) if is_variable(term)}


@dataclass(frozen=True)
class Conditional:
    """p(L) : d(L).  In a body: all of them; in a choice: each of them."""
    literal: Literal
    binders: tuple

    def __str__(self):
        return f"{self.literal} : {', '.join(map(str, self.binders))}"

    def variables(self):
        return (self.literal.variables() | bound_by(self.binders)) - LOCAL


@dataclass(frozen=True)
class Element:
    terms: tuple
    literals: tuple
    binders: tuple = ()

    def __str__(self):
        condition = ", ".join(map(str, self.literals + self.binders))
        return f"{','.join(map(str, self.terms))} : {condition}"

    def variables(self):
        used = set().union(*(literal.variables() for literal in self.literals))
        return (used | bound_by(self.binders)) - LOCAL


FLIP = {"<": ">", "<=": ">=", ">": "<", ">=": "<=", "=": "=", "!=": "!="}


@dataclass(frozen=True)
class Aggregate:
    function: str
    elements: tuple
    guards: tuple  # the second one is written on the left
    nots: int = 0

    def __str__(self):
        text = f"{self.function} {{ {' ; '.join(map(str, self.elements))} }}"
        op, bound = self.guards[0]
        text = f"{text} {op} {bound}"
        for op, bound in self.guards[1:]:
            text = f"{bound} {FLIP[op]} {text}"
        return "not " * self.nots + text

    def ground(self, binding, facts):
        """clingo counts a tuple once, however many conditions give it."""
        conditions = {}
        for element in self.elements:
            for inner in bindings(element.binders, facts, binding):
                terms = tuple(value_of(term, inner) for term in element.terms)
                condition = tuple(literal.ground(inner) for literal in element.literals)
                conditions.setdefault(terms, []).append(condition)
        elements = tuple(semantics.Element(terms[0], tuple(alternatives))
                         for terms, alternatives in conditions.items())
        return semantics.Aggregate(self.function, elements, self.guards, self.nots)

    def variables(self):
        return set().union(*(element.variables() for element in self.elements))


@dataclass(frozen=True)
class Braces:
    """1 { a; not b } 2 in a body: a count whose tuples are the literals."""
    literals: tuple
    least: Optional[int]
    most: Optional[int]

    def __str__(self):
        return with_bounds(self.literals, (self.least, self.most))

    def ground(self, binding, facts):
        guards = tuple((op, bound) for op, bound in ((">=", self.least), ("<=", self.most))
                       if bound is not None)
        elements = dict.fromkeys(literal.ground(binding) for literal in self.literals)
        return semantics.Aggregate(
            "#count", tuple(semantics.Element(1, ((e,),)) for e in elements), guards, 0)

    def variables(self):
        return set().union(*(literal.variables() for literal in self.literals))


@dataclass(frozen=True)
class Weight:
    """A number, a multiple of a variable, or a parameter, as it is written."""
    text: str
    value: float = 0.0
    variable: Optional[str] = None
    parameter: Optional[str] = None
    initial: Optional[float] = None
    colon: bool = False

    def of(self, binding, initials):
        if self.parameter is not None:
            return initials.get(self.parameter, 0.0)
        if self.variable is None:
            return self.value
        return self.value * float(str(binding[self.variable]).strip('"'))


@dataclass(frozen=True)
class Rule:
    head: tuple  # atoms, or in a choice atoms and conditionals
    body: tuple = ()
    binders: tuple = ()
    choice: bool = False
    bounds: tuple = (None, None)
    weight: Optional[Weight] = None
    alpha: bool = False   # written 'alpha : ', which changes nothing
    bar: str = ";"        # between the heads of a disjunction


@dataclass(frozen=True)
class Program:
    facts: tuple          # ground atoms of the predicates that binders use
    rules: tuple
    domains: tuple = ()   # #domain atoms
    evidence: tuple = ()  # rules without heads
    as_literals: bool = False  # evidence is written 'a. not b.'


# ---- instances -------------------------------------------------------------------

def bound_by(binders):
    return set().union(*(binder.variables() for binder in binders))


def bindings(binders, facts, start=None):
    """All ways to match the binders with facts; '_' is projected away."""
    found = [dict(start or {})]
    for binder in binders:
        rows = [fact.args for fact in facts if fact.name == binder.name]
        found = [extended for binding in found for row in rows
                 for extended in [match(binder.args, row, binding)] if extended is not None]
    unique = {tuple(sorted(binding.items())): binding for binding in found}
    return list(unique.values())


def match(args, row, binding):
    binding = dict(binding)
    for variable, value in zip(args, row):
        if variable != "_" and binding.setdefault(variable, value) != value:
            return None
    return binding


def rule_variables(rule):
    parts = itertools.chain(rule.head, rule.body, rule.binders)
    used = set().union(*(part.variables() for part in parts))
    if rule.weight and rule.weight.variable:
        used.add(rule.weight.variable)
    return used


def binders_of(rule, domains):
    """A #domain atom joins every rule that uses one of its variables."""
    used = rule_variables(rule)
    return rule.binders + tuple(d for d in domains if d.variables() & used)


def unspread(rule):
    """An interval or pool outside braces is a fresh global variable."""
    for field_name in ("head", "body"):
        items = getattr(rule, field_name)
        for i, item in enumerate(items):
            if rule.choice and field_name == "head":
                continue
            atom = item.atom if isinstance(item, Literal) else item
            for k, term in enumerate(getattr(atom, "args", ())):
                if isinstance(term, Spread):
                    return [each for value in term.values for each in unspread(replace(
                        rule, **{field_name: with_argument(items, i, k, value)}))]
    return [rule]


def with_argument(items, i, k, value):
    item = items[i]
    atom = item.atom if isinstance(item, Literal) else item
    atom = Atom(atom.name, atom.args[:k] + (value,) + atom.args[k + 1:])
    item = Literal(atom, item.nots) if isinstance(item, Literal) else atom
    return items[:i] + (item,) + items[i + 1:]


def spread_atoms(atom):
    """Inside braces an interval just gives more elements."""
    choices = [term.values if isinstance(term, Spread) else (term,) for term in atom.args]
    return [Atom(atom.name, args) for args in itertools.product(*choices)]


def ground_head(rule, binding, facts):
    atoms = []
    for item in rule.head:
        if isinstance(item, Conditional):
            atoms += [item.literal.atom.ground(inner)
                      for inner in bindings(item.binders, facts, binding)]
        else:
            atoms += [atom.ground(binding) for atom in spread_atoms(item)]
    return tuple(dict.fromkeys(atoms))


def ground_body(rule, binding, facts):
    """None if a comparison fails: there is no such instance."""
    body = []
    for item in rule.body:
        if isinstance(item, Comparison):
            if not item.holds(binding):
                return None
        elif isinstance(item, Conditional):
            body += [item.literal.ground(inner)
                     for inner in bindings(item.binders, facts, binding)]
        elif isinstance(item, Literal):
            body.append(item.ground(binding))
        else:
            body.append(item.ground(binding, facts))
    return tuple(body)


def instances(rule, origin, program, initials):
    for flat in unspread(rule):
        for binding in bindings(binders_of(rule, program.domains), program.facts):
            body = ground_body(flat, binding, program.facts)
            if body is not None:
                weight = rule.weight and rule.weight.of(binding, initials)
                yield semantics.Rule(ground_head(flat, binding, program.facts), rule.choice,
                                     rule.bounds, body, weight, origin)


def contradictions(rules):
    """p and -p exclude each other, whatever the weights."""
    atoms = {atom for rule in rules for atom in rule.head}
    return [semantics.Rule((), False, (None, None),
                           (semantics.Literal(atom, 0), semantics.Literal("-" + atom, 0)),
                           None, None)
            for atom in sorted(atoms) if "-" + atom in atoms]


def ground(program):
    """The ground program and the bodies of its evidence."""
    initials = {rule.weight.parameter: rule.weight.initial for rule in program.rules
                if rule.weight and rule.weight.initial is not None}
    rules = [instance for origin, rule in enumerate(program.rules)
             for instance in instances(rule, origin, program, initials)]
    rules += contradictions(rules)
    evidence = [instance.body for rule in program.evidence
                for instance in instances(rule, None, program, {})]
    return semantics.Program([str(fact) for fact in program.facts], rules), evidence


# ---- text --------------------------------------------------------------------------

def with_bounds(items, bounds):
    least, most = ("" if bound is None else str(bound) for bound in bounds)
    return f"{least} {{ {'; '.join(map(str, items))} }} {most}".strip()


def head_text(rule):
    if rule.choice:
        return with_bounds(rule.head, rule.bounds)
    return f" {rule.bar} ".join(map(str, rule.head))


def rule_text(rule, binders):
    body = list(map(str, rule.body + binders))
    # After a conditional literal a comma would continue its condition.
    body = ("; " if any(isinstance(item, Conditional) for item in rule.body) else ", ").join(body)
    text = head_text(rule) + (f" :- {body}" if body or not rule.head else "")
    if rule.weight:
        text = rule.weight.text + (" : " if rule.weight.colon else " ") + text.lstrip()
    elif rule.alpha:
        text = "alpha : " + text.lstrip()
    return text.strip() + "."


def facts_text(facts):
    """Runs of integers are written as intervals, as users do."""
    lines, names = [], dict.fromkeys(fact.name for fact in facts)
    for name in names:
        rows = [fact for fact in facts if fact.name == name]
        values = [fact.args[0] for fact in rows]
        if (len(rows[0].args) == 1 and len(rows) > 1 and isinstance(values[0], int)
                and values == list(range(values[0], values[0] + len(values)))):
            lines.append(f"{name}({values[0]}..{values[-1]}).")
        else:
            lines.append(" ".join(f"{fact}." for fact in rows))
    return lines


def program_text(program):
    lines = facts_text(program.facts)
    lines += [f"#domain {domain}." for domain in program.domains]
    lines += [rule_text(rule, rule.binders) for rule in program.rules]
    return "\n".join(lines) + "\n"


def clingo_text(program):
    """The hard program that clingo reads: #domain written out, no 'alpha :'."""
    rules = [rule_text(replace(rule, alpha=False), binders_of(rule, program.domains))
             for rule in program.rules]
    return "\n".join(facts_text(program.facts) + rules) + "\n"


def evidence_text(program):
    if program.as_literals:
        # ':- not a.' says that a was observed.
        return "".join(f"{Literal(rule.body[0].atom, 1 - rule.body[0].nots)}.\n"
                       for rule in program.evidence)
    return "".join(rule_text(rule, rule.binders) + "\n" for rule in program.evidence)


def listing(program):
    """Program and evidence, for people."""
    evidence = "% evidence\n" + evidence_text(program) if program.evidence else ""
    return program_text(program) + evidence
