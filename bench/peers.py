"""Other systems on the same problems.  They are installed with pip into build/peers, by themselves;
where that does not work, the reason is said in one line and they are left out."""

import glob
import os
import shutil
import subprocess
import sys

FOLDER = os.path.join("build", "peers")


def install(name, packages, program):
    """The path of a program of some Python packages, in an environment of its own; None: can't."""
    place = os.path.join(FOLDER, name)
    path = os.path.join(place, "bin", program)
    if os.path.exists(path):
        return path
    try:
        subprocess.run([sys.executable, "-m", "venv", place], check=True, capture_output=True, timeout=120)
        subprocess.run([os.path.join(place, "bin", "pip"), "install", "-q", *packages], check=True,
                       capture_output=True, text=True, timeout=300)
    except (subprocess.SubprocessError, OSError) as error:
        said = (getattr(error, "stderr", None) or str(error)).strip().splitlines()
        print(f"{name} can't be installed and is left out: {said[-1] if said else error}")
        shutil.rmtree(place, ignore_errors=True)
        return None
    return path if os.path.exists(path) else None


def problog():
    return install("problog", ["problog", "pysdd"], "problog")


def plingo():
    return install("plingo", ["plingo"], "plingo")


def python_of(name, package):
    """The Python in which a package is; None: can't."""
    return install(name, [package], "python")


def networks():
    """The folder of Bayesian networks that pgmpy's package carries; None: it is not there."""
    found = glob.glob(os.path.join(FOLDER, "pgmpy", "lib", "*", "site-packages", "pgmpy", "utils", "example_models"))
    return found[0] if found else None


# ---- the network in their languages -------------------------------------------------------------

PROBLOG_NL = """connected(X,Y) :- edge(X,Y), \\+fail(X), \\+fail(Y).
connected(X,Y) :- connected(X,Z), connected(Z,Y).
"""
PROBLOG_AUX = """aux(X,Y) :- edge(X,Y), \\+fail(X), \\+fail(Y).
connected(X,Y) :- aux(X,Y).
connected(X,Y) :- connected(X,Z), aux(Z,Y).
"""


def problog_network(edges, form, weight):
    """`weight` is what stands before each fail: t(_) to learn it, or a probability."""
    nodes = max(max(edge) for edge in edges)
    return ("".join(f"{weight}::fail({i}).\n" for i in range(1, nodes + 1)) +
            "".join(f"edge({x},{y}).\n" for x, y in edges) + (PROBLOG_NL if form == "nl" else PROBLOG_AUX))


def problog_evidence(session):
    return "".join(f"evidence(connected(1,{node}),{'true' if up else 'false'}).\n" for node, up in session.items())


def problog_examples(sessions):
    return "---\n".join(problog_evidence(session) for session in sessions)


def problog_queries(edges):
    return "".join(f"query(fail({i})).\n" for i in range(1, max(max(edge) for edge in edges) + 1))


def clingo_choices(edges, session):
    """All stable models of one session, for `clingo 0`."""
    nodes = max(max(edge) for edge in edges)
    lines = [f"{{ fail(1..{nodes}) }}."] + [f"edge({x},{y})." for x, y in edges]
    lines += ["connected(X,Y) :- edge(X,Y), not fail(X), not fail(Y).",
              "connected(X,Y) :- connected(X,Z), connected(Z,Y)."]
    lines += [f":- {'not ' if up else ''}connected(1,{node})." for node, up in session.items()]
    return "\n".join(lines) + "\n"


def plingo_network(edges, session):
    """Every station fails with probability 1/2: a soft fact of weight 0."""
    lines = [line for line in clingo_choices(edges, session).splitlines() if not line.startswith("{")]
    nodes = max(max(edge) for edge in edges)
    return "\n".join([f"fail(X) :- &weight(0), X = 1..{nodes}.", "&query(fail(X)) :- fail(X)."] + lines) + "\n"
