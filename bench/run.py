"""Speed goals, measured: `make bench`.  One table, and build/bench.json.

CPU seconds of the whole command, user and system, the best of some runs; where there is a
yardstick in the same run (clingo's enumeration, grounding alone) also the ratio to it.  Goals
are those of the project's issues; a row that misses its goal is marked, not hidden.

`make bench-peers` (--peers) adds other systems on the same problems, as far as they can be
installed.
"""

import argparse
import json
import os
import resource
import subprocess
import sys
import tempfile

import families
import independent
import measure
import peers
import programs

EXACT = [("e11", 0.03), ("e15r5", 0.03), ("e40", 0.03), ("L20b", 0.05), ("L50b", 0.3),
         ("L100b", 1), ("R20_6", 0.2), ("R24_6", 0.7), ("R28_6", 3), ("R32_6", 12),
         ("R28_3", 0.4), ("R32_3", 1.5), ("R40_3", 8), ("G5", 0.2), ("G6", 0.6), ("G7", 6)]
LEARN = [("e11", 0.1), ("e15r5", 0.1), ("e40", 0.1), ("L20b", 0.2), ("L50b", 2), ("R20_6", 1)]
STRETCH = [("G8", None), ("R40_6", None), ("R50_3", None)]
PEERS_LEARN = ["e11", "e15r5", "e40", "L20b", "L50b", "R20_6"]
PEERS_INFER = ["e11", "e40", "L20b", "R20_6", "G5"]


def options_of(arguments):
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--lpmln", default="build/lpmln")
    parser.add_argument("--timeout", type=float, default=60)
    parser.add_argument("--runs", type=int, default=3)
    parser.add_argument("--stretch", action="store_true", help="also the rows out of reach so far")
    parser.add_argument("--peers", action="store_true", help="also other systems")
    parser.add_argument("--families", action="store_true", help="the families of programs alone, with other systems")
    parser.add_argument("--seed", type=int, default=1, help="of the families")
    parser.add_argument("--peer-timeout", type=float, default=20)
    parser.add_argument("--docs", metavar="FILE", help="put the tables into this document")
    parser.add_argument("--output", default="build/bench.json")
    return parser.parse_args(arguments)


def number(x, digits=3, none="-"):
    return none if x is None else f"{x:.{digits}f}"


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

    def best(self, command):
        return measure.best(command, self.options.timeout, self.options.runs)

    def infer(self, program, evidence, *more):
        command = [self.options.lpmln, "infer", self.write("p.lpmln", program), "--method", "exact"]
        if evidence:
            command += ["-e", self.write("e.obs", evidence)]
        return self.best(command + list(more))

    def learn(self, program, data):
        return self.best([self.options.lpmln, "learn", self.write("p.lpmln", program),
                          "-e", self.write("e.obs", data)])

    def enumeration(self):
        ours, clingo = programs.choices(18)
        run = self.best([self.options.lpmln, "infer", self.write("p.lpmln", ours), "--method", "enumerate"])
        yardstick = self.best(["clingo", "0", self.write("p.lp", clingo)]).seconds
        self.table.add("2^18 models, enumerated / clingo 0", run.seconds, run.mib, 1.0, yardstick, of="clingo 0")

    def networks(self, rows):
        for graph, goal in rows:
            run = self.infer(*programs.network(graph), "-q", "fail/2")
            self.table.add(f"network {graph}", run.seconds, run.mib, goal)

    def learning(self):
        """All four sessions, from the text to the weights and what there is to say about them."""
        for graph, goal in LEARN:
            run = self.learn(*programs.network(graph, 4))
            self.table.add(f"learn {graph}, four sessions", run.seconds, run.mib, goal)

    def families(self):
        for name, made, query, goal in (
                ("smokers, 1,000 people", programs.smokers(1000), "stress/1", 3),
                ("robot, horizon 300", programs.robot(300), "pf1/2", 0.5),
                ("Bayesian network, 240 nodes", programs.bayes(240), "c/2", 0.3)):
            run = self.infer(*made, "-q", query)
            self.table.add(name, run.seconds, run.mib, goal)

    def inside(self, program):
        """What some runs of a program say: the memory that all processes share is seldom left to one."""
        path = os.path.join(os.path.dirname(self.options.lpmln), program)
        return [line for _ in range(5) for line in
                subprocess.run([path], capture_output=True, text=True, check=True).stdout.splitlines()]

    def evaluation(self):
        """Up and down, ns an edge, and against reading the arrays once."""
        lines = self.inside("bench-evaluate")
        up, down, reading, edges = min((list(map(float, line.split())) for line in lines), key=lambda x: x[0] + x[1])
        self.table.add(f"evaluation, ns/edge ({edges / 1e6:.1f}M) / reading", up + down, None, 12, reading, of="reading")

    def batches(self):
        """64 rows through one circuit, up and down, ns an edge and row, against reading the arrays once."""
        lines = [line.split() for line in self.inside("bench-batch")]
        for named in dict.fromkeys((line[0], line[1]) for line in lines):
            shape, edges, _, tiles, _, reading, _ = min((line for line in lines if (line[0], line[1]) == named),
                                                        key=lambda line: float(line[3]))
            goal = {4: 0.6, 7: 1.1}.get(len(edges)) if shape != "scaled" else None
            name = f"64 rows, {shape}, {int(edges):,} edges, ns"
            self.table.add(name, float(tiles), None, goal, float(reading))

    def rows(self):
        """10^5 rows of evidence about a diagnosis, compiled once."""
        program, table = programs.diagnosis(100000)
        run = self.best([self.options.lpmln, "infer", self.write("p.lpmln", program), "--data",
                         self.write("rows.csv", table), "-q", "has/2"])
        self.table.add("100,000 rows of evidence", run.seconds, run.mib, 1)
        for kind in ("chain", "causes", "friends"):
            program, table = programs.different_rows(100000, kind)
            run = self.best([self.options.lpmln, "learn", self.write("p.lpmln", program), "--data",
                             self.write("rows.csv", table)])
            self.table.add(f"100,000 different rows learned, {kind}", run.seconds, run.mib, 6)

    def sampling(self):
        """Uniform samples: milliseconds each, of lpmln and its worker, from the text on; and
        those of the circuit alone, microseconds each."""
        for graph, samples, observed in (("e11", 10000, True), ("L20d", 2000, False), ("L20d", 2000, True)):
            program, evidence = programs.network(graph)
            command = [self.options.lpmln, "sample", self.write("p.lpmln", program), "--uniform",
                       "--method", "mc-asp", "-n", str(samples)]
            if observed:
                command += ["-e", self.write("e.obs", evidence)]
            run = self.best(command)
            name = graph + ("" if observed else " without evidence")
            self.table.add(f"uniform sample, {name}, ms", run.seconds and 1000 * run.seconds / samples, run.mib, 5)
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
        for n, goal in ((200, 1), (600, 4), (2000, 20)):
            program, evidence = programs.dense(n)
            cost, memory = self.effective(["infer", self.write("p.lpmln", program), "-e",
                                           self.write("e.obs", evidence), "-q", "a/1"])
            self.table.add(f"1,000 effective samples, dense {n}", cost, memory, goal)
        done = subprocess.run([os.path.join(os.path.dirname(self.options.lpmln), "bench-flips")],
                              capture_output=True, text=True, check=True)
        ours, plain, _ = map(float, done.stdout.split())
        self.table.add("million flips, Ising 45 x 45", 1e6 / ours, None, 3, 1e6 / plain, of="plain Gibbs in C")
        for example in ("virus", "network"):
            path = os.path.join(os.path.dirname(programs.GRAPHS), "..", "examples", example, example)
            run = self.best([self.options.lpmln, "learn", path + ".lpmln", "-e", path + ".obs", "--method", "mc-asp"])
            self.table.add(f"learn {example}, mc-asp", run.seconds, run.mib)

    def effective(self, command):
        """CPU seconds for 1,000 effective samples, from what a run of some seconds has; None: it has none."""
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        done = subprocess.run([self.options.lpmln, *command, "--method", "mc-asp", "--chains", "2", "--samples", "400",
                               "--burn-in", "50", "--time-limit", "15", "--format", "json", "--quiet"],
                              capture_output=True, text=True, check=False)
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        cpu = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
        sizes = [m["ess"] for m in json.loads(done.stdout or "{}").get("marginals", []) if m["ess"]]
        return (1000 * cpu / sorted(sizes)[len(sizes) // 2], None) if sizes else (None, None)

    def answers(self):
        """Programs that hardly compile, with default options; and bounds.  What does not compile is answered after
        seconds of the clock: there the time is that of waiting, on a machine with nothing else to do."""
        run = self.best([self.options.lpmln, "infer", self.write("p.lpmln", programs.soft_edges(9)), "-q", "r/2"])
        self.table.add("soft edges between 9 nodes, all pairs", run.seconds, run.mib, 5)
        run = measure.run([self.options.lpmln, "infer", self.write("p.lpmln", programs.social(8)), "-q", "reach/2",
                           "--format", "json"], self.options.timeout)
        worst = max(m.get("error") or 0 for m in json.loads(run.output)["marginals"]) if run.good else 1
        self.table.add("social network of 8, all pairs, waiting", run.wall if worst < 0.005 else None, run.mib, 10)
        folder = peers.networks()
        if folder:
            path = self.write("p.pl", families.bif(os.path.join(folder, "alarm.bif.gz"), False).text)
            run = self.best([self.options.lpmln, "infer", path, "--method", "bounds", "--precision", "0.01"])
            self.table.add("bounds on alarm, width 0.01", run.seconds, run.mib, 2)

    def sessions(self):
        for count in (1000, 10000):
            program, evidence = programs.network("e40", count)
            run = self.infer(program, evidence, "-q", "fail(1,1)")
            path = self.write("g.lpmln", program)
            yardstick = self.best([self.options.lpmln, "translate", path, "--to", "asp"]).seconds
            self.table.add(f"{count:,} sessions of e40 / grounding", run.seconds, run.mib, 3.0, yardstick, of="grounding alone")

    def goals(self):
        print(f"{'':38} {'CPU s':>9} {'yardstick':>9} {'ratio':>7} {'goal':>7} {'MiB':>6}")
        self.enumeration()
        self.networks(EXACT + (STRETCH if self.options.stretch else []))
        self.learning()
        self.families()
        self.sessions()
        self.evaluation()
        self.batches()
        self.rows()
        self.sampling()
        self.chains()
        self.answers()


class Peers:
    """The same problems for others: learning all four sessions, and P(fail | session 1)."""

    def __init__(self, bench):
        self.bench, self.limit = bench, bench.options.peer_timeout
        self.problog, self.plingo = peers.problog(), peers.plingo()
        self.rows = []

    def time(self, command):
        """CPU seconds; `> limit` is infinity; None if the program is not there or fails."""
        if not command[0]:
            return None
        run = measure.best(command, self.limit, self.bench.options.runs)
        return float("inf") if run.late else run.seconds

    def add(self, name, **seconds):
        self.rows.append({"name": name, **seconds})
        print(f"{name:22} " + "  ".join(f"{key} {self.cell(value)}" for key, value in seconds.items()), flush=True)

    def cell(self, seconds):
        return "–" if seconds is None else f"> {self.limit:.0f}" if seconds == float("inf") else f"{seconds:.3f}"

    def learning(self):
        examples = self.bench.write("examples.pl", peers.problog_examples(programs.SESSIONS))
        for graph in PEERS_LEARN:
            edges = programs.edges_of(graph)
            seconds = {"lpmln": self.bench.learn(*programs.network(graph, 4)).seconds,
                       "lpmln_aux": self.bench.learn(*programs.network(graph, 4, "aux")).seconds}
            for form in ("nl", "aux"):
                model = self.bench.write("m.pl", peers.problog_network(edges, form, "t(_)"))
                seconds["problog_" + form] = self.time([self.problog, "lfi", model, examples, "-s", "1", "-O", "/dev/null"])
            self.add(f"learn {graph}", **seconds)

    def inference(self):
        session = programs.SESSIONS[0]
        for graph in PEERS_INFER:
            edges = programs.edges_of(graph)
            made = self.bench.write("q.pl", peers.problog_network(edges, "aux", "0.5") +
                                    peers.problog_evidence(session) + peers.problog_queries(edges))
            clingo = self.bench.write("q.lp", peers.clingo_choices(edges, session))
            plingo = self.bench.write("q.plingo", peers.plingo_network(edges, session))
            self.add(f"infer {graph}", lpmln=self.bench.infer(*programs.network(graph), "-q", "fail/2").seconds,
                     problog_aux=self.time([self.problog, made]), clingo=self.time(["clingo", "0", "--quiet=2", clingo]),
                     plingo=self.time([self.plingo, plingo, "--all", "--quiet=2"]))


FAMILIES = [("open_friends", (8, 9, 12, 15)), ("known_friends", (60, 120)), ("coloring", (40, 50)),
            ("clauses", (55, 60, 80)), ("ising", (11, 13)), ("strip", (10, 18, 100)), ("complete", (8, 9, 12)),
            ("edges_grid", (3, 4, 5)), ("tree_smokers", (200, 300, 1000)), ("hmm", (200, 1000, 4000)), ("tables", (30, 100)), ("chain", (500, 1000, 2000)),
            ("knapsack", (120, 240)), ("nodes_grid4", (10, 30))]
NETWORKS = ("child", "alarm", "insurance", "hailfinder", "win95pts", "hepar2", "andes", "pigs", "water")


class Families:
    """The programs of families.py, by lpmln and by others; all that answer must give the same answer."""

    def __init__(self, bench):
        self.bench, self.limit, self.rows, self.wrong = bench, bench.options.peer_timeout, [], 0
        self.problog, self.aspmc = peers.problog(), peers.install("aspmc", ["aspmc"], "aspmc")
        self.ganak, self.pgmpy = peers.python_of("ganak", "pyganak"), peers.python_of("pgmpy", "pgmpy")
        self.here = os.path.dirname(os.path.abspath(__file__))

    def ask(self, command, found):
        """(CPU seconds, answer): infinity after the limit; None: it is not there, or failed."""
        if not command[0]:
            return None, None
        run = measure.run(command, self.limit)
        if run.late:
            return float("inf"), None
        try:
            return run.seconds, found(run.output) if run.good else None
        except (ValueError, IndexError, KeyError):
            return None, None

    def ours(self, problem, path):
        command = [self.bench.options.lpmln, "infer", path, "--method", "exact", "--format", "json"]
        command += ["-q", problem.query] if problem.query and not problem.problog else []
        def found(output):
            answer = json.loads(output)
            return answer["marginals"][0]["probability"] if problem.query else answer["log_partition"]
        return self.ask(command, found)

    def count(self, path):
        """ganak, on our translation; the time is of counting alone."""
        translated = measure.run([self.bench.options.lpmln, "translate", path, "--to", "wcnf"], self.limit)
        if not translated.good or not self.ganak:
            return None, None
        cnf = self.bench.write("p.cnf", translated.output)
        return self.ask([self.ganak, os.path.join(self.here, "ganak_count.py"), cnf], float)

    def row(self, name, problem, others):
        path = self.bench.write("p" + problem.suffix, problem.text)
        results = {"lpmln": self.ours(problem, path)}
        if not problem.query:
            results["ganak"] = self.count(path)
        if problem.problog:
            last = lambda output: float(output.split()[-1])
            results["problog"] = self.ask([self.problog, path], last)
            if "evidence(" not in problem.text:
                script = f"cd {self.bench.folder} && exec {os.path.abspath(self.aspmc or '')} -m problog -c {path} 2>&1"
                results["aspmc"] = self.ask(["sh", "-c", script] if self.aspmc else [None], last)
        results.update(others)
        self.add(name, results, independent.answer(problem))

    def add(self, name, results, expected):
        answers = [a for _, a in results.values() if a is not None] + ([expected] if expected is not None else [])
        agree = all(abs(a - answers[0]) <= 1e-6 * max(1, abs(answers[0])) for a in answers)
        self.wrong += not agree
        best = min((s for who, (s, _) in results.items() if who != "lpmln" and s is not None), default=None)
        ours = results["lpmln"][0]
        known = ours not in (None, float("inf")) and best not in (None, 0, float("inf"))
        ratio = ours / best if known else None
        self.rows.append({"name": name, **{who: s for who, (s, _) in results.items()}, "ratio": ratio,
                          "answers": answers, "agree": agree})
        said = "  ".join(f"{who} {self.cell(s)}" for who, (s, _) in results.items())
        print(f"{name:22} {said}  ratio {number(ratio, 2)}  {len(answers)} answers"
              f"{'' if agree else ' DIFFER: ' + str(answers)}", flush=True)

    def cell(self, seconds):
        return "–" if seconds is None else f"> {self.limit:.0f}" if seconds == float("inf") else f"{seconds:.3f}"

    def all(self):
        for family, sizes in FAMILIES:
            for size in sizes:
                self.row(f"{family} {size}", families.make(family, size, self.bench.options.seed), {})
        folder = peers.networks()
        for network in NETWORKS if folder else ():
            path = os.path.join(folder, network + ".bif.gz")
            values = families.read_bif(path)[0]
            last = list(values)[-1]
            run = measure.run([self.pgmpy, os.path.join(self.here, "pgmpy_query.py"), path, last, values[last][0]], self.limit)
            words = run.output.split() if run.good else []
            found = (float(words[-1]), float(words[-2])) if words else (float("inf") if run.late else None, None)
            for native in (False, True):
                self.row(f"{network}{' native' if native else ''}", families.bif(path, native), {"pgmpy": found})


# ---- documents ------------------------------------------------------------------------------------

def markdown(head, lines):
    return "\n".join(["| " + " | ".join(head) + " |", "| " + " | ".join("---" for _ in head) + " |"] +
                     ["| " + " | ".join(line) + " |" for line in lines]) + "\n"


def goals_table(rows):
    lines = []
    for row in rows:
        goal = number(row["goal"], 2, "–") + (" (missed)" if row["met"] is False else "")
        lines.append([row["name"], number(row["cpu_seconds"], 3, "–"), number(row["yardstick"], 3, "–"),
                      number(row["ratio"], 2, "–"), goal, number(row["peak_mib"], 0, "–")])
    return markdown(["what", "CPU seconds", "yardstick", "ratio", "goal", "MiB"], lines)


def peers_tables(found):
    learning = [row for row in found.rows if row["name"].startswith("learn")]
    inference = [row for row in found.rows if row["name"].startswith("infer")]
    text = ""
    for rows, head in ((learning, ["", "lpmln nl", "lpmln aux", "ProbLog nl", "ProbLog aux"]),
                       (inference, ["", "lpmln", "ProbLog aux", "clingo, all models", "plingo"])):
        text += markdown(head, [[row["name"]] + [found.cell(v) for k, v in row.items() if k != "name"]
                                for row in rows]) + "\n"
    return text


def families_table(compared):
    who = ["lpmln", "ganak", "problog", "aspmc", "pgmpy"]
    return markdown(["", "lpmln", "ganak", "ProbLog", "aspmc", "pgmpy", "ratio to the best"],
                    [[row["name"]] + [compared.cell(row.get(w)) if w in row else "" for w in who] + [number(row["ratio"], 2, "")]
                     for row in compared.rows])


def plain_rows(found):
    return [{k: "late" if v == float("inf") else v for k, v in row.items()} for row in found.rows] if found else None


def write_docs(path, mark, text):
    """Replaces what is between two marks of the document."""
    first, last = f"<!-- {mark} -->\n", f"<!-- end of {mark} -->\n"
    with open(path) as file:
        before, rest = file.read().split(first)
        after = rest.split(last)[1]
    with open(path, "w") as file:
        file.write(before + first + text + last + after)


def main(arguments):
    options = options_of(arguments)
    with tempfile.TemporaryDirectory() as folder:
        bench = Bench(options, folder)
        found = compared = None
        if not options.families:
            bench.goals()
        if options.peers:
            print()
            found = Peers(bench)
            found.learning()
            found.inference()
        if options.peers or options.families:
            print()
            compared = Families(bench)
            compared.all()
    with open(options.output, "w") as file:
        json.dump({"goals": bench.table.rows, "peers": plain_rows(found), "families": plain_rows(compared)}, file, indent=1)
    if options.docs:
        write_docs(options.docs, "goals", goals_table(bench.table.rows))
        if found:
            write_docs(options.docs, "peers", peers_tables(found))
        if compared:
            write_docs(options.docs, "families", families_table(compared))
    return 1 if compared and compared.wrong else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
