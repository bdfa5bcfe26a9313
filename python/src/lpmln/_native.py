"""Between Python and liblpmln: options in, statuses and texts out.

A question runs in C without Python's lock.  In the main thread, where Ctrl-C arrives, it
runs in a thread of its own unless it is known to be quick, so that it can be interrupted.
"""

from __future__ import annotations

import _thread
import contextlib
import dataclasses
import os
import re
import sys
import threading
import warnings
from typing import Any, Callable, Mapping, Optional

from ._lpmln import ffi as ffi
from ._lpmln import lib as lib
from .errors import (Diagnostic, Error, InputError, InternalError, Interrupted, LimitReached,
                     LPMLNWarning, NoAnswer, UsageError)

NULL = ffi.NULL
SEVERITIES = {lib.LPMLN_NOTE: "note", lib.LPMLN_WARNING: "warning", lib.LPMLN_ERROR: "error"}
ERRORS: Mapping[int, type[Error]] = {
    lib.LPMLN_NO_ANSWER: NoAnswer,
    lib.LPMLN_USAGE: UsageError,
    lib.LPMLN_INPUT: InputError,
    lib.LPMLN_LIMIT: LimitReached,
    lib.LPMLN_INTERNAL: InternalError,
}
WORKER = os.path.join(os.path.dirname(os.path.abspath(__file__)), "_native", "lpmln-worker")

version: str = ffi.string(lib.lpmln_version()).decode()


_string = ffi.string


def text(value: Any) -> str:
    """A C string; none is empty."""
    return _string(value).decode("utf-8", "replace") if value else ""


def maybe(value: Any) -> Optional[str]:
    return text(value) if value else None


def texts(array: Any, count: int) -> tuple[str, ...]:
    return tuple(text(array[i]) for i in range(count))


def _targets() -> tuple[str, ...]:
    count = ffi.new("size_t *")
    choices = lib.lpmln_targets(count)
    return tuple(text(choices[i].name) for i in range(count[0]))


TARGETS = _targets()  # of translations


class Names:
    """Arrays of C strings that share their strings, such as the atoms of many samples: each is decoded once."""

    def __init__(self) -> None:
        self._known: dict[int, str] = {}

    def of(self, array: Any, count: int) -> list[str]:
        known, addresses = self._known, ffi.unpack(ffi.cast("uintptr_t *", array), count) if count else ()
        try:
            return [known[address] for address in addresses]
        except KeyError:
            known.update((address, text(array[i])) for i, address in enumerate(addresses) if address not in known)
            return [known[address] for address in addresses]


# ---- options ---------------------------------------------------------------------------------

METHODS = {text(lib.lpmln_method_name(i)): i for i in range(16) if text(lib.lpmln_method_name(i)) != "unknown"}
METHODS.setdefault("auto", lib.LPMLN_AUTO)
SAMPLING = dict(ffi.typeof("lpmln_sampling").fields)
OPTIONS = {name: field for name, field in ffi.typeof("lpmln_options").fields if name != "sampling"}


def fill(struct: Any, values: Mapping[str, Any], keep: list[Any], fields: Mapping[str, Any], what: str) -> None:
    """Sets fields of a C struct by their names; `keep` holds what must live as long."""
    for name, value in values.items():
        field = fields.get(name)
        if field is None:
            raise TypeError(f"unknown {what} '{name}'; there are: {', '.join(sorted(fields))}")
        if value is None:
            continue
        if field.type.kind == "pointer" and field.type.item.cname == "char":
            value = ffi.new("char[]", os.fsencode(value))
            keep.append(value)
        elif field.type.kind == "enum" and isinstance(value, str):
            value = enumerated(field.type, value, name)
        try:
            setattr(struct, name, value)
        except (TypeError, OverflowError) as error:
            raise TypeError(f"{what} {name}={value!r}: {error}") from None


def enumerated(kind: Any, value: str, what: str) -> int:
    """The number of a name: "ascent" is LPMLN_ASCENT."""
    names: dict[str, int] = {name[len("LPMLN_"):].lower().replace("_", "-"): i for name, i in kind.relements.items()}
    if value not in names:
        raise ValueError(f"unknown {what} '{value}'; there are: {', '.join(names)}")
    return names[value]


def fields_of(struct: str) -> dict[str, Any]:
    return dict(ffi.typeof(struct).fields)


def check_options(values: Mapping[str, Any]) -> None:
    """An unknown option is said where it is given, not at the first question."""
    make_options(values, [])


def make_options(values: Mapping[str, Any], keep: list[Any]) -> Any:
    options = ffi.new("lpmln_options *", lib.lpmln_options_default())
    if os.path.exists(WORKER):
        values = {"worker": WORKER, **values}
    if "method" in values:
        if values["method"] not in METHODS:
            raise ValueError(f"unknown method '{values['method']}'; there are: {', '.join(METHODS)}")
        values = {**values, "method": METHODS[values["method"]]}
    sampling = {name: value for name, value in values.items() if name in SAMPLING}
    fill(options.sampling, sampling, keep, SAMPLING, "option")
    rest = {name: value for name, value in values.items() if name not in SAMPLING}
    fill(options, rest, keep, OPTIONS, "option")
    return options


# ---- answers ---------------------------------------------------------------------------------

def diagnostics_of(about: Any) -> tuple[Diagnostic, ...]:
    found = []
    for i in range(about.diagnostic_count):
        d = about.diagnostics[i]
        found.append(Diagnostic(SEVERITIES[d.severity], text(d.message), maybe(d.hint), maybe(d.file),
                                d.line, d.column, d.length, maybe(d.source)))
    return tuple(found)


def raise_status(status: int, message: str, diagnostics: tuple[Diagnostic, ...] = (), partial: Any = None) -> None:
    if status == lib.LPMLN_INTERRUPTED:
        raise Interrupted(partial)
    raise ERRORS.get(status, InternalError)(message, diagnostics, partial)


def about_cells(d: Diagnostic, columns: tuple[str, ...]) -> Diagnostic:
    """A diagnostic about the text of a table, which nobody sees, by the names of columns and numbers of rows."""
    before = (d.source or "")[: max(0, d.column - 1)]
    number = re.sub(r'"[^"]*"', "", before).count(",")
    whole = not d.line or (d.length >= len(d.source or "") and len(columns) > 1) or number >= len(columns)
    places = [] if whole else [f"column '{columns[number]}'"]
    places += [f"row {d.line - 2}"] if d.line > 1 else []
    return dataclasses.replace(d, file=None, source=None, message=f"{', '.join(places) or 'the table'}: {d.message}")


def outside() -> int:
    """How far up the caller is who is no part of this package."""
    frame, level = sys._getframe(1), 1
    while frame.f_back and frame.f_globals.get("__name__", "").partition(".")[0] == "lpmln":
        frame, level = frame.f_back, level + 1
    return level


def conclude(about: Any, partial: Callable[[], Any],
             tables: Mapping[str, tuple[str, ...]] = {}) -> tuple[Diagnostic, ...]:
    """What an answer says about itself: warnings are warned of, failures raised.

    Of texts that were made from rows, `tables` has the columns.
    """
    if about.status == lib.LPMLN_OK and not about.diagnostic_count:
        return ()
    found = tuple(about_cells(d, tables[d.file or ""]) if d.file in tables else d for d in diagnostics_of(about))
    if about.status != lib.LPMLN_OK:
        worst = [d for d in found if d.severity != "note"] or list(found)  # a warning may know why
        message = "\n".join(map(str, worst)) or "there is no answer"
        whole = about.method != lib.LPMLN_AUTO and about.status in (lib.LPMLN_LIMIT, lib.LPMLN_INTERRUPTED)
        raise_status(about.status, message, found, partial() if whole else None)
    for d in found:
        if d.severity == "warning":
            warnings.warn(str(d), LPMLNWarning, stacklevel=outside())
    return found


SIGNALS = 0.2  # seconds: a signal that another thread has caught does not end a wait of this one


def run(question: Callable[[], Any], interrupt: Callable[[], None], quick: bool = False) -> Any:
    """The answer, as a C pointer that frees itself."""
    if quick or threading.current_thread() is not threading.main_thread():
        return ffi.gc(question(), lib.lpmln_answer_free)
    return ffi.gc(_Aside(question, interrupt).answer(), lib.lpmln_answer_free)


class _Aside:
    """A question in a thread of its own.  Whenever Ctrl-C comes, the question has ended when the caller goes on.

    Bare locks, each taken or not by one call into C: KeyboardInterrupt inside a threading.Event or
    Thread.start would leave their locks taken, and both threads waiting.
    """

    def __init__(self, question: Callable[[], Any], interrupt: Callable[[], None]) -> None:
        self.question, self.interrupt = question, interrupt
        self.go, self.end = _thread.allocate_lock(), _thread.allocate_lock()
        self.go.acquire()
        self.end.acquire()
        self.asked, self.ended, self.found = False, False, NULL

    def work(self) -> None:
        self.go.acquire()
        try:
            if self.asked:
                self.found = self.question()
        finally:
            self.ended = True
            self.end.release()

    def answer(self) -> Any:
        try:
            _thread.start_new_thread(self.work, ())
            self.asked = True
            self.go.release()
            while not self.ended:
                self.end.acquire(timeout=SIGNALS)
        except KeyboardInterrupt:
            self.stop()
        return self.found

    def stop(self) -> None:
        """After Ctrl-C, which may come while the thread starts, and again while it is waited for."""
        told = False
        while self.asked and not self.ended:
            try:
                self.begin()
                told = told or self.interrupt() is None
                self.end.acquire(timeout=SIGNALS)
            except KeyboardInterrupt:
                pass
        self.begin()
        if self.found == NULL or ffi.cast("lpmln_answer *", self.found).status != lib.LPMLN_INTERRUPTED:
            lib.lpmln_answer_free(self.found)
            raise Interrupted

    def begin(self) -> None:
        """Unless it was: only the thread of the question takes this lock."""
        with contextlib.suppress(RuntimeError):
            self.go.release()


def plain(struct: Any) -> dict[str, Any]:
    """The fields of a C struct as Python values; arrays of texts go with their counts."""
    found: dict[str, Any] = {}
    for name, field in ffi.typeof(struct).fields:
        value = getattr(struct, name)
        if field.type.kind == "struct" or name.endswith("_count"):
            continue
        if field.type.kind != "pointer":
            found[name] = value
        elif field.type.item.cname == "char":
            found[name] = maybe(value)
        elif field.type.item.kind == "pointer":
            count = next(getattr(struct, each, 0) for each in (f"{name}_count", f"{name.rstrip('s')}_count")
                         if hasattr(struct, each))
            found[name] = texts(value, count)
    return found
