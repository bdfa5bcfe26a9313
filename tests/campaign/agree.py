#!/usr/bin/env python3
"""Answers that must agree though they come by different ways, on random programs.

    python3 tests/campaign/agree.py KIND [--lpmln build/lpmln] [--count N] [--seed N] [--jobs N]

compiled     from a compiled file with evidence of its own: against the oracle in Python
rows         rows beside evidence, which may contradict it and each other, of the text and of a compiled file
             that tells one atom: against the oracle in Python
output       the program that `learn -o` writes: its likelihood, by enumeration, is the one reported
checkpoint   a run that is killed at random moments and resumed: the same bits
folds        held-out likelihoods of complete data: the same as from --test with the others
chains       mc-asp on one component of 20 to 200 guessed atoms: against exact, by its own errors
uniform      hashed uniform samples: frequencies against exact shares of models
report       each probability of the JSON answer is on the page
"""

import argparse
import dataclasses
import functools
import html
import json
import math
import multiprocessing
import os
import random
import re
import subprocess
import sys
import tempfile
import time

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [os.path.join(HERE, ".."), os.path.join(HERE, "..", "oracle"), os.path.join(HERE, "..", "learn")]
import closing  # noqa: E402
import compare  # noqa: E402
import generate  # noqa: E402
import random_programs  # noqa: E402
import syntax  # noqa: E402


class Fault(Exception):
    pass


class Tool:
    def __init__(self, path, folder):
        self.path, self.folder = path, folder

    def write(self, name, text):
        with open(os.path.join(self.folder, name), "w", encoding="utf-8") as file:
            file.write(text)
        return name

    def run(self, *line, codes=(0,)):
        done = subprocess.run([self.path, *line], cwd=self.folder, capture_output=True, text=True, timeout=300,
                              stdin=subprocess.DEVNULL, check=False)
        if done.returncode not in codes:
            raise Fault(f"{' '.join(line)}: exit {done.returncode}: {done.stderr[-500:]}")
        return done

    def ask(self, *line, codes=(0,)):
        return json.loads(self.run(*line, "--format", "json", codes=codes).stdout or "null")


def label_of(seed, number, schedule=generate.SCHEDULE):
    return f"{schedule[number % len(schedule)]} {seed}/{number}"


def any_label_of(seed, number):
    """With large weights and small probabilities, too."""
    return label_of(seed, number, (*generate.SCHEDULE, "extreme", "extreme"))


# ---- exact ways --------------------------------------------------------------------------------

class Compiled(compare.Product):
    """Asks a compiled file instead of the text; the evidence comes later."""

    def write(self, program):
        super().write(program)
        path = os.path.join(self.folder, "program.lpc")
        done = subprocess.run([self.path, "compile", self.files[0], "-o", path], capture_output=True, text=True,
                              timeout=self.timeout, check=False)
        if done.returncode == 0:
            self.files[0] = path


def check_compiled(tool, seed, number):
    label = any_label_of(seed, number)
    program, answer = generate.case(label)
    product = Compiled(tool.path, tool.folder, "exact")
    difference = compare.check(product, program, answer, ("infer", "map", "models"))
    if difference:
        raise Fault(f"{label}: {difference.text}\n{syntax.listing(program)}")


def conditional(answer, literals, atom):
    """P(atom | literals) by the oracle's models; None: that is impossible."""
    agreeing = [m for m in answer.models if all((a in answer.all_atoms(m)) == bool(v) for a, v in literals)]
    if not agreeing:
        return None
    top = max(m.log_weight for m in agreeing)
    mass = [(math.exp(m.log_weight - top), atom in answer.all_atoms(m)) for m in agreeing]
    return math.fsum(w for w, holds in mass if holds) / math.fsum(w for w, _ in mass)


def literals_of(pairs):
    return "".join(f"{'' if value else 'not '}{atom}.\n" for atom, value in pairs)


def check_rows(tool, seed, number):
    label, rng = any_label_of(seed, number), random.Random(f"rows {seed}/{number}")
    program, _ = generate.case(label)
    program = dataclasses.replace(program, evidence=[])
    answer = generate.evaluate(program)
    atoms = sorted({a for m in answer.models for a in answer.all_atoms(m)})
    if len(atoms) < 2 or not answer.count:
        return
    asked, columns = rng.choice(atoms), rng.choices(atoms, k=3)  # a column may come twice
    evidence = [(rng.choice(atoms), rng.random() < 0.5) for _ in range(rng.randrange(3))]
    rows = [[rng.choice(("", "0", "1")) for _ in columns] for _ in range(4)]
    text = tool.write("p.lpmln", f"{syntax.program_text(program)}\n#show.\n#show {asked} : {asked}.\n")
    tool.write("e.obs", literals_of(evidence))
    header = ['"' + atom.replace('"', '""') + '"' for atom in columns]
    tool.write("rows.csv", "".join(",".join(row) + "\n" for row in (header, *rows)))
    tool.run("compile", text, "-o", "p.lpc")
    for source in (text, "p.lpc"):
        said = tool.ask("infer", source, "-e", "e.obs", "--data", "rows.csv", "-q", asked, codes=(0, 1)) or {}
        for row, reply in zip(rows, said.get("rows") or [{"probabilities": None}] * len(rows)):
            seen = evidence + [(a, value == "1") for a, value in zip(columns, row) if value]
            truth, found = conditional(answer, seen, asked), reply["probabilities"]
            if (truth is None) != (found is None) or (found and abs(found[0] - truth) > 1e-9):
                raise Fault(f"{label}: {source}: {found} for {asked} given {seen}, the truth is {truth}\n"
                            f"{syntax.listing(program)}")


def learning_case(tool, seed, number):
    case = random_programs.Case(label_of(f"learn{seed}", number))
    case.write(tool.folder)
    return case


def check_output(tool, seed, number):
    case = learning_case(tool, seed, number)
    prior = ["--prior", "0,2"]  # finite weights, whatever the data
    said = tool.ask("learn", "p.lpmln", "-e", "p.obs", "-o", "learned.lpmln", *prior)
    value = 0.0
    for at, (count, literals) in enumerate(case.blocks):
        block = tool.write(f"b{at}.obs", "".join(f"{'' if value_ else 'not '}{atom}.\n" for atom, value_ in literals))
        for method in ("enumerate", "exact"):
            one = tool.ask("infer", "learned.lpmln", "-e", block, "--method", method)["log_evidence"]
            value += 0.5 * count * one
    if abs(value - said["log_likelihood"]) > 1e-8 * (1 + abs(value)):
        raise Fault(f"learned program has {value}, reported {said['log_likelihood']}\n{syntax.program_text(case.program)}")


def without_notes(answer):
    """A resumed run says what it found in its checkpoint."""
    said = json.loads(answer)
    said["diagnostics"] = [d for d in said["diagnostics"] if d["severity"] != "note"]
    return json.dumps(said)


def check_checkpoint(tool, seed, number):
    case, rng = learning_case(tool, seed, number), random.Random(f"{seed}/{number}")
    line = ["learn", "p.lpmln", "-e", "p.obs", "--format", "json", "--restarts", "2",
            *rng.choice((["--optimizer", "ascent", "--rate", "0.001", "--delta", "0", "--iterations", "3000"],
                         ["--optimizer", "lbfgs", "--prior", "0,3"], ["--optimizer", "newton", "--prior", "0,3"],
                         ["--folds", "2", "--prior", "0,3"]))]
    started = time.monotonic()
    whole = without_notes(tool.run(*line).stdout)
    took = time.monotonic() - started
    for _ in range(3):
        process = subprocess.Popen([tool.path, *line, "--checkpoint", "c", "--resume"], cwd=tool.folder,
                                   stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        time.sleep(rng.uniform(0, took))
        process.kill()
        process.wait()
    resumed = without_notes(tool.run(*line, "--checkpoint", "c", "--resume").stdout)
    if resumed != whole:
        raise Fault(f"{whole}\n{resumed}\n{syntax.program_text(case.program)}")


def check_folds(tool, seed, number):
    """One observation a fold: leave one out, by hand."""
    case = learning_case(tool, seed, number)
    rng = random.Random(f"{seed}/{number}")
    models = sorted(rng.choices(case.models, k=3), key=str)
    atoms = sorted({atom for model in case.models for atom in model.atoms})
    texts = ["".join(f"{'' if atom in m.atoms else 'not '}{atom}.\n" for atom in atoms) for m in models]
    if len(set(texts)) < 3 or not atoms:
        return
    tool.write("p.obs", "---\n".join(texts))
    prior = ["--prior", "0,2"]
    said = sorted(tool.ask("learn", "p.lpmln", "-e", "p.obs", "--folds", "3", *prior)["folds"])
    held = []
    for at in range(3):
        tool.write("train.obs", "---\n".join(texts[:at] + texts[at + 1:]))
        tool.write("test.obs", texts[at])
        held.append(tool.ask("learn", "p.lpmln", "-e", "train.obs", "--test", "test.obs", *prior)["test_log_likelihood"])
    if any(abs(x - y) > 1e-5 * (1 + abs(y)) for x, y in zip(said, sorted(held))):
        raise Fault(f"folds {said}, by hand {sorted(held)}\n{syntax.program_text(case.program)}\n{texts}")


# ---- samples -------------------------------------------------------------------------------------

def component(rng, size):
    """A chain of guessed atoms with hard and soft ties: one component that compiles."""
    lines = [f"{rng.uniform(-1.5, 1.5):.3f} a({i})." if rng.random() < 0.7 else f"{{ a({i}) }}." for i in range(size)]
    for i in range(1, size):
        j = max(0, i - rng.randint(1, 3))
        kind = rng.random()
        if kind < 0.15:
            lines.append(f":- a({i}), a({j}).")
        elif kind < 0.25:
            lines.append(f":- not a({i}), not a({j}).")
        elif kind < 0.5:
            lines.append(f"d({i}) :- a({i}), not a({j}). {rng.uniform(-1, 1):.3f} :- d({i}).")
        else:
            lines.append(f"{rng.uniform(-1, 1):.3f} :- a({i}), {rng.choice(('', 'not '))}a({j}).")
    return "\n".join(lines) + "\n"


def check_chains(tool, seed, number):
    rng = random.Random(f"chains {seed}/{number}")
    size = rng.choice((20, 30, 50, 80, 120, 200))
    text = component(rng, size)
    tool.write("p.lpmln", text)
    exact = {m["atom"]: m["probability"] for m in tool.ask("infer", "p.lpmln", "--method", "exact")["marginals"]}
    said = tool.ask("infer", "p.lpmln", "--method", "mc-asp", "--samples", "500", "--seed", str(number), "--quiet")
    scores, still = [], []
    for m in said["marginals"]:
        p, error = exact.get(m["atom"]), m["error"]
        if p is None:
            continue
        if error and error > 0:
            scores.append((m["probability"] - p) / error)
        elif min(p, 1 - p) > 0.02:
            still.append((m["atom"], p))
    mean = sum(z * z for z in scores) / max(1, len(scores))
    if still or mean > 3 or max(map(abs, scores), default=0) > 8:
        raise Fault(f"size {size}: mean square {mean:.2f}, largest {max(map(abs, scores), default=0):.1f}, never changed "
                    f"{still[:3]}\n{text}")


def check_uniform(tool, seed, number):
    rng = random.Random(f"uniform {seed}/{number}")
    text = component(rng, rng.choice((14, 20, 26)))
    flat = re.sub(r"(^|(?<= ))-?\d+\.\d+ ", "0 : ", text, flags=re.M)  # every model has the same weight
    tool.write("p.lpmln", text)
    tool.write("flat.lpmln", flat)
    exact = {m["atom"]: m["probability"] for m in tool.ask("infer", "flat.lpmln", "--method", "exact")["marginals"]}
    n = 300
    drawn = tool.ask("sample", "p.lpmln", "-n", str(n), "--uniform", "--method", "mc-asp", "--seed", str(number),
                     "--quiet")["samples"]
    for atom, p in exact.items():
        share = sum(atom in sample for sample in drawn) / n
        if abs(share - p) > 6 * math.sqrt(p * (1 - p) / n) + 0.01:
            raise Fault(f"{atom}: {share} of {n} uniform samples, {p} of the models\n{text}")


# ---- pages ----------------------------------------------------------------------------------------

def check_report(tool, seed, number):
    label = label_of(seed, number)
    program, answer = generate.case(label)
    if not answer.count:
        return
    tool.write("p.lpmln", syntax.program_text(program))
    said = tool.ask("infer", "p.lpmln", "--report", "page.html")
    with open(os.path.join(tool.folder, "page.html"), encoding="utf-8") as file:
        page = html.unescape(file.read())
    for m in said["marginals"]:
        if m["atom"] not in page:
            raise Fault(f"{label}: {m['atom']} is not on the page")
        if repr(m["probability"]) not in page and f"{m['probability']:.17g}" not in page \
                and f"{m['probability']:.4f}" not in page and f"{m['probability']:.6f}" not in page:
            raise Fault(f"{label}: {m['probability']} of {m['atom']} is not on the page")


KINDS = {name[6:]: f for name, f in globals().items() if name.startswith("check_")}


def run_case(kind, lpmln, seed, number):
    with tempfile.TemporaryDirectory(prefix="lpmln-agree-") as folder:
        try:
            KINDS[kind](Tool(lpmln, folder), seed, number)
            return None
        except (Fault, subprocess.TimeoutExpired, KeyError, ValueError, TypeError) as fault:
            return f"{kind} {seed}/{number}: {type(fault).__name__} {fault}"


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("kind", choices=KINDS)
    parser.add_argument("--lpmln", default="build/lpmln")
    parser.add_argument("--count", type=int, default=100)
    parser.add_argument("--seed", default="1")
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--case", type=int, help="only this number")
    options = parser.parse_args()
    numbers = range(options.count) if options.case is None else [options.case]
    tally, lpmln = closing.Tally(), os.path.realpath(options.lpmln)
    with multiprocessing.Pool(options.jobs) as pool:
        for fault in pool.imap_unordered(functools.partial(run_case, options.kind, lpmln, options.seed), numbers):
            tally.check(fault, not fault)
    return tally.close(asked=len(numbers))


if __name__ == "__main__":
    sys.exit(main())
