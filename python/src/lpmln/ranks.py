"""Questions that several processes answer together, which talk by a communicator of mpi4py.

Rank 0 asks; the others serve it until it says that this is all.  mpi4py itself is not needed
here: what is used of a communicator are `isend`, `iprobe`, `recv`, `Dup` and `Free`.
"""

from __future__ import annotations

import contextlib
import platform
import time
from typing import Any, Callable, Iterator, Optional

from ._native import NULL, ffi, lib, raise_status

DOZE = 1e-4  #: seconds between two looks for a message; who waits sleeps


class Ranks:
    """Messages of one question; what goes wrong in them is kept until C has returned."""

    def __init__(self, comm: Any, threads: int) -> None:
        self._comm = comm.Dup()  # a message of ours is never taken for one of the caller's
        self.rank, self.count = self._comm.Get_rank(), self._comm.Get_size()
        self._sending: list[Any] = []
        self._ended: set[int] = set()
        self._received: Any = None  # stays until the next one
        self.error: Optional[BaseException] = None
        self._handle = ffi.new_handle(self)
        self._host = ffi.new("char[]", platform.node().encode())
        self.c = ffi.new("lpmln_ranks *", {
            "rank": self.rank, "count": self.count, "threads": threads, "host": self._host,
            "send": lib.lpmln_python_send, "receive": lib.lpmln_python_receive, "data": self._handle})

    def send(self, to: int, message: bytes) -> None:
        self._sending = [sent for sent in self._sending if not sent.test()[0]]
        self._sending.append(self._comm.isend((self.rank, message), dest=to))

    def receive(self) -> Optional[tuple[int, bytes]]:
        """What is there, or nothing after a moment."""
        self._sending = [sent for sent in self._sending if not sent.test()[0]]
        if not self._comm.iprobe():
            time.sleep(DOZE)
            return None
        sender, message = self._comm.recv()
        if not message:
            self._ended.add(sender)
        return sender, message

    def take(self, sender: Any, length: Any) -> Any:
        """The same for C."""
        there = self.receive()
        if there is None:
            return NULL
        self._received = ffi.from_buffer("char[]", there[1])
        sender[0], length[0] = there[0], len(there[1])
        return self._received

    def serve(self) -> None:
        """Of ranks above 0: until rank 0 has no more."""
        status = lib.lpmln_serve(self.c)
        if self.error is not None:
            raise self.error
        if status != lib.LPMLN_OK:
            raise_status(status, f"rank {self.rank}: what it was sent is damaged, or memory is out")
        self.end()

    def end(self) -> None:
        """That is all from here; then whatever comes, until the others have said so, too."""
        others = range(1, self.count) if self.rank == 0 else range(1)
        for other in others:
            self.send(other, b"")
        while self._sending or not self._ended.issuperset(others):
            self.receive()
        self._comm.Free()


@contextlib.contextmanager
def sharing(comm: Any) -> Iterator[Optional[Ranks]]:
    """Rank 0 for a while: whatever happens, the others are told when it is over.  None: alone."""
    if comm is None:
        yield None
        return
    ranks = Ranks(comm, 1)
    try:
        yield ranks
    finally:
        if ranks.error is None:
            ranks.end()


def _guarded(data: Any, do: Callable[[Ranks], Any]) -> Any:
    ranks: Ranks = ffi.from_handle(data)
    if ranks.error is None:
        try:
            return do(ranks)
        except BaseException as error:  # raised again when C has returned
            ranks.error = error
    return None


@ffi.def_extern()  # type: ignore[untyped-decorator]
def lpmln_python_send(data: Any, to: int, message: Any, length: int) -> bool:
    def send(ranks: Ranks) -> bool:
        ranks.send(to, bytes(ffi.buffer(message, length)))
        return True

    return bool(_guarded(data, send))


@ffi.def_extern()  # type: ignore[untyped-decorator]
def lpmln_python_receive(data: Any, sender: Any, length: Any) -> Any:
    found = _guarded(data, lambda ranks: ranks.take(sender, length))
    if found is None:  # it failed: no bytes end a rank that serves, and are no answer to rank 0
        sender[0] = length[0] = 0
        return _nothing
    return found


_nothing = ffi.new("char[]", 1)
