"""Answers: mappings and sequences first, data frames where pandas is there."""

from __future__ import annotations

import dataclasses
import functools
import html
import itertools
import math
from typing import Any, Callable, Iterable, Iterator, Mapping, Optional, Sequence, Union, overload

import numpy as np
import numpy.typing as npt

from ._native import METHODS, Names, lib, maybe, text
from .errors import Diagnostic, InputError

Floats = npt.NDArray[np.float64]
METHOD_NAMES = {number: name for name, number in METHODS.items()}
SHOWN = 60  # of what is printed one after the other
NORMAL = 1.959963984540054  # of a 95% interval


def pandas() -> Any:
    try:
        import pandas as found
    except ImportError:
        raise ImportError("data frames need pandas: pip install pandas") from None
    return found


def more(count: int) -> str:
    """What is said of those that are not shown.

    >>> more(3), more(61)
    ('', ' … and 1 more')
    """
    return f" … and {count - SHOWN} more" if count > SHOWN else ""


def html_table(header: Sequence[str], rows: Iterable[Sequence[Any]], caption: str = "") -> str:
    """A table for notebooks."""
    def cell(value: Any) -> str:
        if isinstance(value, float):
            return "" if math.isnan(value) else f"{value:.6g}"
        if value is None:
            return ""
        escaped = html.escape(str(value))
        return f"<pre style='text-align: left'>{escaped}</pre>" if "\n" in escaped else escaped

    body = [list(row) for row in rows]
    left = f"<p>{more(len(body))}</p>" if more(len(body)) else ""
    lines = "".join("<tr>" + "".join(f"<td>{cell(value)}</td>" for value in row) + "</tr>" for row in body[:SHOWN])
    head = "".join(f"<th>{html.escape(name)}</th>" for name in header)
    title = f"<caption style='white-space: nowrap'>{html.escape(caption)}</caption>" if caption else ""
    return f"<table>{title}<thead><tr>{head}</tr></thead><tbody>{lines}</tbody></table>{left}"


class Answer:
    """What every answer says about itself."""

    method: str  #: the engine that answered: exact, bounds, mc-asp, enumerate, closed-form
    exact: bool
    complete: bool  #: False: a limit cut it short
    diagnostics: tuple[Diagnostic, ...]  #: notes and warnings about the program and the data

    def _about(self, about: Any, diagnostics: tuple[Diagnostic, ...]) -> None:
        self.method = METHOD_NAMES[about.method]
        self.exact, self.complete = about.exact, about.complete
        self.diagnostics = diagnostics

    _late: tuple[str, ...] = ()  # what is read from `_c` when it is first asked for

    def __getstate__(self) -> dict[str, Any]:
        for name in self._late:
            getattr(self, name)
        return {name: None if name == "_again" else value for name, value in self.__dict__.items() if name != "_c"}


@dataclasses.dataclass(frozen=True)
class Count:
    """How many instances of a soft rule are violated, on average."""

    rule: str
    parameter: Optional[str]  #: None: its weight is a number
    instances: int
    expected: float
    expected_given_evidence: float


class Marginals(Answer, Mapping[str, float]):
    """Probabilities of atoms and formulas: a mapping from each to its probability.

    >>> import lpmln
    >>> lpmln.Program(text="0.5 heads.").infer()
    {'heads': 0.622459}
    """

    def __init__(self, c: Any, diagnostics: tuple[Diagnostic, ...],
                 again: Optional[Callable[[str], float]] = None) -> None:
        self._about(c.about, diagnostics)
        self._again = again  # asks one more query in the same way
        self.log_partition: float = c.log_partition  #: ln of the sum of weights, evidence ignored
        self.log_evidence: float = c.log_evidence  #: ln P(evidence)
        self.samples: int = c.samples  #: of all chains; 0: not sampled
        self._c = c
        self._values: dict[str, float] = {}
        self.error: dict[str, float] = {}  #: Monte Carlo standard errors; 0: exact
        marginals = c.marginals
        for i in range(c.count):
            row = marginals[i]
            atom = text(row.atom)
            self._values[atom], self.error[atom] = row.probability, row.error
        certain = c.guarantee == lib.LPMLN_CERTAIN
        self._bounds = None if self.exact else {atom: self._interval(marginals[i], certain)
                                                for i, atom in enumerate(self._values)}

    @staticmethod
    def _interval(row: Any, certain: bool) -> tuple[float, float]:
        if certain:
            return row.lower, row.upper
        wide = 0.0 if math.isnan(row.error) else NORMAL * row.error
        return max(0.0, row.probability - wide), min(1.0, row.probability + wide)

    _late = ("guarantee", "log_partition_error", "log_evidence_error", "ess", "rhat", "counts", "sensitivity", "next")

    @functools.cached_property
    def guarantee(self) -> str:
        """Of samples: exact, near-uniform or heuristic; bounds: `lower` and `upper` are certain."""
        return text(lib.lpmln_guarantee_name(self._c.guarantee))

    @functools.cached_property
    def log_partition_error(self) -> float:
        """The Monte Carlo error of `log_partition`; 0: exact."""
        return float(self._c.log_partition_error)

    @functools.cached_property
    def log_evidence_error(self) -> float:
        return float(self._c.log_evidence_error)

    def _column(self, name: str) -> dict[str, float]:
        rows = (self._c.marginals[i] for i in range(self._c.count))
        return {text(row.atom): getattr(row, name) for row in rows}

    @functools.cached_property
    def ess(self) -> dict[str, float]:
        """Effective sample sizes; NaN: not sampled."""
        return self._column("ess")

    @functools.cached_property
    def rhat(self) -> dict[str, float]:
        """Rank-normalised R-hat of the chains; NaN: not sampled."""
        return self._column("rhat")

    @functools.cached_property
    def counts(self) -> tuple[Count, ...]:
        """Of each soft rule, if the program has the option `counts=True`."""
        rows = (self._c.counts[i] for i in range(self._c.rule_count))
        return tuple(Count(text(r.rule), maybe(r.parameter), r.instances, r.expected, r.given) for r in rows)

    @functools.cached_property
    def sensitivity(self) -> dict[tuple[str, str], float]:
        """The derivative of each query by each weight, with the option `sensitivity=True`."""
        rows = (self._c.sensitivities[i] for i in range(self._c.sensitivity_count))
        return {(text(r.query), text(r.parameter)): r.derivative for r in rows}

    @functools.cached_property
    def next(self) -> dict[str, float]:
        """What each unobserved atom would tell about the queries, in nats, with the option `next=True`."""
        return {text(r.atom): r.information for r in (self._c.next[i] for i in range(self._c.next_count))}

    @property
    def lower(self) -> dict[str, float]:
        """Certain bounds where there are some, else the 95% interval of samples."""
        return dict(self._values) if self._bounds is None else {atom: low for atom, (low, _) in self._bounds.items()}

    @property
    def upper(self) -> dict[str, float]:
        return dict(self._values) if self._bounds is None else {atom: high for atom, (_, high) in self._bounds.items()}

    def __getitem__(self, atom: str) -> float:
        return self._values[atom]

    def __iter__(self) -> Iterator[str]:
        return iter(self._values)

    def __len__(self) -> int:
        return len(self._values)

    def __repr__(self) -> str:
        shown = [f"{atom!r}: {p:.6g}" for atom, p in itertools.islice(self._values.items(), SHOWN)]
        return "{" + ", ".join(shown) + more(len(self)) + "}"

    def of(self, query: str) -> float:
        """Also of what is not listed, because it is certain or impossible; NaN if the answer was pickled.

        >>> import lpmln
        >>> lpmln.Program(text="1 rain. wet :- rain.").infer(given="wet").of("rain")
        1.0
        """
        if query in self._values:
            return self._values[query]
        return math.nan if self._again is None else self._again(query)

    def only(self, query: str) -> float:
        """The probability, if there is one."""
        if len(self) != 1:
            raise InputError(f"'{query}' is {len(self)} queries; ask infer for all of them")
        return next(iter(self.values()))

    def _choose(self, values: Mapping[str, float]) -> None:
        """These alone, exact ones."""
        self._values, self.error, self._bounds = dict(values), dict.fromkeys(values, 0.0), None

    def to_numpy(self) -> Floats:
        return np.fromiter(self._values.values(), dtype=np.float64, count=len(self))

    def to_frame(self) -> Any:
        """A data frame by atom: probability, lower, upper, error."""
        columns = {"probability": list(self._values.values()), "lower": list(self.lower.values()),
                   "upper": list(self.upper.values()), "error": list(self.error.values())}
        index = pandas().Index(list(self._values), name="atom", dtype=object)
        return pandas().DataFrame(columns, index=index, dtype=np.float64)

    def _repr_html_(self) -> str:
        low, high = self.lower, self.upper
        rows = [(atom, p, "" if self.exact else f"{low[atom]:.4g} … {high[atom]:.4g}") for atom, p in self._values.items()]
        return html_table(("atom", "probability", ""), rows, f"{self.method}, ln P(evidence) = {self.log_evidence:.6g}")


@dataclasses.dataclass(frozen=True)
class Violation:
    """A ground instance of a soft rule that a stable model violates."""

    rule: str
    instance: str
    file: str
    line: int


@dataclasses.dataclass(frozen=True)
class StableModel:
    """A stable model: its true atoms, how probable it is, what it violates."""

    atoms: frozenset[str]
    probability: float
    log_weight: float
    violated: tuple[Violation, ...]

    def __contains__(self, atom: str) -> bool:
        return atom in self.atoms

    def __iter__(self) -> Iterator[str]:
        return iter(sorted(self.atoms))

    def __repr__(self) -> str:
        return f"<{self.probability:.6g}: {' '.join(self) or '(nothing is true)'}>"


def _model(c: Any, names: Names) -> StableModel:
    violated = tuple(Violation(text(v.rule), text(v.instance), text(v.file), v.line)
                     for v in (c.violated[i] for i in range(c.violated_count)))
    return StableModel(frozenset(names.of(c.atoms, c.atom_count)), c.probability, c.log_weight, violated)


class StableModels(Answer, Sequence[StableModel]):
    """Stable models, most probable first."""

    def __init__(self, c: Any, diagnostics: tuple[Diagnostic, ...]) -> None:
        self._about(c.about, diagnostics)
        #: how many there are in all, given the evidence
        self.total: Optional[int] = int(text(c.total)) if c.total else None
        #: certain: no stable model weighs more; where a limit cut the search short, those above it may be missing
        self.log_weight_upper: float = c.log_weight_upper
        self._c, self._count = c, c.count

    _late = ("_models",)

    @functools.cached_property
    def _models(self) -> tuple[StableModel, ...]:
        names = Names()
        return tuple(_model(self._c.models[i], names) for i in range(self._count))

    @overload
    def __getitem__(self, i: int) -> StableModel: ...

    @overload
    def __getitem__(self, i: slice) -> Sequence[StableModel]: ...

    def __getitem__(self, i: Union[int, slice]) -> Union[StableModel, Sequence[StableModel]]:
        return self._models[i]

    def __len__(self) -> int:
        return int(self._count)

    def __repr__(self) -> str:
        return "[" + ",\n ".join(map(repr, self._models[:SHOWN])) + more(len(self)) + "]"

    def to_frame(self) -> Any:
        """A row for each model: probability, log_weight, then a column of booleans for each atom."""
        atoms = sorted(frozenset().union(*(m.atoms for m in self._models)))
        frame = pandas().DataFrame({"probability": [m.probability for m in self._models],
                                    "log_weight": [m.log_weight for m in self._models]}, dtype=np.float64)
        truth = pandas().DataFrame([[a in m.atoms for a in atoms] for m in self._models], columns=atoms, dtype=bool)
        return pandas().concat([frame, truth], axis=1)

    def _repr_html_(self) -> str:
        rows = [(m.probability, m.log_weight, " ".join(m), "; ".join(v.rule for v in m.violated)) for m in self._models]
        return html_table(("probability", "log weight", "true atoms", "violates"), rows, f"{self.total} stable models")


class Decision(Answer, Mapping[str, bool]):
    """The decisions of the highest expected utility: a mapping from each atom to its value.

    >>> import lpmln
    >>> rain = lpmln.Program(text='''#decision umbrella. 0.3 :: rain. wet :- rain, not umbrella.
    ... #utility(-60) wet. #utility(-10) umbrella.''')
    >>> rain.decide()
    {'umbrella': True}
    >>> rain.decide(do="not umbrella").expected_utility
    -18.0
    """

    def __init__(self, c: Any, diagnostics: tuple[Diagnostic, ...]) -> None:
        self._about(c.about, diagnostics)
        self.expected_utility: float = c.expected_utility  #: given the decisions and the evidence
        atoms = [text(c.atoms[i]) for i in range(c.atom_count)]
        #: all decisions that tie, this one first
        self.ties: tuple[Mapping[str, bool], ...] = tuple(
            {atom: bool(c.values[k][i]) for i, atom in enumerate(atoms)} for k in range(c.count))

    def __getitem__(self, atom: str) -> bool:
        return self.ties[0][atom]

    def __iter__(self) -> Iterator[str]:
        return iter(self.ties[0] if self.ties else ())

    def __len__(self) -> int:
        return len(self.ties[0]) if self.ties else 0

    def __repr__(self) -> str:
        return repr(dict(self))

    def _repr_html_(self) -> str:
        return html_table(("", ""), self.items(), f"expected utility {self.expected_utility:g}")


class Samples(Answer, Sequence["frozenset[str]"]):
    """Random stable models, each the set of its true atoms."""

    def __init__(self, c: Any, diagnostics: tuple[Diagnostic, ...], chains: int) -> None:
        self._about(c.about, diagnostics)
        self.guarantee = text(lib.lpmln_guarantee_name(c.guarantee))
        #: Markov chains, one after the other in equal shares; 1 if samples are independent
        self.chains = chains if self.method == "mc-asp" else 1
        self._c, self._count = c, c.count

    _late = ("_samples",)

    @functools.cached_property
    def _samples(self) -> tuple[frozenset[str], ...]:
        names = Names()
        return tuple(frozenset(names.of(s.atoms, s.atom_count)) for s in (self._c.samples[i] for i in range(self._count)))

    @overload
    def __getitem__(self, i: int) -> frozenset[str]: ...

    @overload
    def __getitem__(self, i: slice) -> Sequence[frozenset[str]]: ...

    def __getitem__(self, i: Union[int, slice]) -> Union[frozenset[str], Sequence[frozenset[str]]]:
        return self._samples[i]

    def __len__(self) -> int:
        return int(self._count)

    def __repr__(self) -> str:
        return f"<{len(self)} samples, {self.method}>"

    @property
    def atoms(self) -> tuple[str, ...]:
        """All atoms that are true in one of them."""
        return tuple(sorted(frozenset().union(*self._samples)))

    def to_numpy(self, atoms: Optional[Sequence[str]] = None) -> npt.NDArray[np.bool_]:
        """Truth by sample and atom."""
        atoms = self.atoms if atoms is None else atoms
        place = {atom: i for i, atom in enumerate(atoms)}
        truth = np.zeros((len(self), len(atoms)), dtype=bool)
        for row, sample in zip(truth, self._samples):
            row[[place[atom] for atom in sample if atom in place]] = True
        return truth

    def to_frame(self) -> Any:
        return pandas().DataFrame(self.to_numpy(), columns=list(self.atoms), dtype=bool)

    def _repr_html_(self) -> str:
        return html_table(("sample", "true atoms"), enumerate(" ".join(sorted(s)) for s in self._samples), repr(self))


class Predictions(Mapping[str, Floats]):
    """Probabilities for many rows: a mapping from each query to an array; an array by row and query."""

    def __init__(self, queries: Sequence[str], values: Floats, log_evidence: Floats, index: Any) -> None:
        self.queries, self.values_array = tuple(queries), values
        self.log_evidence = log_evidence  #: ln P(row); -inf: the row is impossible, its probabilities are NaN
        self._index = index
        self._place = {query: i for i, query in enumerate(self.queries)}

    def __getitem__(self, query: str) -> Floats:
        return self.values_array[:, self._place[query]]

    def __iter__(self) -> Iterator[str]:
        return iter(self.queries)

    def __len__(self) -> int:
        return len(self.queries)

    def __array__(self, dtype: Any = None, copy: Optional[bool] = None) -> npt.NDArray[Any]:
        values = self.values_array if dtype is None else self.values_array.astype(dtype, copy=False)
        return values.copy() if copy and values is self.values_array else values

    def __repr__(self) -> str:
        return f"<{len(self.values_array)} rows: {', '.join(self.queries)}>"

    def to_numpy(self) -> Floats:
        return self.values_array

    def to_frame(self) -> Any:
        """A data frame with the index of the rows."""
        return pandas().DataFrame(self.values_array, columns=list(self.queries), index=self._index)

    def _repr_html_(self) -> str:
        return html_table(("row", *self.queries), ((i, *row) for i, row in enumerate(self.values_array)))


class Analysis(Answer):
    """What a program is: the fields of `lpmln check`, as attributes."""

    def __init__(self, c: Any, diagnostics: tuple[Diagnostic, ...], fields: Mapping[str, Any]) -> None:
        self._about(c.about, diagnostics)
        self._fields = dict(fields)

    def __getattr__(self, name: str) -> Any:
        try:
            return self.__dict__["_fields"][name]
        except KeyError:
            raise AttributeError(name) from None

    def __dir__(self) -> Iterable[str]:
        return [*super().__dir__(), *self._fields]

    def to_dict(self) -> dict[str, Any]:
        return dict(self._fields)

    def __repr__(self) -> str:
        return "\n".join(f"{name:20} {value}" for name, value in self._fields.items())

    def _repr_html_(self) -> str:
        return html_table(("", ""), self._fields.items())
