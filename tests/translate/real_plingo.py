"""`lpmln translate --to plingo`, read by plingo itself.

Not part of `make test`: it needs plingo, which Debian does not have.

    python3 -m venv VENV && VENV/bin/pip install plingo
    VENV/bin/python tests/translate/real_plingo.py

plingo rounds weights; here it counts in units of 1e-7 instead of its 1e-5, and
probabilities agree to that.  Programs with weights too large for it are left out.
"""

import os
import sys
import tempfile

from clingo import Control
from clingo.application import Flag
from clingo.ast import ProgramBuilder, parse_string
from plingo.plingo_app import THEORY
from plingo.transformer import PlingoTransformer

import targets
import evaluate
import generate
from syntax import evidence_text, listing, program_text

POWER = 7
TOLERANCE = 1e-5


def plingo_models(text):
    control = Control(["0", f"--opt-mode=enum,{2 ** 63 - 1}", "--warn=none"])
    transformer = PlingoTransformer(["plingo", Flag(False), Flag(False), POWER])
    control.add("base", [], THEORY)
    with ProgramBuilder(control) as builder:
        parse_string(text, lambda s: builder.add(transformer.visit(s, builder=builder)))
    control.ground([("base", [])])
    models = []
    control.configuration.solve.models = 0
    with control.solve(yield_=True) as handle:
        for model in handle:
            cost = model.cost[-1] if model.cost else 0
            models.append((-cost * 10.0 ** -POWER, {str(atom) for atom in model.symbols(atoms=True)}))
    return models


def check(options, label):
    program, answer = generate.case(label)
    with tempfile.TemporaryDirectory() as folder:
        for name, text in (("p.lpmln", program_text(program)), ("p.obs", evidence_text(program))):
            with open(os.path.join(folder, name), "w", encoding="utf-8") as file:
                file.write(text)
        text = targets.translate(options, folder, "plingo")
    models = plingo_models(text)
    if len(models) != answer.count:
        return f"{len(models)} models, the oracle has {answer.count}\n{listing(program)}\n{text}"
    if models:
        found, _ = evaluate.marginals(models)
        for atom, expected in answer.marginals.items():
            if abs(found.get(atom, 0.0) - expected) > TOLERANCE:
                return f"P({atom}) = {found.get(atom)}, the oracle's is {expected}\n{listing(program)}\n{text}"
    return None


def main(arguments):
    options = targets.options_of(arguments)
    failed = 0
    for i in range(options.count):
        label = f"{generate.SCHEDULE[i % len(generate.SCHEDULE)]} {options.seed}/{i}"
        try:
            wrong = check(options, options.label or label)
        except Exception as fault:  # plingo's own
            wrong = repr(fault)
        if wrong:
            failed += 1
            print(f"FAILED {label}: {wrong}")
    print(f"{options.count - failed} passed, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
