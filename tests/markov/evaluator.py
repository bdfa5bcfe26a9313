"""Markov logic by brute force: probabilities of all ground atoms.

Reads Alchemy's syntax (.mln and .db texts) on its own, grounds every formula
over the declared and mentioned constants, and sums over all worlds.  A set of
worlds is one integer, a bit per world, so a connective is one operation.  It
shares no code with lpmln and follows the textbook: a formula is one feature for
each grounding of its free variables (those of FORALL in front included).
"""

import itertools
import math
import re

TOKEN = re.compile(r'\s+|(?P<number>[+-]?(?:\d+\.\d*|\.\d+|\d+)(?:[eE][+-]?\d+)?)|(?P<string>"[^"\n]*")'
                   r"|(?P<name>[A-Za-z_][A-Za-z0-9_']*)|(?P<sign><=>|=>|!=|<=|>=|\.\.\.|[!^()=,{}.*+?<>])")
MOST_ATOMS = 22


class Unsupported(Exception):
    pass


def tokens_of(line):
    tokens, at = [], 0
    while at < len(line):
        found = TOKEN.match(line, at)
        if not found:
            raise Unsupported(f"token at {line[at:]!r}")
        if found.lastgroup:
            tokens.append((found.lastgroup, found.group()))
        at = found.end()
    return tokens


def without_comments(text):
    text = re.sub(r"/\*.*?\*/", lambda m: "\n" * m.group().count("\n"), text, flags=re.S)
    return [line.split("//")[0].strip() for line in text.splitlines()]


class Parser:
    """Formulas as tuples: (op, …)."""

    def __init__(self, tokens):
        self.tokens, self.at = tokens, 0

    def peek(self, ahead=0):
        i = self.at + ahead
        return self.tokens[i][1] if i < len(self.tokens) else None

    def kind(self):
        return self.tokens[self.at][0] if self.at < len(self.tokens) else None

    def take(self, expected=None):
        token = self.peek()
        if token is None or (expected and token != expected):
            raise Unsupported(f"{expected} wanted, not {token}")
        self.at += 1
        return token

    def formula(self):
        if self.peek() in ("EXIST", "Exist", "exist", "FORALL", "Forall", "forall"):
            op = "exist" if self.take()[0] in "Ee" else "forall"
            names = [self.take()]
            while self.peek() == ",":
                self.take()
                names.append(self.take())
            return (op, tuple(names), self.formula())
        return self.chain(0)

    LEVELS = (("<=>", "iff"), ("=>", "implies"), ("v", "or"), ("^", "and"))

    def chain(self, level):
        if level == len(self.LEVELS):
            return self.unary()
        sign, op = self.LEVELS[level]
        left = self.chain(level + 1)
        while self.peek() == sign:
            self.take()
            left = (op, left, self.chain(level + 1))
        return left

    def unary(self):
        if self.peek() == "!":
            self.take()
            return ("not", self.unary())
        if self.peek() == "*":
            self.take()
            return ("star", self.unary())
        if self.peek() == "(":
            self.take()
            inside = self.formula()
            self.take(")")
            return inside
        if self.peek() in ("EXIST", "Exist", "exist", "FORALL", "Forall", "forall"):
            return self.formula()
        if self.kind() == "name" and self.peek(1) == "(":
            name, args = self.take(), []
            self.take("(")
            while True:
                args.append(self.term())
                if self.take() == ")":
                    return ("atom", name, tuple(args))
        left, sign, right = self.term(), self.take(), self.term()
        if sign not in ("=", "!="):
            raise Unsupported(sign)
        return ("equal", left, right) if sign == "=" else ("not", ("equal", left, right))

    def term(self):
        plus = self.peek() == "+" and bool(self.take())
        kind, token = self.kind(), self.take()
        if kind == "name" and not token[0].isupper():
            return ("var", token, plus)
        return ("const", token)


class Network:
    def __init__(self, text):
        self.domains, self.predicates, self.blocks = {}, {}, {}
        self.formulas = []  # (weight or None, formula)
        for line in without_comments(text):
            if line:
                self.statement(tokens_of(line))

    def statement(self, tokens):
        words = [t for _, t in tokens]
        if len(words) > 2 and words[1:3] == ["=", "{"]:
            self.domain(words)
        elif self.is_declaration(tokens):
            name, types, exclusive = words[0], [], []
            for t in words[2:-1]:
                if t == "!":
                    exclusive.append(len(types) - 1)
                elif t != ",":
                    types.append(t)
            self.predicates[name] = types
            self.blocks[name] = exclusive
            for t in types:
                self.domains.setdefault(t, [])
        else:
            self.formula(tokens)

    def domain(self, words):
        values = [w for w in words[3:-1] if w != ","]
        if "..." in values:
            low, high = int(values[0]), int(values[-1])
            values = [str(i) for i in range(low, high + 1)]
        known = self.domains.setdefault(words[0], [])
        known += [v for v in values if v not in known]

    def is_declaration(self, tokens):
        words = [t for _, t in tokens]
        return (len(words) > 3 and tokens[0][0] == "name" and words[1] == "(" and words[-1] == ")"
                and words[0] not in self.predicates and "(" not in words[2:])

    def formula(self, tokens):
        weight, hard = 0.0, tokens[-1][1] == "."
        if tokens[0][0] == "number":
            weight, tokens = float(tokens[0][1]), tokens[1:]
        parser = Parser(tokens[:-1] if hard else tokens)
        formula = parser.formula()
        if parser.at != len(parser.tokens):
            raise Unsupported(f"rest {parser.peek()}")
        while formula[0] == "forall":
            formula = formula[2]
        for variant in starred(formula):
            self.formulas.append((None if hard else weight, variant))

    # -- grounding

    def types_of(self, formula):
        """Variable -> type; constants join their types."""
        types, pairs = {}, []

        def walk(f):
            if f[0] == "atom":
                for term, t in zip(f[2], self.predicates[f[1]]):
                    if term[0] == "var":
                        types[term[1]] = t
                    elif term[1] not in self.domains[t]:
                        self.domains[t].append(term[1])
            elif f[0] == "equal":
                pairs.append((f[1], f[2]))
            else:
                for part in f[1:]:
                    if isinstance(part, tuple) and part and isinstance(part[0], str) and part[0] in OPERATORS:
                        walk(part)
        walk(formula)
        for _ in pairs:
            for a, b in pairs + [(b, a) for a, b in pairs]:
                if a[0] == "var" and b[0] == "var" and a[1] in types:
                    types.setdefault(b[1], types[a[1]])
        for a, b in pairs:  # a constant of an equation belongs to the variable's type
            for x, y in ((a, b), (b, a)):
                if x[0] == "var" and y[0] == "const" and y[1] not in self.domains[types[x[1]]]:
                    self.domains[types[x[1]]].append(y[1])
        return types

    def ground_all(self):
        typed = [(w, f, self.types_of(f)) for w, f in self.formulas]
        for weight, formula, types in typed:
            free = sorted(free_variables(formula))
            for values in itertools.product(*(self.domains[types[v]] for v in free)):
                yield weight, self.ground(formula, dict(zip(free, values)), types)

    def ground(self, f, binding, types):
        op = f[0]
        if op == "atom":
            return ("atom", f[1] + "(" + ",".join(value(t, binding) for t in f[2]) + ")")
        if op == "equal":
            return value(f[1], binding) == value(f[2], binding)
        if op in ("exist", "forall"):
            parts = [self.ground(f[2], {**binding, **dict(zip(f[1], values))}, types)
                     for values in itertools.product(*(self.domains[types[v]] for v in f[1]))]
            return fold("or" if op == "exist" else "and", parts)
        parts = [self.ground(part, binding, types) for part in f[1:]]
        if op == "implies":
            return fold("or", [negate(parts[0]), parts[1]])
        if op == "iff":
            return fold("or", [fold("and", parts), fold("and", [negate(p) for p in parts])])
        return negate(parts[0]) if op == "not" else fold(op, parts)

    def atoms(self):
        return [name + "(" + ",".join(args) + ")" for name, types in self.predicates.items()
                for args in itertools.product(*(self.domains[t] for t in types))]

    def exclusive(self):
        """One group of atoms for each block: exactly one holds."""
        for name, types in self.predicates.items():
            if not self.blocks[name]:
                continue
            groups = {}
            for args in itertools.product(*(self.domains[t] for t in types)):
                key = tuple(a for i, a in enumerate(args) if i not in self.blocks[name])
                groups.setdefault(key, []).append(("atom", name + "(" + ",".join(args) + ")"))
            for group in groups.values():
                yield fold("or", group)
                for a, b in itertools.combinations(group, 2):
                    yield fold("or", [negate(a), negate(b)])


OPERATORS = {"atom", "equal", "exist", "forall", "not", "and", "or", "implies", "iff", "star"}


def starred(f):
    """All ways to read the atoms after a star, as they are or negated."""
    if f[0] == "star":
        return [f[1], ("not", f[1])]
    if f[0] in ("atom", "equal"):
        return [f]
    if f[0] in ("exist", "forall"):
        return [(f[0], f[1], g) for g in starred(f[2])]
    return [(f[0], *parts) for parts in itertools.product(*(starred(g) for g in f[1:]))]


def value(term, binding):
    return binding[term[1]] if term[0] == "var" else term[1]


def free_variables(f):
    if f[0] == "atom":
        return {t[1] for t in f[2] if t[0] == "var"}
    if f[0] == "equal":
        return {t[1] for t in f[1:] if t[0] == "var"}
    if f[0] in ("exist", "forall"):
        return free_variables(f[2]) - set(f[1])
    return set().union(*(free_variables(g) for g in f[1:]))


def negate(f):
    if isinstance(f, bool):
        return not f
    return f[1] if f[0] == "not" else ("not", f)


def fold(op, parts):
    """And, or; constants disappear."""
    stop = op == "or"
    kept = []
    for p in parts:
        if p is stop:
            return stop
        if not isinstance(p, bool):
            kept.append(p)
    return (not stop) if not kept else kept[0] if len(kept) == 1 else (op, *kept)


def simplify(f, fixed):
    if isinstance(f, bool):
        return f
    if f[0] == "atom":
        return fixed.get(f[1], f)
    if f[0] == "not":
        return negate(simplify(f[1], fixed))
    return fold(f[0], [simplify(p, fixed) for p in f[1:]])


def literals_of(f):
    """The literals of a conjunction of literals, at the top."""
    if f[0] == "atom":
        yield f[1], True
    elif f[0] == "not" and f[1][0] == "atom":
        yield f[1][1], False
    elif f[0] == "and":
        for part in f[1:]:
            yield from literals_of(part)
    elif f[0] == "not" and f[1][0] == "or":
        for part in f[1][1:]:
            yield from literals_of(negate(part))


def propagate(hard):
    """Hard formulas without what they fix, and that; None if they contradict."""
    fixed = {}
    while True:
        found = {}
        rest = []
        for f in hard:
            f = simplify(f, fixed)
            if f is False:
                return None, None
            if f is True:
                continue
            rest.append(f)
            for atom, truth in literals_of(f):
                if found.setdefault(atom, truth) != truth:
                    return None, None
        if not found:
            return rest, fixed
        fixed.update(found)
        hard = rest


def mentioned(f, into):
    if not isinstance(f, bool):
        if f[0] == "atom":
            into.add(f[1])
        else:
            for part in f[1:]:
                mentioned(part, into)


def worlds_of(f, tables, every):
    if isinstance(f, bool):
        return every if f else 0
    if f[0] == "atom":
        return tables[f[1]]
    if f[0] == "not":
        return every & ~worlds_of(f[1], tables, every)
    result = every if f[0] == "and" else 0
    for part in f[1:]:
        worlds = worlds_of(part, tables, every)
        result = result & worlds if f[0] == "and" else result | worlds
    return result


def make_tables(atoms):
    """By atom, the worlds in which it holds."""
    n = len(atoms)
    every = (1 << (1 << n)) - 1
    tables = {}
    for k, atom in enumerate(atoms):
        block = ((1 << (1 << k)) - 1) << (1 << k)
        size = 1 << (k + 1)
        while size < 1 << n:
            block |= block << size
            size *= 2
        tables[atom] = block
    return tables, every


def database(text, network):
    """What a .db says: hard literals; constants join their domains."""
    said = []
    for line in without_comments(text):
        if not line:
            continue
        sign = line[0] if line[0] in "!?" else ""
        _, name, args = Parser(tokens_of(line[len(sign):])).unary()
        for (_, constant, *_), t in zip(args, network.predicates[name]):
            if constant not in network.domains[t]:
                network.domains[t].append(constant)
        atom = ("atom", name + "(" + ",".join(a[1] for a in args) + ")")
        if sign != "?":
            said.append(negate(atom) if sign == "!" else atom)
    return said


def evaluate(text, db=""):
    """Probabilities by atom; None if no world satisfies the hard formulas."""
    network = Network(text)
    said = database(db, network)
    ground = list(network.ground_all())
    hard = [f for w, f in ground if w is None] + list(network.exclusive()) + said
    hard, fixed = propagate(hard)
    if hard is None:
        return None
    soft = [(w, simplify(f, fixed)) for w, f in ground if w is not None]
    soft = [(w, f) for w, f in soft if not isinstance(f, bool) and w]
    used = set()
    for f in hard + [f for _, f in soft]:
        mentioned(f, used)
    if len(used) > MOST_ATOMS:
        raise Unsupported(f"{len(used)} atoms")
    tables, every = make_tables(sorted(used))
    for f in hard:
        every &= worlds_of(f, tables, every)
    full = (1 << (1 << len(used))) - 1
    weights = sorted({w for w, _ in soft})
    groups = {(0,) * len(weights): every}  # how often each weight is earned -> worlds
    for w, f in soft:
        worlds, place, split = worlds_of(f, tables, full), weights.index(w), {}
        for key, group in groups.items():
            higher = key[:place] + (key[place] + 1,) + key[place + 1:]
            split[higher] = split.get(higher, 0) | (group & worlds)
            split[key] = split.get(key, 0) | (group & ~worlds)
        groups = {key: group for key, group in split.items() if group}
    logs = {key: sum(n * w for n, w in zip(key, weights)) for key, group in groups.items() if group}
    if not logs:
        return None
    top = max(logs.values())
    total = math.fsum(bin(groups[k]).count("1") * math.exp(l - top) for k, l in logs.items())
    answer = {}
    for atom in network.atoms():
        if atom in fixed:
            answer[atom] = float(fixed[atom])
        elif atom in tables:
            answer[atom] = math.fsum(bin(groups[k] & tables[atom]).count("1") * math.exp(l - top)
                                     for k, l in logs.items()) / total
        else:
            answer[atom] = 0.5
    return answer
