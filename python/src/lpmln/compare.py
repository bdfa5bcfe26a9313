"""Programs learned from the same data, side by side."""

from __future__ import annotations

import dataclasses
from typing import Any, Iterable, Iterator, Optional, Sequence, Union, overload

from ._native import NULL, conclude, ffi, lib, maybe, run, text
from .answers import Answer, html_table, pandas
from .errors import Diagnostic
from .program import Program


@dataclasses.dataclass(frozen=True)
class Compared:
    """A program that was learned."""

    program: Program
    log_likelihood: float
    parameters: int  #: those that the data determines; AIC, BIC and tests count them
    aic: float
    bic: float
    converged: bool
    diverging: int  #: weights that go to infinity


@dataclasses.dataclass(frozen=True)
class RatioTest:
    """A likelihood-ratio test: the smaller program is the larger one with parameters fixed or tied."""

    smaller: int
    larger: int
    statistic: float
    degrees: int
    p_value: float
    doubt: Optional[str]  #: why chi-square may not be the right distribution


class Comparison(Answer, Sequence[Compared]):
    """Learned programs in the order given, and the tests that can be made."""

    def __init__(self, c: Any, diagnostics: tuple[Diagnostic, ...], programs: Sequence[Program]) -> None:
        self._about(c.about, diagnostics)
        self.observations: float = c.observations
        rows = [c.models[i] for i in range(c.count)]
        self._models = tuple(Compared(program, m.log_likelihood, m.parameters, m.aic, m.bic, m.converged, m.diverging)
                             for program, m in zip(programs, rows))
        self._names = [text(m.program) for m in rows]
        self.tests = tuple(RatioTest(t.smaller, t.larger, t.statistic, t.degrees, t.p_value, maybe(t.doubt))
                           for t in (c.tests[i] for i in range(c.test_count)))

    @overload
    def __getitem__(self, i: int) -> Compared: ...

    @overload
    def __getitem__(self, i: slice) -> Sequence[Compared]: ...

    def __getitem__(self, i: Union[int, slice]) -> Union[Compared, Sequence[Compared]]:
        return self._models[i]

    def __len__(self) -> int:
        return len(self._models)

    def _rows(self) -> Iterator[tuple[Any, ...]]:
        return ((name, m.log_likelihood, m.parameters, m.aic, m.bic) for name, m in zip(self._names, self._models))

    def to_frame(self) -> Any:
        """A row for each program: log_likelihood, parameters, aic, bic."""
        columns = ["program", "log_likelihood", "parameters", "aic", "bic"]
        return pandas().DataFrame(list(self._rows()), columns=columns)

    def __repr__(self) -> str:
        lines = [f"{name}: log-likelihood {value:.6f}, parameters {n}, AIC {aic:.4f}, BIC {bic:.4f}"
                 for name, value, n, aic, bic in self._rows()]
        lines += [f"{self._names[t.smaller]} in {self._names[t.larger]}: {t.statistic:.4f}, degrees {t.degrees}, "
                  f"p = {t.p_value:.4g}{', doubtful' if t.doubt else ''}" for t in self.tests]
        return "\n".join(lines)

    def _repr_html_(self) -> str:
        return html_table(("program", "log-likelihood", "parameters", "AIC", "BIC"), self._rows())


def compare(programs: Iterable[Program], data: Any, *, columns: Optional[Sequence[str]] = None,
            count: Union[str, Iterable[float], None] = None) -> Comparison:
    """Learns each program from the same data, which are those of `Program.fit`.

    >>> import lpmln
    >>> free, fair = lpmln.Program(text="@w(heads) heads."), lpmln.Program(text="0 heads.")
    >>> found = lpmln.compare([fair, free], [{"heads": True}] * 3 + [{"heads": False}])
    >>> [round(m.aic, 4) for m in found], round(found.tests[0].p_value, 4)
    ([5.5452, 6.4987], 0.3063)
    """
    programs = tuple(programs)
    handles = [program._new_handle() for program in programs]
    for handle in handles:
        Program._observe(handle, data, columns, count, test=False)

    def interrupt() -> None:
        for handle in handles:
            handle.interrupt()

    array = ffi.new("lpmln_program *[]", [handle.c for handle in handles] or [NULL])
    c = run(lambda: lib.lpmln_compare(array, len(handles)), interrupt)
    tables = handles[0].tables if handles else {}
    return Comparison(c, conclude(c.about, lambda: Comparison(c, (), programs), tables), programs)
