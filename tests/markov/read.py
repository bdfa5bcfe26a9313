"""Random .mln and .db texts, read by lpmln and by the brute-force evaluator.

    python3 tests/markov/read.py --lpmln build/lpmln --count 1000
"""

import json
import os
import subprocess
import sys
import tempfile

import evaluator
import networks
from write import TOLERANCE, imported, options_of, run_all


def infer(options, folder, facts, method):
    command = [options.lpmln, "infer", os.path.join(folder, "n.mln"), "--format", "json", "--quiet", "--open-world", "--method", method]
    if facts.strip():
        command += ["-e", os.path.join(folder, "n.db")]
    return subprocess.run(command, capture_output=True, text=True, timeout=60)


def check(options, label):
    text, facts = networks.network(label)
    try:
        expected = evaluator.evaluate(text, facts)
    except (evaluator.Unsupported, KeyError):
        return None, "skipped"
    with tempfile.TemporaryDirectory() as folder:
        for name, content in (("n.mln", text), ("n.db", facts)):
            with open(os.path.join(folder, name), "w") as file:
                file.write(content)
        done = infer(options, folder, facts, "enumerate" if label.endswith(("0", "5")) else "auto")
    if done.returncode == 1 and expected is None:
        return None, "impossible"
    if done.returncode or expected is None:
        return f"exit {done.returncode}, expected {expected}: {done.stderr}\n{text}---\n{facts}", ""
    found = {m["atom"]: m["probability"] for m in json.loads(done.stdout)["marginals"]}
    for atom, p in expected.items():
        q = found.pop(imported(atom), None)
        if q is None and min(p, 1 - p) > TOLERANCE or q is not None and abs(p - q) > TOLERANCE:
            return f"P({atom}) = {q}, but {p}\n{text}---\n{facts}", ""
    return (f"more atoms: {found}\n{text}", "") if found else (None, "compared")


def one(job):
    options, label = job
    try:
        return label, *check(options, label)
    except Exception as fault:  # a fault of one network must not hide the others
        return label, repr(fault), ""


def main(arguments):
    options = options_of(arguments)
    return run_all(options, one, [f"network {options.seed}/{i}" for i in range(options.count)])


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
