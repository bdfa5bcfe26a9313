#!/usr/bin/env python3
"""How fast the Python package is: `make bench-python` (the wheel is installed below build/python).

Prints the table of docs/python.md: what, measured, goal.  Peers (pgmpy, ProbLog) are measured in the same run if they
can be had from PyPI.  CPU seconds, the best of some runs.
"""

import glob
import gzip
import os
import subprocess
import sys
import tempfile
import time

import families
import lpmln
import measure
import numpy as np

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
MED = os.path.join(ROOT, "examples", "c", "diagnosis.lpmln")
NETWORK = os.path.join(ROOT, "examples", "network")


def best(function, runs=5):
    """The least CPU time of some runs, and what the last one gave."""
    times = []
    for _ in range(runs):
        begin = time.process_time()
        result = function()
        times.append(time.process_time() - begin)
    return min(times), result


def importing():
    """Milliseconds of `import lpmln` beyond `import numpy`."""
    def run(statement):
        script = f"import time; import numpy; t = time.process_time(); {statement}; print(time.process_time() - t)"
        return min(float(subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True).stdout)
                   for _ in range(5))

    return 1e3 * (run("import lpmln") - run("pass"))


def second_infer():
    program = lpmln.Program(os.path.join(ROOT, "examples", "bird", "bird.lpmln"))
    program.infer()
    return 1e6 * best(lambda: [program.infer() for _ in range(1000)])[0] / 1000


def rows_of_evidence(rows=100_000):
    program = lpmln.Program(MED)
    atoms = [atom for atom in program.compile(observable=["shows/2"]).observables if atom.startswith("shows")]
    values = np.random.default_rng(1).choice([0.0, 1.0, np.nan], size=(rows, len(atoms)))
    return best(lambda: program.predict_proba(values, "has(ann,flu)", columns=atoms), 3)[0]


ALARM_QUERY, ALARM_SEEN = "HYPOVOLEMIA", ("HRBP", "EXPCO2", "CVP", "HISTORY")
ALARM_ROWS, PEER_ROWS, LIMIT = 10_000, 10, 20  # ProbLog gets LIMIT seconds for one row


def alarm():
    """The Bayesian network alarm, which pgmpy's package carries: one query, four observed variables.

    Its choices and tables as soft constraints; a row says which value each of the four has.
    """
    (path,) = glob.glob(os.path.join(sys.prefix, "lib", "*", "site-packages", "pgmpy", "utils", "example_models", "alarm.bif.gz"))
    values = families.read_bif(path)[0]
    number = {name: i for i, name in enumerate(values)}
    columns = [f"v({number[name]},{j})" for name in ALARM_SEEN for j in range(len(values[name]))]
    query = f"v({number[ALARM_QUERY]},0)"
    rng = np.random.default_rng(1)
    chosen = np.column_stack([rng.integers(0, len(values[name]), ALARM_ROWS) for name in ALARM_SEEN])
    rows = np.hstack([np.eye(len(values[name]))[chosen[:, k]] for k, name in enumerate(ALARM_SEEN)])
    model = lpmln.Program(text=families.bif(path, True).text).compile(observable=columns, queries=[query])
    seconds, found = best(lambda: model.predict_proba(rows, query, columns=columns), 3)
    yield f"alarm, ns an edge and row ({model.edges} edges)", 1e9 * seconds / (ALARM_ROWS * model.edges), "1.5"
    yield "alarm, lpmln, ms a row", 1e3 * seconds / ALARM_ROWS, ""
    said = [{name: values[name][j] for name, j in zip(ALARM_SEEN, row)} for row in chosen[:PEER_ROWS]]
    seconds, answers = best(lambda: alarm_by_pgmpy(path, said, values[ALARM_QUERY][0]), 1)
    assert np.allclose(answers, found[query][:PEER_ROWS], atol=1e-6), "pgmpy disagrees"
    yield "alarm, pgmpy, ms a row", 1e3 * seconds / PEER_ROWS, ""
    evidence = "".join(f"evidence(v({number[name]},{j})).\n" for name, j in zip(ALARM_SEEN, chosen[0]))
    yield "alarm, ProbLog, ms a row", alarm_by_problog(f"{families.bif(path, False).text}{evidence}query({query}).\n"), ""


def alarm_by_pgmpy(path, rows, value):
    from pgmpy.inference import VariableElimination
    from pgmpy.readwrite import BIFReader

    with gzip.open(path, "rt") as file:
        engine = VariableElimination(BIFReader(string=file.read()).get_model())
    asked = (engine.query([ALARM_QUERY], row, show_progress=False) for row in rows)
    return [answer.get_value(**{ALARM_QUERY: value}) for answer in asked]


def alarm_by_problog(text):
    """Its annotated disjunctions, by the command line."""
    with tempfile.NamedTemporaryFile("w", suffix=".pl") as file:
        file.write(text)
        file.flush()
        run = measure.run([os.path.join(sys.prefix, "bin", "problog"), file.name], LIMIT)
    return 1e3 * run.seconds if run.good else f"> {1000 * LIMIT}" if run.late else "failed"


def fitting():
    """Milliseconds of fit on the network example, and those of the C library in the same process."""
    files = [os.path.join(NETWORK, name) for name in ("network.lpmln", "network.obs")]
    ours = best(lambda: lpmln.Program(files[0]).fit(files[1]))[0]
    from lpmln._native import ffi, lib
    from lpmln.program import Handle

    def plain():
        handle = Handle({})
        handle.add_file(lib.LPMLN_PROGRAM, files[0])
        handle.add_file(lib.LPMLN_EVIDENCE, files[1])
        return ffi.gc(lib.lpmln_learn(handle.c, ffi.NULL), lib.lpmln_answer_free)

    return 1e3 * ours, 1e3 * best(plain)[0]


def beside_peers(rows=200):
    """Milliseconds a row: P(burglary | calls) on the classic example of five variables, here, by pgmpy and by ProbLog."""
    text = """0.001::burglary. 0.002::earthquake.
        0.95::alarm :- burglary, earthquake. 0.94::alarm :- burglary, \\+earthquake.
        0.29::alarm :- \\+burglary, earthquake. 0.001::alarm :- \\+burglary, \\+earthquake.
        0.9::john :- alarm. 0.05::john :- \\+alarm. 0.7::mary :- alarm. 0.01::mary :- \\+alarm."""
    program = lpmln.Program(text=text, dialect="problog")
    values = np.random.default_rng(1).choice([0.0, 1.0], size=(rows, 2))
    program.predict_proba(values, "burglary", columns=["john", "mary"])
    ours = best(lambda: program.predict_proba(values, "burglary", columns=["john", "mary"]))
    found = {"lpmln": 1e3 * ours[0] / rows}
    expected = ours[1]["burglary"]
    for name, peer in (("pgmpy", by_pgmpy), ("ProbLog", by_problog)):
        try:
            seconds, answers = peer(text, values[:20])
        except ImportError:
            continue
        assert np.allclose(answers, expected[:20], atol=1e-9), f"{name} disagrees"
        found[name] = 1e3 * seconds / 20
    return found


def by_pgmpy(_, values):
    from pgmpy.factors.discrete import TabularCPD
    from pgmpy.inference import VariableElimination
    from pgmpy.models import DiscreteBayesianNetwork

    net = DiscreteBayesianNetwork([("b", "a"), ("e", "a"), ("a", "john"), ("a", "mary")])
    net.add_cpds(TabularCPD("b", 2, [[0.999], [0.001]]), TabularCPD("e", 2, [[0.998], [0.002]]),
                 TabularCPD("a", 2, [[0.999, 0.71, 0.06, 0.05], [0.001, 0.29, 0.94, 0.95]], ["b", "e"], [2, 2]),
                 TabularCPD("john", 2, [[0.95, 0.1], [0.05, 0.9]], ["a"], [2]),
                 TabularCPD("mary", 2, [[0.99, 0.3], [0.01, 0.7]], ["a"], [2]))
    engine = VariableElimination(net)
    return best(lambda: [engine.query(["b"], {"john": int(j), "mary": int(m)}, show_progress=False).values[1]
                         for j, m in values], 1)


def by_problog(text, values):
    from problog import get_evaluatable
    from problog.program import PrologString

    def ask(john, mary):
        said = f"evidence(john,{str(bool(john)).lower()}). evidence(mary,{str(bool(mary)).lower()}). query(burglary)."
        (answer,) = get_evaluatable().create_from(PrologString(text + "\n" + said)).evaluate().values()
        return answer

    return best(lambda: [ask(j, m) for j, m in values], 1)


def main():
    fit, plain = fitting()
    rows = [("import beyond numpy, ms", importing(), "100"), ("infer on the bird, second call, µs", second_infer(), "20"),
            ("100,000 rows of predict_proba, s", rows_of_evidence(), "1"),
            ("fit of the network, ms", fit, ""), ("the same by the C library, ms", plain, ""),
            ("the difference, ms", fit - plain, "5")]
    try:
        rows += alarm()
    except (ImportError, ValueError):
        print("pgmpy can't be had: the network alarm is left out", file=sys.stderr)
    rows += [(f"burglary given two calls, {name}, ms a row", value, "") for name, value in beside_peers().items()]
    print("| what | measured | goal |\n| --- | --- | --- |")
    for what, value, goal in rows:
        print(f"| {what} | {value if isinstance(value, str) else format(value, '.3g')} | {goal} |")


if __name__ == "__main__":
    main()
