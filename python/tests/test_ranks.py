"""Fits of several processes: the bits of one, over threads that talk by queues and over MPI."""

import collections
import os
import queue
import random
import shutil
import subprocess
import sys
import threading

import pytest

import lpmln

RING = """
n(0..13). @w(near) e(X, (X+1)\\14) :- n(X). @w(far) e(X, (X+3)\\14) :- n(X).
@w(start) r(X) :- n(X). r(Y) :- r(X), e(X, Y).
"""


def rows():
    pick = random.Random(1)
    return [{f"r({i})": pick.random() < 0.6 for i in range(1, 14) if pick.random() < 0.6} for _ in range(200)]


class Sent:
    def test(self):
        return True, None


class Talk:
    """As much of a communicator of mpi4py as is used, between threads."""

    def __init__(self, rank, queues):
        self.rank, self.queues = rank, queues

    def Dup(self):
        return self

    def Free(self):
        assert self.queues[self.rank].empty()

    def Get_rank(self):
        return self.rank

    def Get_size(self):
        return len(self.queues)

    def isend(self, message, dest):
        self.queues[dest].put(message)
        return Sent()

    def iprobe(self):
        return not self.queues[self.rank].empty()

    def recv(self):
        return self.queues[self.rank].get()


def together(count, learn):
    """What rank 0 gets, or raises; the others end, too, and get nothing."""
    queues = [queue.SimpleQueue() for _ in range(count)]
    others = collections.deque()
    serving = [threading.Thread(target=lambda rank=rank: others.append(learn(Talk(rank, queues)))) for rank in range(1, count)]
    for thread in serving:
        thread.start()
    try:
        return learn(Talk(0, queues))
    finally:
        for thread in serving:
            thread.join(60)
            assert not thread.is_alive()
        assert list(others) == [None] * (count - 1)


@pytest.mark.parametrize("options", [{}, {"batch": 30}, {"optimizer": "adam", "batch": 30}])
def test_the_same_bits(options):
    program, data = lpmln.Program(text=RING), rows()
    alone = program.fit(data, prior=lpmln.Normal(0, 2), restarts=0, **options)
    for count in (1, 2, 3):
        shared = together(count, lambda comm: program.fit(None if comm.rank else data, prior=lpmln.Normal(0, 2), restarts=0,
                                                          comm=comm, **options))
        assert shared.estimate == alone.estimate and shared.log_likelihood == alone.log_likelihood


def test_work_is_shared_out():
    """Others are sent something, and what they send is needed."""
    heard = []

    class Told(Talk):
        def recv(self):
            message = super().recv()
            if self.rank == 0:
                heard.append(len(message[1]))
            return message

    queues = [queue.SimpleQueue() for _ in range(2)]
    program = lpmln.Program(text=RING)
    serving = threading.Thread(target=lambda: program.fit(None, comm=Told(1, queues)))
    serving.start()
    program.fit(rows(), restarts=0, batch=20, comm=Told(0, queues))
    serving.join(60)
    assert len(heard) > 20 and heard[-1] == 0


def test_errors_end_all():
    with pytest.raises(lpmln.InputError):
        together(3, lambda comm: lpmln.Program(text="@w(1) a.").fit("a :- .", comm=comm))
    with pytest.raises(lpmln.NoAnswer):
        together(2, lambda comm: lpmln.Program(text="@w(1) a. :- a.").fit([{"a": True}], comm=comm))
    with pytest.raises(TypeError, match="unknown option"):
        together(2, lambda comm: lpmln.Program(text="@w(1) a.").fit([{"a": True}], nonsense=1, comm=comm))


def test_a_message_that_is_damaged():
    class Damaging(Talk):
        def isend(self, message, dest):
            rank, data = message
            return super().isend((rank, data[:-1] + b"x" if data and rank else data), dest)

    queues = [queue.SimpleQueue() for _ in range(2)]
    program = lpmln.Program(text=RING)
    serving = threading.Thread(target=lambda: program.fit(None, comm=Damaging(1, queues)))
    serving.start()
    with pytest.raises(lpmln.InternalError, match="damaged"):
        program.fit(rows(), restarts=0, comm=Damaging(0, queues))
    serving.join(60)
    assert not serving.is_alive()


def test_mpi(tmp_path):
    pytest.importorskip("mpi4py")
    if not shutil.which("mpirun"):
        pytest.skip("no mpirun")
    script = tmp_path / "learn.py"
    script.write_text(f"""
import sys
sys.path.insert(0, {os.path.dirname(os.path.abspath(__file__))!r})
import lpmln
from mpi4py import MPI
from test_ranks import RING, rows
fit = lpmln.Program(text=RING).fit(rows(), restarts=0, batch=40, comm=MPI.COMM_WORLD)
assert (fit is None) == (MPI.COMM_WORLD.Get_rank() > 0)
if fit is not None:
    print(repr(fit.log_likelihood), fit.estimate)
""")
    alone = lpmln.Program(text=RING).fit(rows(), restarts=0, batch=40)
    environment = dict(os.environ, OMPI_ALLOW_RUN_AS_ROOT="1", OMPI_ALLOW_RUN_AS_ROOT_CONFIRM="1",
                       OMPI_MCA_btl_vader_single_copy_mechanism="none")
    for ranks in ("1", "3"):
        done = subprocess.run(["mpirun", "--oversubscribe", "-n", ranks, sys.executable, str(script)], env=environment,
                              capture_output=True, text=True, timeout=300, check=False)
        assert done.returncode == 0, done.stderr
        assert done.stdout.strip() == f"{alone.log_likelihood!r} {alone.estimate}"
