"""Real ProbLog on many programs: a JSON list on standard input, a line of JSON for each
on standard output.  A text is evaluated: {atom: probability}, or the name of an error.
A pair of a program and examples is learned: [the program with its probabilities], or
the name.  (The score that comes with it leaves out evidence on facts.)"""
import json
import logging
import sys

from problog import get_evaluatable
from problog.program import PrologString

from problog.learning.lfi import extract_evidence, run_lfi

sys.setrecursionlimit(10000)
logging.disable(logging.CRITICAL)


def evaluate(text):
    answer = get_evaluatable().create_from(PrologString(text)).evaluate()
    return {str(k): float(v) for k, v in answer.items()}


def learn(program, blocks):
    examples = [extract_evidence(PrologString(block)) for block in blocks]
    # evidence that is propagated before compiling is sometimes called inconsistent
    return [run_lfi(PrologString(program), examples, propagate_evidence=False, normalize=True, seed=1,
                    min_improv=1e-13)[4].get_model()]


for task in json.load(sys.stdin):
    try:
        answer = evaluate(task) if isinstance(task, str) else learn(*task)
    except Exception as error:  # whatever it is, the caller compares it
        answer = type(error).__name__
    print(json.dumps(answer), flush=True)
