"""ProbLog programs by brute force: all total choices, and the well-founded model of
each.  Written from the definition; knows nothing of lpmln and nothing of ProbLog's
own code.  Takes range-restricted programs: bodies are matched from left to right."""
import itertools
import math
import re

TOKEN = re.compile(r'''\s*(?:%[^\n]*\n)*\s*(?:
    (?P<float>\d+\.\d+(?:[eE][-+]?\d+)?|\d+[eE][-+]?\d+) | (?P<int>\d+) | (?P<var>[A-Z_]\w*) |
    (?P<name>[a-z]\w*) | (?P<quoted>'(?:[^'\\]|\\.)*') | (?P<string>"(?:[^"\\]|\\.)*") |
    (?P<op>:-|<-|::|\\\+|\\==|==|\\=|=:=|=\\=|=<|>=|//|[-+*/<>=()\[\],;|]) | (?P<stop>\.(?=\s|$|%)))''', re.X)


class Undefined(Exception):
    """A total choice has no two-valued well-founded model."""


class TooLarge(Exception):
    pass


def tokens_of(text):
    out, at = [], 0
    text = text.rstrip() + '\n'
    while at < len(text.rstrip()):
        m = TOKEN.match(text, at)
        if not m:
            if re.fullmatch(r'(\s|%[^\n]*\n)*', text[at:]):
                break
            raise SyntaxError(text[at:at + 40])
        out.append((m.lastgroup, m.group(m.lastgroup)))
        at = m.end()
    return out + [('end', '')]


class Parser:
    LEVELS = [['=', '\\=', '==', '\\==', '<', '>', '=<', '>=', '=:=', '=\\=', 'is'], ['+', '-'], ['*', '/', '//', 'mod']]

    def __init__(self, text):
        self.tokens, self.at, self.anonymous = tokens_of(text), 0, 0

    def peek(self, *texts):
        kind, text = self.tokens[self.at]
        return text in texts and kind in ('op', 'name', 'stop')

    def take(self, text):
        if not self.peek(text):
            raise SyntaxError(f'expected {text}, got {self.tokens[self.at]}')
        self.at += 1

    def term(self, level=0):
        if level == len(self.LEVELS):
            return self.primary()
        left = self.term(level + 1)
        while self.peek(*self.LEVELS[level]):
            operator = self.tokens[self.at][1]
            self.at += 1
            left = (operator, left, self.term(level + 1))
        return left

    def primary(self):
        kind, text = self.tokens[self.at]
        self.at += 1
        if kind == 'int':
            return int(text)
        if kind == 'float':
            return float(text)
        if kind == 'string' or kind == 'quoted':
            if self.peek('('):
                return (text, *self.arguments())
            return (text,)
        if kind == 'var':
            if text == '_':
                self.anonymous += 1
                text = f'_{self.anonymous}'
            return Variable(text)
        if kind == 'name':
            return (text, *self.arguments()) if self.peek('(') else (text,)
        if text == '-':
            value = self.primary()
            return -value if isinstance(value, (int, float)) else ('-', 0, value)
        if text == '(':
            inside = self.disjunction()
            self.take(')')
            return inside
        raise SyntaxError(f'unexpected {text}')

    def arguments(self):
        self.take('(')
        if self.peek(')'):
            self.at += 1
            return []
        out = [self.term()]
        while self.peek(','):
            self.at += 1
            out.append(self.term())
        self.take(')')
        return out

    def goal(self):
        if self.peek('\\+'):
            self.at += 1
            return ('\\+', self.goal())
        return self.term()

    def conjunction(self):
        out = [self.goal()]
        while self.peek(','):
            self.at += 1
            out.append(self.goal())
        return out[0] if len(out) == 1 else (',', *out)

    def disjunction(self):
        out = [self.conjunction()]
        while self.peek(';'):
            self.at += 1
            out.append(self.conjunction())
        return out[0] if len(out) == 1 else (';', *out)

    def head(self):
        first = self.term(1)
        if self.peek('::'):
            self.at += 1
            return (first, self.term(1))
        return (None, first)

    def clauses(self):
        out = []
        while self.tokens[self.at][0] != 'end':
            self.anonymous = 0
            heads = [self.head_or_goal()]
            while self.peek(';'):
                self.at += 1
                heads.append(self.head())
            body = ('true',)
            if self.peek(':-', '<-'):
                self.at += 1
                body = self.disjunction()
            self.take('.')
            out.append((heads, body))
        return out

    def head_or_goal(self):
        kind, text = self.tokens[self.at]
        if kind == 'name' and text in ('query', 'evidence') and self.tokens[self.at + 1][1] == '(':
            self.at += 2
            inside = [self.goal()]
            while self.peek(','):
                self.at += 1
                inside.append(self.term())
            self.take(')')
            return (None, (text, *inside))
        return self.head()


class Variable(str):
    pass


def variables(t, out):
    if isinstance(t, Variable):
        if t not in out:
            out.append(t)
    elif isinstance(t, tuple):
        for part in t[1:]:
            variables(part, out)
    return out


def apply(t, s):
    if isinstance(t, Variable):
        return s.get(t, t)
    return (t[0], *(apply(part, s) for part in t[1:])) if isinstance(t, tuple) else t


def value(t):
    if isinstance(t, (int, float)):
        return t
    if isinstance(t, Variable) or len(t) != 3:
        raise ValueError(t)
    x, y = value(t[1]), value(t[2])
    return {'+': lambda: x + y, '-': lambda: x - y, '*': lambda: x * y, '/': lambda: x / y,
            '//': lambda: x // y, 'mod': lambda: x % y}[t[0]]()


def match(pattern, t, s):
    """The substitution that makes the pattern the ground term, or None."""
    pattern = apply(pattern, s)
    if isinstance(pattern, Variable):
        return {**s, pattern: t}
    if not isinstance(pattern, tuple) or not isinstance(t, tuple):
        return s if type(pattern) is type(t) and pattern == t else None
    if len(pattern) != len(t) or pattern[0] != t[0]:
        return None
    for a, b in zip(pattern[1:], t[1:]):
        s = match(a, b, s)
        if s is None:
            return None
    return s


COMPARE = {'<': lambda x, y: x < y, '>': lambda x, y: x > y, '=<': lambda x, y: x <= y,
           '>=': lambda x, y: x >= y, '=:=': lambda x, y: x == y, '=\\=': lambda x, y: x != y}


def ground_body(goal, s, possible):
    """Substitutions under which the goal may hold, each with a ground formula."""
    name = goal[0]
    if name == ',':
        results = [(s, [])]
        for part in goal[1:]:
            results = [(s3, [*f, f3]) for s2, f in results for s3, f3 in ground_body(part, s2, possible)]
        return [(s2, (',', *f)) for s2, f in results]
    if name == ';':
        return [r for part in goal[1:] for r in ground_body(part, s, possible)]
    if name == 'true' and len(goal) == 1:
        return [(s, ('true',))]
    if name in ('fail', 'false') and len(goal) == 1:
        return []
    if name == '\\+':
        inner = [f for _, f in ground_body(goal[1], s, possible)]
        return [(s, ('\\+', (';', *inner)))]
    if name == 'is':
        s2 = match(goal[1], value(apply(goal[2], s)), s)
        return [] if s2 is None else [(s2, ('true',))]
    if name == '=' and len(goal) == 3:
        left, right = apply(goal[1], s), apply(goal[2], s)
        s2 = match(left, right, s) if not variables(right, []) else match(right, left, s)
        return [] if s2 is None else [(s2, ('true',))]
    if name == 'between':
        low, high = value(apply(goal[1], s)), value(apply(goal[2], s))
        return [(s2, ('true',)) for v in range(low, high + 1) for s2 in [match(goal[3], v, s)] if s2 is not None]
    if name in COMPARE and len(goal) == 3:
        return [(s, ('true',))] if COMPARE[name](value(apply(goal[1], s)), value(apply(goal[2], s))) else []
    if name in ('==', '\\==', '\\=') and len(goal) == 3:
        same = apply(goal[1], s) == apply(goal[2], s)
        return [(s, ('true',))] if same == (name == '==') else []
    out = []
    for atom in possible.get((name, len(goal)), ()):
        s2 = match(goal, atom, s)
        if s2 is not None:
            out.append((s2, atom))
    return out


def holds(f, positive, negative):
    if f[0] == ',':
        return all(holds(part, positive, negative) for part in f[1:])
    if f[0] == ';':
        return any(holds(part, positive, negative) for part in f[1:])
    if f[0] == '\\+':
        return not holds(f[1], negative, positive)
    return f == ('true',) or f in positive


def least(rules, negative):
    true = set()
    changed = True
    while changed:
        changed = False
        for head, body in rules:
            if head not in true and holds(body, true, negative):
                true.add(head)
                changed = True
    return true


def well_founded(rules):
    certain = set()
    while True:
        possible = least(rules, certain)   # negation against what is certain
        more = least(rules, possible)      # negation against what is possible
        if more == certain:
            if certain != possible:
                raise Undefined
            return certain
        certain = more


class Program:
    def __init__(self, text, most=4096):
        self.queries, self.evidence, self.rules = [], [], []
        for heads, body in Parser(text).clauses():
            atom = heads[0][1]
            if atom[0] == 'query' and len(atom) == 2:
                self.queries.append((atom[1], body))
            elif atom[0] == 'evidence':
                a, positive = atom[1], True
                while a[0] == '\\+':
                    a, positive = a[1], not positive
                if len(atom) == 3 and atom[2] == ('false',):
                    positive = not positive
                self.evidence.append((a, positive))
            else:
                self.rules.append((heads, body))
        self.ground()
        size = 1
        for _, alternatives in self.choices:
            size *= len(alternatives)
            if size > most:
                raise TooLarge

    def ground(self):
        possible, known = {}, set()
        changed = True
        while changed:
            changed = False
            instances = []
            for number, (heads, body) in enumerate(self.rules):
                for s, f in ground_body(body, {}, possible):
                    instances.append((number, s, f))
            for number, s, f in instances:
                for _, head in self.rules[number][0]:
                    atom = apply(head, s)
                    if variables(atom, []):
                        raise ValueError(f'not ground: {atom}')
                    if atom not in known:
                        known.add(atom)
                        possible.setdefault((atom[0], len(atom)), []).append(atom)
                        changed = True
        self.possible, self.fixed, choices = possible, [], {}
        for number, s, f in instances:
            heads = self.rules[number][0]
            if heads[0][0] is None:
                self.fixed.append((apply(heads[0][1], s), f))
                continue
            names = variables(('', *(h for _, h in heads), self.rules[number][1]), [])
            key = (number, tuple(repr(apply(v, s)) for v in names))
            alternatives = [(value(apply(p, s)), apply(h, s)) for p, h in heads]
            entry = choices.setdefault(key, (alternatives, []))
            entry[1].append(f)
        self.choices = []
        for alternatives, bodies in choices.values():
            rest = 1 - sum(p for p, _ in alternatives)
            options = [(p, h) for p, h in alternatives if p > 0]
            if rest > 1e-12:
                options.append((rest, None))
            self.choices.append(((';', *bodies), options))

    def sample(self, random):
        """The true atoms of a random world, as texts."""
        rules = list(self.fixed)
        for body, options in self.choices:
            p, head = random.choices(options, [p for p, _ in options])[0]
            if head is not None:
                rules.append((head, body))
        return {show(a) for a in well_founded(rules)}

    def atoms(self):
        return [show(a) for atoms in self.possible.values() for a in atoms]

    def worlds(self):
        """The probability and the true atoms of each total choice."""
        for world in itertools.product(*(options for _, options in self.choices)):
            weight = 1.0
            rules = list(self.fixed)
            for (body, _), (p, head) in zip(self.choices, world):
                weight *= p
                if head is not None:
                    rules.append((head, body))
            yield weight, well_founded(rules)

    def likelihood(self, examples):
        """Of texts of evidence: the sum of the logarithms of their probabilities."""
        wanted = [Program(text).evidence for text in examples]
        sums = [0.0] * len(wanted)
        for weight, model in self.worlds():
            for i, evidence in enumerate(wanted):
                if all((a in model) == positive for a, positive in evidence):
                    sums[i] += weight
        return sum(math.log(p) if p > 0 else -math.inf for p in sums)

    def marginals(self):
        """{atom: probability given the evidence}, for the queries; None: impossible evidence."""
        asked = []
        for goal, body in self.queries:
            for s, _ in ground_body(body, {}, self.possible):
                wanted = apply(goal, s)
                positive = wanted[0] != '\\+'
                wanted = wanted if positive else wanted[1]
                if not variables(wanted, []):
                    asked.append((wanted, positive))
                else:
                    asked += [(a, positive) for a in self.possible.get((wanted[0], len(wanted)), ())
                              if match(wanted, a, {}) is not None]
        total, sums = 0.0, {a: 0.0 for a in asked}
        for weight, model in self.worlds():
            if all((a in model) == positive for a, positive in self.evidence):
                total += weight
                for a, positive in sums:
                    if (a in model) == positive:
                        sums[a, positive] += weight
        return {(('' if positive else '\\+') + show(a)): v / total for (a, positive), v in sums.items()} if total > 0 else None


def show(t):
    if isinstance(t, float):
        return repr(t)
    if isinstance(t, int):
        return str(t)
    return t[0] + ('(' + ','.join(show(x) for x in t[1:]) + ')' if len(t) > 1 else '')
