"""Random programs: lpmln against the oracle.

    python3 tests/oracle/run.py --lpmln build/lpmln --count 3000 --large 300
    python3 tests/oracle/run.py --lpmln build/lpmln --case 'headcycle 1/17'
    python3 tests/oracle/run.py --self-test

A program is named by its label, 'CLASS SEED/NUMBER', which is all that is
needed to make it again.  A fault is printed with its label, the program cut
down to what is needed, and both answers.
"""

import argparse
import functools
import json
import multiprocessing
import os
import shlex
import sys
import tempfile
import traceback

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
import closing  # noqa: E402
import generate  # noqa: E402
import selftest
from compare import LISTED, Product, Served, check
from shrink import shrink
from syntax import listing

MODELS_EVERY = 3  # 'lpmln models' is asked about every third program
TOO_HARD = "too hard"  # an answer that did not come in time is no wrong one
COUNTS_EVERY = 4  # likewise expected counts


def options_of(arguments):
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--lpmln", default="build/lpmln", help="the program under test")
    parser.add_argument("--count", type=int, default=3000, help="programs of up to 12 atoms")
    parser.add_argument("--large", type=int, default=0, help="programs of 30 to 60 atoms")
    parser.add_argument("--seed", default="1")
    parser.add_argument("--class", dest="only", choices=generate.CLASSES, help="only this class")
    parser.add_argument("--case", action="append", default=[], metavar="LABEL",
                        help="only the program of this label; may be repeated")
    parser.add_argument("--method", default="auto", choices=("auto", "enumerate", "exact", "both"),
                        help="both: exact and enumerate, one after the other")
    parser.add_argument("--served", metavar="ASK", help="build/ask instead of the program: many questions in a process")
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--extra-args", type=shlex.split, default=[], help="more for lpmln")
    parser.add_argument("--timeout", type=float, default=60, help="seconds per call")
    parser.add_argument("--most-faults", type=int, default=20, help="stop after so many")
    parser.add_argument("--self-test", action="store_true", help="check the oracle itself")
    return parser.parse_args(arguments)


def labels(options):
    if options.case:
        return options.case
    schedule = (options.only,) if options.only else (*generate.SCHEDULE, "extreme")
    kinds = [""] * options.count + [" large"] * options.large
    return [f"{schedule[i % len(schedule)]} {options.seed}/{i}{kind}"
            for i, kind in enumerate(kinds)]


def commands_for(label):
    number = int(label.split()[1].rpartition("/")[2])
    if number % COUNTS_EVERY == 1:
        return "infer", "infer --counts", "map"
    return ("infer", "map", "models") if number % MODELS_EVERY == 0 else ("infer", "map")


def still_fails(product, kind, commands, program):
    difference = check(product, program, generate.evaluate(program), commands)
    return difference is not None and difference.kind == kind


def oracle_says(answer):
    if not answer.count:
        return "no stable model"
    lines = [f"log_partition {answer.log_partition!r}, log_evidence {answer.log_evidence!r}, "
             f"{answer.count} models"]
    lines += [f"  {answer.probability(model):.12f}  log_weight {model.log_weight:.12g}  "
              + "{" + ", ".join(sorted(answer.all_atoms(model))) + "}"
              for model in sorted(answer.models, key=lambda m: -m.log_weight)[:8]]
    lines += [f"  P({atom}) = {p!r}" for atom, p in sorted(answer.marginals.items())]
    return "\n".join(lines)


def lpmln_says(product, command):
    more = ("-n", str(LISTED)) if command == "models" else ()
    product.begin((command,))
    reply = product.ask(command.split()[0], *more)
    text = json.dumps(reply.json, indent=1) if reply.json else reply.error
    return f"exit {reply.code}\n{text.rstrip()}"


def report(product, label, program, difference, commands):
    """Shrinks; the fault found last is that of the program printed."""
    small = shrink(program, functools.partial(still_fails, product, difference.kind, commands))
    answer = generate.evaluate(small)
    last = check(product, small, answer, commands) or difference
    command = last.text.partition(":")[0]
    return "\n".join([f"FAILED {label}: {difference.text}",
                      f"-- shrunk ({last.text.splitlines()[0]})", listing(small).rstrip(),
                      "-- oracle", oracle_says(answer),
                      f"-- lpmln {command}", lpmln_says(product, command),
                      f"-- again: --case '{label}'", ""])


SERVED = {}  # by method: processes that go on from case to case


def product_for(options, folder, method):
    if options.served:
        return SERVED.setdefault(method, Served(os.path.abspath(options.served), method, options.timeout))
    own = os.path.join(folder, str(os.getpid()))
    os.makedirs(own, exist_ok=True)
    return Product(os.path.abspath(options.lpmln), own, method, options.extra_args, options.timeout)


def try_case(options, folder, label):
    program, answer = generate.case(label)
    commands = commands_for(label)
    for method in ("exact", "enumerate") if options.method == "both" else (options.method,):
        product = product_for(options, folder, method)
        difference = check(product, program, answer, commands)
        if difference and difference.kind == "exit timeout":
            return TOO_HARD
        if difference:
            return report(product, label, program, difference, commands)
    return None


def run_case(options, folder, label):
    """None, TOO_HARD, or the report of a fault."""
    try:
        return try_case(options, folder, label)
    except Exception:  # pylint: disable=broad-except; one case must not end the run
        return f"FAILED {label}: the oracle itself\n{traceback.format_exc()}"


def run_all(options, folder, todo):
    """Counts what passed and failed; gives up when faults are many."""
    tally = closing.Tally()
    with multiprocessing.Pool(options.jobs) as pool:
        for fault in pool.imap_unordered(functools.partial(run_case, options, folder), todo, 4):
            if fault == TOO_HARD:
                tally.skip(f"no answer in {options.timeout:g} s")
            else:
                tally.check(fault, not fault)
            if tally.failed == options.most_faults:
                break  # closing says how many were not tried
    return tally


def run(options):
    # Made here, not in the workers: they may be stopped before they tidy up.
    with tempfile.TemporaryDirectory(prefix="lpmln-oracle-") as folder:
        return run_all(options, folder, labels(options)).close(asked=len(labels(options)))


def main():
    options = options_of(sys.argv[1:])
    if options.self_test:
        return selftest.run()
    if not os.access(options.lpmln, os.X_OK):
        print(f"{options.lpmln}: no such program; build it first", file=sys.stderr)
        return 2
    return run(options)


if __name__ == "__main__":
    sys.exit(main())
