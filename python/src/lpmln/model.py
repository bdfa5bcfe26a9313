"""Models and states: a program compiled, and what is asked of it with evidence."""

from __future__ import annotations

import dataclasses
import functools
import os
from typing import TYPE_CHECKING, Any, Iterable, Mapping, Optional, Sequence, Union

import numpy as np

from . import terms
from ._native import NULL, conclude, ffi, lib, raise_status, run, texts
from .answers import Marginals, Predictions, Samples, StableModels, html_table
from .data import Floats, Rows, place, rows_of
from .errors import InputError, Interrupted
from .explain import Explanation

if TYPE_CHECKING:
    from .program import Evidence, Program

CHUNK = 8192  # rows at a time; evidence about some atoms is spread out to all of them
EDGES = 10**8  # edges times rows at a time: a fraction of a second, after which Ctrl-C is looked at
OUTPUTS = ("log_partition", "log_evidence", "marginals", "counts", "gradient")


@dataclasses.dataclass(frozen=True)
class Evaluation:
    """Many evaluations at once; None for what was not asked for."""

    log_partition: Optional[Floats]  #: by row: ln Z
    log_evidence: Optional[Floats]  #: by row: ln P(evidence), -inf if impossible
    marginals: Optional[Floats]  #: by row and query
    counts: Optional[Floats]  #: by row and parameter: expected violations given the evidence
    gradient: Optional[Floats]  #: by row and parameter: of ln P(evidence)


def _matrix(to: Any, array: Floats) -> None:
    """A matrix of the library is the array itself."""
    to.at = ffi.cast("double *", array.__array_interface__["data"][0])
    to.row_stride = array.strides[0] // 8
    to.column_stride = array.strides[1] // 8 if array.ndim > 1 else 1


def _part(array: Optional[Floats], begin: int, n: int) -> Optional[Floats]:
    """These rows; one row is for all."""
    return array if array is None or len(array) == 1 else array[begin : begin + n]


class Model:
    """A program compiled and sealed: any number of threads may ask it.

    Columns of `evaluate` are in the order of `parameters`, `observables` and `queries`.
    """

    parameters: tuple[str, ...]  #: names of weights
    observables: tuple[str, ...]  #: atoms that evidence can be about without compiling
    queries: tuple[str, ...]  #: what it was asked for; without queries every shown atom

    def __init__(self) -> None:
        raise TypeError("models are made by Program.compile and Model.load")

    @classmethod
    def _of(cls, c: Any, program: Optional[Program] = None) -> Model:
        model = cls.__new__(cls)
        model._c, model._program = ffi.gc(c, lib.lpmln_model_free), program
        for name in ("parameters", "observables", "queries"):
            count = ffi.new("size_t *")
            names = getattr(lib, f"lpmln_model_{name}")(c, count)
            setattr(model, name, texts(names, count[0]))
        model._observable = {atom: i for i, atom in enumerate(model.observables)}
        return model

    _c: Any
    _program: Optional[Program]
    _observable: dict[str, int]

    # ---- bytes -------------------------------------------------------------------------------

    def to_bytes(self) -> bytes:
        answer = ffi.gc(lib.lpmln_model_save(self._c), lib.lpmln_answer_free)
        conclude(answer.about, lambda: None)
        return bytes(ffi.buffer(answer.bytes, answer.length))

    @classmethod
    def from_bytes(cls, content: bytes) -> Model:
        box = ffi.new("const lpmln_answer **")
        c = lib.lpmln_model_load(content, len(content), box)
        about = ffi.gc(box[0], lib.lpmln_answer_free)
        conclude(about, lambda: None)
        return cls._of(c)

    def save(self, path: Union[str, os.PathLike[str]]) -> None:
        """Writes the file that every command of `lpmln` takes in place of the text."""
        with open(path, "wb") as file:
            file.write(self.to_bytes())

    @classmethod
    def load(cls, path: Union[str, os.PathLike[str]]) -> Model:
        with open(path, "rb") as file:
            return cls.from_bytes(file.read())

    def __reduce__(self) -> tuple[Any, ...]:
        return Model.from_bytes, (self.to_bytes(),)

    @property
    def edges(self) -> int:
        """Of the circuit."""
        return int(lib.lpmln_model_edges(self._c))

    def __repr__(self) -> str:
        return (f"<Model of {self.edges} edges, {len(self.parameters)} parameters, "
                f"{len(self.observables)} observables, {len(self.queries)} queries>")

    def _repr_html_(self) -> str:
        rows = [(name, " ".join(getattr(self, name)[:40])) for name in ("parameters", "observables", "queries")]
        return html_table(("", ""), rows, repr(self))

    # ---- questions ---------------------------------------------------------------------------

    def given(self, evidence: Evidence = None, seed: int = 0, weights: Optional[Mapping[str, float]] = None) -> State:
        """A state: a workspace with evidence, for one thread; `with` frees it."""
        return State(self, evidence, seed, weights)

    def infer(self, *queries: str) -> Marginals:
        """Probabilities without further evidence."""
        return self.given().infer(*queries)

    def prob(self, query: str) -> float:
        return float(self.given().prob(query))

    def evaluate(self, weights: Any = None, evidence: Any = None, outputs: Iterable[str] = OUTPUTS,
                 threads: int = 1) -> Evaluation:
        """Many rows of weights and evidence at once.

        `weights` has a column for each parameter (or is a mapping), `evidence` for each observable,
        with 1 true, 0 false, NaN unknown; or it is rows of any kind with atoms for names.  NaN among
        the weights stands for the model's own weight.
        """
        w = None if weights is None else self._weights(weights)
        table = evidence if isinstance(evidence, Rows) else None
        e = None
        if evidence is not None and table is None:
            if isinstance(evidence, np.ndarray):
                e = np.atleast_2d(np.asarray(evidence, dtype=np.float64))
                if e.shape[1] != len(self.observables):
                    raise InputError(f"evidence has {e.shape[1]} columns, the model {len(self.observables)} observables")
            else:
                table = rows_of(evidence)
        heights = {len(x) for x in (w, e, table) if x is not None} or {1}
        if len(heights - {1}) > 1:
            raise InputError("weights and evidence have different numbers of rows")
        rows = next(iter(heights - {1}), 1)
        out = self._outputs(rows, set(outputs))
        self._pieces(w, e, table, out, rows, threads)
        return Evaluation(**{name: out.get(name) for name in OUTPUTS})

    def _weights(self, weights: Any) -> Floats:
        if isinstance(weights, Mapping):
            unknown = [name for name in weights if name not in self.parameters]
            if unknown:
                near = terms.nearest(unknown[0], self.parameters)
                raise InputError(f"no parameter '{unknown[0]}'" + (f"; did you mean '{near}'?" if near else ""))
            columns = [np.asarray(weights.get(name, np.nan), dtype=np.float64) for name in self.parameters]
            return np.atleast_2d(np.stack(np.broadcast_arrays(*columns), axis=-1)) if columns else np.empty((1, 0))
        w = np.atleast_2d(np.asarray(weights, dtype=np.float64))
        if w.shape[1] != len(self.parameters):
            raise InputError(f"weights have {w.shape[1]} columns, the model {len(self.parameters)} parameters")
        return w

    def _outputs(self, rows: int, wanted: set[str]) -> dict[str, Floats]:
        unknown = wanted - set(OUTPUTS)
        if unknown:
            raise ValueError(f"unknown output '{unknown.pop()}'; there are: {', '.join(OUTPUTS)}")
        width = {"marginals": len(self.queries), "counts": len(self.parameters), "gradient": len(self.parameters)}
        return {name: np.empty((rows, width[name]) if name in width else rows) for name in wanted}

    def _evaluate(self, w: Optional[Floats], e: Optional[Floats], out: Mapping[str, Floats], begin: int, rows: int,
                  threads: int, state: Any) -> None:
        """Rows of the outputs from `begin` on; weights and evidence are for these rows."""
        batch = ffi.new("lpmln_batch *")
        batch.rows, batch.threads = rows, threads
        if w is not None:
            _matrix(batch.weights, np.broadcast_to(w, (rows, w.shape[1])))
        if e is not None:
            _matrix(batch.evidence, np.broadcast_to(e, (rows, e.shape[1])))
        for name, array in out.items():
            _matrix(getattr(batch, name), array[begin : begin + rows])
        status = lib.lpmln_state_evaluate(state, batch)
        if status != lib.LPMLN_OK:
            raise_status(status, "the rows can't be evaluated: evidence is 0, 1 or NaN, weights are finite")

    def _pieces(self, w: Optional[Floats], e: Optional[Floats], table: Optional[Rows], out: Mapping[str, Floats],
                rows: int, threads: int) -> None:
        """So many rows at a time that Ctrl-C acts soon; the rows that are not reached are NaN then."""
        state = self._state()
        columns = place(table, self._observable, "observable") if table is not None else []
        size = max(1, min(rows, CHUNK, max(64, EDGES // (self.edges + 1))))
        every = np.full((size, len(self.observables)), np.nan) if table is not None else None
        begin = 0
        try:
            for begin in range(0, rows, size):
                n = min(size, rows - begin)
                seen = _part(e, begin, n)
                if table is not None and every is not None:
                    seen = every[:n]
                    seen[:, columns] = _part(table.values, begin, n)
                self._evaluate(_part(w, begin, n), seen, out, begin, n, threads, state)
        except KeyboardInterrupt:
            for array in out.values():
                array[begin:] = np.nan
            raise Interrupted(Evaluation(**{name: out.get(name) for name in OUTPUTS})) from None

    def _state(self) -> Any:
        state = ffi.gc(lib.lpmln_state_new(self._c), lib.lpmln_state_free)
        if state == NULL:
            raise MemoryError
        return state

    def predict_proba(self, rows: Any, *queries: str, columns: Optional[Sequence[str]] = None,
                      threads: int = 1) -> Predictions:
        """Probabilities of queries of the model (all, if none are named) for every row of evidence."""
        table = rows if isinstance(rows, Rows) else rows_of(rows, columns)
        names = [name for query in queries for name in self._queries_of(query)] if queries else list(self.queries)
        done = self.evaluate(evidence=table, outputs=("log_evidence", "marginals"), threads=threads)
        assert done.marginals is not None and done.log_evidence is not None
        where = {name: i for i, name in enumerate(self.queries)}
        chosen = [where[name] for name in names]
        values = done.marginals if chosen == list(range(len(self.queries))) else done.marginals[:, chosen]
        return Predictions(names, values, done.log_evidence, table.index)

    def log_prob(self, rows: Any, columns: Optional[Sequence[str]] = None, threads: int = 1) -> Floats:
        """ln P(row) for every row of evidence; -inf: impossible."""
        table = rows if isinstance(rows, Rows) else rows_of(rows, columns)
        done = self.evaluate(evidence=table, outputs=("log_evidence",), threads=threads)
        assert done.log_evidence is not None
        return done.log_evidence

    def _queries_of(self, query: str) -> list[str]:
        found = terms.select(query, self.queries)
        if not found:
            near = terms.nearest(query, self.queries)
            raise InputError(f"'{query}' is no query of the model" + (f"; did you mean '{near}'?" if near else ""))
        return found

    def program(self) -> Program:
        """The program that it was made from, with the evidence that it was compiled with."""
        if self._program is None:
            from .program import Program

            self._program = Program._of_model(self.to_bytes())
        return self._program


def _ask(model: Model, evidence: Evidence, weights: Mapping[str, float], query: str) -> float:
    return float(State(model, evidence, 0, weights).prob(query))


class State:
    """A workspace on a model: evidence that is set and taken back, weights, a seed.

    >>> import lpmln
    >>> m = lpmln.Program(text="1 flu. 2 fever :- flu. @log(0.1) fever.").compile(observable=["fever"])
    >>> with m.given("fever") as g:
    ...     print(round(g.prob("flu"), 4), g.map()[0])
    0.7311 <0.731059: fever flu>
    """

    def __init__(self, model: Model, evidence: Evidence, seed: int, weights: Optional[Mapping[str, float]]) -> None:
        self.model = model
        self._evidence: dict[str, bool] = {}
        self._weights: dict[str, float] = {}
        self._c = model._state()
        lib.lpmln_state_seed(self._c, seed)
        for parameter, weight in (weights or {}).items():
            self.set_weight(parameter, weight)
        self.observe(evidence)

    def __enter__(self) -> State:
        return self

    def __exit__(self, *_: object) -> None:
        ffi.release(self._c)

    def observe(self, evidence: Evidence) -> State:
        """Further evidence: literals about ground atoms of the program."""
        from .program import literals_of

        for part in literals_of(evidence):
            literal = terms.literal(part)
            if literal is None:
                raise InputError(f"'{part}' is no literal; Program.infer(given=…) takes any formula")
            self._observe(*literal)
        return self

    def _observe(self, atom: str, holds: bool) -> None:
        status = lib.lpmln_state_observe(self._c, atom.encode(), lib.LPMLN_TRUE if holds else lib.LPMLN_FALSE)
        if status != lib.LPMLN_OK:
            near = terms.nearest(atom, self.model.observables)
            raise_status(lib.LPMLN_INPUT, f"the program has no atom '{atom}'" + (f"; did you mean '{near}'?" if near else ""))
        self._evidence[atom] = holds

    def clear(self) -> State:
        """Takes all evidence back."""
        lib.lpmln_state_clear(self._c)
        self._evidence.clear()
        return self

    def set_weight(self, parameter: str, value: float) -> None:
        if lib.lpmln_state_set_weight(self._c, parameter.encode(), value) != lib.LPMLN_OK:
            near = terms.nearest(parameter, self.model.parameters)
            raise InputError(f"no parameter '{parameter}', or {value} is not finite"
                             + (f"; did you mean '{near}'?" if near else ""))
        self._weights[parameter] = value

    def _ask(self, question: Any, *more: Any, quick: bool = False) -> Any:
        return run(lambda: question(self._c, *more), lambda: lib.lpmln_state_interrupt(self._c), quick)

    def infer(self, *queries: str) -> Marginals:
        """Probabilities of queries; without queries, of those of the model."""
        found = [terms.select(query, self.model.queries) for query in queries]
        if not all(found):
            return self._whole().infer(*queries, given=self._evidence)
        c = self._ask(lib.lpmln_state_infer, quick=self._evidence.keys() <= self.model._observable.keys())
        again = functools.partial(_ask, self.model, dict(self._evidence), dict(self._weights))
        answer = Marginals(c, conclude(c.about, lambda: Marginals(c, (), again)), again)
        if queries:
            answer._choose(self._told([name for names in found for name in names]))
        return answer

    def _whole(self) -> Program:
        """The program with the weights of the state, for what the circuit does not tell."""
        return self.model.program().with_weights(self._weights)

    def _told(self, names: Sequence[str]) -> dict[str, float]:
        """Queries of the model, those that are certain or impossible by now included."""
        found = self.model._outputs(1, {"marginals"})
        self.model._evaluate(None, None, found, 0, 1, 1, self._c)
        where = {name: i for i, name in enumerate(self.model.queries)}
        return {name: float(found["marginals"][0, where[name]]) for name in names}

    def prob(self, query: str) -> Any:
        """The probability of a query; a mapping if it has variables or is a signature."""
        answer = self.infer(query)
        if terms.SIGNATURE.match(query) or any(terms.VARIABLE.match(word) for word in terms.tokens(query)):
            return answer
        return answer.only(query)

    def map(self) -> StableModels:
        """The most probable stable models: all that tie."""
        c = self._ask(lib.lpmln_state_map)
        return StableModels(c, conclude(c.about, lambda: StableModels(c, ())))

    def models(self, n: int = 0) -> StableModels:
        """The n most probable stable models; 0: all."""
        c = self._ask(lib.lpmln_state_list, n)
        return StableModels(c, conclude(c.about, lambda: StableModels(c, ())))

    def why(self, query: str, n: int = 10) -> Explanation:
        """The likeliest proofs of a query, as `Program.why`, given the evidence of the state."""
        return self._whole().why(query, n, given=self._evidence)

    def sample(self, n: int, seed: Optional[int] = None) -> Samples:
        """n random stable models, independent of each other."""
        if seed is not None:
            lib.lpmln_state_seed(self._c, seed)
        c = self._ask(lib.lpmln_state_draw, n)
        return Samples(c, conclude(c.about, lambda: Samples(c, (), 1)), 1)
