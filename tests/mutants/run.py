#!/usr/bin/env python3
"""Mutation testing: do the tests notice if a line of src/ is wrong?

    python3 tests/mutants/run.py --count 100 --jobs 2
    python3 tests/mutants/run.py --only src/learn/journal.c --count 20

Mutants (mutate.py) are drawn with a fixed seed.  Each is compiled, the library and the
programs are linked again, and suites run, the cheap ones first, until one fails: the
mutant is killed.  A suite that has not ended after its time limit has failed, too.  The
build has assertions and no sanitizers; what survives all suites gets the sanitized build
and its unit tests and golden files.  A mutant that does not compile, or whose object file
is that of the original (-O2, no assertions), is not counted and another one is drawn.

survivors.txt lists survivors that are known, each with a reason.  The closing line counts
killed mutants as passed, other survivors as failed and known ones as skipped; the exit
code is 1 if there are unknown ones or if less than 90% were killed.  Of fewer than 50
mutants all survivors count as skipped, unless more than four in ten survive, and those
that are known to survive are not tried again.
"""

import argparse
import collections
import concurrent.futures
import dataclasses
import glob
import os
import resource
import shutil
import signal
import subprocess
import sys
import threading
import time

import mutate

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))
PLACE = os.path.join("build", "mutants")  # below ROOT, as make wants it
LEAST = 0.9  # share of killed mutants
FEW, LEAST_OF_FEW = 50, 0.6  # of a draw for `make test`: chance has its say
MOST_MEMORY, MOST_FILE = 4 << 30, 1 << 28  # bytes, of a process that went wrong
LEARN = ("paper network_diagnosis optimisers_agree theorem_3 counts_tables_files closed_form divergence "
         "priors_and_bounds noise output test_and_folds stopping saddle local_optima").split()
MCASP = ("impossible_observations learning_is_refused_clearly no_model_no_evidence the_papers_settings "
         "threads parts_that_compile_are_exact very_many_parameters l1_prior folds_and_test_data").split()
UNITS = ("unit", "api")
CHANCE = ("src/sample/", "src/solver/", "src/base/", "src/infer/", "src/learn/")  # where random draws are made
SLOW_UNITS = {"test_chain": CHANCE, "test_uniform": CHANCE, "test_memory": ("src/api/", "src/base/")}
LATE = ("test_chain", "test_uniform", "test_memory", "messages.golden", "sample.golden")  # they take seconds
NEAR = {"language": "malformed", "write": "translate targets", "sample": "mcasp chain uniform", "solver": "malformed mcasp",
        "infer": "queries oracle", "ground": "malformed", "cli": "messages malformed", "api": "test_program test_file"}
CHECKED, SANITIZE = "checked", "sanitize"
FLAGS = {CHECKED: "-O1 -g0", SANITIZE: None}  # the Makefile knows the second
BASE = {CHECKED: os.path.join(PLACE, "base"), SANITIZE: os.path.join("build", "sanitize")}


def options_of(arguments):
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--count", type=int, default=100)
    parser.add_argument("--seed", default="1")
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--only", default="", metavar="PATH", help="only lines of files whose path has this in it")
    parser.add_argument("--numbers", type=lambda text: {int(word) for word in text.split(",")}, metavar="N,N,…",
                        help="only these of the draw")
    parser.add_argument("--list", action="store_true", help="print the draw, run nothing")
    return parser.parse_args(arguments)


# ---- building -------------------------------------------------------------------------------

def make_line(mode, build, *more):
    return ["make", "-s", "BOOTSTRAP=no", f"MODE={mode}", f"BUILD={build}", *more]


def make(mode, build, *more):
    environment = dict(os.environ)
    environment.pop("MAKEFLAGS", None)
    if FLAGS.get(mode):
        environment["CFLAGS"] = FLAGS[mode]
    return subprocess.run(make_line(mode, build, *more), cwd=ROOT, env=environment, capture_output=True,
                          text=True, errors="replace")


def units_of(build):
    """tests/unit/test_x.c is BUILD/unit/test_x."""
    return [os.path.join(build, folder, os.path.basename(path)[:-2]) for folder in UNITS
            for path in sorted(glob.glob(os.path.join(ROOT, "tests", folder, "test_*.c")))]


def inside(path):
    """unit/test_x of BUILD/unit/test_x."""
    return os.path.join(*path.split(os.sep)[-2:])


def programs_of(build):
    return [os.path.join(build, name) for name in ("lpmln", "lpmln-worker", "generate")]


def build_base(mode, jobs):
    """Programs and unit tests, as they are; the unit tests that can be built."""
    build = BASE[mode]
    done = make(mode, build, f"-j{jobs}", "all")
    if done.returncode:
        sys.exit(f"the sources do not build:\n{done.stderr}")
    make(mode, build, f"-j{jobs}", "-k", *units_of(build))
    return [unit for unit in units_of(build) if os.path.exists(os.path.join(ROOT, unit))]


class Compiler:
    """The Makefile's own command for an object, with another text in place of the source."""

    def __init__(self):
        self.commands, self.originals = {}, {}
        self.lock = threading.Lock()

    def command(self, mode, path):
        flags = FLAGS.get(mode, "-O2 -g0")
        environment = dict(os.environ, **({"CFLAGS": flags} if flags else {}))
        environment.pop("MAKEFLAGS", None)
        target = os.path.join(BASE.get(mode, PLACE), "obj", path[len("src/"):-2] + ".o")
        line = make_line(mode, BASE.get(mode, PLACE), "-n", "-W", path, "V=1", target)
        said = subprocess.run(line, cwd=ROOT, env=environment, capture_output=True, text=True, check=True).stdout
        found = [each for each in said.splitlines() if f" -c {path} " in each]
        return found[0].replace(" -MMD -MP", "").replace(f" -o {target}", "").split(f" -c {path}")[0].split()

    def compile(self, mode, path, text, folder, to):
        with self.lock:
            if (mode, path) not in self.commands:
                self.commands[mode, path] = self.command(mode, path)
        source = os.path.join(folder, os.path.basename(path))
        with open(source, "w", encoding="utf-8") as file:
            file.write(text)
        words = [word.replace('\'"', '"').replace('"\'', '"') for word in self.commands[mode, path]]
        return not subprocess.run([*words, "-w", "-c", source, "-o", to], cwd=ROOT, capture_output=True).returncode

    def object_of(self, path, text, folder):
        """The bytes of the release build; None: it does not compile."""
        to = os.path.join(folder, "same.o")
        if not self.compile("release", path, text, folder, to):
            return None
        with open(to, "rb") as file:
            return file.read()

    def original(self, path, folder):
        with self.lock:
            known = self.originals.get(path)
        if known is None:
            known = self.object_of(path, source_of(path), folder)
            with self.lock:
                self.originals[path] = known
        return known


def source_of(path):
    with open(os.path.join(ROOT, path), encoding="utf-8") as file:
        return file.read()


def text_of(mutant):
    lines = source_of(mutant.path).split("\n")
    assert lines[mutant.line - 1] == mutant.before
    lines[mutant.line - 1] = mutant.after
    return "\n".join(lines)


class Tree:
    """A copy of a build, in which one object after the other is replaced."""

    def __init__(self, mode, number, units, compiler):
        self.mode, self.compiler = mode, compiler
        self.build = os.path.join(PLACE, f"{mode}-{number}")
        self.units = [os.path.join(self.build, inside(unit)) for unit in units]
        self.dirty = None
        base, own = os.path.join(ROOT, BASE[mode]), os.path.join(ROOT, self.build)
        shutil.rmtree(own, ignore_errors=True)
        os.makedirs(own)
        for folder, _, names in os.walk(os.path.join(base, "obj")):
            to = os.path.join(own, os.path.relpath(folder, base))
            os.makedirs(to)
            for name in names:  # objects are replaced, never written to
                if name.endswith(".o"):
                    os.link(os.path.join(folder, name), os.path.join(to, name))
        for name in os.listdir(base):
            path = os.path.join(base, name)
            if not os.path.isdir(path):
                shutil.copy2(path, own, follow_symlinks=False)
            elif name in UNITS:
                shutil.copytree(path, os.path.join(own, name))
        self.folder = os.path.join(own, "mutant")
        os.makedirs(self.folder)

    def object_file(self, path):
        return os.path.join(ROOT, self.build, "obj", path[len("src/"):-2] + ".o")

    def put(self, mutant):
        """Builds the mutant: whether that worked."""
        own = os.path.join(self.folder, "mutant.o")
        if not self.compiler.compile(self.mode, mutant.path, text_of(mutant), self.folder, own):
            return False
        if self.dirty:
            base = self.object_file(self.dirty).replace(self.build, BASE[self.mode])
            os.remove(self.object_file(self.dirty))
            shutil.copy(base, self.object_file(self.dirty))
        os.remove(self.object_file(mutant.path))
        shutil.move(own, self.object_file(mutant.path))
        self.dirty = mutant.path
        return not make(self.mode, self.build, *programs_of(self.build), *self.units).returncode

    def remove(self):
        shutil.rmtree(os.path.join(ROOT, self.build), ignore_errors=True)


# ---- suites ---------------------------------------------------------------------------------

@dataclasses.dataclass(frozen=True)
class Step:
    suite: str
    name: str
    command: tuple  # `{build}` in it is the tree's
    seconds: float  # after which it hangs
    paths: tuple = ("src/",)  # files that it is worth its time for


def python(suite, seconds, script, *more):
    return Step(suite, script, (sys.executable, os.path.join("tests", script), "--lpmln", "{build}/lpmln", *more),
                seconds)


def transcripts(suite, pattern):
    return [python(suite, 60, "transcript.py", os.path.relpath(path, ROOT))
            for path in sorted(glob.glob(os.path.join(ROOT, pattern)), key=os.path.getsize)]


def unit_steps(units, seconds):
    return [Step("unit", inside(unit), (os.path.join("{build}", inside(unit)),), seconds,
                 SLOW_UNITS.get(os.path.basename(unit), ("src/",))) for unit in units]


def early(steps):
    return [step for step in steps if not step.command[-1].endswith(LATE)]


def steps_of(units):
    steps = all_steps(units)
    return early(steps) + [step for step in steps if step not in early(steps)]


def for_paths(words, *steps):
    """The steps, but only for files in folders of these names: they don't run others, or not much of them."""
    paths = tuple(f"src/{word}/" for word in words.split())
    return [dataclasses.replace(step, paths=paths) for step in steps]


def all_steps(units):
    fast = os.path.join("tests", "mutants", "fast.py")
    few = ("--count", "20", "--jobs", "1")
    some = ("--count", "60", "--jobs", "1")
    return [
        *unit_steps(units, 90),
        *transcripts("golden", "tests/golden/*.golden"),
        *for_paths("base language ground solver compile circuit infer api",
                   python("oracle", 60, "oracle/run.py", "--method", "exact", "--seed", "2", *some),
                   python("oracle", 60, "oracle/run.py", "--method", "enumerate", "--seed", "1", *some)),
        *for_paths("base language ground compile circuit learn api",
                   python("learn", 60, "learn/random_programs.py", "--seed", "1", *few),
                   python("learn", 60, "learn/run.py", *LEARN)),
        *for_paths("base language ground compile circuit write",
                   python("translate", 60, "write/formats.py", *few),
                   python("translate", 60, "write/asp.py", "--count", "12", "--jobs", "1")),
        *for_paths("base language dialects ground write",
                   python("dialects", 60, "plingo/run.py", *few),
                   python("dialects", 60, "markov/write.py", *few),
                   python("dialects", 60, "markov/read.py", *few),
                   python("dialects", 60, "problog/run.py", *few)),
        *for_paths("base ground compile circuit infer", python("detect", 60, "detect/run.py", *few)),
        *transcripts("docs", "README.md"), *transcripts("docs", "docs/*.md"),
        *transcripts("docs", "examples/*/README.md"),
        *for_paths("base report cli api learn infer",
                   Step("report", "report", (sys.executable, fast, "report", "{build}/lpmln"), 60)),
        *for_paths("base sample solver infer learn", python("mcasp", 90, "mcasp/run.py", *MCASP)),
        *for_paths("base language dialects ground solver cli api",
                   Step("malformed", "malformed", (sys.executable, fast, "malformed", "{build}/lpmln"), 120)),
        *for_paths("learn", python("learn", 60, "learn/run.py", "kill_and_resume")),
    ]


def sanitized_steps(units):
    steps = [*unit_steps(units, 200), *transcripts("golden", "tests/golden/*.golden")]
    return early([dataclasses.replace(step, seconds=200) for step in steps])


def limit_resources():
    resource.setrlimit(resource.RLIMIT_AS, (MOST_MEMORY, MOST_MEMORY))
    resource.setrlimit(resource.RLIMIT_FSIZE, (MOST_FILE, MOST_FILE))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))


def limit_files():  # a sanitizer wants all addresses
    resource.setrlimit(resource.RLIMIT_FSIZE, (MOST_FILE, MOST_FILE))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))


def run_step(step, build, mode):
    """None if it passes, else 'failed' or 'hangs'."""
    scratch = os.path.join(ROOT, build, "scratch")
    os.makedirs(scratch, exist_ok=True)
    environment = dict(os.environ, LPMLN_TEST_WORKER=os.path.join(ROOT, build, "lpmln-worker"), TMPDIR=scratch,
                       ASAN_OPTIONS="detect_leaks=1", PYTHONDONTWRITEBYTECODE="1")
    command = [word.replace("{build}", os.path.join(ROOT, build)) for word in step.command]
    process = subprocess.Popen(command, cwd=ROOT, env=environment, stdin=subprocess.DEVNULL,
                               stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, start_new_session=True,
                               preexec_fn=limit_resources if mode == CHECKED else limit_files)
    try:
        code = process.wait(timeout=step.seconds)
        return "failed" if code else None
    except subprocess.TimeoutExpired:
        return "hangs"
    finally:
        try:
            os.killpg(process.pid, signal.SIGKILL)  # its session, with what it has left behind
        except ProcessLookupError:
            pass
        process.wait()
        shutil.rmtree(scratch, ignore_errors=True)


def is_near(step, path):
    """Whether the step's name has a word that the file's folders have, or are known for."""
    words = path.split("/")[1:-1]
    words += [word for folder in words for word in NEAR.get(folder, "").split()]
    return any(word in part for part in step.command[1:] + (step.name,) for word in words if "{build}" not in part)


class Suites:
    """The steps of a build; those that fail without a mutant are found when they fail with one."""

    def __init__(self, mode, jobs):
        self.mode = mode
        self.units = build_base(mode, jobs)
        self.missing = sorted(set(map(inside, units_of(BASE[mode]))) - set(map(inside, self.units)))
        self.steps = steps_of(self.units) if mode == CHECKED else sanitized_steps(self.units)
        self.lock, self.good, self.bad = threading.Lock(), set(), set()

    def blames_mutant(self, step):
        with self.lock:
            if step not in self.good | self.bad:
                (self.bad if run_step(step, BASE[self.mode], self.mode) else self.good).add(step)
            return step in self.good

    def killer(self, tree, path):
        """The step that fails and how, or None.  Those that are about the file come first."""
        for step in sorted(self.steps, key=lambda step: not is_near(step, path)):
            if step not in self.bad and path.startswith(step.paths):
                how = run_step(step, tree.build, self.mode)
                if how and self.blames_mutant(step):
                    return step, how
        return None


# ---- running --------------------------------------------------------------------------------

@dataclasses.dataclass
class Result:
    number: int
    mutant: mutate.Mutant
    suite: str = None  # that killed it
    step: str = ""
    seconds: float = 0


class Run:
    def __init__(self, options):
        self.options, self.lock, self.compiler = options, threading.Lock(), Compiler()
        self.known = known_survivors() if options.count < FEW else {}  # takes minutes to see again
        drawn = [m for m in mutate.draw(ROOT, options.seed) if options.only in m.path]
        self.drawn, self.results, self.made, self.broken, self.same = iter(drawn), [], 0, 0, 0
        self.suites = {CHECKED: Suites(CHECKED, options.jobs)}

    def next(self, folder):
        """The next mutant that compiles and differs; the order does not depend on the jobs."""
        with self.lock:
            wanted = self.options.numbers or range(1, self.options.count + 1)
            for mutant in self.drawn if self.made < max(wanted) else ():
                made = self.compiler.object_of(mutant.path, text_of(mutant), folder)
                if made is None:
                    self.broken += 1
                elif made == self.compiler.original(mutant.path, folder):
                    self.same += 1
                else:
                    self.made += 1
                    if self.made in wanted:
                        self.results.append(Result(self.made, mutant))
                        return self.results[-1]
                if self.made == max(wanted):
                    break
            return None

    def sanitized(self):
        with self.lock:
            if SANITIZE not in self.suites:
                self.suites[SANITIZE] = Suites(SANITIZE, self.options.jobs)
            return self.suites[SANITIZE]

    def judge(self, result, trees, number):
        for mode in (CHECKED, SANITIZE):
            suites = self.sanitized() if mode == SANITIZE else self.suites[CHECKED]
            if mode not in trees:
                trees[mode] = Tree(mode, number, suites.units, self.compiler)
            if not trees[mode].put(result.mutant):
                result.suite, result.step = "build", mode
                return
            killer = suites.killer(trees[mode], result.mutant.path)
            if killer:
                step, how = killer
                result.suite = step.suite if mode == CHECKED else f"sanitized {step.suite}"
                result.step = f"{os.path.basename(step.command[-1]) if step.suite in ('golden', 'docs') else step.name}" \
                              f"{', which hangs' if how == 'hangs' else ''}"
                return

    def work(self, number):
        trees = {CHECKED: Tree(CHECKED, number, self.suites[CHECKED].units, self.compiler)}
        try:
            while result := self.next(trees[CHECKED].folder):
                began = time.monotonic()
                if change_of(result.mutant) not in self.known:
                    self.judge(result, trees, number)
                result.seconds = time.monotonic() - began
                said = f"killed by {result.suite} ({result.step})" if result.suite else "SURVIVED"
                print(f"{result.number:4} {result.seconds:5.1f} s  {result.mutant.path}:{result.mutant.line}  {said}",
                      flush=True)
        finally:
            for tree in trees.values():
                tree.remove()

    def all(self):
        with concurrent.futures.ThreadPoolExecutor(self.options.jobs) as pool:
            for done in [pool.submit(self.work, i) for i in range(self.options.jobs)]:
                done.result()


# ---- reporting ------------------------------------------------------------------------------

def change_of(mutant):
    return mutant.path, mutant.before.strip(), mutant.after.strip()


def known_survivors():
    """(path, line, changed line) -> reason; see survivors.txt."""
    known, path, before, after = {}, None, None, None
    with open(os.path.join(HERE, "survivors.txt"), encoding="utf-8") as file:
        for line in map(str.rstrip, file):
            if line.startswith("src/"):
                path, before, after = line, None, None
            elif line.startswith("- "):
                before = line[2:].strip()
            elif line.startswith("+ "):
                after = line[2:].strip()
            elif line.startswith("  ") and path and before and after is not None:
                known[path, before, after] = (known.get((path, before, after), "") + " " + line.strip()).strip()
    return known


def report(run):
    known = known_survivors()
    killed = [r for r in run.results if r.suite]
    left = [r for r in run.results if not r.suite]
    explained = [r for r in left if change_of(r.mutant) in known]
    print(f"\n{len(run.results)} mutants, {run.broken} more did not compile, {run.same} more changed nothing")
    for suite, count in collections.Counter(r.suite for r in killed).most_common():
        print(f"  killed by {suite}: {count}")
    for mode, suites in run.suites.items():
        for name in suites.missing:
            print(f"  left out ({mode}): {name} does not build")
        for step in sorted(suites.bad, key=str):
            print(f"  left out ({mode}): {step.name} {step.command[-1]} fails without a mutant")
    for result in left:
        reason = known.get(change_of(result.mutant))
        print(f"survived{', known' if reason else ''}: {result.mutant}" + (f"\n  {reason}" if reason else ""))
    share = len(killed) / max(1, len(run.results))
    print(f"killed {100 * share:.0f}% of {len(run.results)}")
    few = len(run.results) < FEW  # a small draw says where to look, not how good the tests are
    for result in left if few else []:
        print(f"skipped: a mutant that survived, {result.mutant.path}:{result.mutant.line}")
    failed = len(left) - len(explained) if not few or share < LEAST_OF_FEW else 0
    print(f"{len(killed)} passed, {failed} failed, {len(left) - failed} skipped")
    return 1 if failed or share < (LEAST_OF_FEW if few else LEAST) else 0


def main():
    options = options_of(sys.argv[1:])
    if options.list:
        for mutant in [m for m in mutate.draw(ROOT, options.seed) if options.only in m.path][:options.count]:
            print(mutant)
        return 0
    os.makedirs(os.path.join(ROOT, PLACE), exist_ok=True)
    run = Run(options)
    run.all()
    return report(run)


if __name__ == "__main__":
    sys.exit(main())
