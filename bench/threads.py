"""How much faster two threads compile one component: `python3 bench/threads.py [--lpmln build/lpmln]`.

Wall time, so the machine should be idle.  The answers must be the same.
"""

import argparse
import os
import subprocess
import tempfile
import time

import families
import programs


def cases():
    for family, size in ("edges_grid", 6), ("complete", 13):
        problem = families.make(family, size, 1)
        yield f"{family} {size}", problem.text, "", problem.query
    program, data = programs.network("G8")
    yield "network G8", program, data, "fail(X,1)"


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--lpmln", default="build/lpmln")
    lpmln = parser.parse_args().lpmln
    print("| | 1 thread, s | 2 threads, s | times faster |\n| --- | --- | --- | --- |")
    with tempfile.TemporaryDirectory() as folder:
        for name, text, data, query in cases():
            path, seen = os.path.join(folder, "p.lpmln"), os.path.join(folder, "p.obs")
            for file, content in (path, text), (seen, data):
                with open(file, "w") as out:
                    out.write(content)
            seconds, answers = [], set()
            for threads in "1", "2":
                start = time.monotonic()
                answers.add(subprocess.run([lpmln, "infer", path, "-e", seen, "--method", "exact", "--threads", threads,
                                            *(["-q", query] if query else [])],
                                           check=True, capture_output=True, text=True).stdout)
                seconds.append(time.monotonic() - start)
            assert len(answers) == 1, name
            print(f"| {name} | {seconds[0]:.1f} | {seconds[1]:.1f} | {seconds[0] / seconds[1]:.2f} |", flush=True)


if __name__ == "__main__":
    main()
