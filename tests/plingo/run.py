"""plingo's language and P-log, read by lpmln.

Random programs: those in plingo's own mode are rewritten for clingo as plingo's
documentation says (tests/write/evaluate.py); the worlds of P-log programs
are enumerated here, attribute by attribute, from the definition.  Neither shares
code with lpmln.
"""

import argparse
import itertools
import json
import os
import random
import re
import subprocess
import sys
import tempfile
from fractions import Fraction

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "write"))
import evaluate  # noqa: E402
import pool  # noqa: E402

TOLERANCE = 1e-9


def options_of(arguments):
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--lpmln", default="build/lpmln")
    parser.add_argument("--count", type=int, default=500)
    parser.add_argument("--seed", default="1")
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--hostile", action="store_true", help="texts with errors instead")
    return parser.parse_args(arguments)


def infer(options, text, *more):
    """Exit code, and the probability of each atom that is neither certain nor impossible."""
    with tempfile.NamedTemporaryFile("w", suffix=".plingo") as file:
        file.write(text)
        file.flush()
        done = subprocess.run([options.lpmln, "infer", file.name, "--format", "json", "--quiet", *more],
                              capture_output=True, text=True, timeout=60)
    if done.returncode:
        return done.returncode, done.stderr
    return 0, {m["atom"]: m["probability"] for m in json.loads(done.stdout)["marginals"]}


def difference(code, found, expected, asked=()):
    """None, or what is wrong; expected is None if there is no model."""
    if expected is None:
        return None if code == 1 else f"exit {code} for a program without models"
    if code:
        return f"exit {code}: {found}"
    for atom in expected.keys() | set(asked):
        there = expected.get(atom, 0.0)
        if abs(found.get(atom, round(there)) - there) > TOLERANCE:
            return f"P({atom}) = {found.get(atom)}, not {there}"
    return None


# ---- plingo's own mode ---------------------------------------------------------------

STATEMENTS = (
    "{{ p(X) }} :- d(X).", "{{ r ; s }}.", "q(X) :- p(X), not {a}.", "s :- {a}, not q(2).", "{{ {a} }}.",
    "{a} :- {b}, &weight({w}).", "{a} :- &log({o}).", "{a} :- {b}, not {a2}, &problog({p}).",
    "q(X) :- &weight({w}), p(X).", "q(X) :- d(X), &log({o}); not s.", ":- p(X), q(X), &weight({w}).",
    ":- {a}, not {b}, &problog({p}).", "{{ r ; s ; {a} }} = 1 :- {b}, &weight({w}).",
    "1 {{ p(X) : d(X) }} 1 :- &log({o}).", "{{ p(X) ; r }} 1 :- q(X), &weight({w}).",
    "p(1..2) :- {b}, &weight({w}).", "q(1;2) :- &log({o}).", ":- p(1..2), &weight({w}).",
    ":~ {a}. [{w}@0,1]", ":~ p(X). [{w}@0,X]", ":~ q(X). [{w}@0,X]", ":~ {a}, not {b}. [{w}@0]",
    ":~ p(X), not q(X). [{w}@0,X,(X,a)]", "&evidence({a}).", "&evidence({a}, false).")
ATOMS = ("r", "s", "p(1)", "p(2)", "q(1)", "q(2)")


def random_plingo(rng):
    lines = ["d(1..2).", "{ p(X) } :- d(X)."]
    for _ in range(rng.randint(3, 8)):
        a, a2, b = rng.sample(ATOMS, 3)
        lines.append(rng.choice(STATEMENTS).format(
            a=a, a2=a2, b=b, w=rng.choice(("1", "2", '"0.5"', '"-0.7"', '"2/3"', '"-1.25"', "0")),
            o=rng.choice(('"0.3/0.7"', '"2"', '"0.4"', '"1/3"')), p=rng.choice(('"0.2"', '"0.7"', '"1/3"'))))
    return "\n".join(lines) + "\n"


def check_plingo(options, rng):
    text = random_plingo(rng)
    models = evaluate.plingo_models(text)
    code, found = infer(options, text)
    expected = None
    if models:
        expected = {atom: p for atom, p in evaluate.marginals(models)[0].items()
                    if not atom.startswith(("lost(", "d("))}
    wrong = difference(code, found, expected, ATOMS)
    return wrong and f"{wrong}\n{text}"


# ---- P-log ------------------------------------------------------------------------------

class Attribute:
    """a_i, or a_i(k) for k = 1, 2, with values, a condition on earlier attributes,
    and probabilities that depend on them."""

    def __init__(self, rng, number, earlier):
        self.name = f"a{number}"
        self.indexed = rng.random() < 0.3
        self.named = rng.random() < 0.3  # &random(r(I))
        self.values = ["t", "f"] if rng.random() < 0.6 else ["u", "v", "w"]
        self.condition = random_condition(rng, earlier) if rng.random() < 0.3 else ()
        self.chances = []
        for _ in range(rng.randint(0, 3)):
            value = rng.choice(self.values)
            text = rng.choice(("1/4", "0.3", "1/6", "0.125", "2/7"))
            condition = random_condition(rng, earlier) if rng.random() < 0.6 else ()
            if value not in (v for v, _, _ in self.chances):
                self.chances.append((value, Fraction(text), condition))

    def keys(self):
        return [(self.name, k) for k in ((1, 2) if self.indexed else (None,))]

    def atom(self, value, key="K"):
        return f"{self.name}({key},{value})" if self.indexed else f"{self.name}({value})"

    def text(self):
        body = [literal_text(c) for c in self.condition] + (["k(K)"] if self.indexed else [])
        name = f"(r_{self.name}{'(K)' if self.indexed else ''})" if self.named else ""
        lines = [f"range_{self.name}({';'.join(self.values)}).",
                 f"&random{name} {{ {self.atom('Y')} : range_{self.name}(Y) }}{rule_body(body)}."]
        for value, chance, condition in self.chances:
            body = [literal_text(c) for c in condition] + (["k(K)"] if self.indexed else [])
            lines.append(f'&pr{name} {{ {self.atom(value)} }} = "{chance}"{rule_body(body)}.')
        return lines


def rule_body(literals):
    return f" :- {', '.join(literals)}" if literals else ""


def random_condition(rng, earlier):
    """Some (attribute, key, value, negated)."""
    found = []
    for attribute in rng.sample(earlier, min(len(earlier), rng.randint(0, 2))):
        _, key = rng.choice(attribute.keys())
        found.append((attribute, key, rng.choice(attribute.values), rng.random() < 0.3))
    return tuple(found)


def literal_text(condition):
    attribute, key, value, negated = condition
    return ("not " if negated else "") + attribute.atom(value, key)


def holds(condition, world):
    return all((world.get((attribute.name, key)) == value) != negated
               for attribute, key, value, negated in condition)


def outcome_chance(attribute, value, world):
    """None: the world is impossible, as plingo's meta encoding has it."""
    given = {v: p for v, p, condition in attribute.chances if holds(condition, world)}
    if value in given:
        return given[value]
    left = 1 - sum(given.values())
    return left / (len(attribute.values) - len(given)) if left > 0 else None


def worlds(attributes, done):
    """Pairs (values by key, probability)."""
    found = [({}, Fraction(1))]
    for attribute in attributes:
        for key in attribute.keys():
            found = [step for world, p in found for step in steps(attribute, key, world, p, done)]
    return found


def steps(attribute, key, world, p, done):
    active = holds(attribute.condition, world)
    if key in done:  # set, whether or not the attribute is random here
        yield {**world, key: done[key]}, p
    elif not active:
        yield world, p
    else:
        for value in attribute.values:
            chance = outcome_chance(attribute, value, world)
            if chance is not None:
                yield {**world, key: value}, p * chance


def random_plog(rng):
    attributes = []
    for number in range(rng.randint(1, 4)):
        attributes.append(Attribute(rng, number, list(attributes)))
    lines = ["k(1..2)."] + list(itertools.chain(*(a.text() for a in attributes)))
    done, observed = {}, []
    for attribute in attributes:
        for key in attribute.keys():
            value = rng.choice(attribute.values)
            kind = rng.random()
            if kind < 0.15:
                done[key] = value
                lines.append(f"&do {{ {attribute.atom(value, key[1])} }}.")
            elif kind < 0.3:
                wanted = rng.random() < 0.6
                observed.append((key, value, wanted))
                lines.append(f"&obs {{ {attribute.atom(value, key[1])} }}{'' if wanted else ' = false'}.")
    return attributes, done, observed, "\n".join(lines) + "\n"


def check_plog(options, rng):
    attributes, done, observed, text = random_plog(rng)
    consistent = [(w, p) for w, p in worlds(attributes, done)
                  if all((w.get(key) == value) == wanted for key, value, wanted in observed)]
    total = sum(p for _, p in consistent)
    atoms = {(key, value): attribute.atom(value, key[1]) for attribute in attributes
             for key in attribute.keys() for value in attribute.values}
    expected = None
    if total:
        expected = {atom: float(sum(p for w, p in consistent if w.get(key) == value) / total)
                    for (key, value), atom in atoms.items()}
    code, found = infer(options, text)
    wrong = difference(code, found, expected)
    return wrong and f"{wrong}\n{text}"


# ---- the alarm network ---------------------------------------------------------------------

ALARM = """
burglary :- &problog("0.001").
earthquake :- &problog("0.002").
alarm :- burglary, earthquake, &problog("0.95").
alarm :- burglary, not earthquake, &problog("0.94").
alarm :- not burglary, earthquake, &problog("0.29").
alarm :- not burglary, not earthquake, &problog("0.001").
calls(john) :- alarm, &problog("0.9").
calls(john) :- not alarm, &problog("0.05").
calls(mary) :- alarm, &problog("0.7").
calls(mary) :- not alarm, &problog("0.01").
&evidence(calls(john)).
&evidence(calls(mary)).
&query(burglary).
"""


def alarm_by_hand():
    """P(burglary | both call), summed over the network."""
    alarm = {(1, 1): .95, (1, 0): .94, (0, 1): .29, (0, 0): .001}
    mass = {0: 0.0, 1: 0.0}
    for b, e, a in itertools.product((0, 1), repeat=3):
        p = (.001 if b else .999) * (.002 if e else .998)
        p *= alarm[b, e] if a else 1 - alarm[b, e]
        mass[b] += p * (.9 * .7 if a else .05 * .01)
    return mass[1] / (mass[0] + mass[1])


def check_alarm(options, _):
    expected = alarm_by_hand()
    assert abs(expected - 0.284172) < 5e-7
    code, found = infer(options, ALARM, "--problog-clauses")
    wrong = difference(code, found, {"burglary": expected})
    if wrong:
        return f"as ProbLog: {wrong}"
    code, found = infer(options, ALARM)
    soft = evaluate.marginals(evaluate.plingo_models(ALARM))[0]["burglary"]
    return difference(code, found, {"burglary": soft})


# ---- hostile texts -------------------------------------------------------------------------

PIECES = ("&weight(", '&weight("1/0").', "&", "&pr", "{", "}", "(", ")", "[", "]", "@0", ":~", ":-", ".", '"',
          "&random { ", ' = "0.5"', ", ", ";", "not ", "#", "%*", "\\", "1e999", "-", "X", "_", "&query(", "&obs{",
          "\x00", "\u00e9", "(" * 70, "9" * 30, ":", "|", "..", "&do { a0(t) }.", "&evidence(", ", maybe)")


def mutated(rng):
    text = random_plingo(rng) if rng.random() < 0.5 else random_plog(rng)[3]
    for _ in range(rng.randint(1, 4)):
        at, kind = rng.randrange(len(text)), rng.random()
        if kind < 0.4:
            text = text[:at] + rng.choice(PIECES) + text[at:]
        elif kind < 0.7:
            text = text[:at] + text[at + rng.randint(1, 12):]
        else:
            other = rng.randrange(len(text))
            text = text[:at] + text[other:other + rng.randint(1, 20)] + text[at:]
        text = text or "a."
    return text


def check_hostile(options, rng):
    """A number, no model, or a message with its place."""
    text = mutated(rng)
    code, said = infer(options, text, "--time-limit", "20")
    if code not in (0, 1, 3, 4):
        return f"exit {code}: {said}\n{text!r}"
    if code == 3 and not re.search(r"\.plingo:\d+:\d+: error: ", said):
        return f"no place: {said}\n{text!r}"
    return None


# ---- running them ------------------------------------------------------------------------------

CHECKS = {"plingo": check_plingo, "plog": check_plog, "alarm": check_alarm, "hostile": check_hostile}


def one(job):
    options, kind, number = job
    try:
        return f"{kind} {number}", CHECKS[kind](options, random.Random(f"{kind} {options.seed}/{number}"))
    except Exception as fault:  # a fault of one program must not hide the others
        return f"{kind} {number}", repr(fault)


def main(arguments):
    options = options_of(arguments)
    kinds = ("hostile",) if options.hostile else ("plingo", "plog")
    jobs = [(options, kind, i) for kind in kinds for i in range(options.count)]
    if not options.hostile:
        jobs.append((options, "alarm", 0))
    return pool.run(one, jobs, options.jobs)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
