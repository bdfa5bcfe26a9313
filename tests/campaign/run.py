#!/usr/bin/env python3
"""Everything random, with fresh seeds, for hours; the result goes to docs/trust.md.

    make campaign HOURS=2 [JOBS=2] [SEED=…] [MPIRUN='mpirun -hostfile hosts -n 8']
    python3 tests/campaign/run.py --hours 0.02 [--jobs 2] [--seed N] [--only NAME]… [--no-write] [--mpirun COMMAND]

Each line of the table is a suite that takes a seed and a number of cases.  They take turns, in
slices of about a minute, so that time is shared as `share` says however long it runs.  A
failure is written below build/campaign with the command that makes it again; the exit code is 1
if there was one.

Under MPI every rank runs a campaign of its own, with JOBS at once and seeds of its own, in the same
folder of its host, where all is built; what they have counted is added up.  A rank that does not
say what it has counted is a failure.
"""

import argparse
import concurrent.futures
import datetime
import json
import os
import re
import secrets
import shlex
import signal
import subprocess
import sys
import tempfile
import threading
import time

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
sys.path.insert(0, os.path.join(ROOT, "tests"))
import processes  # noqa: E402

PLACE = os.path.join(ROOT, "build", "campaign")
PAGE = os.path.join(ROOT, "docs", "trust.md")
CLOSING = re.compile(r"^(\d+) passed, (\d+) failed, (\d+) skipped$", re.M)
RUNS = re.compile(r"^(?:Done (\d+) runs|stat::number_of_executed_units: (\d+))", re.M)
FAILURES = re.compile(r"(\d+) allocations failed, (\d+) times")
SLICE = 60  # seconds that a turn should take
MOST_WORK, MOST_REST = 600, 300  # a turn with more seconds of a core, or none for so long, hangs
HANGS = 124
TALLY = "tally: "  # how a rank's line begins that tells what it has counted
RANKS = ("OMPI_COMM_WORLD_RANK", "PMI_RANK", "PMIX_RANK", "SLURM_PROCID")
SEEDS = 2**20  # of each rank


class Line:
    """A line of the table: a command with {seed}, {count}, and how its cases are counted."""

    def __init__(self, name, what, command, share=1.0, first=10, env=None, count=None, least=1):
        self.name, self.what, self.command, self.share, self.env = name, what, command, share, env or {}
        self.counting = count or self.closing
        self.least = least
        self.rate = first / SLICE  # cases a second, a first guess
        self.cases = self.wrong = self.skipped = self.turns = 0
        self.seconds, self.busy = 0.0, False

    @staticmethod
    def closing(text, code, count):
        found = CLOSING.findall(text)
        if not found or code == HANGS:
            return 0, 1, 0
        passed, failed, skipped = map(int, found[-1])
        return passed + failed, failed or int(code != 0), skipped

    def turn(self, seed, left):
        aim = max(5, min(SLICE if self.turns else SLICE / 10, left))  # the first turn finds out how fast it is
        count = max(self.least, int(self.rate * aim))
        command = self.command.format(seed=seed, count=count, seconds=int(aim))
        began = time.monotonic()
        text, code = run(command, {k: v.format(seed=seed) for k, v in self.env.items()})
        took = time.monotonic() - began
        cases, wrong, skipped = self.counting(text, code, count)
        self.rate = max(self.least / SLICE, 0.5 * self.rate + 0.5 * max(cases, 1) / max(took, 0.1))
        self.cases, self.wrong, self.skipped = self.cases + cases, self.wrong + wrong, self.skipped + skipped
        self.seconds, self.turns = self.seconds + took, self.turns + 1
        if wrong:
            with open(os.path.join(PLACE, f"{self.name.replace(' ', '-')}-{seed}"), "w", encoding="utf-8") as file:
                file.write(f"$ {command}\n{text}")


def hangs_not(process):
    """After a while: it runs on, and has done something, but not for ever."""
    before = processes.work_of(process.pid)
    try:
        process.wait(MOST_REST)
        return False
    except subprocess.TimeoutExpired:
        return before < processes.work_of(process.pid) < MOST_WORK


def run(command, env):
    """What it says, and its exit code.  One that hangs ends with all that it started."""
    with tempfile.TemporaryFile() as said:
        process = subprocess.Popen(["bash", "-c", command], cwd=ROOT, stdin=subprocess.DEVNULL, stdout=said,
                                   stderr=subprocess.STDOUT, env={**os.environ, **env}, start_new_session=True)
        while hangs_not(process):
            pass
        code = process.poll()
        if code is None:
            os.killpg(process.pid, signal.SIGKILL)
            process.wait()
            code = HANGS
        said.seek(0)
        return said.read().decode(errors="replace"), code


def executions(text, code, count):
    """Of a fuzzer."""
    del count
    found = [int(a or b) for a, b in RUNS.findall(text)]
    return (max(found) if found else 0), int(code != 0), 0


def allocations(text, code, count):
    del count
    found = FAILURES.search(text)
    return (int(found[1]), int(found[2]) or int(code != 0), 0) if found else (0, 1, 0)


def kills(text, code, count):
    """Each case was killed three times."""
    passed, failed, skipped = Line.closing(text, code, count)
    return 3 * passed, failed, skipped


def lines(fuzzers):
    py = "python3 tests/"
    common = "--lpmln build/lpmln --count {count} --seed {seed} --jobs 1"
    agree = py + "campaign/agree.py {} " + common
    made = [
        Line("engines", "programs, by the exact engine and by enumeration, against the oracle",
             py + f"oracle/run.py {common} --method both --served build/ask", 8, 3000),
        Line("exact large", "programs of 30 to 60 atoms, exact engine",
             py + "oracle/run.py --lpmln build/lpmln --count 0 --large {count} --seed {seed} --jobs 1 --method exact", 1, 30),
        Line("program", "programs asked through the program, by the engine of its choice",
             py + f"oracle/run.py {common}", 0.5, 200),
        Line("compiled", "programs asked as compiled files", agree.replace("{}", "compiled", 1), 1, 60),
        Line("rows", "tables beside evidence, of texts and compiled files, against the oracle", agree.replace("{}", "rows", 1), 1, 60),
        Line("detect", "programs whose properties `check` tells", py + f"detect/run.py {common}", 0.5, 60),
        Line("learning", "learning problems: likelihood, gradient, maximum", py + f"learn/random_programs.py {common}", 1.5, 60),
        Line("theorems", "programs of the paper's theorems", py + f"theorems/run.py {common}", 0.5, 20),
        Line("output", "programs that `learn -o` wrote", agree.replace("{}", "output", 1), 0.5, 20),
        Line("folds", "cross-validations done again by hand", agree.replace("{}", "folds", 1), 0.3, 20),
        Line("kills", "runs killed and resumed, the same bits", agree.replace("{}", "checkpoint", 1), 1, 10, count=kills),
        Line("chains", "mc-asp on components of 20 to 200 guessed atoms, against exact",
             agree.replace("{}", "chains", 1), 1, 8),
        Line("uniform", "hashed uniform samples, against exact shares", agree.replace("{}", "uniform", 1), 0.5, 60),
        Line("reports", "pages that show what the JSON answer says", agree.replace("{}", "report", 1), 0.3, 60),
        Line("to asp", "translations to ASP, by real clingo", py + f"write/asp.py {common}", 0.7, 60),
        Line("to formats", "translations to wcnf, aspif, nnf and plingo", py + f"write/formats.py {common}", 0.7, 100),
        Line("to markov", "translations to Markov logic", py + f"markov/write.py {common}", 0.5, 60),
        Line("from markov", "programs in Markov logic, read", py + f"markov/read.py {common}", 0.5, 60),
        Line("from plingo", "programs of plingo and P-log, read", py + f"plingo/run.py {common}", 0.5, 60),
        Line("from problog", "ProbLog programs, read and written", py + f"problog/run.py {common}", 0.5, 30),
        Line("allocations", "allocations that failed, in the library, and the question asked again",
             "LPMLN_TEST_WORKER=build/lpmln-worker build/api/test_sweep", 1.5, 400,
             {"LPMLN_SEED": "{seed}", "LPMLN_FAILURES": "60"}, allocations),
        Line("allocations cli", "allocations that failed, in the program", py + f"memory/run.py {common}", 0.7, 100, least=40),
        Line("calls", "sequences of public calls",
             "LPMLN_TEST_WORKER=build/lpmln-worker build/api/test_calls {seed} {count}", 1, 600),
        Line("stream", "streams of the worker that were changed on the way",
             "LPMLN_TEST_WORKER=build/lpmln-worker build/api/test_stream", 0.3, 80, {"LPMLN_SEED": "{seed}"},
             lambda text, code, count: (84 if not code else 0, int(code != 0), 0)),
        Line("mutants", "wrong lines put into the sources: survivors are counted as skipped",
             py + "mutants/run.py --count {count} --seed {seed} --jobs 1", 0.7, 1, least=3),
    ]
    for name in fuzzers:
        made.append(Line(f"fuzz {name}", f"executions of the fuzzer `{name}`",
                         f"mkdir -p build/fuzz/{name}-corpus; build/fuzz/{name} -max_total_time={{seconds}} -max_len=4096 "
                         f"-timeout=25 -rss_limit_mb=2048 -verbosity=0 -print_final_stats=1 -seed={{seed}} "
                         f"-artifact_prefix=build/campaign/{name}- build/fuzz/{name}-corpus "
                         f"$(ls -d tests/fuzz/{name} build/fuzz/{name}-seeds 2>/dev/null)", 1.5, 1, count=executions))
    return made


class Campaign:
    def __init__(self, table, jobs, seed, hours):
        self.table, self.jobs, self.seed = table, jobs, seed
        self.began, self.end = time.monotonic(), time.monotonic() + 3600 * hours
        self.lock, self.turns = threading.Lock(), 0

    def next(self):
        """The line that has had the least for its share."""
        with self.lock:
            free = [line for line in self.table if not line.busy]
            if not free or time.monotonic() >= self.end:
                return None, 0
            line = min(free, key=lambda one: (one.seconds + 1e-3 * one.turns) / one.share)
            line.busy = True
            self.turns += 1
            return line, (self.seed + self.turns) % 2**31

    def work(self):
        while True:
            line, seed = self.next()
            if line is None:
                return
            line.turn(seed, self.end - time.monotonic())
            line.busy = False
            print(f"{time.monotonic() - self.began:7.0f} s  {line.name:16} {line.cases:9} {line.wrong:4} wrong", flush=True)

    def run(self):
        with concurrent.futures.ThreadPoolExecutor(self.jobs) as pool:
            for job in [pool.submit(self.work) for _ in range(self.jobs)]:
                job.result()
        return time.monotonic() - self.began


def rank():
    return int(next((os.environ[name] for name in RANKS if name in os.environ), 0))


def tell(campaign):
    """What a rank has counted, for the one who started it."""
    counts = {x.name: [x.cases, x.wrong, x.skipped, x.seconds, x.turns] for x in campaign.table}
    print(TALLY + json.dumps({"jobs": campaign.jobs, "turns": campaign.turns, "lines": counts}), flush=True)


def run_ranks(campaign, command):
    """Starts all ranks and adds up what they tell; how many did, and the seconds."""
    campaign.jobs = told = 0
    lines_ = {x.name: x for x in campaign.table}
    process = subprocess.Popen(command, cwd=ROOT, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, text=True)
    for text in process.stdout:
        if not text.startswith(TALLY):
            print(text, end="", flush=True)
            continue
        counted, told = json.loads(text[len(TALLY):]), told + 1
        campaign.jobs, campaign.turns = campaign.jobs + counted["jobs"], campaign.turns + counted["turns"]
        for name, (cases, wrong, skipped, seconds, turns) in counted["lines"].items():
            line = lines_[name]
            line.cases, line.wrong, line.skipped = line.cases + cases, line.wrong + wrong, line.skipped + skipped
            line.seconds, line.turns = line.seconds + seconds, line.turns + turns
    return (told if process.wait() == 0 else 0), time.monotonic() - campaign.began


def section(campaign, seconds, ranks):
    commit = subprocess.run(["git", "rev-parse", "--short", "HEAD"], cwd=ROOT, capture_output=True, text=True,
                            check=False).stdout.strip()
    now = datetime.datetime.now(datetime.timezone.utc)
    seeds = f"; seeds from {campaign.seed + 1} to {campaign.seed + campaign.turns}"
    if ranks:
        seeds = f" on {ranks} ranks; {campaign.turns} seeds from {campaign.seed + 1} on, {SEEDS} apart on each rank"
    lines_ = [f"\n## {now:%Y-%m-%d %H:%M}, commit {commit}\n",
              f"{seconds / 3600:.2f} hours, {campaign.jobs} at once, {sum(x.seconds for x in campaign.table) / 3600:.2f} hours "
              f"of suites{seeds}.\n",
              "| | cases | wrong | skipped | hours |", "| --- | ---: | ---: | ---: | ---: |"]
    lines_ += [f"| {x.what} | {x.cases:,} | {x.wrong} | {x.skipped} | {x.seconds / 3600:.2f} |"
               for x in campaign.table if x.turns]
    fuzz = sum(x.cases for x in campaign.table if x.name.startswith("fuzz "))
    lines_ += [f"| **all fuzzers** | {fuzz:,} | {sum(x.wrong for x in campaign.table if x.name.startswith('fuzz '))} | | |"]
    return "\n".join(lines_) + "\n"


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--hours", type=float, default=1)
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    parser.add_argument("--seed", type=int, default=None, help="fresh if not given")
    parser.add_argument("--only", action="append", default=[], help="a line, or the start of its name")
    parser.add_argument("--no-write", action="store_true", help="print what would be appended to docs/trust.md")
    parser.add_argument("--mpirun", help="the command that starts ranks, with their number")
    parser.add_argument("--rank", action="store_true", help="a rank of it: tell what was counted")
    options = parser.parse_args()
    os.makedirs(PLACE, exist_ok=True)
    fuzzers = sorted(name[5:-2] for name in os.listdir(os.path.join(ROOT, "tests", "fuzz"))
                     if name.startswith("fuzz_") and os.path.exists(os.path.join(ROOT, "build", "fuzz", name[5:-2])))
    table = [x for x in lines(fuzzers) if not options.only or any(x.name.startswith(o) for o in options.only)]
    seed = secrets.randbelow(2**30) if options.seed is None else options.seed
    campaign = Campaign(table, options.jobs, seed + options.rank * SEEDS * rank(), options.hours)
    ranks = 0
    if options.mpirun:
        only = [word for name in options.only for word in ("--only", name)]
        ranks, seconds = run_ranks(campaign, [*shlex.split(options.mpirun), sys.executable, os.path.abspath(__file__), "--rank",
                                              "--hours", str(options.hours), "--jobs", str(options.jobs), "--seed", str(seed), *only])
        if not ranks:
            print("FAILED: a rank has not told what it has counted")
            return 1
    else:
        seconds = campaign.run()
    if options.rank:
        tell(campaign)
        return 0
    text = section(campaign, seconds, ranks)
    print(text)
    if not options.no_write:
        with open(PAGE, "a", encoding="utf-8") as file:
            file.write(text)
    return 1 if any(x.wrong for x in table) else 0


if __name__ == "__main__":
    sys.exit(main())
