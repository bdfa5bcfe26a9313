"""Random LPMLN programs, reproducible from a seed.

    python3 generate.py CLASS SEED [large]     prints one

Every class is a Style: how often each kind of head, literal and weight occurs.
A program is made of a few facts, over which variables range, and of rules over
a small vocabulary; structures that chance would rarely build (positive loops,
disjunctions whose heads depend on each other) are put in on purpose.
"""

import math
import random
import sys
from dataclasses import dataclass, field, replace

import semantics
from syntax import (Aggregate, Atom, Braces, Comparison, Conditional, Element, Literal, Plus,
                    Program, Rule, Spread, Weight, ground, listing)


@dataclass(frozen=True)
class Style:
    heads: dict                # kind of head -> how often
    soft: float = 0.45         # a rule has a weight
    aggregate: float = 0.0     # a rule has an aggregate in its body
    guesses: int = 2           # predicates with a soft fact or choice each, at most
    loops: int = 0             # positive loops put in, at most
    head_cycles: float = 0.0   # a disjunction's heads are put into a loop
    strong: float = 0.1        # the program uses strong negation
    extreme: bool = False      # weights of all magnitudes


NORMAL = dict(normal=6, fact=2, constraint=2)
CHOICE = dict(normal=4, fact=1, constraint=2, choice=4)
DISJUNCTIVE = dict(normal=3, fact=1, constraint=1, disjunction=3)
ALL = dict(normal=3, fact=1, constraint=1, choice=2, disjunction=2)

CLASSES = {
    "normal": Style(NORMAL, loops=1),
    "choice": Style(CHOICE),
    "nontight": Style(CHOICE, loops=3),
    "disjunction": Style(DISJUNCTIVE),
    "headcycle": Style(DISJUNCTIVE, loops=1, head_cycles=0.8),
    "aggregate": Style(CHOICE, aggregate=0.6, loops=1),
    "mixed": Style(ALL, aggregate=0.25, loops=2, head_cycles=0.4, strong=0.25),
    "extreme": Style(CHOICE, soft=0.6, loops=1, extreme=True),
}
# The hard classes get the larger share.
SCHEDULE = ("normal", "choice", "nontight", "headcycle", "aggregate", "mixed",
            "disjunction", "headcycle", "nontight", "mixed")


@dataclass(frozen=True)
class Signature:
    name: str
    domains: tuple = ()  # names of the unary fact predicates of its arguments


@dataclass(frozen=True)
class Scope:
    """The variables a rule may use, by domain, and what binds them."""
    binders: tuple = ()
    variables: dict = field(default_factory=dict)
    weight: str = ""  # a variable that is a number


# Names that a translation might want for itself are the user's as well.
PROPOSITIONS = ("a", "b", "g", "h", "k", "unsat", "neg", "alpha", "aux", "weight")
PREDICATES = ("p", "q", "r", "unsat", "sat")
CONSTANTS = ("u", '"V w"', "f(1)")
# How a weight is written, and its value.
NUMBERS = (("1", 1), ("2", 2), ("3", 3), ("0", 0), ("-1", -1), ("-2", -2), ("0.5", .5),
           ("1.25", 1.25), ("-0.7", -.7), ("2.5", 2.5), ("1e-1", .1), ("0.0", 0), ("40", 40))
EXPRESSIONS = (("-3/2", -1.5), ("1/3", 1 / 3), ("(1+2)/4", .75), ("2*0.4-1", -.2),
               ("@log(0.2/0.8)", math.log(.2 / .8)), ("@log(3)", math.log(3)),
               ("-@log(0.3)", -math.log(.3)), ("@exp(1)/2", math.e / 2), ("1-1", 0))
COSTS = (1, 2, 3, -1, 0, '"0.37"', '"-1.2"', '"2"')


class Builder:
    """One random program; guessed signatures may be negated and head anything,
    defined ones only hard rules (see large)."""

    def __init__(self, rng, style):
        self.rng, self.style = rng, style
        self.facts, self.domains, self.rules = [], (), []
        self.parameters = {}  # name -> initial value, for tied weights

    def chance(self, probability):
        return self.rng.random() < probability

    # -- vocabulary

    def small_world(self):
        rng = self.rng
        self.fact_domains(rng.randint(2, 3), edges=rng.randint(1, 4))
        if self.chance(0.3):
            self.domains = rng.choice([(Atom("d", ("X",)),), (Atom("e", ("X", "Y")),),
                                       (Atom("d", ("X",)), Atom("c", ("C",)))])
        names = rng.sample(PREDICATES, rng.choice((0, 1, 1, 2, 2, 3)))
        signatures = [Signature(name, (rng.choice("dddc"),)) for name in names]
        signatures += [Signature(name) for name in rng.sample(PROPOSITIONS, rng.randint(2, 6))]
        if self.chance(self.style.strong):
            twin = rng.choice(signatures)
            signatures.append(Signature("-" + twin.name, twin.domains))
        self.guessed = self.defined = signatures

    def fact_domains(self, size, edges):
        rng, numbers = self.rng, range(1, size + 1)
        self.values = {"d": list(numbers), "c": list(rng.sample(CONSTANTS, rng.randint(1, 2)))}
        pairs = rng.sample([(x, y) for x in numbers for y in numbers], min(edges, size * size))
        self.facts = [Atom(name, (value,)) for name in "dc" for value in self.values[name]]
        self.facts += [Atom("e", pair) for pair in sorted(pairs)]
        self.facts += [Atom("cost", (x, rng.choice(COSTS))) for x in numbers]
        self.facts += [Atom("size", (x, rng.choice((1, 1, 2, -1)))) for x in numbers]

    def scope(self):
        """Half of the rules have variables."""
        x, c = Atom("d", ("X",)), Atom("c", ("C",))
        return self.rng.choice([Scope()] * 4 + [
            Scope((x,), {"d": ["X"]}),
            Scope((c,), {"c": ["C"]}),
            Scope((Atom("e", ("X", "Y")),), {"d": ["X", "Y"]}),
            Scope((Atom("e", ("X", "_")),), {"d": ["X"]}),
            Scope((Atom("cost", ("X", "W")),), {"d": ["X"]}, "W")])

    def argument(self, domain, scope):
        names = scope.variables.get(domain)
        if names and self.chance(0.85):
            name = self.rng.choice(names)
            return Plus(name, self.rng.choice((1, -1))) if (
                domain == "d" and self.chance(0.06)) else name
        return self.rng.choice(self.values[domain])

    def atom(self, signature, scope, spread=0.0):
        args = tuple(self.argument(domain, scope) for domain in signature.domains)
        if signature.domains == ("d",) and self.chance(spread):
            args = (self.spread(),)
        return Atom(signature.name, args)

    def spread(self):
        values = self.values["d"]
        if self.chance(0.7):
            return Spread((values[0], values[0] + 1), True)
        return Spread(tuple(self.rng.sample(values, 2)), False)

    # -- bodies

    def literal(self, scope, spread=0.0):
        nots = self.rng.choice((0, 0, 0, 0, 1, 1, 2))
        pool = self.guessed if nots else self.guessed + self.defined
        return Literal(self.atom(self.rng.choice(pool), scope, spread), nots)

    def gate(self, scope):
        signature = self.rng.choice(self.guessed)
        return Literal(self.atom(signature, scope), self.rng.choice((0, 0, 1)))

    def conditional(self, scope):
        """p(L) : d(L), or None if no predicate has arguments."""
        pool = [s for s in self.guessed if len(s.domains) == 1]
        if not pool:
            return None
        signature = self.rng.choice(pool)
        binder = Atom(signature.domains[0], ("L",))
        if signature.domains == ("d",) and self.chance(0.3):
            binder = Atom("e", (self.argument("d", scope), "L"))
            if not all(isinstance(arg, str) for arg in binder.args):
                binder = Atom("e", ("_", "L"))
        nots = self.rng.choice((0, 0, 1))
        return Conditional(Literal(Atom(signature.name, ("L",)), nots), (binder,))

    def body(self, scope, least=0):
        size = self.rng.choice((least, 1, 1, 2, 2, 3))
        items = [self.literal(scope, spread=0.03) for _ in range(size)]
        if self.chance(self.style.aggregate):
            items.append(self.aggregate(scope))
        if self.chance(0.05):
            items += [item for item in [self.conditional(scope)] if item]
        if scope.variables.get("d") and self.chance(0.12):
            items.append(self.comparison(scope))
        return tuple(items)

    def comparison(self, scope):
        left, right = scope.variables["d"][0], self.rng.choice(self.values["d"])
        if "Y" in scope.variables["d"] and self.chance(0.6):
            right = "Y"
        return Comparison(left, self.rng.choice(("!=", "<", ">=", "=")), right)

    def aggregate(self, scope):
        if self.chance(0.15):
            return self.braces(scope)
        function = self.rng.choice(("#count", "#sum", "#sum", "#sum", "#sum+", "#min", "#max"))
        elements = [self.element(scope, i, function) for i in range(self.rng.randint(1, 4))]
        guards = [(self.rng.choice((">=", ">=", "<=", "<", ">", "=", "!=")),
                   self.rng.randint(-1, 3))]
        if self.chance(0.2):
            guards.append((self.rng.choice(("<=", ">=")), self.rng.randint(-1, 4)))
        nots = self.rng.choice((0, 0, 0, 0, 1, 2))
        return Aggregate(function, tuple(elements), tuple(guards), nots)

    def braces(self, scope):
        """Of different predicates: no two literals become the same."""
        pool = self.rng.sample(self.guessed, min(3, len(self.guessed)))
        literals = tuple(Literal(self.atom(s, scope), self.rng.choice((0, 0, 1))) for s in pool)
        return Braces(literals, self.rng.choice((None, 1, 2)), self.rng.choice((1, 2)))

    def element(self, scope, index, function):
        """Tuples of different elements differ, but for a few on purpose."""
        weight = 1 if function == "#count" else self.rng.choice((1, 1, 2, 3, -1, -2))
        condition = self.chance(0.35) and self.conditional(scope)
        if condition:
            binders = condition.binders
            if binders == (Atom("d", ("L",)),) and function != "#count" and self.chance(0.5):
                return Element(("V", "L"), (condition.literal,), (Atom("size", ("L", "V")),))
            return Element((weight, "L"), (condition.literal,), binders)
        literals = tuple(self.literal(scope) for _ in range(self.rng.choice((1, 1, 1, 2))))
        tag = 0 if self.chance(0.1) else 10 + index  # 10: no value of L
        return Element((weight, tag), literals)

    # -- heads and rules

    def head(self, kind, scope, soft):
        if kind == "constraint":
            return ()
        pool = self.guessed if soft or kind in ("choice", "disjunction") else (
            self.guessed + self.defined)
        if kind == "choice":
            return self.choice_head(pool, scope)
        size = self.rng.choice((2, 2, 2, 3)) if kind == "disjunction" else 1
        atoms = [self.atom(self.rng.choice(pool), scope, spread=0.08) for _ in range(size)]
        return tuple(dict.fromkeys(atoms))

    def choice_head(self, pool, scope):
        """Elements of different predicates: clingo counts atoms, not positions."""
        items = []
        for signature in self.rng.sample(pool, min(len(pool), self.rng.randint(1, 3))):
            if signature.domains == ("d",) and self.chance(0.25):
                items.append(Conditional(Literal(Atom(signature.name, ("L",))),
                                         (Atom("d", ("L",)),)))
            else:
                items.append(self.atom(signature, scope, spread=0.1))
        return tuple(items)

    def bounds(self, soft):
        """A soft choice without bounds can't be violated: rare."""
        if self.chance(0.1 if soft else 0.6):
            return (None, None)
        least = self.rng.choice((None, 0, 1, 1, 2))
        most = self.rng.choice((None, 1, 1, 2)) if least is not None else self.rng.choice((0, 1, 2))
        return (least, most)

    def rule(self):
        kinds, often = zip(*self.style.heads.items())
        kind = self.rng.choices(kinds, often)[0]
        scope = self.scope()
        soft = self.chance(self.style.soft)
        head = self.head(kind, scope, soft)
        body = () if kind == "fact" else self.body(scope, least=int(kind == "constraint"))
        rule = Rule(head, body, scope.binders, kind == "choice", bar=self.rng.choice(";;|"),
                    alpha=not soft and self.chance(0.04))
        if rule.choice:
            rule = replace(rule, bounds=self.bounds(soft))
        rule = self.drop_binders(rule)
        return replace(rule, weight=self.weight(rule, scope)) if soft else rule

    def drop_binders(self, rule):
        """#domain binds as well: leave the binder to it, mostly."""
        given = [binder for binder in rule.binders if binder in self.domains]
        if given and self.chance(0.7):
            return replace(rule, binders=tuple(b for b in rule.binders if b not in given))
        return rule

    # -- weights

    def weight(self, rule, scope):
        weight = self.bare_weight(scope)
        must = rule.choice and not reads_before_brace(weight.text, rule.bounds)
        return replace(weight, colon=must or self.chance(0.2))

    def extreme_weight(self):
        """Large ones that cancel, and small ones beside them; all exact as doubles."""
        text = self.rng.choice(("1e17", "1e17", "-1e17", "1e15", "4e12", "5e12", "-4e12", "1e9",
                                "1000", "-1000", "745.5", "300.25", "5", "1", "0.3", "-0.7",
                                "1e-9", "1e-300", "-1e-300"))
        return Weight(text, float(text))

    def bare_weight(self, scope):
        kind = self.rng.random()
        if self.style.extreme and kind < 0.9:
            return self.extreme_weight()
        if scope.weight and kind < 0.75:
            return self.weight_of_instance(scope.weight)
        if kind < 0.25:
            return self.parameter(scope)
        text, value = self.rng.choice(EXPRESSIONS if kind < 0.45 else NUMBERS)
        return Weight(text, float(value))

    def weight_of_instance(self, variable):
        text, factor = self.rng.choice(((variable, 1.0), (variable, 1.0), (f"-{variable}", -1.0),
                                        (f"{variable}/2", 0.5), (f"0.3*{variable}", 0.3)))
        return Weight(text, factor, variable)

    def parameter(self, scope):
        rng = self.rng
        if self.chance(0.15):
            return Weight("@w", parameter="its own")  # no initial value: 0
        if "X" in scope.variables.get("d", ()) and self.chance(0.5):
            initial = rng.choice((0.4, -1.5, 2))
            name = f"at(X,{len(self.parameters)})"
            self.parameters[name] = initial
            return Weight(f"@w({name}, {initial})", variable="X", parameter=name,
                          initial=float(initial))
        name = rng.choice(("1", "2", "tied(x)"))
        initial = self.parameters.setdefault(name, rng.choice((0.5, 1, -0.8, 1.7)))
        form = rng.choice(("@w({}, {})", "@w({},{})", "@w({})", "@getWeight({})"))
        given = float(initial) if "," in form else None
        return Weight(form.format(name, initial), parameter=name, initial=given)

    # -- structures

    def edge_rule(self, head, body, scope):
        """head :- body, with something more now and then."""
        extra = (self.literal(scope),) if self.chance(0.35) else ()
        rule = Rule((head,), (Literal(body),) + extra, scope.binders)
        guessed = head.name in {signature.name for signature in self.guessed}
        if guessed and self.chance(self.style.soft / 2):
            rule = replace(rule, weight=self.weight(rule, scope))
        return rule

    def cycle(self, atoms, scope):
        self.rules += [self.edge_rule(head, body, scope)
                       for head, body in zip(atoms, atoms[1:] + atoms[:1])]

    def loop(self):
        scope = self.scope()
        pool = list(dict.fromkeys(self.guessed + self.defined))
        size = min(len(pool), self.rng.choice((2, 2, 3)))
        self.cycle([self.atom(s, scope) for s in self.rng.sample(pool, size)], scope)

    def close_head_cycles(self):
        """Puts the heads of disjunctions into one positive loop."""
        for rule in list(self.rules):
            if len(rule.head) > 1 and not rule.choice and self.chance(self.style.head_cycles):
                if any(isinstance(term, Spread) for atom in rule.head for term in atom.args):
                    continue
                self.cycle(list(rule.head), Scope(rule.binders))

    def guess_rules(self, signatures):
        """A soft fact or a choice for all atoms of each signature."""
        for signature in signatures:
            scope = Scope()
            if signature.domains:
                domain, = signature.domains
                variable = {"d": "X", "c": "C"}[domain]
                scope = Scope((Atom(domain, (variable,)),), {domain: [variable]})
            rule = Rule((self.atom(signature, scope),), (), scope.binders)
            if self.chance(0.6):
                self.rules.append(replace(rule, weight=self.weight(rule, scope)))
            else:
                self.rules.append(replace(rule, choice=True))

    # -- evidence

    def observed(self):
        literal = self.literal(Scope())
        return Rule((), (replace(literal, nots=self.rng.randint(0, 1)),))

    def evidence_rule(self):
        if self.chance(0.6):
            return self.observed()
        scope = self.scope() if self.chance(0.4) else Scope()
        return self.drop_binders(Rule((), self.body(scope, least=2), scope.binders))

    def evidence(self):
        if self.chance(0.35):
            return (), False
        as_literals = self.chance(0.4)
        make = self.observed if as_literals else self.evidence_rule
        rules = [make() for _ in range(self.rng.randint(1, 3))]
        return tuple(rule for rule in rules if rule.body), as_literals

    def program(self):
        evidence, as_literals = self.evidence()
        return Program(self.used_facts(evidence), tuple(self.rules), self.domains, evidence,
                       as_literals)

    def used_facts(self, evidence):
        """Facts of predicates that nothing mentions are only noise."""
        text = "".join(map(repr, (self.rules, evidence, self.domains)))
        return tuple(fact for fact in self.facts if f"name='{fact.name}'" in text)


def reads_before_brace(text, bounds):
    """Before '{' a term is clingo's bound, unless clingo could not read it, or
    a bound follows: '3 1 { a; b } 1'."""
    if text in dict(NUMBERS):
        return "." in text or "e" in text or bounds[0] is not None
    return text.startswith("@") and (text == "@w" or text.endswith(")"))


def with_content(rules):
    return [rule for rule in rules if rule.head or rule.body]


def small(rng, style):
    """A dozen atoms at most, for the evaluator by truth tables."""
    builder = Builder(rng, style)
    builder.small_world()
    builder.rules = [builder.rule() for _ in range(rng.randint(3, 9))]
    if style.guesses:
        most = min(style.guesses, len(builder.guessed))
        builder.guess_rules(rng.sample(builder.guessed, rng.randint(1, most)))
    for _ in range(rng.randint(0, style.loops)):
        builder.loop()
    builder.close_head_cycles()
    builder.rules = with_content(builder.rules)
    rng.shuffle(builder.rules)
    return builder.program()


# ---- large programs -------------------------------------------------------------

def large_world(builder, size):
    """Few guessed atoms and many that follow from them through recursion."""
    rng = builder.rng
    builder.fact_domains(size, edges=rng.randint(size, 2 * size))
    builder.guessed = [Signature("s", ("d",))] + [
        Signature(name) for name in rng.sample(PROPOSITIONS, rng.randint(1, 4))]
    builder.defined = [Signature("r", ("d",)), Signature("q", ("d",)), Signature("t", ("d", "d"))]


def defining_rules(builder):
    """Reachability along facts, gated by guessed atoms."""
    x, edge = Atom("d", ("X",)), Atom("e", ("X", "Y"))
    at_x, at_edge = Scope((x,), {"d": ["X"]}), Scope((edge,), {"d": ["X", "Y"]})
    for name in ("r", "q"):
        start = Rule((Atom(name, ("X",)),), (builder.gate(at_x),), (x,))
        step = Rule((Atom(name, ("Y",)),), (Literal(Atom(name, ("X",))), builder.gate(at_edge)),
                    (edge,))
        builder.rules += [start, step]
    body = (builder.gate(at_edge),) if builder.chance(0.7) else ()
    builder.rules.append(Rule((Atom("t", ("X", "Y")),), body, (edge,)))
    builder.rules.append(Rule((Atom("t", ("Z", "Y")),), (Literal(Atom("t", ("Z", "X"))),),
                              (Atom("d", ("Z",)), edge)))


def large(rng, style):
    """30 to 60 atoms, for the evaluator by guessing."""
    builder = Builder(rng, replace(style, soft=0.4, strong=0.0))
    large_world(builder, rng.randint(4, 6))
    builder.guess_rules(builder.guessed)
    defining_rules(builder)
    builder.rules += [builder.rule() for _ in range(rng.randint(2, 6))]
    if style.loops:
        builder.loop()
    builder.close_head_cycles()
    builder.rules = with_content(builder.rules)
    return builder.program()


# ---- choosing among them -----------------------------------------------------------

MOST_ATOMS = 12
MOST_GUESSED = 13
MOST_MODELS = 3000


def small_enough(ground_program):
    return len(semantics.head_atoms(ground_program)) <= MOST_ATOMS


def large_enough(ground_program):
    return (30 <= len(semantics.head_atoms(ground_program)) <= 60
            and len(semantics.guessed_atoms(ground_program)) <= MOST_GUESSED)


def evaluate(program, grounded=None):
    """The answer, by the evaluator that fits."""
    ground_program, evidence = grounded or ground(program)
    few = len(semantics.head_atoms(ground_program)) <= MOST_ATOMS
    models = (semantics.by_tables if few else semantics.by_guessing)(ground_program)
    return semantics.Answer(ground_program, models, evidence)


def case(label):
    """The program of a label, 'CLASS SEED' or 'CLASS SEED large', and its answer.
    Most have several models; of the rest, which chance gives plenty, a few are
    enough."""
    rng = random.Random(label)
    name, is_large = label.split()[0], label.endswith(" large")
    make, fits = (large, large_enough) if is_large else (small, small_enough)
    least = 0 if rng.random() < 0.1 else 2
    while True:
        program = make(rng, CLASSES[name])
        grounded = program.rules and ground(program)
        if grounded and fits(grounded[0]):
            answer = evaluate(program, grounded)
            if least <= answer.count <= MOST_MODELS:
                return program, answer


def main():
    print(listing(case(" ".join(sys.argv[1:]))[0]), end="")


if __name__ == "__main__":
    main()
