"""What the rules should be: weights for clusters of instances, rules chosen from candidates.

Made by `Program.split` and `Program.induce`; the programs in these answers are new ones.
"""

from __future__ import annotations

import dataclasses
from typing import TYPE_CHECKING, Any, Optional

from ._native import plain, text, texts
from .answers import Answer, html_table, pandas
from .errors import Diagnostic

if TYPE_CHECKING:
    from .program import Program


@dataclasses.dataclass(frozen=True)
class Cluster:
    """Values of a variable whose instances share a weight."""

    weight: float
    values: tuple[str, ...]


@dataclasses.dataclass(frozen=True)
class SplitRule:
    """A rule that got weights of its own by the values of a variable."""

    rule: str
    variable: str
    groups: tuple[Cluster, ...]


@dataclasses.dataclass(frozen=True)
class Attempt:
    """A rule and a variable that were tried, with the best number of groups."""

    rule: str
    file: str
    line: int
    variable: str
    values: int
    groups: int
    log_likelihood: float
    gain: float  #: of the score over the program before
    taken: bool


@dataclasses.dataclass(frozen=True)
class Candidate:
    """A rule that could be chosen."""

    rule: str
    file: str
    line: int
    kept: bool
    weight: float  #: NaN: not kept
    standard_error: float
    diverges: Optional[str]  #: "+" or "-"
    gain: float  #: in log-likelihood; NaN: its gradient was too small to try


class _Structure(Answer):
    """What both have: a new program, the log-likelihood with it."""

    def __init__(self, program: Program, c: Any, diagnostics: tuple[Diagnostic, ...]) -> None:
        self._about(c.about, diagnostics)
        self.observations: float = c.observations
        self.log_likelihood: float = c.log_likelihood
        self.text = text(c.program)  #: of the new program
        self._origin = program

    @property
    def program(self) -> Program:
        """The new program, with the learned weights."""
        return self._origin._with(_files=(), _text=self.text, _weights={})


class Splitting(_Structure):
    """Which rules should have weights by the values of a variable."""

    def __init__(self, program: Program, c: Any, diagnostics: tuple[Diagnostic, ...]) -> None:
        super().__init__(program, c, diagnostics)
        self.tied_log_likelihood: float = c.tied_log_likelihood  #: before
        self.tries = tuple(Attempt(**plain(c.tries[i])) for i in range(c.try_count))  #: in their order
        self.splits = tuple(self._split(c.splits[i]) for i in range(c.count))  #: those that were taken

    @staticmethod
    def _split(c: Any) -> SplitRule:
        groups = (c.groups[i] for i in range(c.count))
        return SplitRule(text(c.rule), text(c.variable), tuple(Cluster(g.weight, texts(g.values, g.count)) for g in groups))

    def to_frame(self) -> Any:
        """What was tried, row by row."""
        return pandas().DataFrame([dataclasses.asdict(a) for a in self.tries],
                                  columns=[field.name for field in dataclasses.fields(Attempt)])

    def __repr__(self) -> str:
        return f"<{len(self.splits)} of {len(self.tries)} splits, log-likelihood {self.log_likelihood:.6f}>"

    def _repr_html_(self) -> str:
        return html_table([field.name for field in dataclasses.fields(Attempt)],
                          [dataclasses.astuple(a) for a in self.tries], repr(self))


class Induction(_Structure):
    """Rules chosen from candidates."""

    def __init__(self, program: Program, c: Any, diagnostics: tuple[Diagnostic, ...]) -> None:
        super().__init__(program, c, diagnostics)
        self.penalty: float = c.penalty  #: of a rule, in log-likelihood
        self.held_out: float = c.held_out  #: log-likelihood in cross-validation
        self.base_log_likelihood: float = c.base_log_likelihood  #: without any candidate
        self.candidates = tuple(self._candidate(c.candidates[i]) for i in range(c.candidate_count))
        self.rules = tuple(each.rule for each in self.candidates if each.kept)  #: those that are kept

    @staticmethod
    def _candidate(c: Any) -> Candidate:
        return Candidate(**{**plain(c), "diverges": c.diverges.decode().strip("\0") or None})

    def to_frame(self) -> Any:
        """The candidates, row by row."""
        return pandas().DataFrame([dataclasses.asdict(each) for each in self.candidates],
                                  columns=[field.name for field in dataclasses.fields(Candidate)])

    def __repr__(self) -> str:
        return f"<{len(self.rules)} of {len(self.candidates)} rules, log-likelihood {self.log_likelihood:.6f}>"

    def _repr_html_(self) -> str:
        rows = [(each.rule, each.weight, each.standard_error, each.gain) for each in self.candidates if each.kept]
        return html_table(("rule", "weight", "std_error", "gain"), rows, repr(self))
