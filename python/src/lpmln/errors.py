"""What can go wrong, as exceptions.

A wrong input is an `InputError` that carries every diagnostic with its place, a question
without an answer is `NoAnswer`, a limit is `LimitReached` with what was found so far.
"""

from __future__ import annotations

import dataclasses
from typing import Any, Optional, Sequence


@dataclasses.dataclass(frozen=True)
class Diagnostic:
    """Something to say about the input, and where."""

    severity: str  #: "note", "warning" or "error"
    message: str
    hint: Optional[str]
    file: Optional[str]
    line: int  #: from 1; 0 if there is no place
    column: int
    length: int
    source: Optional[str]  #: the line of text

    def __str__(self) -> str:
        place = f"{self.file}:{self.line}:{self.column}: " if self.file and self.line else ""
        lines = [f"{place}{self.severity}: {self.message}"]
        if self.source:
            lines += [f"    {self.source}", "    " + " " * (self.column - 1) + "^" * max(1, self.length)]
        if self.hint:
            lines.append(f"    hint: {self.hint}")
        return "\n".join(lines)


class Error(Exception):
    """Base of all exceptions of this package."""

    def __init__(self, message: str, diagnostics: Sequence[Diagnostic] = (), partial: Any = None) -> None:
        super().__init__(message)
        self.diagnostics = tuple(diagnostics)
        self.partial = partial  #: what was found so far, where there is something


class InputError(Error, ValueError):
    """The program, the data or the query is wrong; `.diagnostics` says where."""


class UsageError(Error, ValueError):
    """The call itself makes no sense."""


class NoAnswer(Error):
    """There is no stable model, or none that agrees with the evidence."""


class LimitReached(Error):
    """A limit of time, memory or precision; `.partial` is what was found so far."""


class InternalError(Error):
    """A fault of lpmln, such as a worker process that died."""


class Interrupted(KeyboardInterrupt):
    """Ctrl-C; `.partial` is what was found so far, or None."""

    def __init__(self, partial: Any = None) -> None:
        super().__init__("interrupted")
        self.partial = partial


class LPMLNWarning(UserWarning):
    """Something is odd about the program or the data, but there is an answer."""
