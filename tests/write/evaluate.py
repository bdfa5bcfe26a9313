"""What the texts that lpmln writes for other systems mean.

Each function takes a text and returns [(log weight, true atoms)] of its models.
Nothing here shares code with lpmln: clauses are counted by truth tables, ground
programs by clasp or the oracle's evaluator, plingo's rules by clingo after
they were rewritten as plingo's documentation says.
"""

import json
import math
import os
import re
import subprocess
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "oracle"))
import semantics  # noqa: E402


# ---- weighted model counting ------------------------------------------------------

def read_cnf(text):
    clauses, names, weights, header, kind = [], {}, {}, None, None
    for line in text.splitlines():
        words = line.split()
        if line.startswith("c p weight"):
            weights[int(words[3])] = decimal_log(words[4])
            assert words[5] == "0"
        elif line.startswith("c t "):
            kind = words[2]
        elif words[:1] == ["c"] and words[1].isdigit() and not words[2].startswith("("):
            names[int(words[1])] = line.split(maxsplit=2)[2]
        elif words[:1] == ["p"]:
            header = int(words[2]), int(words[3])
        elif words[:1] != ["c"]:
            assert words[-1] == "0" and all(abs(int(w)) <= header[0] for w in words)
            clauses.append([int(w) for w in words[:-1]])
    assert kind == "wmc" and header[1] == len(clauses)
    return header[0], clauses, names, weights


def decimal_log(number):
    """ln of a decimal that may be too small or too large for a float."""
    mantissa, _, power = number.partition("e")
    return math.log(float(mantissa)) + int(power or 0) * math.log(10)


class Tables:
    """Unit propagation in all rows of a truth table at once: what is known to
    be true and to be false of each variable, as integers of 2^n bits."""

    def __init__(self, inputs, variables, clauses):
        self.space = semantics.Space([f"{v:06}" for v in inputs], ())
        full = self.space.full
        self.known = {v: 0 for v in range(-variables, variables + 1)}
        for v in inputs:
            self.known[v] = self.space.value[f"{v:06}"]
            self.known[-v] = full ^ self.known[v]
        self.clash = 0
        before = None
        while before != (before := tuple(self.known.values())):
            for clause in clauses:
                self.propagate(clause)

    def propagate(self, clause):
        known, full = self.known, self.space.full
        for unit in clause:
            rest = full
            for other in clause:
                if other != unit:
                    rest &= known[-other]
            known[unit] |= rest
        wrong = full
        for literal in clause:
            wrong &= known[-literal]
        self.clash |= wrong

    def undecided(self, variables):
        """A variable that propagation leaves open in a row without a clash."""
        possible = self.space.full & ~self.clash
        for v in range(1, variables + 1):
            possible &= ~(self.known[v] & self.known[-v])
        for v in range(1, variables + 1):
            if possible & ~(self.known[v] | self.known[-v]):
                return v, possible
        return None, possible


MOST_INPUTS = 16


def models_by_clasp(variables, clauses, names, weights):
    """For more variables than a table has room for: all models of the clauses."""
    text = [f"{{ v(1..{variables}) }}."]
    for clause in clauses:
        body = (f"{'not ' if literal > 0 else ''}v({abs(literal)})" for literal in clause)
        text.append(f":- {', '.join(body)}.")
    models = []
    for atoms in run_clingo("\n".join(text), "-"):
        true = {int(atom[2:-1]) for atom in atoms}
        models.append((math.fsum(w for l, w in weights.items() if (abs(l) in true) == (l > 0)),
                       {name for v, name in names.items() if v in true}))
    return models


def wcnf_models(text):
    variables, clauses, names, weights = read_cnf(text)
    inputs = sorted(names)
    if len(inputs) > MOST_INPUTS:
        return models_by_clasp(variables, clauses, names, weights)
    while True:
        tables = Tables(inputs, variables, clauses)
        open_variable, rows = tables.undecided(variables)
        if open_variable is None:
            break
        inputs.append(open_variable)
    bits = {l: tables.space.bits(tables.known[l]) for l in list(weights) + sorted(names)}
    return [(math.fsum(w for l, w in weights.items() if bits[l][i] == "1"),
             {name for v, name in names.items() if bits[v][i] == "1"})
            for i in tables.space.members(rows)]


# ---- answer sets --------------------------------------------------------------------

def log_weight(atoms, name="unsat(?:_\\d+)?"):
    """Minus the sum of w over the atoms unsat(i,"w",…)."""
    found = (re.match(name + r'\(\d+,"([-+.e0-9]*)"', atom) for atom in atoms)
    return 0.0 - math.fsum(float(match.group(1)) for match in found if match)


def run_clingo(text, *options):
    done = subprocess.run(["clingo", *options, "0", "--outf=2", "--opt-mode=enum", "--warn=none"],
                          input=text, capture_output=True, text=True, timeout=60)
    if done.returncode not in (10, 20, 30):
        raise ValueError(f"clingo refuses the translation: {done.stderr}")
    return [set(w["Value"]) for w in json.loads(done.stdout)["Call"][0].get("Witnesses", [])]


class Aspif:
    """Rules and shown names of an aspif text, in the oracle's terms."""

    def __init__(self, text):
        lines = text.splitlines()
        assert lines[0] == "asp 1 0 0" and lines[-1] == "0"
        self.rules, self.shown = [], []
        for line in lines[1:-1]:
            kind, rest = line.split(" ", 1)
            if kind == "1":
                self.rules.append(self.rule([int(word) for word in rest.split()]))
            elif kind == "4":
                length, rest = rest.split(" ", 1)
                name, condition = rest[:int(length)], rest[int(length):].split()
                self.shown.append((name, condition[1] if condition[0] == "1" else None))
            else:
                assert kind == "2"

    @staticmethod
    def rule(words):
        count = words[1]
        heads, words, choice = tuple(map(str, words[2:2 + count])), words[2 + count:], words[0] == 1

        def literal(number):
            return semantics.Literal(str(abs(number)), int(number < 0))
        if words[0] == 0:
            body = tuple(map(literal, words[2:]))
            assert len(body) == words[1]
        else:
            bound, count = words[1:3]
            elements = tuple(semantics.Element(w, ((literal(l),),))
                             for l, w in zip(words[3::2], words[4::2]))
            assert len(elements) == count
            body = (semantics.Aggregate("#sum", elements, ((">=", bound),), 0),)
        return semantics.Rule(heads, choice, (None, None), body, None, 0)


MOST_GUESSED = 16


def aspif_models(text):
    """By clasp, unless there are disjunctions: version 3.3.5 is wrong about some."""
    program = Aspif(text)
    ground = semantics.Program([], program.rules)
    disjunctive = any(len(rule.head) > 1 and not rule.choice for rule in program.rules)
    if not disjunctive or len(semantics.guessed_atoms(ground)) > MOST_GUESSED:
        return [(log_weight(atoms), atoms) for atoms in run_clingo(text, "--mode=clasp")]
    found = [{name for name, atom in program.shown if atom is None or atom in model.atoms}
             for model in semantics.by_guessing(ground)]
    return [(log_weight(atoms), atoms) for atoms in found]


# ---- plingo ---------------------------------------------------------------------------

WEIGHT = re.compile(r'(?:[,;] *)?&(weight|log|problog)\(("?)([^"()]*)\2\)')
VARIABLE = re.compile(r'"(?:\\.|[^"\\])*"|(?<![A-Za-z0-9_])_*[A-Z]\w*')


def weight_of(kind, text):
    number = eval(text, {"__builtins__": {}})  # a number or a quotient of numbers
    return {"weight": lambda: float(number), "log": lambda: math.log(number),
            "problog": lambda: math.log(number / (1 - number))}[kind]()


def variables_of(text):
    found = dict.fromkeys(v for v in VARIABLE.findall(text) if not v.startswith('"'))
    return list(found)


def plingo_rule(line, number):
    """A weighted rule is a choice; a violation costs its weight.  A choice with
    bounds is one without them, and what costs is that the bounds don't hold."""
    match = WEIGHT.search(line)
    if not match:
        return [line]
    weight = weight_of(match.group(1), match.group(3))
    rest = line[:match.start()] + line[match.end():].rstrip(".")
    head, body = (part.strip().strip(",;") for part in rest.split(":-", 1))
    variables = ",".join(variables_of(re.sub(r"\{.*\}", "", rest)) + [str(number)])
    broken = "; ".join(part for part in (body, head and f"not {head}") if part)
    rules = [f'lost(0,"{weight!r}",{variables}) :- {broken or "#true"}.']
    if head:
        choice = re.search(r"\{.*\}", head)
        rules.append(f"{choice.group(0) if choice else '{ ' + head + ' }'} :- {body or '#true'}.")
    return rules


def plingo_weak_constraint(line):
    """In plingo's own mode the weight is a reward; equal tuples count once."""
    match = re.match(r':~ (.*)\. \["?([^"@]*)"?@0(.*)\]$', line)
    weight = -weight_of("weight", match.group(2))
    return [f'lost(0,"{weight!r}",weak{match.group(3)}) :- {match.group(1)}.']


def plingo_models(text):
    lines = []
    for number, line in enumerate(text.splitlines()):
        evidence = re.match(r"&evidence\((.*?)(, false)?\)\.$", line)
        if evidence:
            lines.append(f":- {'' if evidence.group(2) else 'not '}{evidence.group(1)}.")
        elif line.startswith(":~"):
            lines += plingo_weak_constraint(line)
        elif not line.startswith(("&query", "%", "#show")):
            lines += plingo_rule(line, number)
    return [(log_weight(atoms, "lost"), atoms) for atoms in run_clingo("\n".join(lines), "-")]


# ---- answers -----------------------------------------------------------------------------

def marginals(models):
    top = max(weight for weight, _ in models)
    mass = [math.exp(weight - top) for weight, _ in models]
    total, sums = math.fsum(mass), {}
    for m, (_, atoms) in zip(mass, models):
        for atom in atoms:
            sums.setdefault(atom, []).append(m)
    return {atom: math.fsum(parts) / total for atom, parts in sums.items()}, top + math.log(total)
