"""How much faster two threads compile one component: `python3 bench/threads.py [--lpmln build/lpmln] [--times 3] [--docs FILE]`.

Wall time, so the machine should be idle; the best of some runs with one and two threads in turn.  Where it is not idle, the CPU
seconds tell more: of the one thread; of the first of two, which compiles; and of the other, which helps.  The answers must be the same.
"""

import argparse
import os
import re
import subprocess
import tempfile
import time

import families
import programs

TICKS = os.sysconf("SC_CLK_TCK")


def cases():
    for family, size in ("edges_grid", 6), ("complete", 13), ("clauses", 75), ("ising", 15):
        problem = families.make(family, size, 1)
        yield f"{family} {size}", problem.text, "", problem.query
    program, data = programs.network("G8")
    yield "network G8", program, data, "fail(X,1)"


def first_thread(pid):
    """CPU seconds so far; None: it has ended."""
    try:
        with open(f"/proc/{pid}/task/{pid}/stat") as file:
            fields = file.read().rsplit(")", 1)[1].split()
    except (FileNotFoundError, ProcessLookupError):
        return None
    return (int(fields[11]) + int(fields[12])) / TICKS


def run(command):
    """What it prints, wall time, CPU seconds of its first thread and of the others."""
    with tempfile.TemporaryFile("w+") as out:
        start, first = time.monotonic(), 0.0
        child = subprocess.Popen(command, stdout=out, stderr=subprocess.DEVNULL)
        while True:
            pid, status, usage = os.wait4(child.pid, os.WNOHANG)
            if pid:
                break
            first = first_thread(child.pid) or first
            time.sleep(0.01)
        child.returncode = os.waitstatus_to_exitcode(status)
        wall = time.monotonic() - start
        assert child.returncode == 0, command
        out.seek(0)
        total = usage.ru_utime + usage.ru_stime
        return out.read(), wall, first, max(total - first, 0)


def measure(command, times):
    """The best wall time and the CPU seconds of that run, for one thread and two in turn."""
    best, answers = {}, set()
    for _ in range(times):
        for threads in "1", "2":
            answer, *seconds = run([*command, "--threads", threads])
            answers.add(answer)
            best[threads] = min(best.get(threads, seconds), seconds)
    assert len(answers) == 1, command
    return best["1"], best["2"]


def table(lpmln, times):
    yield "| | 1 thread, s | 2 threads, s | times faster | CPU of 1 | CPU of 2: first, other |\n| --- | --- | --- | --- | --- | --- |"
    with tempfile.TemporaryDirectory() as folder:
        for name, text, data, query in cases():
            path, seen = os.path.join(folder, "p.lpmln"), os.path.join(folder, "p.obs")
            for file, content in (path, text), (seen, data):
                with open(file, "w") as out:
                    out.write(content)
            command = [lpmln, "infer", path, "-e", seen, "--method", "exact", *(["-q", query] if query else [])]
            (one, *cpu), (two, first, other) = measure(command, times)
            yield f"| {name} | {one:.1f} | {two:.1f} | {one / two:.2f} | {sum(cpu):.1f} | {first:.1f}, {other:.1f} |"


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--lpmln", default="build/lpmln")
    parser.add_argument("--times", type=int, default=3)
    parser.add_argument("--docs", help="put the table there")
    options = parser.parse_args()
    lines = []
    for line in table(options.lpmln, options.times):
        print(line, flush=True)
        lines.append(line)
    if options.docs:
        with open(options.docs) as file:
            text = file.read()
        text = re.sub(r"(?s)(<!-- threads -->\n).*(<!-- end of threads -->)", lambda m: m[1] + "\n".join(lines) + "\n" + m[2], text)
        with open(options.docs, "w") as file:
            file.write(text)


if __name__ == "__main__":
    main()
