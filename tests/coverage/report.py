#!/usr/bin/env python3
"""What a build with MODE=coverage has counted: lines, branches, functions that never ran.

    python3 tests/coverage/report.py build/coverage

The library and the worker; report and cli, which are clients of it, stand below.  A header's
line counts once, however many objects have it.  Functions that only assertions call are left
out: without assertions nothing can reach them.
"""

import collections
import json
import os
import re
import subprocess
import sys

CLIENTS = ("cli", "report", "cluster")


class File:
    """Counts by line, and by line and number of the branch; lines of functions."""

    def __init__(self):
        self.lines, self.branches, self.functions, self.places = {}, {}, {}, {}

    def add(self, found):
        for line in found["lines"]:
            at = line["line_number"]
            self.lines[at] = self.lines.get(at, 0) + line["count"]
            for i, branch in enumerate(line["branches"]):
                self.branches[at, i] = self.branches.get((at, i), 0) + branch["count"]
        for function in found["functions"]:
            name = function["name"].split(".")[0]
            self.functions[name] = self.functions.get(name, 0) + function["execution_count"]
            self.places[name] = range(function["start_line"], function["end_line"] + 1)

    def forget(self, name):
        """As if the function were not there."""
        place = self.places.pop(name)
        del self.functions[name]
        self.lines = {at: n for at, n in self.lines.items() if at not in place}
        self.branches = {at: n for at, n in self.branches.items() if at[0] not in place}


def mentions(paths):
    """By name: the (path, line) where it stands outside of assertions, and whether one has it."""
    found, asserted = collections.defaultdict(set), set()
    for path in paths:
        with open(path, encoding="utf-8") as file:
            text = re.sub(r"/\*.*?\*/", lambda comment: "\n" * comment[0].count("\n"), file.read(), flags=re.S)
        for claim in re.finditer(r"\bassert\(.*?\);", text, flags=re.S):
            asserted.update(re.findall(r"\w+", claim[0]))
        text = re.sub(r"\bassert\(.*?\);", lambda claim: "\n" * claim[0].count("\n"), text, flags=re.S)
        for at, line in enumerate(text.splitlines(), 1):
            for name in re.findall(r"[A-Za-z_]\w*", line):
                found[name].add((path, at))
    return found, asserted


def forget_assertions(files):
    """Functions that never ran, of which only assertions and such functions speak."""
    found, asserted = mentions([path for path in files if path.endswith(".c")])
    gone, more = collections.defaultdict(set), True
    while more:
        more = False
        for path, file in files.items():
            for name in [name for name, count in file.functions.items() if not count]:
                place = file.places[name]
                others = [(where, at) for where, at in found[name]
                          if at not in gone[where] and not (where == path and at in place)]
                if not others and (name in asserted or any(path == where and at in gone[where] for where, at in found[name])):
                    gone[path].update(place)
                    file.forget(name)
                    more = True


def notes(build):
    for folder, _, names in os.walk(os.path.join(build, "obj")):
        yield from (os.path.join(folder, name) for name in names if name.endswith(".gcno"))


def measure(build):
    files = collections.defaultdict(File)
    for path in sorted(notes(build)):
        done = subprocess.run(["gcov", "--json-format", "--stdout", "--branch-probabilities", path],
                              capture_output=True, text=True, check=True)
        for text in filter(None, done.stdout.splitlines()):
            for found in json.loads(text)["files"]:
                if found["file"].startswith("src/"):
                    files[found["file"]].add(found)
    forget_assertions(files)
    return files


def share(counts):
    return 100 * sum(map(bool, counts)) / max(len(counts), 1)


def row(name, files):
    lines = [n for file in files for n in file.lines.values()]
    branches = [n for file in files for n in file.branches.values()]
    print(f"{name:20} {len(lines):7} {share(lines):8.1f} {len(branches):9} {share(branches):9.1f}")


def main():
    files = measure(sys.argv[1])
    folders = collections.defaultdict(list)
    for path, file in files.items():
        folders["solver/worker" if "solver/worker" in path else path.split("/")[1]].append(file)
    print(f"{'':20} {'lines':>7} {'% run':>8} {'branches':>9} {'% taken':>9}")
    for name in sorted(folders, key=lambda name: (name in CLIENTS, name)):
        row(name, folders[name])
    row("library and worker", [file for name in folders if name not in CLIENTS for file in folders[name]])
    for path in sorted(files):
        never = sorted(name for name, count in files[path].functions.items() if not count)
        if never:
            print(f"never run: {path}: {', '.join(never)}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
