"""Random Markov logic networks: .mln texts with everything that is imported."""

import random

TYPES = {"person": ("Anna", "Bob", '"C d"'), "city": ("Rome", "Oslo", "5")}
WEIGHTS = ("1", "-0.5", "2.25", "0.1", "-1e-1", "0", "3")


class Maker:
    def __init__(self, rng):
        self.rng = rng
        self.types = rng.sample(sorted(TYPES), rng.randint(1, 2))
        self.constants = {t: list(TYPES[t][: rng.randint(1, 3)]) for t in self.types}
        self.predicates = {}
        budget = 11
        for name in rng.sample(("P", "Q", "r_", "Likes", "s'x"), rng.randint(2, 4)):
            types = [rng.choice(self.types) for _ in range(rng.choice((1, 1, 2)))]
            size = 1
            for t in types:
                size *= len(self.constants[t])
            if size <= budget:
                budget -= size
                self.predicates[name] = types
        if not self.predicates:
            self.predicates["P"] = self.types[:1]
        self.fresh = 0

    def term(self, type_, scope):
        known = [v for v, t in scope if t == type_]
        if known and self.rng.random() < 0.8:
            return self.rng.choice(known)
        if self.rng.random() < 0.3:
            return self.rng.choice(self.constants[type_])
        return self.add(type_, self.free)

    def add(self, type_, where):
        """A new variable; where is the formula's free ones or a quantifier's."""
        if where is self.free and len(self.free) == 2:
            same = [v for v, t in self.free if t == type_]
            return self.rng.choice(same or self.constants[type_])
        self.fresh += 1
        name = self.rng.choice("xyzw") + str(self.fresh)
        where.append((name, type_))
        return name

    def atom(self, scope):
        name = self.rng.choice(sorted(self.predicates))
        star = "*" if self.rng.random() < 0.04 else ""
        return star + name + "(" + ", ".join(self.term(t, scope + self.free) for t in self.predicates[name]) + ")"

    def comparison(self, scope):
        bound = [(v, t) for v, t in scope + self.free if v in self.used]
        if not bound:
            return self.atom(scope)
        v, t = self.rng.choice(bound)
        others = [u for u, s in bound if s == t] + self.constants[t]
        return f"{v} {self.rng.choice(('=', '!='))} {self.rng.choice(others)}"

    def formula(self, depth, scope):
        rng = self.rng
        kind = rng.random()
        if depth == 0 or kind < 0.25:
            if rng.random() < 0.15:
                return self.comparison(scope)
            text = self.atom(scope)
            self.used |= {v for v, _ in scope + self.free if v in text}
            return text
        if kind < 0.4:
            return "!" + self.unit(depth - 1, scope)
        if kind < 0.55:
            inner = []
            for _ in range(rng.choice((1, 1, 2))):
                self.add(rng.choice(self.types), inner)
            inside = self.formula(depth - 1, scope + inner)
            for v, t in inner:  # each has to be typed
                p = rng.choice([n for n in sorted(self.predicates) if t in self.predicates[n]] or [""])
                if not p:
                    return self.atom(scope)
                args = [v if s == t else self.constants[s][0] for s in self.predicates[p]]
                inside = f"({inside}) {rng.choice(('v', '^', '=>'))} {p}({', '.join(args)})"
            return f"({rng.choice(('EXIST', 'FORALL', 'exist', 'Forall'))} {', '.join(v for v, _ in inner)} {inside})"
        sign = rng.choice(("^", "v", "=>", "<=>", "^", "v", "=>"))
        count = rng.choice((2, 2, 3)) if sign in ("^", "v") else 2
        return f" {sign} ".join(self.unit(depth - 1, scope) for _ in range(count))

    def unit(self, depth, scope):
        text = self.formula(depth, scope)
        return text if text[-1] == ")" and text.count("(") == 1 and text[0] not in "!(*" else f"({text})"

    def statement(self):
        rng = self.rng
        self.free, self.used = [], set()
        text = self.formula(rng.randint(0, 3), [])
        if any(f"{v}," not in text and f"{v})" not in text for v, _ in self.free):
            return ""  # a variable that is no argument has no type
        if self.free and rng.random() < 0.1 and "*" not in text:
            text = f"FORALL {', '.join(v for v, _ in self.free)} ({text})"
        elif self.free and rng.random() < 0.15:
            v = self.free[0][0]
            text = text.replace(v, "+" + v, 1) if " " + v not in text.split("(")[0] else text
        if rng.random() < 0.2 and "+" not in text:
            return text + "."
        return f"{rng.choice(WEIGHTS)} {text}" if rng.random() < 0.9 else text

    def network(self):
        rng, lines = self.rng, []
        for t in self.types:
            listed = [c for c in self.constants[t] if rng.random() < 0.8] or self.constants[t][:1]
            lines.append(f"{t} = {{{', '.join(listed)}}}")
        for name, types in self.predicates.items():
            mark = rng.random() < 0.2 and rng.randrange(len(types))
            args = [t + ("!" if mark is not False and i == mark else "") for i, t in enumerate(types)]
            lines.append(f"{name}({', '.join(args)})")
        lines += [self.statement() for _ in range(rng.randint(1, 4))]
        facts = []
        for name, types in self.predicates.items():
            if rng.random() < 0.3:
                args = [rng.choice(self.constants[t]) for t in types]
                facts.append(f"{rng.choice(('', '!', '?'))}{name}({', '.join(args)})")
        return "\n".join(lines) + "\n", "\n".join(facts) + "\n"


def network(seed):
    return Maker(random.Random(seed)).network()
