"""What `lpmln learn` promises: the paper's examples, agreement of the optimisers,
coverage of intervals, big tables, checkpoints.

    python3 tests/learn/run.py --lpmln build/lpmln [--long] [NAME…]

Each check is a function named check_…; closes with 'N passed, N failed, N skipped'.
"""

import argparse
import itertools
import json
import math
import os
import random
import resource
import signal
import subprocess
import sys
import tempfile
import time
import traceback

import bigdata
from brute import Likelihood, maximise
from random_programs import NAMES, Case

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
import closing  # noqa: E402

ROOT = os.path.abspath(os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", ".."))
COIN = "{ flip }.\n@w(1) head :- flip.\n"
COIN_SEEN = "flip. not head.\n--- 2\nflip. head.\n"


class Tool:
    """lpmln in a folder of its own."""

    def __init__(self, path, folder, long):
        self.path, self.folder, self.long = os.path.abspath(path), folder, long

    def file(self, name, text):
        with open(os.path.join(self.folder, name), "w", encoding="utf-8") as out:
            out.write(text)
        return name

    def read(self, name):
        with open(os.path.join(self.folder, name), encoding="utf-8") as text:
            return text.read()

    def run(self, *line, code=0):
        done = subprocess.run([self.path, *line], cwd=self.folder, capture_output=True, text=True,
                              timeout=300, check=False)
        assert done.returncode == code, f"{line}: exit {done.returncode}\n{done.stderr}"
        return done

    def learn(self, *line, code=0):
        return json.loads(self.run("learn", "--format", "json", *line, code=code).stdout)

    def likelihood(self, program, evidence):
        reply = self.run("infer", program, "-e", evidence, "--format", "json", "-q", "nothing")
        return json.loads(reply.stdout)["log_evidence"]


def close(x, y, tolerance=1e-6):
    assert abs(x - y) <= tolerance, f"{x} is not {y}"


def weights(reply):
    return {w["parameter"]: w["weight"] for w in reply["weights"]}


def example(name):
    with open(os.path.join(ROOT, "examples", name), encoding="utf-8") as text:
        return text.read()


def paper(tool):
    """The paper's examples as files: program, observations."""
    robot = example("robot/robot.lpmln").replace("instance(1..4)", "instance(1..12)")
    seen = example("robot/robot.obs")
    texts = {"virus": (example("virus/virus.lpmln"), example("virus/virus.obs")),
             "network": (example("network/network.lpmln"), example("network/network.obs")),
             "robot": (robot, seen),
             "robot9": (robot, seen + ':- putdown_book("t", 0, 9).\n'),
             "coin": (COIN, COIN_SEEN)}
    return {name: (tool.file(name + ".lpmln", program), tool.file(name + ".obs", seen))
            for name, (program, seen) in texts.items()}


BEST = {"virus": -7.22353, "network": -10.0438586, "robot": -41.677415, "robot9": -42.985869,
        "coin": -2.602690}


def check_paper(tool):
    files = paper(tool)
    reply = {name: tool.learn(p, "-e", o) for name, (p, o) in files.items()}
    for name, best in BEST.items():
        assert reply[name]["converged"], name
        close(reply[name]["log_likelihood"], best, 6e-6)
    w = weights(reply["virus"])
    close(w["1"], 0.64947, 1e-5)
    close(w["2"], 0.25251, 1e-5)
    w = weights(reply["robot9"])
    for name, value in (("1", -1.098612), ("2", -1.467902), ("3", -0.004403)):
        close(w[name], value)
    w = weights(reply["robot"])
    close(w["1"], -1.098612)
    close(w["3"], 0)
    assert [x["diverges"] for x in reply["robot"]["weights"]] == [None, "-", None]
    close(weights(reply["coin"])["1"], -math.log(4))


def check_network_diagnosis(tool):
    program, seen = paper(tool)["network"]
    reply = tool.learn(program, "-e", seen)
    by_name = {w["parameter"]: w for w in reply["weights"]}
    assert [w["parameter"] for w in reply["weights"]] == [str(i) for i in range(1, 11)]
    assert {n for n, w in by_name.items() if w["diverges"]} == {"1", "4"}
    assert by_name["1"]["diverges"] == by_name["4"]["diverges"] == "-"
    close(by_name["7"]["probability"], 0.25)
    assert by_name["7"]["identified"] and by_name["7"]["standard_error"] > 0
    groups = {(tuple(g["parameters"]), g["free_directions"]) for g in reply["unidentified"]}
    assert groups == {(("2", "3", "8"), 2), (("5", "9"), 1), (("6", "10"), 1)}, groups
    p = {n: w["probability"] for n, w in by_name.items()}
    close((1 - p["2"]) * (1 - p["3"]) * (1 - p["8"]), 1 / 2)
    close((1 - p["5"]) * (1 - p["9"]), 1 / 2)
    close((1 - p["6"]) * (1 - p["10"]), 3 / 4)
    assert reply["supremum"] >= reply["log_likelihood"]


def check_paper_weights_are_less_likely(tool):
    files = paper(tool)
    theirs = {"virus": (0.612, 0.574), "robot": (-1.084, -1.064, -0.068)}
    for name, values in theirs.items():
        program, seen = files[name]
        text = tool.read(program)
        for i, value in enumerate(values, 1):
            text = text.replace(f"@getWeight({i})", f"{value}")
        their = tool.likelihood(tool.file("theirs.lpmln", text), seen)
        ours = tool.learn(program, "-e", seen)["log_likelihood"]
        print(f"   {name}: the paper's weights {their:.5f}, ours {ours:.5f}")
        assert ours > their
    ours = tool.learn(files["network"][0], "-e", files["network"][1])["log_likelihood"]
    print(f"   network: the paper's weights -17.2302, ours {ours:.5f}")
    assert ours > -17.2302


def check_optimisers_agree(tool):
    for name, (program, seen) in paper(tool).items():
        finite = name not in ("network", "robot")
        values = {}
        for optimiser in ("lbfgs", "newton", "em", "ascent"):
            more = ["--delta", "1e-9"] if optimiser == "ascent" else []
            if not finite and optimiser == "ascent":
                more += ["--iterations", "100000"]
            reply = tool.learn(program, "-e", seen, "--optimizer", optimiser, *more)
            values[optimiser] = reply["log_likelihood"]
            assert reply["optimizer"] == optimiser
        for optimiser, value in values.items():
            tolerance = 0.01 if optimiser == "ascent" and not finite else 1e-6
            assert abs(value - values["lbfgs"]) <= tolerance, f"{name}: {values}"


def check_theorem_3(tool):
    """Several observations, or one of a program with an index argument."""
    many = tool.learn(tool.file("c.lpmln", COIN), "-e", tool.file("c.obs", COIN_SEEN))
    indexed = "i(1..3).\n{ flip(I) } :- i(I).\n@w(1) head(I) :- flip(I), i(I).\n"
    seen = "flip(1..3). not head(1). not head(2). head(3).\n"
    one = tool.learn(tool.file("i.lpmln", indexed), "-e", tool.file("i.obs", seen))
    close(weights(many)["1"], weights(one)["1"], 1e-9)
    close(many["log_likelihood"], one["log_likelihood"], 1e-9)
    close(many["weights"][0]["standard_error"], one["weights"][0]["standard_error"], 1e-9)
    session = example("network/network.lpmln").replace("session(1..4)", "session(1)")
    blocks = example("network/network.obs").split("\n\n")
    for i, block in enumerate(blocks, 1):
        blocks[i - 1] = block.replace(f", {i})", ", 1)")
    many = tool.learn(tool.file("s.lpmln", session), "-e", tool.file("s.obs", "\n---\n".join(blocks)))
    one = tool.learn(*itertools.chain.from_iterable([[p, "-e", o] for p, o in [paper(tool)["network"]]]))
    close(many["log_likelihood"], one["log_likelihood"], 1e-8)
    for a, b in zip(many["weights"], one["weights"]):
        assert (a["diverges"], a["identified"]) == (b["diverges"], b["identified"])
        if not a["diverges"]:
            close(a["weight"], b["weight"])


def check_counts_tables_files(tool):
    """The same data as blocks, with counts, as a table, in several files."""
    program = tool.file("c.lpmln", COIN)
    plain = tool.file("1.obs", "flip. not head.\n---\nflip. head.\n---\nflip. not head.\n")
    replies = [tool.learn(program, "-e", plain),
               tool.learn(program, "-e", tool.file("2.obs", COIN_SEEN)),
               tool.learn(program, "--data", tool.file("1.csv", "flip,head\n1,0\n1,1\n1,0\n")),
               tool.learn(program, "--data", tool.file("2.csv", "flip,head,#count\n1,0,2\n1,1,1\n")),
               tool.learn(program, "-e", tool.file("3.obs", "flip. not head.\n--- 2\n"), "-e",
                          tool.file("4.obs", ":- not flip.\n:- not head.\n"))]
    for reply in replies:
        assert (reply["observations"], reply["different_observations"]) == (3, 2)
        close(weights(reply)["1"], -math.log(4), 1e-9)
        close(reply["log_likelihood"], BEST["coin"])


def check_closed_form(tool):
    program = "d(1..3).\n@w(a) a(X) :- d(X).\n@w(b) b.\n@log(2) c.\n{ e } :- b.\n{ e } :- not b.\nf :- a(1), c.\n"
    seen = "a(1). not a(2). a(3). b. not c.\n--- 3\nnot a(1). not a(2). a(3). not b. c.\n--- 2\n"
    reply = tool.learn(tool.file("p.lpmln", program), "-e", tool.file("p.obs", seen))
    assert reply["method"] == "closed-form", reply["method"]
    w = weights(reply)
    close(w["a"], math.log(8 / 7), 1e-12)
    close(w["b"], math.log(3 / 2), 1e-12)
    other = tool.learn("p.lpmln", "-e", "p.obs", "--optimizer", "lbfgs")
    close(reply["log_likelihood"], other["log_likelihood"], 1e-9)
    close(reply["weights"][0]["standard_error"], other["weights"][0]["standard_error"], 1e-6)
    open_seen = seen.replace("not c.\n", "\n").replace(" b.", "", 1)  # b is open in a block
    reply = tool.learn("p.lpmln", "-e", tool.file("q.obs", open_seen))
    assert reply["method"] == "exact"
    twice = tool.file("t.lpmln", "@w(1) a.\n@w(2) a.\n")  # no atom may be weighed twice
    reply = tool.learn(twice, "-e", tool.file("t.obs", "a.\n--- 3\nnot a.\n"))
    close(reply["log_likelihood"], 3 * math.log(0.75) + math.log(0.25))
    assert [g["parameters"] for g in reply["unidentified"]] == [["1", "2"]]


def check_divergence(tool):
    p = tool.file("p.lpmln", "@w(1) a.\n@w(2) b.\n@w(3) c :- d.\n{ d } :- b, a.\n:- a, not d, not b.\n")
    reply = tool.learn(p, "-e", tool.file("p.obs", "a. b.\n--- 3\nnot a. b.\n"))
    by_name = {w["parameter"]: w for w in reply["weights"]}
    assert by_name["2"]["diverges"] == "+" and by_name["1"]["diverges"] is None
    unused = tool.file("u.lpmln", "@w(1) a.\n@w(2) b :- c.\nc :- d.\n{ e }.\n{ d } :- e, not e.\n")
    reply = tool.learn(unused, "-e", tool.file("u.obs", "a.\n---\nnot a.\n"))
    assert reply["weights"][1]["identified"] is False
    both = tool.file("b.lpmln", "@w(1) a.\n@w(2) a.\n@w(3) c.\n")  # either of 1 and 2 may, so none has to
    reply = tool.learn(both, "-e", tool.file("b.obs", "a. c.\n--- 3\na. not c.\n"))
    assert [w["diverges"] for w in reply["weights"]] == [None, None, None], reply["weights"]
    assert [w["identified"] for w in reply["weights"]] == [False, False, True], reply["weights"]
    apart = tool.file("d.lpmln", "@w(1) a.\n@w(2) :- not a.\n")  # either goes to minus infinity, so none has to
    reply = tool.learn(apart, "-e", tool.file("d.obs", "not a.\n--- 3\n"))
    close(reply["supremum"], 0)
    assert not any(w["diverges"] for w in reply["weights"]), reply["weights"]
    prior = tool.learn(p, "-e", "p.obs", "--prior", "0,2")
    assert not any(w["diverges"] for w in prior["weights"])
    assert all(w["identified"] for w in prior["weights"])


def check_priors_and_bounds(tool):
    """One soft fact, 9 times of 10: against the solution by bisection."""
    p, o = tool.file("p.lpmln", "@w(1) a.\n"), tool.file("p.obs", "a.\n--- 9\nnot a.\n")

    def slope(w):
        return 9 - 10 / (1 + math.exp(-w))

    def root(f, low=-50.0, high=50.0):
        for _ in range(200):
            middle = (low + high) / 2
            low, high = (middle, high) if f(middle) > 0 else (low, middle)
        return low

    gaussian = root(lambda w: slope(w) - (w - 0.5) / 4)
    for more in ([], ["--optimizer", "newton"], ["--optimizer", "em"]):
        close(weights(tool.learn(p, "-e", o, "--prior", "0.5,2", *more))["1"], gaussian)
    close(weights(tool.learn(p, "-e", o, "--prior", "l1,1.5"))["1"], root(lambda w: slope(w) - 1.5))
    assert weights(tool.learn(p, "-e", o, "--prior", "l1,5"))["1"] == 0
    reply = tool.learn(p, "-e", o, "--bounds", "-1,2")
    assert reply["weights"][0]["weight"] == 2 and reply["weights"][0]["at_bound"] and reply["converged"]
    close(weights(tool.learn(p, "-e", o, "--bounds", "-10,10"))["1"], math.log(9))
    tool.run("learn", p, "-e", o, "--bounds", "2,-1", code=2)
    tool.run("learn", p, "-e", o, "--prior", "0", code=2)


def check_noise(tool):
    """Refused, dropped, or explained by noise atoms.  As u grows the weight comes near
    that of the clean data; one bad observation of m stays in the normaliser, so the
    limit is off by about 1/m."""
    program = tool.file("p.lpmln", COIN)
    clean = "flip. not head.\n--- 200\nflip. head.\n--- 100\n"
    seen, bad = tool.file("clean.obs", clean), tool.file("bad.obs", clean + "head. not flip.\n")
    said = tool.run("learn", program, "-e", bad, code=1).stderr
    assert "observation 3 is impossible" in said and "bad.obs:5" in said, said
    without = weights(tool.learn(program, "-e", seen))["1"]
    dropped = tool.learn(program, "-e", bad, "--noisy", "drop")
    assert dropped["dropped"] == 1 and dropped["observations"] == 300
    close(weights(dropped)["1"], without, 1e-9)
    def away(u, times):
        more = tool.file("more.obs", f"flip. not head.\n--- {200 * times}\nflip. head.\n--- {100 * times}\n"
                                     "head. not flip.\n")
        return abs(weights(tool.learn(program, "-e", more, "--noisy", f"atoms={u}"))["1"] - without)

    limit = away(40, 1)
    distances = [abs(away(u, 1) - limit) for u in (1, 8, 16, 24)]
    assert all(a > b for a, b in zip(distances, distances[1:])) and distances[-1] < 1e-8, distances
    assert limit < 0.02 and away(40, 10) < 0.002 and away(40, 100) < 0.0002
    hard = tool.file("h.lpmln", "@w(1) b.\na :- b.\n")
    said = tool.run("learn", hard, "-e", tool.file("h.obs", "b. not a.\n"), "--noisy", "atoms", code=1).stderr
    assert "h.lpmln:2" in said and "observation 1" in said.replace("the evidence", "observation 1"), said


def check_output(tool):
    """The learned program has its comments and layout, and the learned likelihood."""
    files = paper(tool)
    for name in ("virus", "network", "coin"):
        program, seen = files[name]
        reply = tool.learn(program, "-e", seen, "-o", "out.lpmln")
        close(tool.likelihood("out.lpmln", seen) if name != "coin" else reply["log_likelihood"],
              reply["log_likelihood"], 1e-9)
        before, after = tool.read(program).splitlines(), tool.read("out.lpmln").splitlines()
        assert len(before) == len(after)
        for a, b in zip(before, after):
            assert a == b or (a.startswith("@") and a.split(" ", 1)[1] == b.split(" ", 1)[1]), (a, b)
    text = ("% one weight for each X\n  @w(f(X)) a(X) :- d(X). /* odd */ d(1..2).\n"
            "@w(g) : { b } = 1 :- a(1). %* block *%\n@w(h(X)) :- a(X), b.\n").replace("/* odd */ ", "")
    tool.file("t.lpmln", text)
    tool.file("t.obs", "a(1). not a(2). b.\n--- 4\nnot a(1). a(2).\n--- 3\na(1). a(2).\n")
    reply = tool.learn("t.lpmln", "-e", "t.obs", "--prior", "0,3", "-o", "u.lpmln")
    again = json.loads(tool.run("infer", "u.lpmln", "--format", "json", "-q", "a/1").stdout)
    direct = json.loads(tool.run("infer", tool.file("v.lpmln", text.replace(
        "@w(f(X)) a(X) :- d(X).", " ".join(f"{weights(reply)[f'f({x})']!r} : a({x})." for x in (1, 2)))
        .replace("@w(g)", repr(weights(reply)["g"])).replace(
            "@w(h(X)) :- a(X), b.", "\n".join(f"{weights(reply)[f'h({x})']!r} :- a({x}), b." for x in (1, 2)))),
        "--format", "json", "-q", "a/1").stdout)
    for a, b in zip(again["marginals"], direct["marginals"]):
        close(a["probability"], b["probability"], 1e-12)
    assert "% one weight for each X" in tool.read("u.lpmln")


def check_test_and_folds(tool):
    program, seen = tool.file("p.lpmln", COIN), tool.file("p.obs", "flip. not head.\n--- 20\nflip. head.\n--- 10\n")
    test = tool.file("t.obs", "flip. head.\n--- 2\nnot flip.\n")
    reply = tool.learn(program, "-e", seen, "--test", test)
    w = weights(reply)["1"]
    log_z = math.log(2 + math.exp(-w))
    close(reply["test_log_likelihood"], -3 * log_z, 1e-9)
    table = tool.learn(program, "-e", seen, "--test", tool.file("t.csv", "flip,head\n1,1\n1,1\n0,\n"))
    close(table["test_log_likelihood"], reply["test_log_likelihood"], 1e-12)
    folds = tool.learn(program, "-e", seen, "--folds", "5", "--seed", "3")["folds"]
    assert len(folds) == 5 and folds == tool.learn(program, "-e", seen, "--folds", "5", "--seed", "3")["folds"]
    assert sum(folds) <= reply["log_likelihood"] + 1e-9 and sum(folds) > reply["log_likelihood"] - 5


def check_stopping(tool):
    program, seen = paper(tool)["network"]
    reply = tool.learn(program, "-e", seen, "--iterations", "2", "--restarts", "0")
    assert not reply["converged"] and reply["complete"] and reply["iterations"] == 2
    slow = ["--optimizer", "ascent", "--rate", "1e-9", "--delta", "0", "--iterations", "100000000"]
    reply = tool.learn(program, "-e", seen, *slow, "--time-limit", "0.3", code=4)
    assert not reply["converged"] and not reply["complete"] and len(reply["weights"]) == 10
    process = subprocess.Popen([tool.path, "learn", program, "-e", seen, *slow, "--format", "json"],
                               cwd=tool.folder, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
    time.sleep(0.5)
    process.send_signal(signal.SIGINT)
    said, _ = process.communicate(timeout=20)
    assert process.returncode == 130 and not json.loads(said)["converged"]


def bits(answer):
    """All but what is said beside the answer: a resumed run tells what it found."""
    return answer[:answer.index('"diagnostics"')]


def check_kill_and_resume(tool):
    """Killed at any moment, a resumed run ends with the same bits."""
    program, seen = paper(tool)["network"]
    line = ["learn", program, "-e", seen, "--format", "json", "--restarts", "4", "--optimizer", "ascent",
            "--rate", "0.001", "--delta", "0", "--iterations", "20000"]
    whole = bits(tool.run(*line).stdout)
    rng = random.Random(7)
    for number in range(6 if not tool.long else 40):
        path = f"c{number}"
        for _ in range(3):
            process = subprocess.Popen([tool.path, *line, "--checkpoint", path, "--resume"],
                                       cwd=tool.folder, stdout=subprocess.DEVNULL,
                                       stderr=subprocess.DEVNULL)
            time.sleep(rng.uniform(0.01, 0.6))
            process.kill()
            process.wait()
        resumed = bits(tool.run(*line, "--checkpoint", path, "--resume").stdout)
        assert resumed == whole, f"{whole}\n{resumed}"
    tool.run("learn", program, "-e", seen, "--checkpoint", "c0", "--resume", code=3)
    for optimiser in ("lbfgs", "newton", "em", "adam"):
        one = ["learn", program, "-e", seen, "--format", "json", "--optimizer", optimiser]
        again = [[], ["--checkpoint", "d" + optimiser], ["--checkpoint", "d" + optimiser, "--resume"]]
        assert len({bits(tool.run(*one, *more).stdout) for more in again}) == 1, optimiser


def check_big_data(tool):
    """10^5 rows, 5,000 different, over 30 atoms: less than 10 s of CPU."""
    program, table = tool.file("b.lpmln", bigdata.program()), tool.file("b.csv", bigdata.table())
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    reply = tool.learn(program, "--data", table)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    spent = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    print(f"   {spent:.2f} s of CPU")
    assert reply["observations"] == 100_000 and reply["different_observations"] == 5000
    assert reply["converged"] and spent < 10, spent


def chain_likelihood(row, s, t):
    """ln of what a chain of atoms weighs: s for each that holds, t unless one holds and the next does not."""
    sums = None  # by the truth of the last atom
    for cell in row:
        own = [math.exp(value * s) if cell in ("", str(value)) else 0.0 for value in (0, 1)]
        sums = own if sums is None else [own[0] * (sums[0] * math.exp(t) + sums[1]),
                                         own[1] * (sums[0] + sums[1]) * math.exp(t)]
    return math.log(sums[0] + sums[1])


def check_many_different(tool):
    """30,000 different rows that hang together, in several turns and little memory: their likelihood."""
    rng, size, rows = random.Random(4), 12, set()
    while len(rows) < 30_000:
        rows.add(tuple(rng.choice(("0", "1", "1", "")) for _ in range(size)))
    rows = sorted(rows)
    program = tool.file("c.lpmln", f"@w(s) a(1..{size}).\n@w(t) a(X+1) :- a(X), X < {size}.\n")
    table = tool.file("c.csv", "\n".join(",".join(row) for row in [[f"a({i + 1})" for i in range(size)], *rows]) + "\n")
    reply = tool.learn(program, "--data", table, "--memory-limit", "100")
    w = weights(reply)
    assert reply["different_observations"] == len(rows) and reply["converged"]
    whole = chain_likelihood([""] * size, w["s"], w["t"])
    likelihood = math.fsum(chain_likelihood(row, w["s"], w["t"]) - whole for row in rows)
    close(reply["log_likelihood"], likelihood, 1e-8 * abs(likelihood))


def chain(tool, size, rows, rng):
    program = tool.file("c.lpmln", f"@w(s) a(1..{size}).\n@w(t) a(X+1) :- a(X), X < {size}.\n")
    head = ",".join([f"a({i + 1})" for i in range(size)] + ["#count"])
    lines = [",".join([*row, str(rng.choice((1, 1, 1, 5)))]) for row in rows]
    return program, tool.file("c.csv", "\n".join([head, *lines]) + "\n")


def check_batches(tool):
    """In batches, by any optimiser, spilled or not, resumed or not: the optimum of all together."""
    rng, size = random.Random(6), 12
    rows = [[rng.choice(("0", "1", "1", "")) for _ in range(size)] for _ in range(2000)]
    program, table = chain(tool, size, rows, rng)
    for prior in ([], ["--prior", "0,0.1"], ["--prior", "l1,200"], ["--bounds", "-0.1,0.1"]):
        whole = tool.learn(program, "--data", table, "--restarts", "0", *prior)
        ways = [["adam", "--batch", "50"], ["adam", "--batch", "1999"], ["lbfgs", "--batch", "300"], ["newton", "--batch", "70"]]
        for optimiser, *more in ways:
            if optimiser == "lbfgs" and prior[:1] == ["--bounds"] or optimiser == "newton" and prior[1:] == ["l1,200"]:
                continue
            reply = tool.learn(program, "--data", table, "--optimizer", optimiser, *more, "--restarts", "0", *prior)
            assert reply["converged"] and reply["optimizer"] == optimiser, reply
            for name in ("observations", "different_observations"):
                assert reply[name] == whole[name]
            close(reply["log_likelihood"], whole["log_likelihood"], 1e-5)
            for a, b in zip(reply["weights"], whole["weights"]):
                close(a["weight"], b["weight"], 1e-5)
                assert (a["standard_error"] is None) == (b["standard_error"] is None)
                close(a["standard_error"] or 0, b["standard_error"] or 0, 1e-6)
    one = ["learn", program, "--data", table, "--format", "json", "--optimizer", "adam", "--batch", "1", "--iterations", "3"]
    for more in (["--threads", "2"], ["--memory-limit", "24"], ["--checkpoint", "b"], ["--checkpoint", "b", "--resume"]):
        assert bits(tool.run(*one, *more).stdout) == bits(tool.run(*one).stdout), more
    stopped = tool.learn(program, "--data", table, "--optimizer", "adam", "--batch", "100", "--rate", "1e-9",
                         "--iterations", "100000000", "--method", "exact", "--time-limit", "3", code=4)
    assert not stopped["converged"] and stopped["log_likelihood"] is None and stopped["gradient"] is None, stopped
    complete = tool.file("n.csv", "a(1),a(2)\n1,1\n1,0\n0,0\n0,0\n")
    reply = tool.learn(tool.file("n.lpmln", "@w(1) a(1).\n@w(2) a(2).\n"), "--data", complete, "--batch", "1")
    assert reply["method"] == "closed-form" and weights(reply) == {"1": 0, "2": math.log(1 / 3)}, reply
    noisy = tool.file("i.lpmln", ":- a(1), not a(2).\n{a(1..2)}.\n@w(1) :- a(1).\n")
    reply = tool.learn(noisy, "--data", complete, "--optimizer", "adam", "--batch", "1", "--noisy", "drop", "--prior", "0,2")
    whole = tool.learn(noisy, "--data", complete, "--noisy", "drop", "--prior", "0,2")
    assert reply["dropped"] == 1 and reply["observations"] == 3
    close(reply["log_likelihood"], whole["log_likelihood"], 1e-6)


def check_threads(tool):
    """The same bits, however many threads."""
    rng, size = random.Random(3), 120
    program = tool.file("b.lpmln", f"d(1..{size}). @w(X) a(X) :- d(X).\n"
                                   "b(X) :- a(X), a(X+1), d(X), d(X+1).\n")
    lines = [",".join(f"b({i})" for i in range(1, size))]
    for _ in range(400):
        a = [rng.random() < 0.6 for _ in range(size)]
        lines.append(",".join(str(int(x and y)) for x, y in zip(a, a[1:])))
    table = tool.file("b.csv", "\n".join(lines) + "\n")
    one = tool.learn(program, "--data", table)
    assert one == tool.learn(program, "--data", table, "--threads", "2")
    assert one["circuit_nodes"] * size > 20000, one["circuit_nodes"]  # else there are no threads


def check_saddle(tool):
    """Symmetric hidden causes: the initial weights are a saddle, not an optimum."""
    program = tool.file("p.lpmln", "@w(1) a.\n@w(2) b.\nboth :- a, b.\nnone :- not a, not b.\n")
    seen = tool.file("p.obs", "not both. not none.\n--- 10\nboth.\n")
    reply = tool.learn(program, "-e", seen, "--restarts", "0")
    weights = reply["weights"][0]["weight"], reply["weights"][1]["weight"]
    assert reply["log_likelihood"] > -3.5 and weights[0] * weights[1] < 0, reply


def check_coverage(tool):
    """95% intervals hold the truth in 93.5 to 96.5% of 2,000 data sets."""
    program = "@w(1) a.\n@w(2) b :- a.\n{ c } :- b.\n@w(3) c :- a, not b.\n"
    tool.file("p.lpmln", program)
    truth = {"1": 0.4, "2": -0.3, "3": 0.5}
    exact = tool.file("t.lpmln", program.replace("@w(1)", "0.4").replace("@w(2)", "-0.3").replace("@w(3)", "0.5"))
    models = json.loads(tool.run("models", exact, "--format", "json").stdout)["models"]
    chance = {tuple(sorted(m["atoms"])): m["probability"] for m in models}
    rng, inside, total = random.Random(11), 0, 0
    for _ in range(2000):
        seen = {}
        for key in rng.choices(list(chance), weights=list(chance.values()), k=500):
            seen[key] = seen.get(key, 0) + 1
        blocks = "".join(" ".join(f"{'' if atom in key else 'not '}{atom}." for atom in "abc") + f"\n--- {count}\n"
                         for key, count in seen.items())
        reply = tool.learn("p.lpmln", "-e", tool.file("o.obs", blocks))
        for w in reply["weights"]:
            inside += w["lower"] <= truth[w["parameter"]] <= w["upper"]
            total += 1
    print(f"   {100 * inside / total:.2f}% of {total}")
    assert 0.935 <= inside / total <= 0.965, inside / total


def recover(tool, label, rng):
    """Learns from 5,000 models drawn with known weights; (inside, parameters)."""
    case = Case(label)
    truth = [rng.uniform(-1.5, 1.5) for _ in case.names]
    described = [(case.counts(m), float(m.log_weight)) for m in case.models]
    logs = [c - sum(x * k for x, k in zip(truth, n)) for n, c in described]
    top = max(logs)
    drawn = rng.choices(range(len(logs)), weights=[math.exp(x - top) for x in logs], k=5000)
    atoms = sorted(set().union(*(m.atoms for m in case.models)))
    case.blocks = [(drawn.count(i), [(a, a in case.models[i].atoms) for a in atoms]) for i in sorted(set(drawn))]
    case.write(tool.folder)
    reply = tool.learn("p.lpmln", "-e", "p.obs")
    inside = total = 0
    for w in reply["weights"]:
        if w["standard_error"] is None or w["standard_error"] > 1:
            continue  # not identified, or hardly
        total += 1
        inside += w["lower"] <= truth[case.names.index(w["parameter"])] <= w["upper"]
    return inside, total


def check_recovery(tool):
    """Known weights are found again: 100 programs, 5,000 samples each."""
    rng, inside, total = random.Random(5), 0, 0
    for i in range(100):
        a, b = recover(tool, f"{('choice', 'nontight', 'mixed', 'disjunction')[i % 4]} recover/{i}", rng)
        inside, total = inside + a, total + b
    print(f"   {100 * inside / total:.1f}% of {total} intervals hold the truth")
    assert total > 100 and 0.90 <= inside / total <= 0.99, (inside, total)


def check_local_optima(tool):
    """Restarts: the best is kept, the spread is told."""
    label = "mixed learnspread/1"
    case = Case(label)
    case.write(tool.folder)
    reply = tool.learn("p.lpmln", "-e", "p.obs", "--restarts", "7")
    assert len(reply["runs"]) == 8 or reply["method"] == "closed-form"
    best, _ = maximise(case.likelihood(), len(case.names), case.rng)
    assert reply["log_likelihood"] >= best - 1e-6


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--lpmln", default="build/lpmln")
    parser.add_argument("--long", action="store_true")
    parser.add_argument("names", nargs="*")
    options = parser.parse_args()
    checks = {name[6:]: f for name, f in globals().items() if name.startswith("check_")}
    tally = closing.Tally()
    for name, check in checks.items():
        if options.names and name not in options.names:
            continue
        with tempfile.TemporaryDirectory() as folder:
            try:
                began = time.time()
                check(Tool(options.lpmln, folder, options.long))
                tally.check(name, True)
                print(f"{name}: good, {time.time() - began:.1f} s")
            except Exception:  # a fault of any kind is a failed check
                tally.check(f"{name}\n{traceback.format_exc()}", False)
    return tally.close(asked=len(options.names or checks))


if __name__ == "__main__":
    sys.exit(main())
