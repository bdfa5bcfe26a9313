#!/usr/bin/env python3
"""The house keeps its order: what docs/how-it-fits-together.md says about src, checked.

    python3 tests/house/run.py [--build build] [--list]

Includes point up the list of folders only and make no circle; nothing below api knows the
handle; report and cli are clients of the public header; libclingo is seen by the worker alone.
The library neither prints nor exits nor aborts, exports nothing without its prefix and speaks
of options, not of flags of a command line.  Functions and files are short, assertions many,
what that page names is there, and clang-format finds nothing to do.  --list prints what each limit counts.
"""

import argparse
import os
import re
import shutil
import subprocess
import sys

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
sys.path.insert(0, os.path.join(ROOT, "tests"))
import closing  # noqa: E402

ORDER = ("base", "language", "dialects", "solver", "ground", "circuit", "compile", "sample", "infer",
         "learn", "write", "api", "report", "cli", "cluster")
CLIENTS = {"report": ("base", "report"), "cli": ("base", "report", "cli"), "cluster": ("base", "report", "cli", "cluster")}
WORKER = "solver/worker"
PUBLIC = "lpmln/lpmln.h"
MOST_LINES_OF_FUNCTION, MOST_LINES_OF_FILE, LEAST_ASSERTIONS = 60, 700, 15

# Files that may end the process: memory that is out where nobody guards is our own bug.
MAY_ABORT = {"base/memory.c"}

# Files whose strings speak of the flags of other programs, and of which.
FLAGS_ALLOWED = {"write/target_markov.c": "Alchemy's learnwts"}

INCLUDE = re.compile(r'^\s*#\s*include\s+"([^"]+)"', re.M)
STRING = re.compile(r'"(?:[^"\\\n]|\\.)*"')
COMMENT = re.compile(r'/\*.*?\*/|//[^\n]*|"(?:[^"\\\n]|\\.)*"|\'(?:[^\'\\\n]|\\.)*\'', re.S)


class Source:
    def __init__(self, path):
        self.path = path  # below src
        with open(os.path.join(ROOT, "src", path), encoding="utf-8") as file:
            self.text = file.read()
        # comments become blanks, strings stay; lines stay where they are
        self.code = COMMENT.sub(lambda m: m[0] if m[0][0] in "\"'" else re.sub(r"[^\n]", " ", m[0]), self.text)
        self.bare = STRING.sub('""', self.code)  # strings are empty
        self.includes = INCLUDE.findall(self.code)

    @property
    def folder(self):
        return self.path.split("/")[0]

    @property
    def is_worker(self):
        return self.path.startswith(WORKER + "/")

    def line(self, at):
        return self.text.count("\n", 0, at) + 1


def sources():
    found = []
    for folder, _, names in os.walk(os.path.join(ROOT, "src")):
        found += [os.path.relpath(os.path.join(folder, name), os.path.join(ROOT, "src"))
                  for name in names if name.endswith((".c", ".h"))]
    return {path: Source(path) for path in sorted(found)}


def in_library(source):
    return source.folder not in CLIENTS and not source.is_worker


# ---- includes -------------------------------------------------------------------------------

def may_include(source, other):
    """None, or why it may not."""
    if other == PUBLIC:
        return None
    folder = other.split("/")[0]
    if folder not in ORDER:
        return "no folder of src"
    if source.is_worker:
        return None if folder in ("base", "solver") else "the worker knows base and solver only"
    if other.startswith(WORKER + "/"):
        return "the worker's own"
    if source.folder in CLIENTS:
        return None if folder in CLIENTS[source.folder] else "a client of the public header"
    if ORDER.index(folder) > ORDER.index(source.folder):
        return "against the order of the folders"
    return None


def check_includes(tally, files):
    for source in files.values():
        for other in source.includes:
            if other != PUBLIC and other not in files:
                tally.check(f"src/{source.path}: includes {other}, which is not there", False)
                continue
            why = may_include(source, other)
            tally.check(f"src/{source.path}: includes {other}: {why}", not why)
    unknown = {s.folder for s in files.values()} - set(ORDER)
    tally.check(f"src has folders that have no place in the order: {sorted(unknown)}", not unknown)


def find_cycle(files):
    """A list of headers that include each other, or None."""
    state, path = {}, []

    def visit(name):
        state[name] = "open"
        path.append(name)
        for other in files[name].includes if name in files else ():
            if other in files and state.get(other) == "open":
                return path[path.index(other):] + [other]
            if other in files and other not in state:
                cycle = visit(other)
                if cycle:
                    return cycle
        state[name] = "done"
        path.pop()
        return None

    for name in files:
        cycle = visit(name) if name not in state else None
        if cycle:
            return cycle
    return None


def check_cycles(tally, files):
    cycle = find_cycle(files)
    tally.check(f"headers include each other: {cycle}", cycle is None)


def check_handle(tally, files):
    """Below api nobody sees an api header; only the worker sees libclingo."""
    for source in files.values():
        if in_library(source) and source.folder != "api":
            known = [other for other in source.includes if other.startswith("api/")]
            tally.check(f"src/{source.path}: knows the handle ({known})", not known)
        clingo = re.search(r"\bclingo_[a-z_]+\(|<clingo\.h>", source.bare)
        if not source.is_worker:
            tally.check(f"src/{source.path}: speaks to libclingo", not clingo)


# ---- what the library must not do ----------------------------------------------------------------

FORBIDDEN = re.compile(r"(?<![\w.>])(exit|_exit|abort|printf|fprintf|puts|putchar|perror|vprintf|setlocale|signal)\s*\(")


def check_manners(tally, files):
    for source in files.values():
        if not in_library(source):
            continue
        for found in FORBIDDEN.finditer(source.bare):
            allowed = found[1] == "abort" and source.path in MAY_ABORT
            tally.check(f"src/{source.path}:{source.line(found.start())}: calls {found[1]}", allowed)
    tally.check("the library was looked through", sum(in_library(s) for s in files.values()) > 100)


# `--x` at the start of a word, or -e and its like between blanks
FLAG = re.compile(r"(?:^|[\s`'(\"])(--[a-z][a-z-]*|-[a-z](?=[\s`'.,;:)\"]|$))")


def flags_of(source):
    """(line, string) of strings that speak of a flag."""
    found = []
    for string in STRING.finditer(source.code):
        if re.match(r"\s*#\s*include", source.code[source.code.rfind("\n", 0, string.start()) + 1:string.start() + 1]):
            continue
        if FLAG.search(string[0][1:-1]):
            found.append((source.line(string.start()), string[0]))
    return found


def check_flags(tally, files):
    for source in files.values():
        if not in_library(source):
            continue
        for line, string in flags_of(source):
            tally.check(f"src/{source.path}:{line}: speaks of a flag of the command line: {string}",
                        source.path in FLAGS_ALLOWED)
    stale = [path for path in FLAGS_ALLOWED if path not in files or not flags_of(files[path])]
    tally.check(f"the list of allowed flags has more than it needs: {stale}", not stale)


def check_names(tally, build):
    """What a program that links the library gets to see."""
    for library, how in (("liblpmln.a", ["-g"]), ("liblpmln.so", ["-D"])):
        path = os.path.join(build, library)
        if not os.path.exists(path):
            tally.check(f"{path} is not built", False)
            continue
        out = subprocess.run(["nm", *how, "--defined-only", path], capture_output=True, text=True, check=True).stdout
        names = [words[2] for words in map(str.split, out.splitlines()) if len(words) == 3]
        foreign = [name for name in names if not name.startswith("lpmln_")]
        tally.check(f"{library} exports {foreign[:20]}", not foreign)
        with open(os.path.join(ROOT, "include", PUBLIC), encoding="utf-8") as file:
            wanted = set(re.findall(r"LPMLN_API [^;(]*?\b(lpmln_\w+)\(", file.read()))
        tally.check(f"{library}: declared but not there: {sorted(wanted - set(names))}", wanted <= set(names))
        tally.check(f"{library}: there but not declared: {sorted(set(names) - wanted)}", set(names) <= wanted)


# ---- sizes ----------------------------------------------------------------------------------------

def functions(source):
    """(name, first line, lines), as our layout has them: a body starts with `{` at the end of a
    line that starts at the margin, and ends with `}` there."""
    lines, at = source.bare.split("\n"), 0
    while at < len(lines):
        head = at
        if re.match(r"[A-Za-z_]", lines[at]) and not lines[at].startswith("typedef"):
            while at < len(lines) and not re.search(r"[;{}]\s*$", lines[at]):
                at += 1
            text = " ".join(lines[head:at + 1])
            name = re.search(r"(\w+)\s*\([^;]*\)\s*\{\s*$", text)
            if name and "=" not in text[:name.start()]:
                end = at + 1
                while end < len(lines) and not lines[end].startswith("}"):
                    end += 1
                yield name[1], head + 1, end - head + 1
                at = end
        at += 1


def check_sizes(tally, files, listing):
    longest, count = [], 0
    for source in files.values():
        n = source.text.count("\n")
        tally.check(f"src/{source.path}: {n} lines, at most {MOST_LINES_OF_FILE}", n <= MOST_LINES_OF_FILE)
        for name, line, length in functions(source) if source.path.endswith(".c") else ():
            count += 1
            longest.append((length, f"src/{source.path}:{line}: {name}"))
            if length > MOST_LINES_OF_FUNCTION:
                tally.check(f"src/{source.path}:{line}: {name} has {length} lines, at most {MOST_LINES_OF_FUNCTION}", False)
    tally.check(f"{count} functions were found", count > 1500)
    if listing:
        print(*(f"{length:4} {where}" for length, where in sorted(longest)[-10:]), sep="\n")


def check_assertions(tally, files, listing):
    lines, found, by_folder = 0, 0, {}
    for source in files.values():
        if source.path.endswith(".c"):
            own = len(re.findall(r"(?<!\w)(?:static_)?assert\s*\(", source.bare))
            n = source.text.count("\n")
            lines, found = lines + n, found + own
            before = by_folder.get(source.folder, (0, 0))
            by_folder[source.folder] = before[0] + own, before[1] + n
    each = 1000 * found / lines
    if listing or each < LEAST_ASSERTIONS:
        print(*(f"{1000 * own / n:6.1f} assertions per 1,000 lines of src/{folder} ({own} in {n})"
                for folder, (own, n) in sorted(by_folder.items())), sep="\n")
    tally.check(f"{each:.1f} assertions per 1,000 lines ({found} in {lines}), at least {LEAST_ASSERTIONS}",
                each >= LEAST_ASSERTIONS)


def check_map(tally, files):
    """Files, folders and names of the code that docs/how-it-fits-together.md speaks of are there."""
    with open(os.path.join(ROOT, "docs", "how-it-fits-together.md"), encoding="utf-8") as file:
        spoken = sorted(set(re.findall(r"`(\w[\w/.-]*)`", file.read())))
    words = set(re.findall(r"\w+", " ".join(source.text for source in files.values()))) | {"console", "lpmln-mpi", "lpmln-worker"}
    for name in spoken:
        path = os.path.join(ROOT, name), os.path.join(ROOT, "src", name), os.path.join(ROOT, "src", "solver", name)
        there = name in words or any(map(os.path.exists, path)) or any(("/" + f).endswith("/" + name) for f in files)
        tally.check(f"docs/how-it-fits-together.md: {name} is not there", there)
    tally.check("the map names files", len(spoken) > 100)


def check_format(tally):
    program = shutil.which("clang-format")
    version = subprocess.run([program, "--version"], capture_output=True, text=True, check=True).stdout if program else ""
    if " 14." not in version:  # others lay some lines out otherwise
        tally.skip("clang-format 14 is not there")
        return
    names = subprocess.run(["git", "ls-files", "*.c", "*.h"], cwd=ROOT, capture_output=True, text=True,
                           check=True).stdout.split()
    for name in names:
        if not os.path.exists(os.path.join(ROOT, name)):
            continue  # removed, not yet committed
        done = subprocess.run([program, "--dry-run", "--Werror", name], cwd=ROOT, capture_output=True, text=True,
                              check=False)
        tally.check(f"{name}: clang-format would change it ({done.stderr.count('error:')} places)", not done.returncode)
    tally.check("there are files to look at", len(names) > 200)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--build", default="build")
    parser.add_argument("--list", action="store_true")
    options = parser.parse_args()
    tally, files = closing.Tally(), sources()
    check_includes(tally, files)
    check_cycles(tally, files)
    check_handle(tally, files)
    check_manners(tally, files)
    check_flags(tally, files)
    check_names(tally, options.build)
    check_sizes(tally, files, options.list)
    check_assertions(tally, files, options.list)
    check_map(tally, files)
    check_format(tally)
    return tally.close(asked=1000)


if __name__ == "__main__":
    sys.exit(main())
