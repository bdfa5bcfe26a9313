"""`lpmln translate --to plingo`, read by plingo itself.

plingo is no package of Debian's: it is installed below build/plingo on the first run; where
that does not work, all programs are skipped.

    python3 tests/write/real_plingo.py --lpmln build/lpmln --count 100

plingo rounds weights; here it counts in units of 1e-7 instead of its 1e-5, and
probabilities agree to that.  Programs with weights too large for it are left out.
"""

import os
import subprocess
import sys
import tempfile

import formats
import evaluate
import generate
from syntax import evidence_text, listing, program_text

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
import closing  # noqa: E402
import peers  # noqa: E402

POWER = 7
TOLERANCE = 1e-5


def plingo_models(text):
    from clingo import Control  # here: only the Python of build/plingo has them
    from clingo.application import Flag
    from clingo.ast import ProgramBuilder, parse_string
    from plingo.plingo_app import THEORY
    from plingo.transformer import PlingoTransformer
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
        text = formats.translate(options, folder, "plingo")
    models = plingo_models(text)
    if len(models) != answer.count:
        return f"{len(models)} models, the oracle has {answer.count}\n{listing(program)}\n{text}"
    if models:
        found, _ = evaluate.marginals(models)
        for atom, expected in answer.marginals.items():
            if abs(found.get(atom, 0.0) - expected) > TOLERANCE:
                return f"P({atom}) = {found.get(atom)}, the oracle's is {expected}\n{listing(program)}\n{text}"
    return None


def run(options):
    tally = closing.Tally()
    for i in range(options.count):
        label = f"{generate.SCHEDULE[i % len(generate.SCHEDULE)]} {options.seed}/{i}"
        try:
            wrong = check(options, options.label or label)
        except Exception as fault:  # plingo's own
            wrong = repr(fault)
        tally.check(f"{label}: {wrong}", not wrong)
    return tally.close(asked=options.count)


def main(arguments):
    options = formats.options_of(arguments)
    if os.environ.get("WITH_PLINGO"):
        return run(options)
    python = peers.python_with("plingo", "plingo", "import plingo.plingo_app, clingo")
    if not python:
        tally = closing.Tally()
        tally.skip("plingo can't be installed here", options.count)
        return tally.close(asked=options.count)
    return subprocess.run([python, os.path.abspath(__file__), *arguments], check=False,
                          env=dict(os.environ, WITH_PLINGO="1")).returncode


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
