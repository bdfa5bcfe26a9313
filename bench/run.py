"""Speed goals, measured: `make bench`.  One table, and build/bench.json.

CPU seconds of the whole command, user and system, the best of some runs; where there is a
yardstick in the same run (clingo's enumeration, grounding alone) also the ratio to it.  Goals
are those of the project's issues; a row that misses its goal is marked, not hidden.
"""

import argparse
import json
import os
import resource
import subprocess
import sys
import tempfile
import threading

import programs

EXACT = [("e11", 0.03), ("e15r5", 0.03), ("e40", 0.03), ("L20b", 0.05), ("L50b", 0.3),
         ("L100b", 1), ("R20_6", 0.2), ("R24_6", 0.7), ("R28_6", 3), ("R32_6", 12),
         ("R28_3", 0.4), ("R32_3", 1.5), ("R40_3", 8), ("G5", 0.2), ("G6", 0.6), ("G7", 6)]
LEARN = [("e11", 0.1), ("e15r5", 0.1), ("e40", 0.1), ("L20b", 0.2), ("L50b", 2), ("R20_6", 1)]
STRETCH = [("G8", None), ("R40_6", None), ("R50_3", None)]


def options_of(arguments):
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--lpmln", default="build/lpmln")
    parser.add_argument("--timeout", type=float, default=60)
    parser.add_argument("--runs", type=int, default=3)
    parser.add_argument("--stretch", action="store_true", help="also the rows out of reach so far")
    parser.add_argument("--docs", metavar="FILE", help="put the table into this document")
    parser.add_argument("--output", default="build/bench.json")
    return parser.parse_args(arguments)


def cpu_and_memory(command, timeout):
    """CPU seconds and peak MiB of a command and its worker; None if it does not end in time."""
    child = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    timer = threading.Timer(timeout, child.kill)
    timer.start()
    _, status, usage = os.wait4(child.pid, 0)
    timer.cancel()
    child.returncode = os.waitstatus_to_exitcode(status)
    if child.returncode not in (0, 10, 20, 30):
        return None, None
    return usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024


def best(command, options):
    measured = []
    for _ in range(options.runs):
        cpu, memory = cpu_and_memory(command, options.timeout)
        if cpu is None:
            return None, None
        measured.append((cpu, memory))
        if cpu > 2:
            break
    return min(measured)


class Table:
    def __init__(self):
        self.rows = []

    def add(self, name, ours, memory=None, goal=None, yardstick=None, of=None):
        ratio = ours / yardstick if ours is not None and yardstick else None
        value = ratio if of else ours
        met = None if goal is None else value is not None and value <= goal
        self.rows.append({"name": name, "cpu_seconds": ours, "peak_mib": memory, "yardstick": yardstick,
                          "of": of, "ratio": ratio, "goal": goal, "met": met})
        print(self.line(self.rows[-1]), flush=True)

    @staticmethod
    def line(row):
        def number(x, digits=3):
            return "-" if x is None else f"{x:.{digits}f}"
        verdict = {None: "", True: "met", False: "MISSED"}[row["met"]]
        ours = "no answer" if row["cpu_seconds"] is None else number(row["cpu_seconds"])
        return (f"{row['name']:38} {ours:>9} {number(row['yardstick']):>9} {number(row['ratio'], 2):>7} "
                f"{number(row['goal'], 2):>7} {number(row['peak_mib'], 0):>6}  {verdict}")


class Bench:
    def __init__(self, options, folder):
        self.options, self.folder, self.table = options, folder, Table()

    def write(self, name, text):
        path = os.path.join(self.folder, name)
        with open(path, "w") as file:
            file.write(text)
        return path

    def infer(self, program, evidence, *more):
        command = [self.options.lpmln, "infer", self.write("p.lpmln", program), "--method", "exact"]
        if evidence:
            command += ["-e", self.write("e.obs", evidence)]
        return best(command + list(more), self.options)

    def enumeration(self):
        ours, clingo = programs.choices(18)
        cpu, memory = best([self.options.lpmln, "infer", self.write("p.lpmln", ours), "--method", "enumerate"],
                           self.options)
        yardstick, _ = best(["clingo", "0", self.write("p.lp", clingo)], self.options)
        self.table.add("2^18 models, enumerated / clingo 0", cpu, memory, 1.0, yardstick, of="clingo 0")

    def networks(self, rows):
        for graph, goal in rows:
            cpu, memory = self.infer(*programs.network(graph), "-q", "fail/2")
            self.table.add(f"network {graph}", cpu, memory, goal)

    def learning(self):
        """All four sessions, from the text to the weights and what there is to say about them."""
        for graph, goal in LEARN:
            program, data = programs.network(graph, 4)
            cpu, memory = best([self.options.lpmln, "learn", self.write("p.lpmln", program),
                                "-e", self.write("e.obs", data)], self.options)
            self.table.add(f"learn {graph}, four sessions", cpu, memory, goal)

    def families(self):
        cpu, memory = self.infer(*programs.smokers(1000), "-q", "stress/1")
        self.table.add("smokers, 1,000 people", cpu, memory, 3)
        cpu, memory = self.infer(*programs.robot(300), "-q", "pf1/2")
        self.table.add("robot, horizon 300", cpu, memory, 0.5)
        cpu, memory = self.infer(*programs.bayes(240), "-q", "c/2")
        self.table.add("Bayesian network, 240 nodes", cpu, memory, 0.3)

    def evaluation(self):
        """Up and down, ns an edge, and against reading the arrays once."""
        done = subprocess.run([os.path.join(os.path.dirname(self.options.lpmln), "bench-evaluate")],
                              capture_output=True, text=True, check=True)
        up, down, reading, edges = map(float, done.stdout.split())
        self.table.add(f"evaluation, ns/edge ({edges / 1e6:.1f}M) / reading", up + down, None, 15, reading)

    def sampling(self):
        """Uniform samples: milliseconds each, of lpmln and its worker, from the text on; and
        those of the circuit alone, microseconds each."""
        for graph, samples, observed in (("e11", 10000, True), ("L20d", 2000, False), ("L20d", 2000, True)):
            program, evidence = programs.network(graph)
            command = [self.options.lpmln, "sample", self.write("p.lpmln", program), "--uniform",
                       "--method", "mc-asp", "-n", str(samples)]
            if observed:
                command += ["-e", self.write("e.obs", evidence)]
            cpu, memory = best(command, self.options)
            name = graph + ("" if observed else " without evidence")
            self.table.add(f"uniform sample, {name}, ms", cpu and 1000 * cpu / samples, memory, 5)
        folder = os.path.dirname(self.options.lpmln)
        program, evidence = programs.network("e11")
        done = subprocess.run([os.path.join(folder, "bench-sample"), self.write("p.lpmln", program),
                               self.write("e.obs", evidence), os.path.join(folder, "lpmln-worker")],
                              capture_output=True, text=True, check=True)
        guessed, _ = map(float, done.stdout.split())
        self.table.add("uniform sample, e11, circuit, us", guessed / 1000, None, 5)

    def chains(self):
        """MC-ASP: CPU seconds for 1,000 effective samples of the median atom, against the same without
        block moves; a program that does not compile; learning."""
        for name, (program, evidence), query, weights in (
                ("e11 without evidence", (programs.network("e11")[0], ""), "fail/2", programs.failing(10)),
                ("L20b", programs.network("L20b"), "fail/2", programs.failing(20)),
                ("smokers 30", programs.smokers(30), "smokes/1", []),
                ("dense 40", programs.dense(40), "a/1", [])):
            files = ["infer", self.write("p.lpmln", program), "-e", self.write("e.obs", evidence), "-q", query]
            cost, memory = self.effective(files + weights)
            alone, _ = self.effective(files + weights + ["--blocks", "0"])
            self.table.add(f"1,000 effective samples, {name}", cost, memory, 1, alone, of="MC-ASP alone" if alone else None)
        program, evidence = programs.dense(150)
        cpu, memory = best([self.options.lpmln, "infer", self.write("p.lpmln", program), "-e",
                            self.write("e.obs", evidence), "--method", "mc-asp", "--samples", "250", "-q", "a/1"],
                           self.options)
        self.table.add("dense 150, 1,000 samples", cpu, memory)
        for example in ("virus", "network"):
            path = os.path.join(os.path.dirname(programs.GRAPHS), "..", "examples", example, example)
            cpu, memory = best([self.options.lpmln, "learn", path + ".lpmln", "-e", path + ".obs", "--method", "mc-asp"],
                               self.options)
            self.table.add(f"learn {example}, mc-asp", cpu, memory)

    def effective(self, command):
        """CPU seconds for 1,000 effective samples, from what a run of some seconds has; None: it has none."""
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        done = subprocess.run([self.options.lpmln, *command, "--method", "mc-asp", "--chains", "2", "--samples", "400",
                               "--burn-in", "50", "--time-limit", "15", "--format", "json", "--quiet"],
                              capture_output=True, text=True, check=False)
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        cpu = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
        sizes = [m["ess"] for m in json.loads(done.stdout)["marginals"] if m["ess"]] if done.stdout else []
        return (1000 * cpu / sorted(sizes)[len(sizes) // 2], None) if sizes else (None, None)

    def sessions(self):
        program, evidence = programs.network("e40", 1000)
        cpu, memory = self.infer(program, evidence, "-q", "fail(1,1)")
        path = self.write("g.lpmln", program)
        yardstick, _ = best([self.options.lpmln, "translate", path, "--to", "asp"], self.options)
        self.table.add("1,000 sessions of e40 / grounding", cpu, memory, 3.0, yardstick, of="grounding alone")


def write_docs(path, rows):
    """Replaces what is between the two marks of the document."""
    def number(x, digits=3):
        return "–" if x is None else f"{x:.{digits}f}"
    lines = ["| what | CPU seconds | yardstick | ratio | goal | MiB |", "| --- | --- | --- | --- | --- | --- |"]
    for row in rows:
        lines.append(f"| {row['name']} | {number(row['cpu_seconds'])} | {number(row['yardstick'])} | "
                     f"{number(row['ratio'], 2)} | {number(row['goal'], 2)}{'' if row['met'] is not False else ' (missed)'} | "
                     f"{number(row['peak_mib'], 0)} |")
    with open(path) as file:
        before, rest = file.read().split("<!-- table -->\n")
        after = rest.split("<!-- end -->\n")[1]
    with open(path, "w") as file:
        file.write(before + "<!-- table -->\n" + "\n".join(lines) + "\n<!-- end -->\n" + after)


def main(arguments):
    options = options_of(arguments)
    print(f"{'':38} {'CPU s':>9} {'yardstick':>9} {'ratio':>7} {'goal':>7} {'MiB':>6}")
    with tempfile.TemporaryDirectory() as folder:
        bench = Bench(options, folder)
        bench.enumeration()
        bench.networks(EXACT + (STRETCH if options.stretch else []))
        bench.learning()
        bench.families()
        bench.sessions()
        bench.evaluation()
        bench.sampling()
        bench.chains()
    with open(options.output, "w") as file:
        json.dump(bench.table.rows, file, indent=1)
    if options.docs:
        write_docs(options.docs, bench.table.rows)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
