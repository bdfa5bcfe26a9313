"""Wrong and hostile inputs (cases.py): each gives a message and never a number.

    python3 tests/malformed/run.py --lpmln build/sanitize/lpmln --jobs 2
    python3 tests/malformed/run.py --lpmln build/sanitize/lpmln --only 'unsafe' --show

With a sanitized lpmln, reports of the sanitizers are failures; where libclingo
is known to die, its own worker process may (`dies`), lpmln may not.
"""

import argparse
import concurrent.futures
import glob
import os
import re
import subprocess
import sys
import tempfile
import time

import cases_markov  # noqa: F401, it adds its cases
import cases_problog  # noqa: F401, it adds its cases
from cases import CASES

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
import closing  # noqa: E402

TIMEOUT = 60  # seconds per case
LONGEST = 200_000  # bytes of messages


def options_of(arguments):
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--lpmln", default="build/sanitize/lpmln", help="the program under test")
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--only", default="", help="only cases whose name has this in it")
    parser.add_argument("--show", action="store_true", help="print what lpmln says")
    parser.add_argument("--slow", action="store_true", help="print the slowest cases")
    return parser.parse_args(arguments)


def as_bytes(text):
    text = text() if callable(text) else text
    return text.encode() if isinstance(text, str) else text


def write_files(case, folder):
    files = dict(case.files)
    if case.text is not None:
        files["p.lp"] = case.text
    for name, text in files.items():
        with open(os.path.join(folder, name), "wb") as file:
            file.write(as_bytes(text))
    if case.prepare:
        case.prepare(folder)


def environment(reports):
    """Reports of the sanitizers go to files, one per process, named after the program."""
    options = f"log_path={reports}/report:log_exe_name=1:abort_on_error=0"
    return {**os.environ, "ASAN_OPTIONS": options, "UBSAN_OPTIONS": options + ":print_stacktrace=1",
            "LC_ALL": "C.UTF-8"}


def sanitizer_faults(case, reports):
    for path in glob.glob(os.path.join(reports, "*")):
        if case.dies and "lpmln-worker" in os.path.basename(path):
            continue
        with open(path, errors="replace") as file:
            yield "the sanitizers report\n" + file.read(2000)


def place_of(case):
    return case.place if case.place.count(":") == 2 else "p.lp:" + case.place


def caret_faults(case, stderr):
    lines = stderr.split("\n")
    heads = [i for i, line in enumerate(lines) if line.startswith(place_of(case) + ": ")]
    if not any(lines[i + 2 : i + 3] == ["    " + case.caret] for i in heads):
        yield f"the caret is not {case.caret!r}"


def message_faults(case, stderr):
    if case.pattern and not re.search(case.pattern, stderr):
        yield f"no message matches {case.pattern!r}"
    if case.place and not re.search("^" + re.escape(place_of(case)) + ": ", stderr, re.M):
        yield f"no message is about {place_of(case)}"
    if case.absent and re.search(case.absent, stderr):
        yield f"{case.absent!r} is on standard error"
    if len(stderr) > LONGEST:
        yield f"{len(stderr)} bytes of messages"
    if case.caret:
        yield from caret_faults(case, stderr)


def faults(case, result, reports):
    codes = case.code if isinstance(case.code, tuple) else (case.code,)
    stdout = result.stdout.decode(errors="replace")
    if result.returncode not in codes:
        yield f"exit {result.returncode}, not {case.code}"
    if case.stdout and not re.search(case.stdout, stdout):
        yield f"the answer does not match {case.stdout!r}: {stdout[:200]!r}"
    if not case.stdout and result.returncode not in (0, 130) and stdout:
        yield f"an answer to a wrong input: {stdout[:200]!r}"
    yield from message_faults(case, result.stderr.decode(errors="replace"))
    yield from sanitizer_faults(case, reports)


def run(case, lpmln):
    """The faults of a case, what was said, and the seconds it took."""
    start = time.monotonic()
    with tempfile.TemporaryDirectory() as folder, tempfile.TemporaryDirectory() as reports:
        write_files(case, folder)
        command = [lpmln] + case.arguments
        try:
            result = subprocess.run(command, cwd=folder, input=case.input, capture_output=True,
                                    timeout=TIMEOUT, env=environment(reports))
        except subprocess.TimeoutExpired:
            return [f"more than {TIMEOUT} s"], "", time.monotonic() - start
        found = list(faults(case, result, reports))
    return found, result.stderr.decode(errors="replace"), time.monotonic() - start


def main():
    options = options_of(sys.argv[1:])
    lpmln = os.path.abspath(options.lpmln)
    cases = [case for case in CASES if options.only in case.name]
    names = [case.name for case in cases]
    assert len(names) == len(set(names)), sorted(name for name in names if names.count(name) > 1)
    tally, times = closing.Tally(), []
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        for case, (found, said, seconds) in zip(cases, pool.map(lambda c: run(c, lpmln), cases)):
            times.append((seconds, case.name))
            told = "\n".join([case.name, *found, said[:1500]])
            if options.show and not found:
                print("---", told)
            tally.check(told, not found)
    if options.slow:
        print(*(f"{seconds:6.2f} s  {name}" for seconds, name in sorted(times)[-15:]), sep="\n")
    return tally.close(asked=len(cases))


if __name__ == "__main__":
    sys.exit(main())
