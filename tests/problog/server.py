"""Real ProbLog on many programs: a JSON list of texts on standard input, a line of JSON
for each on standard output: {atom: probability} or the name of an error."""
import json
import sys

from problog import get_evaluatable
from problog.program import PrologString

sys.setrecursionlimit(10000)
for text in json.load(sys.stdin):
    try:
        answer = {str(k): float(v) for k, v in get_evaluatable().create_from(PrologString(text)).evaluate().items()}
    except Exception as error:  # whatever it is, the caller compares it
        answer = type(error).__name__
    print(json.dumps(answer), flush=True)
