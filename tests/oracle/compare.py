"""Asks lpmln about a program and compares with the oracle's answer.

A check returns None or a Difference; its kind tells the shrinker whether a
smaller program still shows the same fault.
"""

import collections
import json
import os
import subprocess

import syntax

Difference = collections.namedtuple("Difference", "kind text")
Reply = collections.namedtuple("Reply", "code json error")

TOLERANCE = 1e-9
LISTED = 3  # how many models 'lpmln models' is asked for


class Product:
    """The lpmln program, called on files in a folder of its own."""

    def __init__(self, path, folder, method="auto", extra=(), timeout=60):
        self.path, self.folder = path, folder
        self.options = ["--format", "json", "--method", method, *extra]
        self.timeout = timeout

    def write(self, program):
        self.files = [self._file("program.lp", syntax.program_text(program))]
        if program.evidence:
            self.files += ["-e", self._file("evidence.lp", syntax.evidence_text(program))]

    def _file(self, name, text):
        path = os.path.join(self.folder, name)
        with open(path, "w", encoding="utf-8") as out:
            out.write(text)
        return path

    def ask(self, command, *more):
        line = [self.path, command, *self.files, *self.options, *more]
        try:
            done = subprocess.run(line, capture_output=True, text=True, timeout=self.timeout,
                                  stdin=subprocess.DEVNULL, check=False)
        except subprocess.TimeoutExpired:
            return Reply("timeout", None, "")
        try:
            return Reply(done.returncode, json.loads(done.stdout or "null"), done.stderr)
        except ValueError:
            return Reply("not JSON", None, done.stdout)


def close(left, right):
    return (isinstance(left, (int, float))
            and abs(left - right) <= TOLERANCE * max(1.0, abs(right)))


def check_number(what, reply, expected):
    if close(reply, expected):
        return None
    return Difference(what.split()[0], f"{what}: lpmln {reply!r}, oracle {expected!r}")


def first(differences):
    return next((difference for difference in differences if difference), None)


# ---- one command at a time ---------------------------------------------------------

def check_marginals(listed, answer):
    for atom in sorted(answer.certain | set(answer.marginals)):
        fixed = atom in answer.certain or atom in answer.impossible
        p = answer.marginals.get(atom, 1.0)
        if atom not in listed:
            # Neither certain nor impossible, but a double cannot tell.
            if not (close(p, 0.0) or close(p, 1.0)):
                yield Difference("marginal", f"marginal of {atom}: not listed, oracle {p!r}")
        elif fixed:
            yield Difference("fixed", f"{atom} is listed, but always {p:g} in the oracle")
        else:
            yield check_number(f"marginal of {atom}", listed[atom], p)
    for atom in sorted(set(listed) - set(answer.marginals) - answer.certain):
        yield Difference("unknown", f"marginal of {atom}: the oracle has no such atom")


def check_infer(reply, answer):
    yield check_number("log_partition", reply["log_partition"], answer.log_partition)
    yield check_number("log_evidence", reply["log_evidence"], answer.log_evidence)
    listed = {entry["atom"]: entry["probability"] for entry in reply["marginals"]}
    if len(listed) < len(reply["marginals"]):
        yield Difference("twice", "infer lists an atom twice")
    yield from check_marginals(listed, answer)


def check_model(what, entry, model, answer):
    yield check_number(f"log_weight of {what}", entry["log_weight"], model.log_weight)
    yield check_number(f"probability of {what}", entry["probability"], answer.probability(model))
    if len(entry["violated"]) != len(model.violated):
        yield Difference("violated", f"{what} violates {len(model.violated)} instances in the "
                                     f"oracle, lpmln lists {len(entry['violated'])}")


def check_listed(entries, answer):
    """Every listed model is one, and none is listed twice."""
    known = {answer.all_atoms(model): model for model in answer.models}
    seen = set()
    for entry in entries:
        atoms = frozenset(entry["atoms"])
        what = "{" + ", ".join(sorted(atoms)) + "}"
        if atoms not in known:
            yield Difference("model", f"{what} is no model in the oracle")
        elif atoms in seen:
            yield Difference("twice", f"{what} is listed twice")
        else:
            yield from check_model(what, entry, known[atoms], answer)
        seen.add(atoms)


def check_map(reply, answer):
    yield from check_listed(reply["models"], answer)
    found = {frozenset(entry["atoms"]) for entry in reply["models"]}
    best = {answer.all_atoms(model) for model in answer.best()}
    if found != best:
        yield Difference("map", f"map: lpmln finds {len(found)} models, the oracle "
                                f"{len(best)}; {len(found & best)} of them the same")


def check_models(reply, answer):
    if reply["count"] != str(answer.count):
        yield Difference("count", f"count: lpmln {reply['count']!r}, oracle {answer.count}")
    entries = reply["models"]
    yield from check_listed(entries, answer)
    top = sorted((model.log_weight for model in answer.models), reverse=True)[:LISTED]
    if len(entries) != len(top):
        yield Difference("list", f"models -n {LISTED} lists {len(entries)} of {answer.count}")
    for entry, expected in zip(entries, top):
        yield check_number("order: log_weight", entry["log_weight"], expected)


COMMANDS = {"infer": (check_infer, ()), "map": (check_map, ()),
            "models": (check_models, ("-n", str(LISTED)))}


def check_command(product, command, answer):
    compare, more = COMMANDS[command]
    reply = product.ask(command, *more)
    expected = 0 if answer.count else 1
    if reply.code != expected:
        return Difference(f"exit {reply.code}", f"{command}: exit {reply.code}, oracle says "
                                                f"{expected}\n{reply.error}".rstrip())
    if expected:  # no stable model, or none that agrees with the evidence
        return None
    try:
        if reply.json["complete"] is not True:
            return Difference("complete", f"{command}: the answer is marked as incomplete")
        difference = first(compare(reply.json, answer))
    except (KeyError, TypeError) as error:
        return Difference("fields", f"{command}: {type(error).__name__} {error}")
    return difference and Difference(f"{command} {difference.kind}",
                                     f"{command}: {difference.text}")


def check(product, program, answer, commands):
    product.write(program)
    return first(check_command(product, command, answer) for command in commands)
