"""`lpmln check` on random programs: tight, simple, coherent.

What check finds on the circuit is compared with what enumeration gives: all
stable models, counted by their soft atoms.  The reason that check gives for a
program that is not coherent names two assignments and their numbers of stable
models; these are looked up as well, and so is the loop of one that is not tight.
"""

import argparse
import collections
import itertools
import json
import multiprocessing
import os
import random
import re
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
import closing  # noqa: E402


def options_of(arguments):
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--lpmln", default="build/lpmln")
    parser.add_argument("--count", type=int, default=300)
    parser.add_argument("--seed", default="1")
    parser.add_argument("--jobs", type=int, default=2)
    return parser.parse_args(arguments)


def literals(r, atoms, most):
    chosen = r.sample(atoms, r.randint(1, min(most, len(atoms))))
    return [(a, r.random() < 0.4) for a in chosen]


def written(body):
    return ", ".join(("not " if negated else "") + a for a, negated in body)


def make(r):
    """A program as text, its soft atoms, and its rules (head, body) for loops."""
    soft = [f"s{i}" for i in range(r.randint(1, 4))]
    free = [f"c{i}" for i in range(r.randint(0, 3))]
    derived = [f"d{i}" for i in range(r.randint(0, 4))]
    lines = [f"{r.choice(['1', '-0.5', '@w(x)'])} {a}." for a in soft]
    if r.random() < 0.3:
        lines.append(f"2 {r.choice(soft)}.")
    every, rules = soft + free + derived, []
    for c in free:
        if r.random() < 0.5:
            lines.append(f"{{{c}}}.")
        else:
            body = literals(r, soft + free, 2)
            lines.append(f"{{{c}}} :- {written(body)}.")
            rules.append((c, body))
    for d in derived:
        for _ in range(r.randint(1, 2)):
            body = literals(r, every, 3)
            lines.append(f"{d} :- {written(body)}.")
            rules.append((d, body))
    for _ in range(r.choice([0, 0, 0, 1, 2])):
        lines.append(f":- {written(literals(r, free + derived or soft, 3))}.")
    r.shuffle(lines)
    return "\n".join(lines) + "\n", soft, rules


def ask(options, command, name, *more):
    done = subprocess.run([options.lpmln, command, name, "--quiet", "--format", "json", *more],
                          capture_output=True, text=True, timeout=60)
    return done.returncode, json.loads(done.stdout) if done.stdout else None


def counts_of(models, soft):
    counts = collections.Counter()
    for model in models:
        counts[tuple(a in model["atoms"] for a in soft)] += 1
    return [counts[key] for key in itertools.product((False, True), repeat=len(soft))], counts


def reason_fits(reason, counts, soft):
    """Both assignments of the reason have the numbers it says."""
    found = re.fullmatch(r"\{(.*)\} has (\w+) stable models?, \{(.*)\} has (\w+)", reason)
    if not found:
        return reason.startswith("no stable model has ")
    for text, number in (found.groups()[:2], found.groups()[2:]):
        said = {part.removeprefix("not "): not part.startswith("not ") for part in text.split(", ")}
        fitting = {counts[key] for key in itertools.product((False, True), repeat=len(soft))
                   if all(said.get(a, v) == v for a, v in zip(soft, key))}
        # atoms that are left out belong to other components: the numbers are multiples
        least = 0 if number in ("no", "none") else int(number)
        if any(n % least if least else n for n in fitting):
            return False
    return found.group(2) != found.group(4)


def loop_is_there(loop, rules):
    """Each atom has a rule with the next one in its body."""
    atoms = loop.split(", ") if loop else []
    return all(any(head == a and (b, False) in body for head, body in rules)
               for a, b in zip(atoms, atoms[1:] + atoms[:1]))


def check(options, number):
    r = random.Random(f"{options.seed}/{number}")
    text, soft, rules = make(r)
    with tempfile.NamedTemporaryFile("w", suffix=".lpmln") as file:
        file.write(text)
        file.flush()
        code, answer = ask(options, "check", file.name)
        status, models = ask(options, "models", file.name, "--method", "enumerate", "-n", "0")
    if status == 1 and code in (0, 1):
        return None if answer["coherent"] is None else f"no stable model, but coherent\n{text}"
    if code or status or not answer["simple"]:
        return f"exit codes {code} and {status}, simple {answer and answer['simple']}\n{text}"
    if answer["tight"] != (answer["loop"] is None) or not loop_is_there(answer["loop"], rules):
        return f"wrong loop: {answer['loop']}\n{text}"
    numbers, counts = counts_of(models["models"], soft)
    k = numbers[0] if len(set(numbers)) == 1 else None
    if answer["coherent"] != k:
        return f"{answer['coherent']}-coherent, but by enumeration {k}\n{text}"
    if k is None and not reason_fits(answer["coherence_reason"], counts, soft):
        return f"wrong reason: {answer['coherence_reason']}\n{text}{dict(counts)}"
    return None


def one(job):
    try:
        return job[1], check(*job)
    except Exception as fault:  # a fault of one program must not hide the others
        return job[1], repr(fault)


def main(arguments):
    options = options_of(arguments)
    tally = closing.Tally()
    with multiprocessing.Pool(options.jobs) as pool:
        for number, wrong in pool.imap(one, [(options, i) for i in range(options.count)], chunksize=8):
            tally.check(f"{number}: {wrong}", not wrong)
    return tally.close(asked=options.count)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
