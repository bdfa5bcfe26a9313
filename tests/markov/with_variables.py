"""Random tight programs whose rules keep their variables in Markov logic.

Predicates stand in layers, and a rule's positive body is of lower layers, so no
predicate depends on itself; negation goes anywhere.
"""

import random

CONSTANTS = ("jo", '"Jo"', '"a b"', "1", "2", '"V"', "v", "-3")
NAMES = ("p", "q", "r", "v", "exist", "it", "type", "aux")
WEIGHTS = ("1", "-0.5", "2.25", "@log(3)", "@w(k)", "@w(k,0.5)", "0")


def variables(rng, arity):
    return [rng.choice(("X", "Y", "V", "Arg1")) for _ in range(arity)]


def write(name, args):
    return f"{name}({', '.join(args)})" if args else name


class Maker:
    def __init__(self, rng):
        self.rng = rng
        self.constants = rng.sample(CONSTANTS, rng.randint(2, 3))
        self.names = rng.sample(NAMES, rng.randint(2, 4))
        self.arity = {n: rng.choice((0, 1, 1, 1, 2)) for n in self.names}
        if sum(a == 2 for a in self.arity.values()) > 1 and len(self.constants) > 2:
            self.constants = self.constants[:2]
        self.soft = 0
        self.bound = rng.random() < 0.3  # a #domain binds X
        self.lines = [f"dom({'; '.join(self.constants)})."]
        if self.bound:
            self.lines.append("#domain dom(X).")
        pairs = [(a, b) for a in self.constants for b in self.constants]
        self.lines += [f"edge({a},{b})." for a, b in rng.sample(pairs, rng.randint(1, 3))]

    def literal(self, name, known):
        """A literal and its variables; sometimes a constant or _."""
        args = []
        for _ in range(self.arity[name]):
            kind = self.rng.random()
            args.append(self.rng.choice(self.constants) if kind < 0.15 else self.rng.choice(known))
        return write(name, args)

    def body(self, lower, soft):
        """Literals, with the variables that they bind."""
        rng, parts, known = self.rng, [], []
        for _ in range(rng.randint(0, 2)):
            x, y = rng.choice("XYV"), rng.choice("XYZ")
            if rng.random() < 0.5:
                parts.append(f"dom({x})")
                known.append(x)
            else:
                second = y if soft or rng.random() < 0.7 else "_"
                parts.append(f"edge({x},{second})")
                known += [x] + [y] * (second == y)
        for name in rng.sample(lower, min(len(lower), rng.randint(0, 2))):
            if known or not self.arity[name]:
                parts.append(self.literal(name, known))
        if rng.random() < 0.5:
            name = rng.choice(self.names)
            if known or not self.arity[name]:
                parts.append("not " + self.literal(name, known))
        if len(known) > 1 and rng.random() < 0.3:
            parts.append(f"{known[0]} {rng.choice(('!=', '=', '=='))} {rng.choice(known + self.constants)}")
        rng.shuffle(parts)
        return parts, known

    def rule(self, level):
        rng, name = self.rng, self.names[level]
        soft = rng.random() < 0.5
        parts, known = self.body(self.names[:level], soft)
        self.soft += soft
        weight = rng.choice(WEIGHTS).replace("k", f"k{self.soft}") + " : " if soft else ""
        if soft and known and rng.random() < 0.2:
            weight = f"@w(f{self.soft}({known[0]})) : "
        if rng.random() < 0.15:
            head = ""
        else:
            args = [rng.choice(known + self.constants[:1]) for _ in range(self.arity[name])]
            head = write(name, args)
            if not soft and rng.random() < 0.4:
                head = "{" + head + "}"
                if self.arity[name] and rng.random() < 0.4:
                    head = "{" + write(name, ["U"] + args[1:]) + " : dom(U)}"
        if not head and not parts:
            return
        self.lines.append(f"{weight}{head}{' :- ' if parts else ''}{', '.join(parts)}.")

    def program(self):
        for level in range(len(self.names)):
            for _ in range(self.rng.randint(1, 2)):
                self.rule(level)
        head, rest = self.lines[:1], self.lines[1:]
        self.rng.shuffle(rest)
        return "\n".join(head + rest) + "\n"


def program(seed):
    return Maker(random.Random(seed)).program()
