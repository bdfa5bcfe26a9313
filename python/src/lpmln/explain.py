"""Why a query is probable."""

from __future__ import annotations

import dataclasses
from typing import Any, Sequence, Union, overload

from ._native import text, texts
from .answers import Answer, html_table, pandas
from .errors import Diagnostic


@dataclasses.dataclass(frozen=True)
class Proof:
    """A minimal set of guesses with which the query holds in every stable model that has the evidence."""

    inputs: tuple[str, ...]
    rules: tuple[str, ...]  #: ground rules by which the query follows
    probability: float  #: of the inputs, given the evidence
    share: float  #: of the query's probability; shares overlap

    def __repr__(self) -> str:
        return f"{self.share:.6f}  {', '.join(self.inputs) or '(nothing needs to be guessed)'}"


@dataclasses.dataclass(frozen=True)
class Piece:
    """A piece of evidence, and the query's probability without it."""

    literal: str
    probability_without: float


@dataclasses.dataclass(frozen=True)
class Change:
    """What the query's probability would be if a guess were true, and if it were not."""

    literal: str
    probability: float
    probability_with: float
    probability_without: float


class Explanation(Answer, Sequence[Proof]):
    """The proofs of a query, most probable first."""

    def __init__(self, c: Any, diagnostics: tuple[Diagnostic, ...]) -> None:
        self._about(c.about, diagnostics)
        self.query = text(c.query)
        self.probability: float = c.probability  #: of the query, given the evidence
        self._proofs = tuple(Proof(texts(p.inputs, p.input_count), texts(p.rules, p.rule_count), p.probability, p.share)
                             for p in (c.proofs[i] for i in range(c.count)))
        self.evidence = tuple(Piece(text(e.literal), e.probability_without)
                              for e in (c.evidence[i] for i in range(c.evidence_count)))
        self.changes = tuple(Change(text(g.literal), g.probability, g.probability_with, g.probability_without)
                             for g in (c.changes[i] for i in range(c.change_count)))

    @overload
    def __getitem__(self, i: int) -> Proof: ...

    @overload
    def __getitem__(self, i: slice) -> Sequence[Proof]: ...

    def __getitem__(self, i: Union[int, slice]) -> Union[Proof, Sequence[Proof]]:
        return self._proofs[i]

    def __len__(self) -> int:
        return len(self._proofs)

    def __repr__(self) -> str:
        return "\n".join([f"{self.query}: {self.probability:.6g}", *map(repr, self._proofs)])

    def to_frame(self) -> Any:
        """A row for each proof: inputs, probability, share."""
        rows = [(p.inputs, p.probability, p.share) for p in self._proofs]
        return pandas().DataFrame(rows, columns=["inputs", "probability", "share"])

    def _repr_html_(self) -> str:
        rows = [(", ".join(p.inputs), p.probability, p.share) for p in self._proofs]
        return html_table(("inputs", "probability", "share"), rows, f"{self.query}: {self.probability:.6g}")
