#!/usr/bin/env python3
"""Runs transcripts of shell sessions and compares what is printed.

    python3 tests/transcript.py --lpmln build/lpmln README.md tests/golden/*.golden
    python3 tests/transcript.py --lpmln build/lpmln --update tests/golden/bird.golden

A transcript looks as on a terminal:

    $ lpmln infer examples/bird/bird.lpmln -q 'bird(jo)'
    bird(jo)  0.909969
    $ lpmln infer - <<.
    > 2 a :- .
    > .
    …
    ? 3

`$ ` starts a command for bash and `> ` continues it.  What follows is its
standard output and error together, up to the next command; blank lines at the
end do not count.  `? 3` is the exit code, 0 if there is no such line.  `…`
matches any text inside a line and, on a line of its own, any number of lines.

A *.golden file is one transcript; a line that starts with `# ` is a comment.
In Markdown every ```console block is a part of the same transcript, and a
```lpmln, ```c or ```problog block whose first line is a comment with nothing but a file
name in it (`% coin.lpmln`, `/* coin.c */`) is that file.

Commands run in a scratch folder that looks like the repository's root: copies
of examples/ and tests/golden/data/, links to include/ and, as build/, to the
folder of the program under test.  Each file gets a folder of its own, so files
that a command writes are there for the later ones.
"""

import argparse
import concurrent.futures
import difflib
import os
import re
import shutil
import subprocess
import sys
import tempfile

import closing

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
COPIED = ("examples", os.path.join("tests", "golden", "data"))
FENCE = re.compile(r"^```(\w*)$")
FILE_NAME = re.compile(r"^(?:%|/\*|//) ?([\w.-]+\.\w+)(?: \*/)?$")
LONG_NUMBER = re.compile(r"-?\d+\.\d{12,}(?:e-?\d+)?")
EXIT = re.compile(r"^\? (\d+)$")


class Command:
    """Lines [start, end) of the file; the expected output is [output, end)."""

    def __init__(self, start):
        self.start = start
        self.script = []
        self.expected = []
        self.output = self.end = None


class SourceFile:
    """A file that Markdown shows, to be written before the next command."""

    def __init__(self, name, lines):
        self.name, self.lines = name, lines


# ---- reading ----------------------------------------------------------------

def read_session(lines, first, last, comments):
    """The commands in lines [first, last)."""
    found = []
    at = first
    while at < last:
        if not lines[at].startswith("$ "):
            at += 1
            continue
        command = Command(at)
        command.script.append(lines[at][2:])
        at += 1
        while at < last and (lines[at].startswith("> ") or lines[at] == ">"):
            command.script.append(lines[at][2:])
            at += 1
        command.output = at
        while at < last and not lines[at].startswith("$ ") and not (
                comments and lines[at].startswith("# ")):
            at += 1
        command.end = at
        while command.end > command.output and not lines[command.end - 1].strip():
            command.end -= 1
        command.expected = lines[command.output:command.end]
        found.append(command)
    return found


def read_markdown(lines):
    found = []
    at = 0
    while at < len(lines):
        fence = FENCE.match(lines[at])
        at += 1
        if not fence:
            continue
        last = at
        while last < len(lines) and lines[last] != "```":
            last += 1
        name = FILE_NAME.match(lines[at]) if at < last else None
        if fence.group(1) == "console":
            found += read_session(lines, at, last, comments=False)
        elif fence.group(1) in ("lpmln", "c", "problog") and name:
            found.append(SourceFile(name.group(1), lines[at:last]))
        at = last + 1
    return found


def read(path):
    with open(path, encoding="utf-8") as file:
        lines = file.read().split("\n")
    if path.endswith(".md"):
        return lines, read_markdown(lines)
    return lines, read_session(lines, 0, len(lines), comments=True)


# ---- running ----------------------------------------------------------------

def prepare(folder, lpmln):
    """The scratch folder, and the environment of its commands."""
    root = os.path.join(folder, "root")
    for part in COPIED:
        if os.path.isdir(os.path.join(ROOT, part)):
            shutil.copytree(os.path.join(ROOT, part), os.path.join(root, part))
    os.makedirs(root, exist_ok=True)
    os.symlink(os.path.join(ROOT, "include"), os.path.join(root, "include"))
    os.symlink(os.path.dirname(lpmln), os.path.join(root, "build"))
    programs = os.path.join(folder, "bin")
    os.mkdir(programs)
    os.symlink(lpmln, os.path.join(programs, "lpmln"))
    environment = dict(os.environ, LC_ALL="C.UTF-8",
                       PATH=programs + os.pathsep + os.environ["PATH"])
    return root, environment


def run(command, root, environment, timeout):
    """The lines printed, then `? N` if the exit code is not 0."""
    try:
        done = subprocess.run(["bash", "-c", "\n".join(command.script)], cwd=root,
                              env=environment, stdin=subprocess.DEVNULL,
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                              timeout=timeout, check=False)
    except subprocess.TimeoutExpired:
        return [f"(no end after {timeout:g} seconds)"]
    lines = done.stdout.decode("utf-8", "replace").split("\n")
    while lines and not lines[-1].strip():
        lines.pop()
    return lines + ([f"? {done.returncode}"] if done.returncode else [])


# ---- comparing ----------------------------------------------------------------

def rounded(line):
    """Full-precision numbers to 12 digits: the last ones depend on the machine's libm."""
    return LONG_NUMBER.sub(lambda found: f"{float(found.group()):.12g}", line)


def line_matches(expected, line):
    expected, line = rounded(expected), rounded(line)
    if "…" not in expected:
        return expected == line
    return re.fullmatch(".*".join(map(re.escape, expected.split("…"))), line) is not None


def matches(expected, lines):
    # reach: how many of the lines the patterns so far can have used up
    reach = {0}
    for pattern in expected:
        if pattern == "…":
            # not the exit code: it is always said
            most = len(lines) - 1 if lines and EXIT.match(lines[-1]) else len(lines)
            reach = set(range(min(reach), most + 1)) if reach else reach
        else:
            reach = {n + 1 for n in reach if n < len(lines) and line_matches(pattern, lines[n])}
    return len(lines) in reach


def report(path, command, lines):
    """What is to be said of a command that printed something else."""
    said = [f"{path}:{command.start + 1}: $ {command.script[0]}"]
    return said + ["    " + line for line in difflib.unified_diff(command.expected, lines, "expected", "printed",
                                                                  lineterm="")]


def update(path, lines, replaced):
    """replaced: (command, new lines), in the order of the file."""
    for command, printed in reversed(replaced):
        lines[command.output:command.end] = printed
    with open(path, "w", encoding="utf-8") as file:
        file.write("\n".join(lines))


def run_file(path, options):
    """Runs all commands of a file: passed, failed, what is to be said."""
    lines, found = read(path)
    wrong, said = [], []
    commands = [each for each in found if isinstance(each, Command)]
    with tempfile.TemporaryDirectory() as folder:
        root, environment = prepare(folder, os.path.abspath(options.lpmln))
        for each in found:
            if isinstance(each, SourceFile):
                with open(os.path.join(root, each.name), "w", encoding="utf-8") as file:
                    file.write("\n".join(each.lines) + "\n")
                continue
            printed = run(each, root, environment, options.timeout)
            if not matches(each.expected, printed):
                wrong.append((each, printed))
                said += report(path, each, printed)
    if options.update and wrong:
        update(path, lines, wrong)
    return len(commands) - len(wrong), len(wrong), said


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--lpmln", default="build/lpmln", help="the program under test")
    parser.add_argument("--update", action="store_true",
                        help="write what was printed in place of what was expected")
    parser.add_argument("--timeout", type=float, default=120, help="seconds per command")
    parser.add_argument("--jobs", type=int, default=os.cpu_count(), help="files at once")
    parser.add_argument("files", nargs="+", metavar="FILE")
    options = parser.parse_args()
    tally = closing.Tally()
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        for path, (good, bad, said) in zip(options.files, pool.map(lambda path: run_file(path, options), options.files)):
            print(*said, sep="\n", end="\n" if said else "", flush=True)
            tally.passed, tally.failed = tally.passed + good, tally.failed + bad
            if not good + bad and not path.endswith(".md"):
                tally.check(f"{path}: no command in it", False)
    return tally.close(asked=len(options.files))


if __name__ == "__main__":
    sys.exit(main())
