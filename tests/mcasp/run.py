"""What sampling promises, from outside: learning reaches the exact maximum, a program that does not
compile is answered with errors that hold, limits and interruptions leave a marked answer.

    python3 tests/mcasp/run.py --lpmln build/lpmln [--long] [NAME…]

Each check is a function named check_…; closes with 'N passed, N failed, N skipped'.
"""

import argparse
import json
import math
import os
import resource
import signal
import subprocess
import sys
import tempfile
import time
import traceback

ROOT = os.path.abspath(os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", ".."))
sys.path[:0] = [os.path.join(ROOT, "bench"), os.path.join(ROOT, "tests")]
import closing  # noqa: E402
import programs  # noqa: E402

EXAMPLES = {"virus": -7.22353, "network": -10.0438586}


class Tool:
    def __init__(self, path, folder, long):
        self.path, self.folder, self.long = os.path.abspath(path), folder, long

    def file(self, name, text):
        path = os.path.join(self.folder, name)
        with open(path, "w", encoding="utf-8") as out:
            out.write(text)
        return path

    def run(self, *line, code=0):
        done = subprocess.run([self.path, *line], cwd=self.folder, capture_output=True, text=True,
                              timeout=300, check=False)
        assert done.returncode == code, f"{line}: exit {done.returncode}\n{done.stdout}\n{done.stderr}"
        return done

    def json(self, *line, code=0):
        return json.loads(self.run(*line, "--format", "json", code=code).stdout)


def example(name):
    folder = os.path.join(ROOT, "examples", name)
    return os.path.join(folder, f"{name}.lpmln"), os.path.join(folder, f"{name}.obs")


def learned_likelihood(tool, name, *options):
    program, data = example(name)
    answer = tool.json("learn", program, "-e", data, "--method", "mc-asp", "-o", "learned.lpmln", *options)
    exact = tool.json("infer", "learned.lpmln", "-e", data, "--method", "exact", "-q", "nothing")
    return answer, exact["log_evidence"]


def check_learning_reaches_the_maximum(tool):
    for name, maximum in EXAMPLES.items():
        for seed in range(10 if tool.long else 2):
            answer, value = learned_likelihood(tool, name, "--seed", str(seed))
            assert answer["method"] == "mc-asp" and not answer["exact"] and answer["converged"], answer
            assert answer["log_likelihood"] is None, answer["log_likelihood"]
            assert value > maximum - 0.05, (name, seed, value)
            if name == "network":
                signs = {w["parameter"]: w["diverges"] for w in answer["weights"]}
                assert signs["1"] == "-" and signs["4"] == "-" and signs["7"] is None, signs
            else:
                for w in answer["weights"]:
                    assert 0 < w["mc_error"] < 0.1 * w["standard_error"], w


def check_learning_with_clamped_chains(tool):
    """Nothing is compiled: observations have chains, too."""
    answer, value = learned_likelihood(tool, "network", "--compile-limit", "0")
    assert answer["converged"] and value > EXAMPLES["network"] - 0.05, value


def check_monte_carlo_error_of_weights(tool):
    """Over seeds, learned weights scatter around the exact ones as the stated errors say."""
    program, data = example("virus")
    exact = [w["weight"] for w in tool.json("learn", program, "-e", data)["weights"]]
    squares = []
    for seed in range(100 if tool.long else 10):
        answer = tool.json("learn", program, "-e", data, "--method", "mc-asp", "--seed", str(seed))
        squares += [((w["weight"] - x) / w["mc_error"]) ** 2 for w, x in zip(answer["weights"], exact)]
    mean = sum(squares) / len(squares)
    assert 0.4 < mean < 2.5, mean


def check_the_papers_settings(tool):
    answer, value = learned_likelihood(tool, "virus", "--optimizer", "ascent", "--iterations", "50", "--samples",
                                       "50", "--rate", "0.1", "--delta", "0.001", "--chains", "1")
    assert answer["optimizer"] == "ascent" and answer["iterations"] <= 50, answer
    assert value > -7.5, value


def check_learning_is_refused_clearly(tool):
    program, data = example("virus")
    for option in (["--checkpoint", "c"], ["--folds", "2"], ["--restarts", "2"], ["--optimizer", "lbfgs"],
                   ["--prior", "l1,1"]):
        said = tool.run("learn", program, "-e", data, "--method", "mc-asp", *option, code=2).stderr
        assert "mc-asp" in said or "exact" in said, said
    for command in (["map"], ["models"]):
        tool.run(*command, program, "--method", "mc-asp", code=2)


def check_impossible_observations(tool):
    program = tool.file("a.lpmln", "@w(1) a. b :- a.\n")
    data = tool.file("a.obs", "a. b.\n--- 3\na. not b.\n---\nnot a.\n---\n")
    said = tool.run("learn", program, "-e", data, "--method", "mc-asp", code=1).stderr
    assert "impossible" in said, said
    answer = tool.json("learn", program, "-e", data, "--method", "mc-asp", "--noisy", "drop")
    weight = answer["weights"][0]
    assert answer["dropped"] == 1 and abs(weight["weight"] - math.log(3)) < 5 * weight["mc_error"] + 1e-6, weight


def check_no_model_no_evidence(tool):
    program = tool.file("n.lpmln", "1 a. :- a. :- not a.\n")
    assert "no probabilistic stable model" in tool.run("infer", program, "--method", "mc-asp", code=1).stderr
    program = tool.file("n.lpmln", "1 a. b :- a.\n")
    data = tool.file("n.obs", "a. not b.\n")
    tool.run("infer", program, "-e", data, "--method", "mc-asp", code=1)


def estimates(answer):
    return {m["atom"]: m for m in answer["marginals"]}


def check_dense_program_two_seeds(tool):
    """It does not compile, so nothing else answers it."""
    program, evidence = programs.dense(100)
    files = [tool.file("d.lpmln", program), "-e", tool.file("d.obs", evidence)]
    tool.run("infer", *files, "--method", "exact", "--time-limit", "2", "-q", "a(1)", code=4)
    samples = "1000" if tool.long else "150"
    first, second = (estimates(tool.json("infer", *files, "--method", "mc-asp", "--seed", seed, "--samples",
                                         samples, "--burn-in", "50", "--chains", "2",
                                         "--threads", "2", "-q", "a/1", "-q", "b/1"))
                     for seed in ("1", "2"))
    apart = []
    for atom, x in first.items():
        y = second[atom]
        error = math.hypot(x["error"], y["error"])
        if error > 0:
            apart.append((x["probability"] - y["probability"]) / error)
    assert len(apart) > 100, len(apart)
    spread = sum(z * z for z in apart) / len(apart)
    assert max(map(abs, apart)) < 5 and spread < 1.6, (max(map(abs, apart)), spread)


def check_parts_that_compile_are_exact(tool):
    program, evidence = programs.dense(40)
    small = "2 p. 1 q :- p. :- p, q, not r. {r}.\n"
    files = [tool.file("m.lpmln", program + small), "-e", tool.file("m.obs", evidence)]
    exact = estimates(tool.json("infer", tool.file("s.lpmln", small), "--method", "exact"))
    done = tool.run("infer", *files, "--compile-limit", "1", "--samples", "20", "--burn-in", "10", "--format",
                    "json", "-q", "p", "-q", "q", "-q", "r", "-q", "a(0)")
    answer = json.loads(done.stdout)
    mixed = estimates(answer)
    assert "too hard to compile" in done.stderr, done.stderr
    assert answer["method"] == "mc-asp" and answer["log_partition"] is None, answer
    for atom in "pqr":
        assert mixed[atom]["error"] == 0 and abs(mixed[atom]["probability"] - exact[atom]["probability"]) < 1e-9
    assert mixed["a(0)"]["error"] > 0, mixed["a(0)"]


def check_auto_enumerates_few_models(tool):
    program, evidence = programs.network("e40")
    files = [tool.file("e.lpmln", program), "-e", tool.file("e.obs", evidence)]
    exact = estimates(tool.json("infer", *files, "-q", "fail/2", "--method", "exact"))
    answer = tool.json("infer", *files, "-q", "fail/2", "--compile-limit", "0")
    assert answer["method"] in ("enumerate", "exact") and answer["exact"], answer
    for atom, m in estimates(answer).items():
        assert abs(m["probability"] - exact[atom]["probability"]) < 1e-9, atom


def check_threads(tool):
    program, evidence = programs.network("e11")
    files = [tool.file("t.lpmln", program), "-e", tool.file("t.obs", evidence)]
    line = ["infer", *files, "--method", "mc-asp", "--samples", "50", "-q", "fail/2"]
    one, two = (tool.run(*line, "--threads", n).stdout for n in ("1", "3"))
    assert one == two and one != tool.run(*line, "--seed", "1").stdout
    line[0] = "sample"
    line = line[:-4] + ["-n", "40"]
    assert tool.run(*line, "--threads", "1").stdout == tool.run(*line, "--threads", "3").stdout


def check_time_limit(tool):
    program, evidence = programs.network("e11")
    files = [tool.file("t.lpmln", program), "-e", tool.file("t.obs", evidence)]
    answer = tool.json("infer", *files, "--method", "mc-asp", "--samples", "10000000", "--time-limit", "2", "-q",
                       "fail/2", code=4)
    assert not answer["complete"] and answer["samples"] > 100 and answer["marginals"][1]["error"] > 0, answer
    answer = tool.json("learn", *example("network")[:1], "-e", example("network")[1], "--method", "mc-asp",
                       "--samples", "20000", "--time-limit", "2", code=4)
    assert not answer["complete"] and len(answer["weights"]) == 10, answer


def check_interrupt(tool):
    program, evidence = programs.network("e11")
    line = [tool.path, "infer", tool.file("t.lpmln", program), "-e", tool.file("t.obs", evidence), "--method",
            "mc-asp", "--samples", "10000000", "--format", "json", "-q", "fail/2"]
    child = subprocess.Popen(line, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    time.sleep(1.5)
    child.send_signal(signal.SIGINT)
    out, _ = child.communicate(timeout=30)
    assert child.returncode == 130 and not json.loads(out)["complete"], (child.returncode, out)


def check_memory(tool):
    """100,000 samples."""
    program, evidence = programs.network("e11")
    line = ["infer", tool.file("t.lpmln", program), "-e", tool.file("t.obs", evidence), "--method", "mc-asp",
            "--samples", "25000", "-q", "fail/2"]
    answer = tool.json(*line)
    assert answer["samples"] == 100000
    peak = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss / 1024
    assert peak < 1024, f"{peak:.0f} MiB"
    exact = estimates(tool.json(*line[:4], "--method", "exact", "-q", "fail/2"))
    for atom, m in estimates(answer).items():
        assert abs(m["probability"] - exact[atom]["probability"]) <= 5 * m["error"], (atom, m, exact[atom])


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--lpmln", default="build/lpmln")
    parser.add_argument("--long", action="store_true")
    parser.add_argument("names", nargs="*")
    options = parser.parse_args()
    checks = [f for name, f in sorted(globals().items()) if name.startswith("check_")
              and (not options.names or name[len("check_"):] in options.names)]
    tally = closing.Tally()
    for check in checks:
        with tempfile.TemporaryDirectory() as folder:
            began = time.monotonic()
            try:
                check(Tool(options.lpmln, folder, options.long))
                tally.check(check.__name__, True)
            except Exception:
                tally.check(f"{check.__name__}\n{traceback.format_exc()}", False)
            print(f"{check.__name__}: {time.monotonic() - began:.1f} s", flush=True)
    return tally.close(asked=len(checks))


if __name__ == "__main__":
    sys.exit(main())
