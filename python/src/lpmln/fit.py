"""Learned weights: estimates, what the data says about them, tests and intervals."""

from __future__ import annotations

import contextlib
import dataclasses
import math
from typing import TYPE_CHECKING, Any, Callable, Iterator, Mapping, Optional, Sequence, Union

import numpy as np

from ._native import NULL, Names, ffi, fields_of, fill, lib, maybe, text, texts
from .answers import Answer, Predictions, html_table, pandas
from .data import Floats
from .errors import Diagnostic, InputError, UsageError

if TYPE_CHECKING:
    from .program import Program

ALIASES = {"optimizer": {"auto": "best"}, "noise": {"atoms": "noise-atoms"}}


@dataclasses.dataclass(frozen=True)
class Normal:
    """A Gaussian prior for every weight."""

    mean: float = 0.0
    deviation: float = 1.0

    def _options(self) -> dict[str, Any]:
        return {"prior": "gaussian", "prior_mean": self.mean, "prior_deviation": self.deviation}


@dataclasses.dataclass(frozen=True)
class L1:
    """Subtracts strength · Σ|w| from the log-likelihood: weights that matter little become 0."""

    strength: float = 1.0

    def _options(self) -> dict[str, Any]:
        return {"prior": "l1", "prior_strength": self.strength}


@dataclasses.dataclass(frozen=True)
class Iteration:
    """Where an optimiser is."""

    iteration: int
    run: int  #: which start, from 0
    log_likelihood: float
    objective: float
    gradient: float  #: largest absolute partial derivative
    seconds: float
    weights: Mapping[str, float]


#: True: a bar of tqdm; a function of each iteration, which ends the run by returning False
Progress = Union[None, bool, Callable[[Iteration], Optional[bool]]]


class _Watcher:
    """Calls Python from an iteration of the optimiser; keeps what goes wrong there."""

    def __init__(self, function: Callable[[Iteration], Optional[bool]], history: list[Iteration]) -> None:
        self.function, self.history = function, history
        self.error: Optional[BaseException] = None
        self._names = Names()

    def call(self, c: Any) -> bool:
        weights = dict(zip(self._names.of(c.parameters, c.count), ffi.unpack(c.weights, c.count))) if c.count else {}
        iteration = Iteration(c.iteration, c.run, c.log_likelihood, c.objective, c.gradient, c.seconds, weights)
        self.history.append(iteration)
        try:
            return self.function(iteration) is not False
        except BaseException as error:  # raised again when C has returned
            self.error = error
            return False


@ffi.def_extern(onerror=None, error=False)  # type: ignore[untyped-decorator]
def lpmln_python_progress(data: Any, iteration: Any) -> bool:
    return ffi.from_handle(data).call(iteration)  # type: ignore[no-any-return]


class _Wanted:
    """Learning options of the library, while they are used."""

    def __init__(self, options: Mapping[str, Any], function: Callable[[Iteration], Optional[bool]]) -> None:
        self._keep: list[Any] = []
        self.history: list[Iteration] = []
        self.c = ffi.new("lpmln_learning_options *", lib.lpmln_learning_options_default())
        self.watcher = _Watcher(function, self.history)
        self._handle = ffi.new_handle(self.watcher)
        self.c.progress, self.c.progress_data = lib.lpmln_python_progress, self._handle
        fields = fields_of("lpmln_learning_options")
        fixed = options.get("fixed")
        if fixed is not None:
            names = [ffi.new("char[]", name.encode()) for name in fixed]
            self._keep += [names, ffi.new("const char *[]", names)]
            self.c.fixed, self.c.fixed_count = self._keep[-1], len(names)
        values = {name: ALIASES.get(name, {}).get(value, value) if isinstance(value, str) else value
                  for name, value in options.items() if name != "fixed"}
        fill(self.c, values, self._keep, fields, "option of learning")

    def raise_inside(self) -> None:
        """What a progress function raised."""
        if self.watcher.error is not None:
            raise self.watcher.error


def _words(sentence: str) -> str:
    """As it is said in Python."""
    return sentence.replace("option prior=0,2", "prior=lpmln.Normal(0, 2)")


def _plain(options: Mapping[str, Any]) -> dict[str, Any]:
    """Options by the names of the library's fields."""
    plain = dict(options)
    prior = plain.pop("prior", None)
    if prior is not None:
        if not isinstance(prior, (Normal, L1)):
            raise TypeError("prior is lpmln.Normal(mean, deviation) or lpmln.L1(strength)")
        plain.update(prior._options())
    bounds = plain.pop("bounds", None)
    if bounds is not None:
        plain.update(bounded=True, lower=float(bounds[0]), upper=float(bounds[1]))
    return plain


@contextlib.contextmanager
def learning_options(options: Mapping[str, Any], progress: Progress) -> Iterator[_Wanted]:
    """The options as the library takes them; a bar of tqdm is closed at the end."""
    bar = None
    if progress is True:
        try:
            from tqdm.auto import tqdm
        except ImportError:
            raise ImportError("a progress bar needs tqdm: pip install tqdm") from None
        bar = tqdm(unit="iteration")

        def watch(iteration: Iteration) -> None:
            bar.update()
            bar.set_postfix_str(f"log-likelihood {iteration.log_likelihood:.6g}, gradient {iteration.gradient:.2g}")
    elif callable(progress):
        watch = progress  # type: ignore[assignment]
    else:
        def watch(iteration: Iteration) -> None:
            pass
    try:
        yield _Wanted(_plain(options), watch)
    finally:
        if bar is not None:
            bar.close()


@dataclasses.dataclass(frozen=True)
class Test:
    """A test of a hypothesis about weights."""

    __test__ = False  # not for pytest
    statistic: float
    degrees: int
    p_value: float


def chi_square_tail(x: float, degrees: int) -> float:
    """P(X > x) of a chi-square distribution: the regularised upper incomplete gamma function.

    >>> round(chi_square_tail(3.841458820694124, 1), 12), round(chi_square_tail(5.991464547107979, 2), 12)
    (0.05, 0.05)
    """
    a, z = degrees / 2, max(0.0, x) / 2
    if z == 0:
        return 1.0
    scale = math.exp(a * math.log(z) - z - math.lgamma(a))
    if z < a + 1:  # series of the lower function
        term = total = 1 / a
        n = a
        while abs(term) > 1e-17 * total:
            n += 1
            term *= z / n
            total += term
        return max(0.0, 1 - scale * total)
    b = z + 1 - a  # Lentz's continued fraction
    c, d = 1e300, 1 / b
    h = d
    for i in range(1, 10000):
        b += 2
        d = 1 / (b - i * (i - a) * d)
        c = b - i * (i - a) / c
        h *= c * d
        if abs(c * d - 1) < 1e-16:
            break
    return scale * h


class Fit(Answer):
    """Learned weights.

    >>> import lpmln
    >>> fit = lpmln.Program(text="@w(heads) heads.").fit([{"heads": True}] * 3 + [{"heads": False}])
    >>> print(f"{fit.log_likelihood:.6f} {fit.aic:.6f} {fit.converged}")
    -2.249341 6.498681 True
    """

    def __init__(self, program: Program, c: Any, diagnostics: tuple[Diagnostic, ...], asked: Mapping[str, Any],
                 history: Sequence[Iteration] = ()) -> None:
        self._about(c.about, diagnostics)
        self._program, self._asked = program, dict(asked)
        self.optimizer = text(lib.lpmln_optimizer_name(c.optimizer))
        self.converged: bool = c.converged
        self.iterations: int = c.iterations
        self.history = tuple(history)  #: every iteration
        self.log_likelihood: float = c.log_likelihood
        self.log_likelihood_error: float = c.log_likelihood_error  #: Monte Carlo error; 0: exact
        self.supremum: float = c.supremum  #: with diverging weights at infinity
        self.gradient: float = c.gradient  #: largest absolute partial derivative
        self.observations: float = c.observations
        self.test_log_likelihood: float = c.test_log_likelihood  #: of test data; NaN: none
        self.folds: Floats = np.array([c.folds[i] for i in range(c.fold_count)])  #: held-out log-likelihood by fold
        self.advice = tuple(map(_words, texts(c.advice, c.advice_count)))  #: sentences for people
        self.text = maybe(c.program)  #: the program with the learned weights in place
        self._read_weights(c)

    def _read_weights(self, c: Any) -> None:
        rows = [c.weights[i] for i in range(c.weight_count)]
        self.parameters = tuple(text(row.parameter) for row in rows)
        self._columns: dict[str, Any] = {
            "weight": np.array([row.weight for row in rows]),
            "std_error": np.array([row.standard_error for row in rows]),
            "lower": np.array([row.lower for row in rows]),
            "upper": np.array([row.upper for row in rows]),
            "holds": np.array([row.holds for row in rows]),
            "diverges": [row.diverges.decode().strip("\0") or None for row in rows],
            "identified": np.array([row.identified for row in rows], dtype=bool),
        }
        groups = [c.groups[i] for i in range(c.group_count)]
        self.groups = tuple(texts(g.parameters, g.count) for g in groups)  #: only a combination of each is determined
        self.degrees: int = len(rows) - sum(g.free_directions for g in groups)  #: what AIC and BIC count
        n = len(rows)
        self._covariance: Optional[Floats] = None
        if c.covariance != NULL:
            self._covariance = np.frombuffer(ffi.buffer(c.covariance, 8 * n * n), dtype=np.float64).reshape(n, n).copy()

    # ---- estimates ---------------------------------------------------------------------------

    @property
    def estimate(self) -> dict[str, float]:
        """The weights by parameter."""
        return dict(zip(self.parameters, map(float, self._columns["weight"])))

    @property
    def weights(self) -> Any:
        """A data frame by parameter: weight, std_error, lower, upper, holds, diverges, identified."""
        columns = {**self._columns, "diverges": np.array(self._columns["diverges"], dtype=object)}
        return pandas().DataFrame(columns, index=pandas().Index(self.parameters, name="parameter", dtype=object))

    @property
    def covariance(self) -> Any:
        """Of the estimates, a data frame by parameter twice; NaN for weights that are not determined."""
        if self._covariance is None:
            raise UsageError("there is no covariance: the weights were sampled, or are too many to examine")
        names = list(self.parameters)
        return pandas().DataFrame(self._covariance, index=names, columns=names)

    @property
    def aic(self) -> float:
        """Akaike's criterion: 2 · degrees − 2 · log-likelihood."""
        return 2.0 * self.degrees - 2 * self.log_likelihood

    @property
    def bic(self) -> float:
        """Schwarz's criterion: degrees · ln(observations) − 2 · log-likelihood."""
        return self.degrees * math.log(self.observations) - 2 * self.log_likelihood

    @property
    def program(self) -> Program:
        """The program with the learned weights."""
        finite = {name: w for name, w in self.estimate.items() if math.isfinite(w)}
        return self._program.with_weights(finite)

    def predict_proba(self, rows: Any, *queries: str, **more: Any) -> Predictions:
        """Probabilities of queries for every row, in the learned program."""
        return self._learned().predict_proba(rows, *queries, **more)

    def log_prob(self, rows: Any, **more: Any) -> Floats:
        """ln P(row) for every row, in the learned program."""
        return self._learned().log_prob(rows, **more)

    def _learned(self) -> Program:
        if not hasattr(self, "_kept"):
            self._kept = self.program
        return self._kept

    # ---- tests and intervals -----------------------------------------------------------------

    def likelihood_ratio(self, smaller: Fit) -> Test:
        """Tests this fit against one of a program that it contains (parameters fixed or tied)."""
        degrees = self.degrees - smaller.degrees
        if degrees <= 0:
            raise UsageError("the other fit must be of a smaller program: it has as many parameters")
        statistic = max(0.0, 2 * (self.log_likelihood - smaller.log_likelihood))
        return Test(statistic, degrees, chi_square_tail(statistic, degrees))

    def wald(self, values: Mapping[str, float]) -> Test:
        """Tests that weights have these values, by the covariance of the estimates."""
        chosen = [self._number(name) for name in values]
        if self._covariance is None or not np.isfinite(self._covariance[np.ix_(chosen, chosen)]).all():
            raise UsageError("a weight that the data does not determine can't be tested so")
        off = self._columns["weight"][chosen] - np.array(list(values.values()))
        statistic = float(off @ np.linalg.solve(self._covariance[np.ix_(chosen, chosen)], off))
        return Test(statistic, len(chosen), chi_square_tail(statistic, len(chosen)))

    def _number(self, name: str) -> int:
        if name not in self.parameters:
            raise InputError(f"no parameter '{name}'; there are: {', '.join(self.parameters)}")
        return self.parameters.index(name)

    def refit(self, fixed: Mapping[str, float]) -> Fit:
        """The same data with some weights fixed: the log-likelihood's profile."""
        asked = dict(self._asked)
        data = asked.pop("data")
        start = {**{name: w for name, w in self.estimate.items() if abs(w) < 20}, **fixed}
        already = tuple(asked.pop("fixed", ()) or ())
        again: Fit = self._program.with_weights(start).fit(data, fixed=(*already, *fixed), **asked)
        return again

    def profile(self, parameter: str, level: float = 0.95) -> tuple[float, float]:
        """The interval of values that a likelihood-ratio test does not reject; infinite where it is open."""
        number = self._number(parameter)
        best, at = self.supremum if math.isfinite(self.supremum) else self.log_likelihood, self.estimate[parameter]
        drop = _chi_square_quantile(level) / 2
        error = float(self._columns["std_error"][number])
        step = error if math.isfinite(error) and error > 0 else 1.0

        def excess(w: float) -> float:
            return self.refit({parameter: w}).log_likelihood - best + drop

        return _crossing(excess, at, -step), _crossing(excess, at, step)

    def intervals(self, level: float = 0.95) -> Any:
        """Wald's intervals and those of the profile beside each other, a data frame by parameter."""
        half = math.sqrt(_chi_square_quantile(level)) * self._columns["std_error"]
        w, profiles = self._columns["weight"], np.array([self.profile(name, level) for name in self.parameters])
        columns = {"wald_lower": w - half, "wald_upper": w + half,
                   "profile_lower": profiles[:, 0], "profile_upper": profiles[:, 1]}
        return pandas().DataFrame(columns, index=self.weights.index)

    # ---- people ------------------------------------------------------------------------------

    def summary(self) -> str:
        """A table of the weights, and what there is to say."""
        head = [f"log-likelihood  {self.log_likelihood:.6f}", f"observations    {self.observations:g}",
                f"AIC, BIC        {self.aic:.4f}, {self.bic:.4f}",
                f"method          {self.optimizer}, {self.iterations} iterations"
                + (", converged" if self.converged else ", NOT converged"), ""]
        width = max([len("parameter"), *map(len, self.parameters)])
        rows = [f"{'parameter':{width}} {'weight':>12} {'std. error':>12} {'95% interval':>26} {'holds':>10}"]
        for i, name in enumerate(self.parameters):
            c = {key: values[i] for key, values in self._columns.items()}
            note = f"  diverges to {c['diverges']}∞" if c["diverges"] else "" if c["identified"] else "  not identified"
            interval = f"{c['lower']:.4f} .. {c['upper']:.4f}" if math.isfinite(c["lower"]) else ""
            rows.append(f"{name:{width}} {c['weight']:12.6f} {_blank(c['std_error'], 12)} {interval:>26} "
                        f"{_blank(c['holds'], 10)}{note}")
        return "\n".join([*head, *rows, *(f"* {sentence}" for sentence in self.advice)])

    def __repr__(self) -> str:
        return f"<Fit of {len(self.parameters)} weights, log-likelihood {self.log_likelihood:.6f}>"

    def _repr_html_(self) -> str:
        rows = zip(self.parameters, *self._columns.values())
        return html_table(("parameter", *self._columns), rows,
                          f"log-likelihood {self.log_likelihood:.6f}, {self.observations:g} observations")


def _blank(value: float, width: int) -> str:
    return f"{value:{width}.6f}" if math.isfinite(value) else " " * width


def _chi_square_quantile(level: float) -> float:
    """Of one degree of freedom, by halving."""
    low, high = 0.0, 200.0
    for _ in range(200):
        middle = (low + high) / 2
        low, high = (middle, high) if chi_square_tail(middle, 1) > 1 - level else (low, middle)
    return (low + high) / 2


def _crossing(excess: Callable[[float], float], at: float, step: float) -> float:
    """Where a profile that is positive here falls to 0 in the direction of the step."""
    inside, outside = at, at + 2 * step
    for _ in range(8):
        if excess(outside) < 0:
            break
        inside, outside = outside, outside + 2 * (outside - at)
    else:
        return math.copysign(math.inf, step)
    while abs(outside - inside) > 1e-7 * (1 + abs(inside)):
        middle = (inside + outside) / 2
        inside, outside = (middle, outside) if excess(middle) >= 0 else (inside, middle)
    return (inside + outside) / 2
