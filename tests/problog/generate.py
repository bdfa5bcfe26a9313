"""Random programs: ProbLog's, and LPMLN's that are 1-coherent by their form."""

PROBABILITIES = ['0.1', '0.25', '0.3', '0.5', '0.7', '0.9', '1/3', '2/7', '0.5*0.4', '1-0.85', '1.0', '0.0', '1', '0']


class Maker:
    def __init__(self, random):
        self.random = random
        self.lines = []
        self.constants = random.choice([['a', 'b'], ['a', 'b', 'c'], ['1', '2'], ['1', '2', '3'], ["'A b'", '"s"'], ['f(a)', '7', '0']])
        self.numbers = self.constants[0] == '1'

    def maybe(self, p):
        return self.random.random() < p

    def constant(self):
        return self.random.choice(self.constants)

    def probability(self):
        return self.random.choice(PROBABILITIES)


class Problog(Maker):
    """A stratified program over unary and binary predicates.  `calls`: with clauses that
    only a query gives values to."""

    def facts(self):
        for c in self.constants:
            self.lines.append(f'd({c}).')
            for e in self.constants:
                if self.maybe(0.4):
                    self.lines.append(f'e({c},{e}).')
        self.lines.append(f'e({self.constant()},{self.constant()}).')
        for c in self.constants:
            self.lines.append(f'w({c},{self.random.choice(["0.2", "0.6", "1", "0", "1.0", "0.35"])}).')

    def random_facts(self):
        for c in self.constants:
            for q in ('q0', 'q1'):
                if self.maybe(0.55):
                    self.lines.append(f'{self.probability()}::{q}({c}).')
                    if self.maybe(0.15):
                        self.lines.append(f'{self.probability()}::{q}({c}).')
        if self.maybe(0.3):
            self.lines.append(f'q0({self.constant()}).')
        for q in ('q0', 'q1'):
            self.lines.append(f'0.4::{q}({self.constant()}).')

    def guard(self, layer):
        """A literal over X that is defined in lower layers."""
        choice = self.random.randrange(9)
        lower = f's{self.random.randrange(layer)}' if layer else 'q0'
        return ['q0(X)', 'q1(X)', '\\+q0(X)', '\\+q1(X)', f'{lower}(X)', f'\\+{lower}(X)', 'e(X,Y), q1(Y)',
                f'(q0(X) ; \\+q1(X), {lower}(X))', f'\\+(q0(X), {lower}(X))'][choice]

    def clause(self, layer):
        s = f's{layer}'
        body = ', '.join(['d(X)'] + [self.guard(layer) for _ in range(self.random.randint(0, 2))])
        if self.maybe(0.15):
            body += f', X \\== {self.constant()}'
        if self.numbers and self.maybe(0.2):
            body += self.random.choice([', X > 1', ', X =< 2', ', Z is X+1, Z =\\= 3', ', X mod 2 =:= 0', ', between(1,2,X)'])
        kind = self.random.randrange(10)
        if kind < 3:
            self.lines.append(f'{s}(X) :- {body}.')
        elif kind == 3:
            self.lines.append(f'{self.probability()}::{s}(X) :- {body}.')
        elif kind == 4:
            self.lines.append(f'P::{s}(X) :- w(X,P), {body}.')
        elif kind == 5:
            self.lines.append(f'{s}(X) :- e(X,Y), {s}(Y).')
            self.lines.append(f'{s}(X) :- {body}.')
        elif kind == 6:
            a, b = self.random.choice([('0.3', '0.7'), ('0.2', '0.5'), ('1/3', '1/3'), ('0.5', '0.5'), ('0', '0.4')])
            heads = [f'{a}::{s}(X)', f'{b}::o{layer}(X)']
            self.random.shuffle(heads)
            if self.maybe(0.3) and b == '0.5' and a == '0.2':
                heads.append(f'0.1::o{layer}(X)')
            self.lines.append(f'{"; ".join(heads)} :- {body}.')
            self.lines.append(f'query(o{layer}(_)).')
        elif kind >= 8:  # what gives the values is random itself
            lower = f's{layer - 1}' if layer else 'q1'
            self.lines.append(f'{self.probability()}::{s}(X) :- ' + self.random.choice(
                ['q0(X)', f'{lower}(X)', 'q0(X), \\+q1(X)', f'q1(Y), {lower}(X)', f'e(X,_), {lower}(X)']) + '.')
        else:
            self.lines.append(f'{self.probability()}::{s}(X) :- e(X,Y), {self.random.choice(["d(Y)", s + "(Y)", "q0(Y)"])}.')

    def counting(self):
        """Clauses that need a question."""
        c = self.constants
        which = self.random.randrange(4)
        if which == 0:
            self.lines.append('all([]).')
            self.lines.append(f'all([X|T]) :- {self.random.choice(["q0(X)", "s0(X)", "(q0(X) ; q1(X))"])}, all(T).')
            self.lines.append(f'query(all([{",".join(self.random.choice(c) for _ in range(3))}])).')
        elif which == 1:
            self.lines.append('0.3::day(0).')
            self.lines.append('0.6::day(N) :- N > 0, M is N-1, day(M).')
            self.lines.append('0.2::day(N) :- N > 0, M is N-1, \\+day(M).')
            self.lines.append('query(day(3)).')
        elif which == 2:
            self.lines.append('sum([],0).')
            self.lines.append('sum([X|T],N) :- q0(X), sum(T,M), N is M+1.')
            self.lines.append('sum([X|T],N) :- \\+q0(X), sum(T,N).')
            self.lines.append(f'query(sum([{",".join(c)}],_)).')
        else:
            self.lines.append('same(X,X).')
            self.lines.append('0.5::odd(X,Y) :- same(X,Y), q1(X).')
            self.lines.append(f'odd(X,Y) :- e(X,Y), \\+same(X,Y).')
            self.lines.append(f'query(odd({self.constant()},{self.constant()})).')

    def make(self, calls):
        self.facts()
        self.random_facts()
        layers = self.random.randint(1, 3)
        for layer in range(layers):
            for _ in range(self.random.randint(1, 2)):
                self.clause(layer)
            self.lines.append(f's{layer}({self.constant()}) :- q1({self.constant()}).')
        if calls:
            self.counting()
        self.random.shuffle(self.lines)
        for layer in range(layers):
            self.lines.append(f'query(s{layer}(_)).')
        self.lines.append(f'query(q0({self.constant()})).')
        if self.maybe(0.3):
            self.lines.append(f'query(\\+q1({self.constant()})).')
        if self.maybe(0.3):
            self.lines.append('query(q1(X)) :- d(X).')
        for _ in range(self.random.choice([0, 0, 1, 2])):
            atom = f'{self.random.choice(["q0", "q1", "s0"])}({self.constant()})'
            self.lines.append(self.random.choice(['evidence({}).', 'evidence({},true).', 'evidence(\\+{}).', 'evidence({},false).']).format(atom))
        return '\n'.join(self.lines) + '\n'


class Lpmln(Maker):
    """Soft facts, and normal rules without loops through negation."""

    def make(self):
        r = self.random
        c = ['a', 'b', '"s t"'] if self.maybe(0.3) else ['1', '2', '3']
        lifted = self.maybe(0.6)
        self.lines += [f'd({x}).' for x in c] if lifted or c[0] == 'a' else ['d(1..3).']
        for x in c:
            for y in c:
                if self.maybe(0.4):
                    self.lines.append(f'e({x},{y}).')
        self.lines.append(f'e({c[0]},{c[1]}).')
        weight = lambda: r.choice(['1', '-0.5', '2.25', '@log(0.3/0.7)', '@logit(0.2)', '0', '-3'])
        self.lines.append(f'{weight()} q(X) :- d(X).')
        self.lines.append(r.choice([f'{weight()} : q2(X,Y) :- e(X,Y).', f'{weight()} q2({c[0]},{c[1]}).', f'{weight()} q2(X,Y) :- e(X,Y), X != Y.']))
        if self.maybe(0.2):
            self.lines.append(f'{weight()} q({c[0]}).')  # weights of one fact add up
        for layer in range(r.randint(1, 3)):
            s, lower = f's{layer}', f's{layer - 1}' if layer else 'q'
            for _ in range(r.randint(1, 2)):
                self.lines.append(r.choice([
                    f'{s}(X) :- q(X), not {lower}(X), d(X).' if layer else f'{s}(X) :- q(X).',
                    f'{s}(X) :- d(X), not q(X).', f'{s}(X) :- q2(X,Y), {lower}(Y).', f'{s}(Y) :- {s}(X), q2(X,Y).',
                    f'{s}(X) :- d(X), not q2(X,_), not {lower}(X).', f'{s}(X) :- d(X), q(Y), X != Y.',
                    f'{s}(X) :- e(X,Y), q(Y).', f'{s}({c[0]}).', f'{s}(X) :- d(X), X = {c[1]}, {lower}(X).']))
        if not lifted and c[0] == '1':
            self.lines.append('n(X+1) :- q(X), X < 3.')
        if self.maybe(0.2):
            self.lines = ['#domain d(X).'] + self.lines
        return '\n'.join(self.lines) + '\n'


class Learning(Maker):
    """A program with t(_), the same with numbers in their place, and examples' atoms."""

    def number(self):
        return f'{self.random.randint(1, 9) / 10}'

    def make(self):
        heads = [('q0(a)', ''), ('q0(b)', ''), ('q1(X)', ' :- d(X)')]
        heads += self.random.sample([('s0(X)', ' :- q0(X)'), ('s0(X)', ' :- d(X), \\+q1(X)'), ('s1(X)', ' :- e(X,Y), q1(Y)'),
                                     ('s1(a)', ' :- q0(b), \\+q0(a)'), ('s2', '')], 2)
        self.lines += ['d(a).', 'd(b).', 'e(a,b).', 'e(b,b).', 'r(X) :- q0(X), q1(X).', 'r(X) :- d(X), \\+q0(X).']
        learned, fixed = list(self.lines), list(self.lines)
        for head, body in heads:
            tunable = self.maybe(0.8)
            mark = 't(_,X)' if head == 'q1(X)' and self.maybe(0.5) else 't(_)'
            number = self.number()
            fixed.append(f'{number}::{head}{body}.')
            learned.append(f'{mark if tunable else number}::{head}{body}.')
        if self.maybe(0.5):
            learned.append('t(_)::c0; t(_)::c1; t(_)::c2.')
            fixed.append('0.2::c0; 0.3::c1; 0.5::c2.')
        elif self.maybe(0.5):
            learned.append('0.3::c0(X); t(_)::c1(X); t(_)::c2(X) :- q0(X).')
            fixed.append('0.3::c0(X); 0.2::c1(X); 0.5::c2(X) :- q0(X).')
        return '\n'.join(learned) + '\n', '\n'.join(fixed) + '\n'
