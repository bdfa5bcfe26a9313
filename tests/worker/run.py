#!/usr/bin/env python3
"""The worker process, seen from outside: what it may do, and what it may not do even if someone
has taken it over.

    python3 tests/worker/run.py [--lpmln build/lpmln]

The program must be a release build: those for sanitizers and coverage write files of their own.
"""

import argparse
import errno
import os
import shlex
import signal
import subprocess
import sys
import tempfile
import time

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
sys.path.insert(0, os.path.join(ROOT, "tests"))
import closing  # noqa: E402

# Without the confinement these succeed; with it none does.
ATTEMPTS = ("open", "create", "proc", "look", "rename", "network", "local", "kill", "limit", "fork")


def check_taken_over(tally, lpmln, folder):
    library, report = os.path.join(folder, "intruder.so"), os.path.join(folder, "report")
    secret, new = os.path.join(folder, "secret"), os.path.join(folder, "new")
    subprocess.run([*shlex.split(os.environ.get("CC", "cc")), "-shared", "-fPIC", "-O1", "-o", library,
                    os.path.join(ROOT, "tests/worker/intruder.c")], check=True)
    with open(secret, "w", encoding="utf-8") as file:
        file.write("secret")
    with open(report, "wb") as file:
        file.write(bytes(4096))
    opened = os.open(secret, os.O_RDONLY)
    os.dup2(opened, 9)  # a host that leaves a descriptor open
    env = {**os.environ, "LD_PRELOAD": library, "INTRUDER_REPORT": report, "INTRUDER_FILE": secret, "INTRUDER_NEW": new}
    done = subprocess.run([lpmln, "infer", "-"], input="1 a.", env=env, capture_output=True, text=True, pass_fds=(9,),
                          check=False)
    with open(report, encoding="utf-8") as file:
        said = file.read().rstrip("\0")
    before, _, after = said.partition("--\n")
    before = dict(line.split() for line in before.splitlines())
    after = dict(line.split() for line in after.splitlines() if " " in line)
    tally.check(f"it was taken over: {said!r}", said.endswith("end\n"))
    for name in ATTEMPTS:
        tally.check(f"before it confines itself, {name} succeeds: {before.get(name)}", before.get(name) == "0")
        tally.check(f"{name} fails with EPERM: {after.get(name)}", after.get(name) == str(errno.EPERM))
    tally.check(f"exec fails: {after.get('exec')}", after.get("exec") == str(errno.EPERM))
    tally.check("the host's descriptors are closed", before.get("inherited") == "0"
                and after.get("inherited") == str(errno.EBADF))
    tally.check(f"lpmln says that its worker died: {done.returncode} {done.stderr}",
                done.returncode == 3 and "died" in done.stderr)


def workers_of(pid):
    with open(f"/proc/{pid}/task/{pid}/children", encoding="utf-8") as file:
        return [int(word) for word in file.read().split()]


def check_at_work(tally, lpmln):
    """A worker that grounds for long."""
    process = subprocess.Popen([lpmln, "infer", "-", "--memory-limit", "2000", "--time-limit", "20"],
                               stdin=subprocess.PIPE, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, text=True)
    process.stdin.write("p(1..3000). q(X,Y,Z) :- p(X), p(Y), p(Z), X+Y+Z = 1.")
    process.stdin.close()
    status, names = {}, []
    for _ in range(100):
        time.sleep(0.1)
        found = workers_of(process.pid)
        if not found:
            continue
        with open(f"/proc/{found[0]}/status", encoding="utf-8") as file:
            status = dict(line.rstrip("\n").partition(":\t")[::2] for line in file)
        names = sorted(map(int, os.listdir(f"/proc/{found[0]}/fd")))
        with open(f"/proc/{found[0]}/limits", encoding="utf-8") as file:
            limits = file.read()
        if status.get("Seccomp", "").strip() == "2":
            break
    tally.check(f"it can gain no privileges: {status.get('NoNewPrivs')}", status.get("NoNewPrivs") == "1")
    tally.check(f"system calls are filtered: {status.get('Seccomp')}", status.get("Seccomp") == "2")
    tally.check(f"it has the descriptors it needs: {names}", names == [0, 1, 2, 3, 4])
    tally.check("its addresses have a limit", f"Max address space         {(2 * 2000 + 1024) << 20}" in limits)
    worker = workers_of(process.pid)[0]
    process.send_signal(signal.SIGKILL)
    process.wait()
    for _ in range(50):
        if not os.path.exists(f"/proc/{worker}"):
            break
        time.sleep(0.1)
    tally.check("it ends with the one who asked", not os.path.exists(f"/proc/{worker}"))


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--lpmln", default="build/lpmln")
    lpmln = os.path.realpath(parser.parse_args().lpmln)
    tally = closing.Tally()
    with tempfile.TemporaryDirectory() as folder:
        check_taken_over(tally, lpmln, folder)
    check_at_work(tally, lpmln)
    return tally.close(asked=20)


if __name__ == "__main__":
    sys.exit(main())
