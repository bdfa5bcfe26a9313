"""Programs: texts and options, and every question about them."""

from __future__ import annotations

import collections
import functools
import os
import re
import threading
import time
from typing import Any, Iterable, Mapping, Optional, Sequence, Union, overload

from . import terms
from ._native import (NULL, TARGETS, check_options, conclude, ffi, fields_of, fill, lib, make_options, plain, raise_status,
                      run, text)
from .answers import Analysis, Decision, Marginals, Predictions, Samples, StableModels, html_table
from .data import Floats, Rows, is_frame, rows_of, to_csv, truth_of
from .errors import InputError, UsageError
from .explain import Explanation
from .fit import Fit, Progress, learning_options
from .model import Model
from .ranks import Ranks, sharing
from .structure import Induction, Splitting

Path = Union[str, "os.PathLike[str]"]
Evidence = Union[None, str, "os.PathLike[str]", Mapping[str, Optional[bool]], Iterable[str]]
HELD = 32  # questions whose ground programs and circuits are kept
QUICK = 0.01  # seconds: a question that took less is asked again without a thread of its own


def literals_of(given: Evidence) -> list[str]:
    """Evidence, one literal at a time.

    >>> literals_of("a(1,2), not b"), literals_of("a(1,2). not b.")
    (['a(1,2)', 'not b'], ['a(1,2)', 'not b'])
    >>> literals_of({"a": True, "b": False, "c": None})
    ['a', 'not b']
    """
    if given is None:
        return []
    if isinstance(given, os.PathLike):
        raise TypeError("literals are wanted here, not a file; Program.infer(given=…) takes one")
    if isinstance(given, str):
        text = given.strip()
        return terms.split(text[:-1], ".") if text.endswith(".") else terms.split(text) if text else []
    if isinstance(given, Mapping) or hasattr(given, "items"):
        seen = [(str(atom), truth_of(f"'{atom}'", value)) for atom, value in given.items()]
        return [atom if truth else f"not {atom}" for atom, truth in seen if truth is not None]
    return [part.strip().rstrip(".") for part in given]


def evidence_text(given: Evidence) -> str:
    """Evidence as the text of an observation file.

    >>> evidence_text("a(1,2), not b"), evidence_text(":- not a.")
    ('a(1,2). not b.', ':- not a.')
    """
    if isinstance(given, str) and given.strip().endswith("."):
        return given
    return " ".join(part + "." for part in literals_of(given))


def _kept(given: Evidence) -> Evidence:
    """What nobody changes or uses up."""
    return given if given is None or isinstance(given, (str, os.PathLike)) else literals_of(given)


def _several(names: Union[str, Iterable[str]]) -> tuple[str, ...]:
    return (names,) if isinstance(names, str) else tuple(names)


def is_path(data: str) -> bool:
    """Whether a text is the name of a file rather than observations, which end in a full stop.

    >>> is_path("seen.obs"), is_path("a. not b."), is_path("a")
    (True, False, False)
    """
    return os.path.exists(data) or re.fullmatch(r"[^\n()\"]+\.[A-Za-z]\w{0,7}", data) is not None


class Handle:
    """A program of the library, for one thread at a time."""

    def __init__(self, options: Mapping[str, Any]) -> None:
        self._keep: list[Any] = []
        self.c = ffi.gc(lib.lpmln_program_new(make_options(options, self._keep)), lib.lpmln_program_free)
        if self.c == NULL:
            raise MemoryError
        self.tables: dict[str, tuple[str, ...]] = {}  # columns of texts that were made from rows
        self._lock = threading.Lock()
        self._quick: Any = None  # the last question, if it was quick

    def add_file(self, role: int, path: Path) -> None:
        self._check(lib.lpmln_program_add_file(self.c, role, os.fsencode(path)), f"can't add {path}")

    def add_text(self, role: int, name: str, content: Union[str, bytes]) -> None:
        data = content.encode() if isinstance(content, str) else content
        self._check(lib.lpmln_program_add_text(self.c, role, name.encode(), data, len(data)), f"can't add {name}")

    def add_query(self, query: str) -> None:
        self._check(lib.lpmln_program_add_query(self.c, query.encode()), f"can't ask '{query}'")

    def do(self, literals: str) -> None:
        self._check(lib.lpmln_program_do(self.c, literals.encode()), f"can't set '{literals}'")

    def define(self, name: str, value: Any) -> None:
        self._check(lib.lpmln_program_define(self.c, name.encode(), str(value).encode()), f"can't define '{name}'")

    def set_weight(self, parameter: str, value: float) -> None:
        self._check(lib.lpmln_program_set_weight(self.c, parameter.encode(), value), f"can't set '{parameter}'")

    @staticmethod
    def _check(status: int, message: str) -> None:
        if status != lib.LPMLN_OK:
            raise_status(status, message)

    def ask(self, question: Any, *more: Any) -> Any:
        """The answer to a question of the library."""
        with self._lock:
            quick, self._quick = self._quick == (question, more), None
            begin = time.perf_counter()
            answer = run(lambda: question(self.c, *more), self.interrupt, quick)
            done = ffi.cast("lpmln_answer *", answer).status == lib.LPMLN_OK  # not: interrupted at once
            self._quick = (question, more) if done and time.perf_counter() - begin < QUICK else None
            return answer

    def ask_together(self, ranks: Optional[Ranks], question: Any, *more: Any) -> Any:
        """The same, with other processes, if there are any."""
        if ranks is None:
            return self.ask(question, *more)
        self._check(lib.lpmln_program_share(self.c, ranks.c), "can't share the question")
        try:
            return self.ask(question, *more)
        finally:
            lib.lpmln_program_share(self.c, NULL)
            if ranks.error is not None:
                raise ranks.error

    def interrupt(self) -> None:
        lib.lpmln_program_interrupt(self.c)


class Program:
    """A probabilistic answer set program.

    Files are read in the language that their names tell (`.lpmln` and `.lp`, `.pl` of ProbLog,
    `.mln` of Markov logic, `.plp` of plingo); `text` is LPMLN unless `dialect` says otherwise.
    Further keywords are the options of the library: `method`, `seed`, `threads`, `time_limit`
    (seconds), `memory_limit` (MiB), `compile_limit`, `chains`, `samples`, `burn_in`, `thin`,
    `violable`, `closed_world`, `include_root`.

    A program does not change.  What one question grounds and compiles is kept for the next.

    >>> import lpmln
    >>> bird = lpmln.Program(text='''
    ... bird(X) :- residentBird(X).
    ... bird(X) :- migratoryBird(X).
    ... :- residentBird(X), migratoryBird(X).
    ... 2 residentBird(jo).
    ... 1 migratoryBird(jo).''')
    >>> bird.infer("bird(jo)")
    {'bird(jo)': 0.909969}
    >>> bird.infer("bird(X)", given="not residentBird(jo)")
    {'bird(jo)': 0.731059}
    """

    def __init__(self, *files: Path, text: Optional[str] = None, constants: Optional[Mapping[str, Any]] = None,
                 weights: Optional[Mapping[str, float]] = None, **options: Any) -> None:
        if not files and text is None:
            raise TypeError("a program needs a file or text=…")
        check_options(options)
        self._files = tuple(os.fspath(path) for path in files)
        self._text: Union[str, bytes, None] = text
        self._constants, self._weights, self._options = dict(constants or {}), dict(weights or {}), dict(options)
        self._reset()

    def _reset(self) -> None:
        self._handles: collections.OrderedDict[Any, Handle] = collections.OrderedDict()
        self._models: collections.OrderedDict[Any, Model] = collections.OrderedDict()
        self._lock = threading.Lock()

    def _with(self, **changes: Any) -> Program:
        """The same program with other weights or options."""
        made = Program.__new__(Program)
        made.__dict__.update(self.__dict__, **changes)
        made._reset()
        return made

    def with_weights(self, weights: Mapping[str, float]) -> Program:
        """The same program with other values for some of its parameters.

        >>> import lpmln
        >>> lpmln.Program(text="@w(heads) heads.").with_weights({"heads": 0.5}).infer()
        {'heads': 0.622459}
        """
        return self._with(_weights={**self._weights, **weights})

    def with_options(self, **options: Any) -> Program:
        """The same program with other options, such as `method="mc-asp"`."""
        check_options(options)
        return self._with(_options={**self._options, **options})

    def __getstate__(self) -> dict[str, Any]:
        return {name: value for name, value in self.__dict__.items() if name not in ("_handles", "_models", "_lock")}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(state)
        self._reset()

    def __repr__(self) -> str:
        names = [*self._files, *(["text"] if self._text is not None else [])]
        return f"<Program {', '.join(map(str, names))}>"

    def _repr_html_(self) -> str:
        return html_table(("", ""), [(f.role, f.text) for f in self.sources()], repr(self))

    # ---- handles -----------------------------------------------------------------------------

    def _new_handle(self, **options: Any) -> Handle:
        handle = Handle({**self._options, **options})
        for path in self._files:
            handle.add_file(lib.LPMLN_PROGRAM, path)
        if self._text is not None:
            handle.add_text(lib.LPMLN_PROGRAM, "text", self._text)
        for name, value in self._constants.items():
            handle.define(name, value)
        for parameter, weight in self._weights.items():
            handle.set_weight(parameter, weight)
        return handle

    def _handle(self, queries: Sequence[str], given: Evidence, do: Evidence = None, **options: Any) -> Handle:
        """A handle for a question, the one from last time if it is still there."""
        file = os.fspath(given) if isinstance(given, os.PathLike) else None
        evidence = "" if file else evidence_text(given)
        literals = None if do is None else do if isinstance(do, str) else ", ".join(literals_of(do))
        key = (tuple(queries), file, evidence, literals, *sorted(options.items()))
        with self._lock:
            handle = self._handles.pop(key, None)
        if handle is None:
            handle = self._new_handle(**options)
            for query in queries:
                handle.add_query(query)
            if literals is not None:
                handle.do(literals)
            if file:
                handle.add_file(lib.LPMLN_EVIDENCE, file)
            elif evidence:
                ours = "dialect" in self._options and evidence != given  # literals, whatever the program's language
                handle.add_text(lib.LPMLN_EVIDENCE, "given.obs" if ours else "given", evidence)
        with self._lock:
            self._handles[key] = handle
            while len(self._handles) > HELD:
                self._handles.popitem(last=False)
        return handle

    # ---- questions ---------------------------------------------------------------------------

    def infer(self, *queries: str, given: Evidence = None, do: Evidence = None) -> Marginals:
        """Probabilities of queries, or of every atom that is neither certain nor impossible.

        A query is an atom, a signature (`carries_virus/1`), an atom with variables or a formula.
        Evidence is a text of literals, a mapping from atoms to truth, or the path of a file.
        `do` sets atoms, whatever the program says about them: literals, or a mapping.

        >>> import lpmln
        >>> p = lpmln.Program(text="1 rain. wet :- rain.")
        >>> p.infer("rain", given="wet"), p.infer("rain", do="wet")
        ({'rain': 1}, {'rain': 0.731059})
        """
        given, do = _kept(given), _kept(do)
        c = self._handle(queries, given, do).ask(lib.lpmln_infer)
        again = functools.partial(self.prob, given=given, do=do)
        return Marginals(c, conclude(c.about, lambda: Marginals(c, (), again)), again)

    def prob(self, query: str, given: Evidence = None, do: Evidence = None) -> float:
        """The probability of one query."""
        return self.infer(query, given=given, do=do).only(query)

    def map(self, given: Evidence = None, do: Evidence = None, visible: bool = False) -> StableModels:
        """The most probable stable models: all that tie.

        With `visible`, the most probable states of the atoms that are shown (`#show`), summed over the others.
        """
        options = {"visible": True} if visible else {}
        c = self._handle((), given, do, **options).ask(lib.lpmln_map)
        return StableModels(c, conclude(c.about, lambda: StableModels(c, ())))

    def decide(self, given: Evidence = None, do: Evidence = None) -> Decision:
        """The decisions (`#decision`) of the highest expected utility (`#utility`), given the evidence."""
        c = self._handle((), given, do).ask(lib.lpmln_decide)
        return Decision(c, conclude(c.about, lambda: Decision(c, ())))

    def models(self, n: int = 0, given: Evidence = None, do: Evidence = None) -> StableModels:
        """The n most probable stable models; 0: all."""
        c = self._handle((), given, do).ask(lib.lpmln_list, n)
        return StableModels(c, conclude(c.about, lambda: StableModels(c, ())))

    def sample(self, n: int, given: Evidence = None, seed: Optional[int] = None, uniform: bool = False,
               do: Evidence = None) -> Samples:
        """n random stable models; `uniform` ignores the weights."""
        options = {} if seed is None else {"seed": seed}
        question = lib.lpmln_draw_uniform if uniform else lib.lpmln_draw
        c = self._handle((), given, do, **options).ask(question, n)
        chains = self._options.get("chains", lib.lpmln_options_default().sampling.chains)
        return Samples(c, conclude(c.about, lambda: Samples(c, (), chains)), chains)

    def why(self, query: str, n: int = 10, given: Evidence = None, do: Evidence = None) -> Explanation:
        """The likeliest proofs of a query, what each piece of evidence adds, what would change the answer.

        `n` proofs at most, of a share of 0.001 at least; 0: all there are.

        >>> import lpmln
        >>> p = lpmln.Program(text="@log(0.1/0.9) burglary. @log(0.2/0.8) quake. alarm :- burglary. alarm :- quake.")
        >>> p.why("alarm")
        alarm: 0.28
        0.714286  quake
        0.357143  burglary
        """
        wanted = ffi.new("lpmln_why_options *", {"most": n, "least_share": 1e-3 if n else 0.0})
        c = self._handle((query,), given, do).ask(lib.lpmln_why, wanted)
        return Explanation(c, conclude(c.about, lambda: Explanation(c, ())))

    def check(self, *queries: str, given: Evidence = None, do: Evidence = None) -> Analysis:
        """What the program is: rules, parameters, ground size, loops, components, which engine fits."""
        c = self._handle(queries, given, do).ask(lib.lpmln_check)
        return Analysis(c, conclude(c.about, lambda: None), plain(c[0]))

    def translate(self, to: str, given: Evidence = None, **options: Any) -> str:
        """The program in another language or format; the names are those of `lpmln translate --to`."""
        if to not in TARGETS:
            raise UsageError(f"there is no target '{to}'; there are: {', '.join(TARGETS)}")
        keep: list[Any] = []
        wanted = ffi.new("lpmln_translation_options *")
        fill(wanted, {"target": to, **options}, keep, fields_of("lpmln_translation_options"), "option")
        c = self._handle((), given).ask(lib.lpmln_translate, wanted)
        conclude(c.about, lambda: None)
        return str(ffi.buffer(c.text, c.length)[:].decode())

    def sources(self) -> list[Any]:
        """The texts of the program as they were read."""
        c = self._handle((), None).ask(lib.lpmln_program_sources)
        conclude(c.about, lambda: None)
        Source = collections.namedtuple("Source", "role text")
        return [Source(text(t.name), ffi.buffer(t.bytes, t.length)[:].decode("utf-8", "replace"))
                for t in (c.texts[i] for i in range(c.text_count))]

    # ---- models ------------------------------------------------------------------------------

    def compile(self, observable: Union[str, Iterable[str]] = (), queries: Union[str, Iterable[str]] = (),
                given: Evidence = None) -> Model:
        """The program compiled: shared by threads, pickled, saved, asked about many rows at once.

        `observable` are atoms or signatures that evidence will be about, `queries` what will be asked.
        What is `given` holds for good.
        """
        observable, queries = _several(observable), _several(queries)
        names = [ffi.new("char[]", name.encode()) for name in observable]
        array = ffi.new("const char *[]", names)
        wanted = ffi.new("lpmln_compile_options *", {"observable_count": len(names), "observables": array})
        handle, box = self._handle(queries, given), ffi.new("const lpmln_answer **")
        made: list[Any] = []

        def question(c: Any) -> Any:
            made.append(lib.lpmln_compile(c, wanted, box))
            return box[0]

        about = handle.ask(question)
        conclude(about, lambda: None)
        return Model._of(made[0], self if given is None else None)

    def _model(self, queries: Sequence[str], columns: Sequence[str]) -> Model:
        key = (tuple(queries), tuple(columns))
        with self._lock:
            model = self._models.get(key)
        if model is None:
            model = self.compile(observable=columns, queries=queries)
            with self._lock:
                self._models[key] = model
                while len(self._models) > HELD:
                    self._models.popitem(last=False)
        return model

    def predict_proba(self, rows: Any, *queries: str, columns: Optional[Sequence[str]] = None,
                      threads: int = 1) -> Predictions:
        """Probabilities of queries for every row of evidence; compiled once, all rows at once.

        >>> import lpmln
        >>> p = lpmln.Program(text="1 flu. 2 fever :- flu. @log(0.1) fever.")
        >>> p.predict_proba([{"fever": True}, {"fever": False}, {}], "flu")["flu"].round(4)
        array([0.7311, 0.2689, 0.3677])
        """
        table = rows if isinstance(rows, Rows) else rows_of(rows, columns)
        return self._model(queries, table.columns).predict_proba(table, *queries, threads=threads)

    def log_prob(self, rows: Any, columns: Optional[Sequence[str]] = None, threads: int = 1) -> Floats:
        """ln P(row) for every row of evidence."""
        table = rows if isinstance(rows, Rows) else rows_of(rows, columns)
        return self._model(table.columns[:1], table.columns).log_prob(table, threads=threads)

    # ---- learning ----------------------------------------------------------------------------

    @overload
    def fit(self, data: Any, *, columns: Optional[Sequence[str]] = None, count: Union[str, Iterable[float], None] = None,
            test: Any = None, progress: Progress = None, comm: None = None, **options: Any) -> Fit: ...

    @overload
    def fit(self, data: Any, *, columns: Optional[Sequence[str]] = None, count: Union[str, Iterable[float], None] = None,
            test: Any = None, progress: Progress = None, comm: Any, **options: Any) -> Optional[Fit]: ...

    def fit(self, data: Any, *, columns: Optional[Sequence[str]] = None, count: Union[str, Iterable[float], None] = None,
            test: Any = None, progress: Progress = None, comm: Any = None, **options: Any) -> Optional[Fit]:
        """Finds the weights that make the data most likely.

        `data` is a data frame, a list of dictionaries, an array with `columns`, the path of a table or an
        observation file, or the text of observations.  `prior` is `Normal(mean, deviation)` or
        `L1(strength)`, `bounds` a pair, `progress` True (a bar of tqdm) or a function of each iteration.
        Further keywords are the learning options of the library: `optimizer`, `iterations`, `restarts`,
        `noise`, `folds`, `checkpoint`, `resume`, `rate`, `delta`, `batch`, `fixed`.

        With `comm`, a communicator of mpi4py, all its ranks call this, and share the work. Only rank 0 needs
        the data and gets the fit, the same to the last bit for any number of ranks; the others get None.

        >>> import lpmln
        >>> fit = lpmln.Program(text="@w(heads) heads.").fit([{"heads": True}] * 3 + [{"heads": False}])
        >>> round(fit.estimate["heads"], 6)
        1.098612
        """
        if comm is not None and comm.Get_rank():
            Ranks(comm, self._options.get("threads", 1)).serve()
            return None
        with sharing(comm) as ranks:
            handle = self._new_handle()
            self._observe(handle, data, columns, count, test=False)
            if test is not None:
                self._observe(handle, test, columns, None, test=True)
            with learning_options(options, progress) as wanted:
                c = handle.ask_together(ranks, lib.lpmln_learn, wanted.c)
                wanted.raise_inside()
        asked = {"data": data, "columns": columns, "count": count, **options}
        said = conclude(c.about, lambda: Fit(self, c, (), asked, wanted.history), handle.tables)
        return Fit(self, c, said, asked, wanted.history)

    def split(self, data: Any, *, columns: Optional[Sequence[str]] = None,
              count: Union[str, Iterable[float], None] = None, **options: Any) -> Splitting:
        """Which rules should have a weight for each value of a variable, or for groups of values.

        `data` and the options are those of `fit`; `folds` judges by cross-validation, not by a penalty.

        >>> import lpmln
        >>> coins = lpmln.Program(text="coin(1..2). @w(h) heads(C) :- coin(C).")
        >>> rows = [{"heads(1)": i < 90, "heads(2)": i < 10} for i in range(100)]
        >>> coins.split(rows)
        <1 of 1 splits, log-likelihood -65.016595>
        """
        handle = self._new_handle()
        self._observe(handle, data, columns, count, test=False)
        with learning_options(options, None) as wanted:
            c = handle.ask(lib.lpmln_learn_split, wanted.c)
        return Splitting(self, c, conclude(c.about, lambda: Splitting(self, c, ()), handle.tables))

    def induce(self, candidates: str, data: Any, *, columns: Optional[Sequence[str]] = None,
               count: Union[str, Iterable[float], None] = None, **options: Any) -> Induction:
        """Chooses rules that improve a penalised likelihood of the data.

        `candidates` is a text of rules without weights, and of `#modeh` and `#modeb` declarations. Options are
        `folds` and `penalty`.

        >>> import lpmln
        >>> rows = [{"rain": i < 50, "moon": i % 2 == 0, "wet": i < 45 or i > 95} for i in range(100)]
        >>> lpmln.Program(text="@w rain. @w moon. @w wet.").induce("wet :- rain. wet :- moon.", rows).rules
        ('wet :- rain.',)
        """
        handle = self._new_handle()
        self._observe(handle, data, columns, count, test=False)
        keep: list[Any] = []
        wanted = ffi.new("lpmln_induction_options *", lib.lpmln_induction_options_default())
        fill(wanted, {"candidates": candidates, **options}, keep, fields_of("lpmln_induction_options"), "option")
        c = handle.ask(lib.lpmln_induce, wanted)
        return Induction(self, c, conclude(c.about, lambda: Induction(self, c, ()), handle.tables))

    @classmethod
    def _of_model(cls, content: bytes) -> Program:
        """The program inside a compiled file."""
        made = cls(text="")
        made._text = content
        return made

    @staticmethod
    def _observe(handle: Handle, data: Any, columns: Optional[Sequence[str]], count: Any, test: bool) -> None:
        texts_role, table_role = ((lib.LPMLN_TEST, lib.LPMLN_TEST_DATA) if test
                                  else (lib.LPMLN_EVIDENCE, lib.LPMLN_DATA))
        if isinstance(data, (str, os.PathLike)):
            path = os.fspath(data)
            table = path.lower().endswith((".csv", ".tsv", ".csv.gz"))
            if isinstance(data, os.PathLike) or is_path(path):
                handle.add_file(table_role if table else texts_role, path)
            else:
                handle.add_text(texts_role, "test" if test else "data", path)
            return
        rows = data if isinstance(data, Rows) else rows_of(data, columns, count)
        if is_frame(data) and not len(rows.columns):
            raise InputError("the data frame has no columns")
        name = "test" if test else "data"
        handle.tables[name] = rows.columns
        handle.add_text(table_role, name, to_csv(rows))
