#!/usr/bin/env python3
"""lpmln-mpi: the bits of lpmln on any number of ranks, and what becomes of ranks that are killed.

    python3 tests/mpi/run.py [--lpmln build/lpmln] [--kills N]

Observations that leave atoms open are learned from by lpmln and by lpmln-mpi on 1, 2, 3, 4 and 8
ranks, with one thread and with two: the JSON is the same to the last digit.  Every rank has a
TMPDIR and a working directory of its own.  Ranks are killed (-9) at random moments: the run ends
soon, not with 0, leaves no process behind, and resumed on another number of ranks it ends with the
same bits.  A mpirun that does not end although all its ranks have (OpenMPI 4.1 may lock itself out
in the clean-up of PMIx) is ended, and counted in a line of its own.  Skipped if OpenMPI is not there.
"""

import argparse
import json
import os
import random
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
sys.path.insert(0, os.path.join(ROOT, "tests"))
import closing  # noqa: E402

HERE = "mkdir -p $DIR/rank$OMPI_COMM_WORLD_RANK && cd $DIR/rank$OMPI_COMM_WORLD_RANK && export TMPDIR=$PWD && exec \"$@\""


BATCHES = [], ["--batch", "40"]


def write_problem(folder, nodes, rows):
    """Soft edges of a ring with chords; which nodes are reached was seen in part."""
    pick = random.Random(1)
    with open(os.path.join(folder, "net.lpmln"), "w") as file:
        for i in range(nodes):
            for k, name in ((1, "near"), (3, "far"), (4, "wide")):
                file.write(f"@w({name}) e({i},{(i + k) % nodes}).\n")
        file.write(f"@w(start) r(0..{nodes - 1}).\nr(Y) :- r(X), e(X,Y).\n")
    with open(os.path.join(folder, "seen.csv"), "w") as file:
        file.write(",".join(f"r({i})" for i in range(1, nodes)) + "\n")
        for _ in range(rows):
            file.write(",".join(pick.choice(("", "", "1", "1", "1", "0")) for _ in range(1, nodes)) + "\n")


def write_chain(folder, size, rows):
    """So many different rows of one component that they are sent in several turns, and lanes forget."""
    pick = random.Random(2)
    with open(os.path.join(folder, "chain.lpmln"), "w") as file:
        file.write(f"@w(s) a(1..{size}).\n@w(t) a(X+1) :- a(X), X < {size}.\n")
    with open(os.path.join(folder, "chain.csv"), "w") as file:
        file.write(",".join(f"a({i + 1})" for i in range(size)) + "\n")
        for _ in range(rows):
            file.write(",".join(pick.choice(("", "1", "1", "0", "0")) for _ in range(size)) + "\n")


def command(lpmln, ranks, arguments):
    if not ranks:
        return [lpmln, *arguments]
    return ["mpirun", "--oversubscribe", "-n", str(ranks), "sh", "-c", HERE, "sh", lpmln + "-mpi", *arguments]


def environment(folder):
    return dict(os.environ, DIR=folder, OMPI_ALLOW_RUN_AS_ROOT="1", OMPI_ALLOW_RUN_AS_ROOT_CONFIRM="1",
                OMPI_MCA_btl_vader_single_copy_mechanism="none", OMPI_MCA_rmaps_base_oversubscribe="1")


def ask(lpmln, ranks, folder, *more, names=("net.lpmln", "seen.csv")):
    """Exit code, answer without what depends on the clock, and what was said."""
    arguments = ["learn", os.path.join(folder, names[0]), "--data", os.path.join(folder, names[1]),
                 "--format", "json", *more]
    done = subprocess.run(command(lpmln, ranks, arguments), cwd=folder, env=environment(folder),
                          capture_output=True, text=True, timeout=300)
    return done.returncode, without_clock(done.stdout), done.stderr


def sample(lpmln, ranks, folder, *more):
    """The same by Markov chains: probabilities with their errors, or samples."""
    done = subprocess.run(command(lpmln, ranks, [*more, os.path.join(folder, "dense.lpmln"), "--method", "mc-asp", "--chains",
                                                 "4", "--format", "json"]),
                          cwd=folder, env=environment(folder), capture_output=True, text=True, timeout=300)
    return done.returncode, without_clock(done.stdout), done.stderr


def write_dense(folder, atoms):
    """Constraints that hold all atoms together."""
    pick = random.Random(3)
    with open(os.path.join(folder, "dense.lpmln"), "w") as file:
        for i in range(atoms):
            file.write(f"{pick.uniform(-1, 1):.2f} a({i}).\n")
        for _ in range(2 * atoms):
            i, j, k = pick.sample(range(atoms), 3)
            file.write(f"{pick.uniform(-1, 1):.2f} :- a({i}), a({j}), not a({k}).\n:- a({k}), not a({i}), a({j}).\n")


def check_chains(lpmln, folder, tally):
    write_dense(folder, 24)
    for question in (("infer", "-q", "a(1)", "-q", "a(7)", "--samples", "120"), ("sample", "-n", "10")):
        code, expected, said = sample(lpmln, 0, folder, *question)
        tally.check(f"{question[0]} by chains ({code}: {said[-300:]})", code == 0 and "a(1)" in expected)
        for ranks in (2, 3, 8):
            code, answer, said = sample(lpmln, ranks, folder, *question, "--threads", "2" if ranks == 3 else "1")
            tally.check(f"{question[0]} by chains, {ranks} ranks: the same bits ({code}: {said[-300:]})",
                        code == 0 and answer == expected)


def check_bounds(lpmln, folder, tally):
    """Components that are all different: each lives on a rank, and what is known after as much work has the same bits.  They are small: an
    answer that the clock ends has no bits of its own."""
    pick = random.Random(4)
    with open(os.path.join(folder, "apart.lpmln"), "w") as file:
        for name in "abcdefg":
            file.write("".join(f"{pick.uniform(-1, 1):.2f} {name}({i}).\n" for i in range(16)))
            for _ in range(32):
                i, j, k = pick.sample(range(16), 3)
                file.write(f"{pick.uniform(-1, 1):.2f} :- {name}({i}), {name}({j}), not {name}({k}).\n")
    with open(os.path.join(folder, "apart.obs"), "w") as file:
        file.write("a(3). not c(5). c(7).\n")
    for precision in ("0.5", "0.1", "0.0001"):
        answers = []
        for ranks in (0, 1, 2, 3, 8):
            done = subprocess.run(command(lpmln, ranks, ["infer", os.path.join(folder, "apart.lpmln"), "-e", os.path.join(folder, "apart.obs"),
                                                         "--method", "bounds", "--precision", precision, "--format", "json",
                                                         "--threads", "2" if ranks == 3 else "1"]),
                                  cwd=folder, env=environment(folder), capture_output=True, text=True, timeout=300)
            answers.append(without_clock(done.stdout))
            tally.check(f"bounds to {precision} on {ranks} ranks: the same bits ({done.returncode}: {done.stderr[-300:]})",
                        done.returncode == 0 and '"bounds"' in answers[0] and answers[-1] == answers[0])


def check_limits(lpmln, folder, tally):
    """A time limit, and a signal to rank 0, end all ranks and leave nothing behind."""
    began = time.time()
    code, answer, said = sample(lpmln, 3, folder, "infer", "-q", "a(1)", "--samples", "3000000", "--time-limit", "2")
    tally.check(f"a time limit ends all ranks ({code}: {said[-300:]})", "a(1)" in answer and time.time() - began < 30)
    arguments = ["infer", os.path.join(folder, "dense.lpmln"), "-q", "a(1)", "--method", "mc-asp", "--samples", "3000000"]
    run = subprocess.Popen(command(lpmln, 3, arguments), cwd=folder, env=environment(folder),
                           stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    until = time.time() + 20
    while len(processes(folder)) < 3 and time.time() < until:
        time.sleep(0.05)
    time.sleep(1)
    for pid in processes(folder):
        os.kill(pid, signal.SIGINT)
    out, said = run.communicate(timeout=60)
    tally.check(f"an interruption ends all ranks ({run.returncode}: {said[-300:]})", run.returncode != 0 and "interrupted" in said)
    tally.check("nothing is left of it", not processes(folder))


def without_clock(text):
    try:
        answer = json.loads(text)
    except ValueError:
        return text
    for name in ("seconds", "replayed"):
        answer.pop(name, None)
    if "diagnostics" in answer:  # notes tell of the checkpoint
        answer["diagnostics"] = [d for d in answer["diagnostics"] if d["severity"] != "note"]
    return json.dumps(answer, sort_keys=True)


def processes(folder):
    """Of ours: those whose command line names the folder."""
    found = []
    for pid in filter(str.isdigit, os.listdir("/proc")):
        try:
            with open(f"/proc/{pid}/cmdline", "rb") as file:
                words = file.read().split(b"\0")
        except OSError:
            continue
        if os.path.basename(words[0]) == b"lpmln-mpi" and any(folder.encode() in word for word in words):
            found.append(int(pid))
    return found


def check_batches(lpmln, folder, tally):
    """Batches live on all ranks, which evaluate their own."""
    for more in (["--batch", "40"], ["--batch", "70", "--optimizer", "newton"], ["--optimizer", "adam", "--batch", "60"]):
        more += ["--prior", "0,2", "--restarts", "0"]
        code, expected, said = ask(lpmln, 0, folder, *more)
        tally.check(f"lpmln learns in batches ({said[-300:]})", code == 0 and json.loads(expected)["converged"])
        for ranks in (1, 2, 3, 4, 8):
            code, answer, said = ask(lpmln, ranks, folder, *more, "--threads", "2" if ranks == 2 else "1")
            tally.check(f"{more}, {ranks} ranks: the same bits ({code}: {said[-300:]})", code == 0 and answer == expected)


def check_parts(lpmln, folder, tally):
    """A circuit so large that its evaluation is shared out, without batches; with batches its sums are others, of the same value."""
    write_problem(folder, 20, 6000)
    steps = ["--method", "exact", "--optimizer", "newton", "--iterations", "2", "--restarts", "0"]
    code, expected, said = ask(lpmln, 0, folder, *steps)
    tally.check(f"a large circuit ({said[-300:]})", code == 0 and json.loads(expected)["circuit_nodes"] > 1 << 18)
    for ranks in (0, 2, 3):
        code, answer, said = ask(lpmln, ranks, folder, *steps, "--threads", "2" if ranks != 2 else "1")
        tally.check(f"a large circuit, {ranks} ranks: the same bits ({code}: {said[-300:]})", code == 0 and answer == expected)
    code, answer, said = ask(lpmln, 0, folder, *steps, "--batch", "1500")
    one, other = (json.loads(text or "{}").get("log_likelihood", 0) for text in (expected, answer))
    tally.check(f"in batches {other}, not {one} ({said[-300:]})", code == 0 and abs(one - other) < 1e-9 * abs(one))


def check_rows(lpmln, folder, tally):
    """Rows of evidence, more than one part of them, are shared out; the answers come in their order, impossible ones, too."""
    pick = random.Random(5)
    with open(os.path.join(folder, "row.lpmln"), "w") as file:
        file.write("0.4 a(1..14).\n-0.7 a(X+1) :- a(X), X < 14.\n1.5 :- a(13), a(14).\n:- a(1), a(2), a(3).\n")
    with open(os.path.join(folder, "rows.csv"), "w") as file:
        file.write(",".join(f"a({i})" for i in range(1, 13)) + ",b\n")
        for _ in range(140_000):
            file.write(",".join(pick.choice(("", "", "1", "0", "0")) for _ in range(12)) + ",\n")
    line = ["infer", os.path.join(folder, "row.lpmln"), "--data", os.path.join(folder, "rows.csv"), "-q", "a(13)", "-q", "a(14) | a(1)"]
    answers = []
    for ranks in (0, 1, 2, 3, 4, 8):
        done = subprocess.run(command(lpmln, ranks, [*line, "--threads", "2" if ranks == 3 else "1"]), cwd=folder,
                              env=environment(folder), capture_output=True, text=True, timeout=300)
        answers.append(done.stdout)
        tally.check(f"rows on {ranks} ranks: the same bits ({done.returncode}: {done.stderr[-300:]})",
                    done.returncode == 0 and done.stdout.count("\n") == 140_001 and done.stdout == answers[0])
    tally.check("some rows are impossible", "\n,\n" in answers[0])


def check_memory(lpmln, folder, tally):
    """Rank 1 has too little memory for its part, others have not: it is named, and all end."""
    named, arguments = 0, ["learn", "../chain.lpmln", "--data", "../chain.csv", "--method", "exact", "--batch", "2000", "--format", "json"]
    for limit in range(19000, 35000, 3000):  # KiB; what MPI itself needs differs between machines
        limited = f"if [ $OMPI_COMM_WORLD_RANK = 1 ]; then ulimit -d {limit}; fi; " + HERE
        done = subprocess.run(["mpirun", "--oversubscribe", "-n", "3", "sh", "-c", limited, "sh", lpmln + "-mpi", *arguments],
                              cwd=folder, env=environment(folder), capture_output=True, text=True, timeout=300)
        named += done.returncode != 0 and bool(re.search(r"rank 1 on \S+: memory is out", done.stdout + done.stderr))
        tally.check(f"{limit} KiB: all, or nothing ({done.returncode}: {done.stderr[-300:]})", done.returncode != 0 or '"converged": true' in done.stdout)
    tally.check("a rank without memory is named", named)
    tally.check("nothing is left of it", not processes(folder))


def check_campaign(tally):
    """Two ranks, each with seeds of its own; what they have counted is added up."""
    done = subprocess.run([sys.executable, "tests/campaign/run.py", "--hours", "0.001", "--jobs", "1", "--seed", "7", "--only", "detect",
                           "--no-write", "--mpirun", "mpirun --oversubscribe -n 2"], cwd=ROOT, env=environment(ROOT),
                          capture_output=True, text=True, timeout=300)
    turns = sum(" detect " in line and line.endswith(" 0 wrong") for line in done.stdout.splitlines())
    tally.check(f"a campaign on two ranks ({done.returncode}: {done.stdout[-500:]} {done.stderr[-300:]})",
                done.returncode == 0 and turns >= 2 and f"on 2 ranks; {turns} seeds from 8 on" in done.stdout)
    done = subprocess.run([sys.executable, "tests/campaign/run.py", "--hours", "0.001", "--only", "detect", "--no-write",
                           "--mpirun", "sh -c 'exit 9'"], cwd=ROOT, capture_output=True, text=True, timeout=60)
    tally.check("a rank that dies fails the campaign", done.returncode == 1)


def kill_one(lpmln, folder, pick, tally, whole):
    """True: mpirun outlived all ranks.  `whole`: the answers, by whether they are of batches."""
    batches = pick.random() < 0.5
    expected, more = whole[batches], BATCHES[batches]
    checkpoint = os.path.join(folder, "run.checkpoint")
    if os.path.exists(checkpoint):
        os.remove(checkpoint)
    arguments = ["learn", os.path.join(folder, "net.lpmln"), "--data", os.path.join(folder, "seen.csv"),
                 "--format", "json", "--checkpoint", checkpoint, *more]
    run = subprocess.Popen(command(lpmln, 3, arguments), cwd=folder, env=environment(folder),
                           stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    until = time.time() + 20
    while len(processes(folder)) < 3 and time.time() < until and run.poll() is None:
        time.sleep(0.01)
    time.sleep(pick.random() * 0.5)
    alive = processes(folder)
    if alive:
        try:
            os.kill(pick.choice(alive), signal.SIGKILL)
        except ProcessLookupError:
            alive = []
    began = time.time()
    while run.poll() is None and time.time() < began + 15 and (processes(folder) or time.time() < began + 10):
        time.sleep(0.05)
    locked_out = run.poll() is None and not processes(folder)
    if locked_out:
        run.kill()
    out, said = run.communicate(timeout=30)
    ended = run.returncode != 0 and said.strip() or without_clock(out) == expected
    tally.check(f"a killed rank ends the run, with a message ({run.returncode}: {said[-300:]})", bool(ended))
    tally.check("it ends within seconds", time.time() - began < 15)
    until = time.time() + 5
    while processes(folder) and time.time() < until:
        time.sleep(0.05)
    tally.check("no process is left behind", not processes(folder))
    ranks = pick.choice((1, 2, 4))
    code, answer, said = ask(lpmln, ranks, folder, "--checkpoint", checkpoint, "--resume", *more)
    tally.check(f"resumed on {ranks} ranks: the same bits ({code}: {said[-300:]})", code == 0 and answer == expected)
    return locked_out


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--lpmln", default="build/lpmln")
    parser.add_argument("--kills", type=int, default=2)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--many", type=int, default=60_000, help="observations of the large problem")
    args = parser.parse_args()
    lpmln = os.path.abspath(args.lpmln)
    tally = closing.Tally()
    if not shutil.which("mpirun") or not os.path.exists(lpmln + "-mpi"):
        tally.skip("OpenMPI is not there")
        return tally.close()
    pick = random.Random(args.seed)
    with tempfile.TemporaryDirectory() as folder:
        write_problem(folder, 14, 300)
        code, expected, said = ask(lpmln, 0, folder)
        tally.check(f"lpmln learns ({said[-300:]})", code == 0 and "weights" in expected)
        for ranks in (1, 2, 3, 4, 8):
            threads = "2" if ranks in (2, 3) else "1"
            code, answer, said = ask(lpmln, ranks, folder, "--threads", threads)
            tally.check(f"{ranks} ranks: the same bits ({code}: {said[-300:]})", code == 0 and answer == expected)
        code, answer, said = ask(lpmln, 2, folder, "--test", "only-on-rank-0")
        tally.check(f"a file that is not there ({code}: {said})", code == 3 and "can't read 'only-on-rank-0'" in said)
        write_chain(folder, 30, args.many)
        many = "chain.lpmln", "chain.csv"
        code, whole, said = ask(lpmln, 0, folder, names=many)
        tally.check(f"lpmln learns from many ({said[-300:]})", code == 0 and json.loads(whole)["converged"])
        for ranks in (2, 3):
            code, answer, said = ask(lpmln, ranks, folder, names=many)
            tally.check(f"many, {ranks} ranks: the same bits ({code}: {said[-300:]})", code == 0 and answer == whole)
        check_batches(lpmln, folder, tally)
        check_rows(lpmln, folder, tally)
        check_parts(lpmln, tempfile.mkdtemp(dir=folder), tally)
        check_memory(lpmln, folder, tally)
        check_campaign(tally)
        check_chains(lpmln, folder, tally)
        check_bounds(lpmln, folder, tally)
        check_limits(lpmln, folder, tally)
        whole = [expected, ask(lpmln, 0, folder, *BATCHES[1])[1]]
        locked_out = sum(kill_one(lpmln, folder, pick, tally, whole) for _ in range(args.kills))
        if locked_out:
            print(f"mpirun did not end after its ranks: {locked_out} of {args.kills}")
    return tally.close()


if __name__ == "__main__":
    sys.exit(main())
