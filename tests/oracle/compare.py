"""Asks lpmln about a program and compares with the oracle's answer.

A check returns None or a Difference; its kind tells the shrinker whether a
smaller program still shows the same fault.
"""

import collections
import json
import os
import signal
import subprocess
from dataclasses import replace
import sys

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

    def begin(self, commands):
        """These are asked next."""

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


def overdue(*_):
    raise TimeoutError


class Served(Product):
    """The library behind build/ask: many programs in one process, all questions about one of
    them to one handle.  Starting lpmln costs more than most answers."""

    LETTERS = {"infer": "i", "map": "m", "models": "l"}

    def __init__(self, path, method, timeout=60):
        self.path, self.method, self.timeout, self.process = path, method, timeout, None
        signal.signal(signal.SIGALRM, overdue)

    def write(self, program):
        self.texts = [syntax.program_text(program).encode(), b""]
        self.sizes = [len(self.texts[0]), -1]
        if program.evidence:
            self.texts[1] = syntax.evidence_text(program).encode()
            self.sizes[1] = len(self.texts[1])

    def begin(self, commands):
        letters = "".join(dict.fromkeys(self.LETTERS[command.split()[0]] for command in commands))
        if "infer --counts" in commands:
            letters = letters.replace("i", "c")
        self.replies = {}
        signal.setitimer(signal.ITIMER_REAL, len(letters) * self.timeout)
        try:
            self.exchange(letters)
        except (OSError, ValueError, TimeoutError) as error:
            self.stop()
            lost = Reply("timeout" if isinstance(error, TimeoutError) else "lost", None, "")
            self.replies = collections.defaultdict(lambda: lost, self.replies)
        finally:
            signal.setitimer(signal.ITIMER_REAL, 0)

    def exchange(self, letters):
        if not self.process:
            worker = os.path.join(os.path.dirname(self.path), "lpmln-worker")
            self.process = subprocess.Popen([self.path], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                            env={**os.environ, "LPMLN_TEST_WORKER": worker})
        self.process.stdin.write(f"{self.method} {letters} {LISTED} {self.sizes[0]} {self.sizes[1]}\n".encode()
                                 + b"".join(self.texts))
        self.process.stdin.flush()
        for letter in letters:
            code, size, messages = map(int, self.process.stdout.readline().split())
            answer, said = self.process.stdout.read(size), self.process.stdout.read(messages)
            self.replies[letter] = Reply(code, json.loads(answer or "null"), said.decode())

    def ask(self, command, *more):
        letter = "c" if "c" in self.replies and command == "infer" else self.LETTERS[command]
        return self.replies[letter]

    def stop(self):
        if self.process:
            self.process.kill()
            self.process.communicate()
            self.process = None


def close(left, right):
    return (isinstance(left, (int, float))
            and abs(left - right) <= TOLERANCE * max(1.0, abs(right)))


def close_relative(left, right):
    """Small probabilities have as many digits as large ones."""
    return (isinstance(left, (int, float))
            and abs(left - right) <= TOLERANCE * abs(right) + sys.float_info.min)


def check_number(what, reply, expected, near=close):
    if near(reply, expected):
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
            if not fixed:
                yield Difference("marginal", f"marginal of {atom}: not listed, oracle {p!r}")
        elif fixed:
            yield Difference("fixed", f"{atom} is listed, but always {p:g} in the oracle")
        else:
            yield check_number(f"marginal of {atom}", listed[atom]["probability"], p,
                               close_relative)
            yield check_number(f"log_probability of {atom}", listed[atom]["log_probability"],
                               answer.log_marginals[atom])
    for atom in sorted(set(listed) - set(answer.marginals) - answer.certain):
        yield Difference("unknown", f"marginal of {atom}: the oracle has no such atom")


def check_infer(reply, answer):
    yield check_number("log_partition", reply["log_partition"], answer.log_partition)
    yield check_number("log_evidence", reply["log_evidence"], answer.log_evidence)
    listed = {entry["atom"]: entry for entry in reply["marginals"]}
    if len(listed) < len(reply["marginals"]):
        yield Difference("twice", "infer lists an atom twice")
    yield from check_marginals(listed, answer)


def check_model(what, entry, model, answer):
    yield check_number(f"log_weight of {what}", entry["log_weight"], float(model.log_weight))
    yield check_number(f"probability of {what}", entry["probability"], answer.probability(model),
                       close_relative)
    yield check_number(f"log_probability of {what}", entry["log_probability"],
                       answer.log_probability(model))
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
    top = sorted((answer.log_probability(m) for m in answer.models), reverse=True)[:LISTED]
    if len(entries) != len(top):
        yield Difference("list", f"models -n {LISTED} lists {len(entries)} of {answer.count}")
    for entry, expected in zip(entries, top):
        yield check_number("order: log_probability", entry["log_probability"], expected)


def check_counts(reply, answer):
    """E[n] of each soft rule, given the evidence; its instances may have parameters of their own."""
    said = collections.Counter()
    for row in reply["counts"]:
        said[row["line"] - answer.first_line] += row["expected_given_evidence"]
        if row["expected"] < -TOLERANCE or row["expected"] > row["instances"] + TOLERANCE:
            yield Difference("range", f"E[n] = {row['expected']} of {row['instances']} instances: {row['rule']}")
    for origin in sorted(set(said) | set(answer.expected)):
        yield check_number(f"E[n] of rule {origin + 1}", said[origin], answer.expected[origin])


COMMANDS = {"infer": (check_infer, ()), "infer --counts": (check_counts, ("--counts",)), "map": (check_map, ()),
            "models": (check_models, ("-n", str(LISTED)))}


def check_command(product, command, answer):
    compare, more = COMMANDS[command]
    reply = product.ask(command.split()[0], *more)
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
    product.begin(commands)
    answer.first_line = len(syntax.facts_text(program.facts)) + len(program.domains) + 1
    return first(check_command(product, command, answer) for command in commands)
