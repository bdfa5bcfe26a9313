"""The examples of a plingo checkout, by lpmln and, if it is there, by plingo.

    python3 tests/plingo/examples.py PATH/TO/plingo [--plingo VENV/bin/plingo]

Prints the probabilities of the models, largest first, with plingo's mode for the
folder.  Not part of `make test`: it needs the checkout.
"""

import argparse
import json
import pathlib
import re
import subprocess
import sys

MODES = {"lpmln": ["--frontend=lpmln-alt"], "problog": ["--frontend=problog"], "plog": ["--frontend=plog"],
         "plog2.0": ["--frontend=plog"], "plingo": []}
CONSTANTS = {"bayesian_squirrel": ["days=1", "days=2", "days=3"], "simpsons_paradox": ["do_drug=t", "do_drug=f"],
             "moving_robot": ["x=1", "x=2", "x=3"]}
TOLERANCE = 3e-5  # plingo prints five digits, of weights rounded to five


def by_lpmln(program, path, constants):
    done = subprocess.run([program, "models", path, "-n", "0", "--format", "json", "--quiet", *constants],
                          capture_output=True, text=True, timeout=60)
    if done.returncode:
        return None, done.stderr.splitlines()[0].split("error: ")[-1]
    return [model["probability"] for model in json.loads(done.stdout)["models"]], None


def by_plingo(program, path, constants, mode):
    done = subprocess.run([program, path, "--all", *mode, *constants], capture_output=True, text=True, timeout=60)
    found = re.findall(r"Probability of Answer \d+: ([\d.]+)", done.stdout)
    return sorted(map(float, found), reverse=True)


def line(options, path, constant):
    constants = ["-c", constant] if constant else []
    mine, wrong = by_lpmln(options.lpmln, str(path), constants)
    label = path.stem + (f" ({constant})" if constant else "")
    text = wrong or " ".join(f"{p:.6f}" for p in mine[:6]) + (" …" if len(mine) > 6 else "")
    verdict = ""
    if options.plingo:
        theirs = by_plingo(options.plingo, str(path), constants, MODES.get(path.parent.name, ["--frontend=plog"]))
        same = mine and len(mine) == len(theirs) and all(abs(a - b) < TOLERANCE for a, b in zip(mine, theirs))
        verdict = "same" if same else "plingo has none" if not theirs else f"plingo: {theirs[:6]}"
    print(f"{label:32} {text}  {verdict}")


def main(arguments):
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("checkout", type=pathlib.Path)
    parser.add_argument("--lpmln", default="build/lpmln")
    parser.add_argument("--plingo")
    options = parser.parse_args(arguments)
    for path in sorted((options.checkout / "examples").rglob("*.plp")):
        for constant in CONSTANTS.get(path.stem, [None]):
            line(options, path, constant)


if __name__ == "__main__":
    main(sys.argv[1:])
