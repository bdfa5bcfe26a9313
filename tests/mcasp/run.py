"""What sampling promises, from outside: learning reaches the exact maximum, a program that does not
compile is answered with errors that hold, limits and interruptions leave a marked answer.

    python3 tests/mcasp/run.py --lpmln build/lpmln [--long] [NAME…]

Each check is a function named check_…; closes with 'N passed, N failed, N skipped'.
"""

import argparse
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
            error = answer["log_likelihood_error"]
            assert 0 <= error < 0.1 and abs(answer["log_likelihood"] - value) <= 5 * error + 1e-9, (answer, value)
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


def check_many_clamped_observations(tool):
    """More than have workers at the same time."""
    program = tool.file("m.lpmln", "{ a; b; c; d; f }.\n@w(1) a :- b. @w(2) c :- not a. @w(3) :- c, d. e :- a, d.\n")
    rows = [" ".join(f"{'' if i >> k & 1 else 'not '}{atom}." for k, atom in enumerate("abcd") if i % 5 != k)
            for i in range(80)]
    data = tool.file("m.obs", "\n---\n".join(sorted(set(rows))) + "\n---\n")
    exact = tool.json("learn", program, "-e", data, "--prior", "0,2")
    answer = tool.json("learn", program, "-e", data, "--prior", "0,2", "--method", "mc-asp", "--compile-limit", "0")
    assert answer["converged"] and answer["observations"] > 16, answer
    for w, x in zip(answer["weights"], exact["weights"]):
        assert abs(w["weight"] - x["weight"]) < 4 * w["mc_error"], (w, x)


def check_observations_that_say_nothing(tool):
    """They leave the program as it is: their part of the gradient cancels, instead of being sampled twice."""
    program = tool.file("z.lpmln", "d(1..2).\n{ a0(1); a1(2) }.\n@w(2) : a0(X) :- not a1(X), d(X).\n")
    nothing = ":- not d(1), not a0(1).\n--- 17\n"
    data = tool.file("z.obs", nothing)
    for prior, weight in ((("--prior", "0,2"), 0), (("--prior", "1,2"), 1), ((), 0)):
        answer = tool.json("learn", program, "-e", data, "--method", "mc-asp", "--seed", "3", *prior)
        found = answer["weights"][0]
        assert answer["converged"] and abs(found["weight"] - weight) < 1e-6, (prior, found)
        assert found["mc_error"] == (0 if prior else None) and found["identified"] == bool(prior), found
        assert answer["log_likelihood"] == answer["log_likelihood_error"] == 0, answer
    data = tool.file("z.obs", nothing + "a0(1).\n--- 6\n:- a0(1), not a1(2).\n---\n")
    best = tool.json("learn", program, "-e", data, "--prior", "0,2")["weights"][0]["weight"]
    found = tool.json("learn", program, "-e", data, "--prior", "0,2", "--method", "mc-asp")["weights"][0]
    assert abs(found["weight"] - best) < 4 * found["mc_error"], (found, best)


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
    for option in (["--noisy", "atoms"], ["--optimizer", "em"], ["--optimizer", "lbfgs"]):
        said = tool.run("learn", program, "-e", data, "--method", "mc-asp", *option, code=2).stderr
        assert "mc-asp" in said or "exact" in said, said
    for command in (["map"], ["models"]):
        tool.run(*command, program, "--method", "mc-asp", code=2)


HIDDEN = "{ a; b; c; d; f }.\n@w(1) a :- b. @w(2) c :- not a. @w(3) :- c, d. @w(4) f. @w(5) d. e :- a, d.\n"


def hidden(tool, rows):
    """A program and observations that leave a fifth of the atoms open."""
    rng = random.Random(1)
    blocks = [" ".join(rng.choice(("", "", "not ")) + x + "." for x in "abcdf" if rng.random() < 0.8) or "not z."
              for _ in range(rows)]
    return tool.file("h.lpmln", HIDDEN), tool.file("h.obs", "\n---\n".join(blocks) + "\n---\n")


def check_l1_prior(tool):
    program, data = hidden(tool, 24)
    for strength in ("3", "1"):
        line = ("learn", program, "-e", data, "--prior", "l1," + strength, "--restarts", "0")
        exact, answer = tool.json(*line)["weights"], tool.json(*line, "--method", "mc-asp")["weights"]
        for x, w in zip(exact, answer):
            assert abs(w["weight"] - x["weight"]) < max(5 * w["mc_error"], 0.1), (strength, x, w)
        assert any(x["weight"] == w["weight"] == 0 for x, w in zip(exact, answer)), answer


def check_folds_and_test_data(tool):
    program, data = hidden(tool, 12)
    line = ("learn", program, "-e", data, "--prior", "0,2", "--restarts", "0", "--folds", "2", "--test", data)
    exact, answer = tool.json(*line), tool.json(*line, "--method", "mc-asp")
    for x, y in zip(exact["folds"] + [exact["test_log_likelihood"]], answer["folds"] + [answer["test_log_likelihood"]]):
        assert abs(x - y) < 0.5, (x, y)


def check_restarts(tool):
    program, data = hidden(tool, 6)
    answer = tool.json("learn", program, "-e", data, "--prior", "0,2", "--method", "mc-asp", "--restarts", "1")
    assert len(answer["runs"]) == 2 and answer["converged"], answer


def check_checkpoint_is_resumed_to_the_same_bits(tool):
    """Chains of the program and of observations go on where they were."""
    program, data = hidden(tool, 5)
    line = ("learn", program, "-e", data, "--prior", "0,2", "--method", "mc-asp", "--compile-limit", "0", "--samples", "50",
            "--restarts", "1", "--iterations", "6", "--quiet")
    whole = tool.run(*line, "--format", "json").stdout
    tool.run(*line, "--checkpoint", "c.ck")
    with open(os.path.join(tool.folder, "c.ck"), encoding="utf-8") as file:
        records = file.readlines()
    assert len(records) >= 10, len(records)
    for kept in (1, 3, len(records) - 1):
        with open(os.path.join(tool.folder, "c.ck"), "w", encoding="utf-8") as file:
            file.writelines(records[:kept])
        resumed = json.loads(tool.run(*line, "--checkpoint", "c.ck", "--resume", "--format", "json").stdout)
        resumed["diagnostics"] = [d for d in resumed["diagnostics"] if "checkpoint" not in d["message"]]
        assert resumed == json.loads(whole), (kept, resumed, whole)


def check_very_many_parameters(tool):
    """More than fit in a matrix; a chain of atoms compiles, so that the optimum is known."""
    n, rows = 501, 8
    rng = random.Random(2)
    table = [[rng.random() < 0.6 for _ in range(n)] for _ in range(rows)]
    data = tool.file("many.csv", "\n".join([",".join("a(%d)" % i for i in range(n))] +
                                           [",".join("01"[x] for x in row) for row in table]) + "\n")
    text = "n(0..%d). @w(a(X)) a(X) :- n(X). @w(b(X)) :- a(X), n(X+1), not a(X+1).\n" % (n - 1)
    program = tool.file("many.lpmln", text)
    line = ("learn", program, "--data", data, "--prior", "0,1")
    exact = tool.json(*line)["weights"]
    answer = tool.json(*line, "--method", "mc-asp")
    inside = sum(abs(w["weight"] - x["weight"]) <= 1.96 * w["mc_error"] for w, x in zip(answer["weights"], exact))
    assert answer["converged"] and 0.9 <= inside / len(exact) <= 0.99 and len(exact) > 1000, inside


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
    assert answer["method"] in ("mc-asp", "bounds"), answer
    assert answer["log_partition"] is None or answer["log_partition_error"] > 0, answer
    for atom in "pqr":
        assert mixed[atom]["error"] == 0 and abs(mixed[atom]["probability"] - exact[atom]["probability"]) < 1e-9
    assert mixed["a(0)"]["error"] > 0, mixed["a(0)"]


def check_flips_keep_support_of_atoms_that_do_not_flip(tool):
    """b is in the body of a loop's rule, so it is not flipped itself; that of c must not take its support."""
    program = tool.file("k.lpmln", "2 a :- not b, a. -1 d ; c :- a. -0.4 b :- c. 2 a.\n")
    exact = estimates(tool.json("infer", program, "--method", "exact"))
    sampled = estimates(tool.json("infer", program, "--method", "mc-asp", "--samples", "2000"))
    for atom in "abcd":
        apart = abs(exact[atom]["probability"] - sampled[atom]["probability"])
        assert apart < 4 * sampled[atom]["error"], (atom, exact[atom], sampled[atom])


def check_sums_are_known_with_their_errors_or_not_at_all(tool):
    """Of dense 200 the evidence about derived atoms is out of the ladder's reach: null, not 0."""
    program, evidence = programs.dense(200)
    few = ("--samples", "64", "--burn-in", "20", "-q", "a(0)", "--method", "mc-asp")
    answer = tool.json("infer", tool.file("d.lpmln", program), "-e", tool.file("d.obs", evidence), *few)
    for name in ("log_partition", "log_evidence"):
        assert (answer[name] is None) == (answer[name + "_error"] is None), answer
        assert answer[name] is None or answer[name + "_error"] > 0, answer
    small = [tool.file("s.lpmln", "0.5 a. 1 b. 2 c :- a. -1 :- b, c. 0.3 :- a, not b.\n"), "-e", tool.file("s.obs", "c.\n")]
    exact = tool.json("infer", *small, "--method", "exact")
    sampled = tool.json("infer", *small, "--method", "mc-asp", "--samples", "2000")
    for name in ("log_partition", "log_evidence"):
        assert 0 < sampled[name + "_error"] < 0.1, sampled
        assert abs(sampled[name] - exact[name]) < 4 * sampled[name + "_error"], (exact[name], sampled[name])


def check_map_says_what_it_may_have_missed(tool):
    program, evidence = programs.dense(26)  # enumerated in some 7 s
    files = [tool.file("m.lpmln", program), "-e", tool.file("m.obs", evidence)]
    best = tool.json("map", *files, "--method", "exact")
    assert best["complete"] and "log_weight_upper" not in best, best
    best = best["models"][0]["log_weight"]
    for command in ("map", "models"):
        done = tool.run(command, *files, "--method", "enumerate", "--time-limit", "2", "--format", "json", code=4)
        answer = json.loads(done.stdout)
        assert not answer["complete"], answer["models_seen"]
        assert answer["models"][0]["log_weight"] < best + 1e-9, (answer["models"][0], best)
        assert best - 1e-9 <= answer["log_weight_upper"] < best + 10, (best, answer["log_weight_upper"])
    done = tool.run("map", *files, "--method", "enumerate", "--time-limit", "2", code=4)
    assert "no stable model" in done.stdout, done.stdout


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


def check_error_asked_for(tool):
    program, evidence = programs.network("e11")
    files = [tool.file("t.lpmln", program), "-e", tool.file("t.obs", evidence)]
    line = ["infer", *files, "--method", "mc-asp", "-q", "fail/2"]
    exact = estimates(tool.json("infer", *files, "--method", "exact", "-q", "fail/2"))
    loose, tight = (tool.json(*line, "--error", e) for e in ("0.02", "0.004"))
    assert loose["samples"] < tight["samples"], (loose["samples"], tight["samples"])
    assert all(m["error"] <= 0.004 for m in tight["marginals"]), tight["marginals"]
    for atom, m in estimates(tight).items():
        assert abs(m["probability"] - exact[atom]["probability"]) <= 5 * m["error"], (atom, m, exact[atom])
    missed = tool.json(*line, "--error", "0.001", "--samples", "100", code=4)
    assert not missed["complete"] and missed["samples"] == 400, missed["samples"]


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
