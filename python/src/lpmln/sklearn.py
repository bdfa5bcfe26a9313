"""Estimators for scikit-learn: a classifier and a density, on data frames whose columns are atoms."""

from __future__ import annotations

import re
from typing import Any, Mapping, Optional, Sequence

import numpy as np
import numpy.typing as npt

from . import terms
from .data import Floats, Rows, is_frame, rows_of
from .errors import InputError
from .fit import Fit
from .program import Program

try:
    from sklearn.base import BaseEstimator, ClassifierMixin, DensityMixin
    from sklearn.utils import column_or_1d
    from sklearn.utils.multiclass import check_classification_targets
    from sklearn.utils.validation import assert_all_finite, check_is_fitted
except ImportError:
    raise ImportError("lpmln.sklearn needs scikit-learn: pip install scikit-learn") from None


CONSTANT = re.compile(r"-?\d+|[_']*[a-z][\w']*")


class _Estimator(BaseEstimator):  # type: ignore[misc]
    """What both have: a program, a prior, options of learning."""

    program: Any
    prior: Any
    options: Optional[Mapping[str, Any]]

    def _program(self) -> Program:
        return self.program if isinstance(self.program, Program) else Program(text=str(self.program))

    def _rows(self, X: Any) -> Rows:
        """Rows with the names that it was fitted with, checked as scikit-learn wants it."""
        if not is_frame(X):
            raise InputError("X is a data frame whose columns are atoms: names are what the program is about")
        names = np.array([str(name) for name in X.columns], dtype=object)
        known = getattr(self, "feature_names_in_", None)
        if known is not None and list(known) != list(names):
            raise ValueError("The feature names should match those that were passed during fit.")
        return rows_of(X)

    def _remember(self, X: Any) -> None:
        self.feature_names_in_ = np.array([str(name) for name in X.columns], dtype=object)
        self.n_features_in_ = len(self.feature_names_in_)

    def _learn(self, rows: Rows) -> Fit:
        fit: Fit = self._program().fit(rows, prior=self.prior, **(self.options or {}))
        return fit


def weighted(rows: Rows, sample_weight: Any) -> tuple[Rows, npt.NDArray[np.intp]]:
    """Rows that were seen so many times, and which they are: not those of weight zero."""
    if sample_weight is None:
        return rows, np.arange(len(rows))
    weight = np.asarray(sample_weight, dtype=np.float64)
    if weight.shape != (len(rows),):
        raise ValueError(f"sample_weight has shape {weight.shape}, X {len(rows)} rows")
    kept = np.flatnonzero(weight)
    if not len(kept):
        raise ValueError("sample_weight is zero for every row")
    return Rows(rows.columns, rows.values[kept], weight[kept], None), kept


class LPMLNClassifier(ClassifierMixin, _Estimator):  # type: ignore[misc]
    """Predicts atoms of a program from other atoms; weights are learned by `fit`.

    Parameters
    ----------
    program : the text of a program, or an `lpmln.Program`
    target : an atom, for two classes, the second of which says that it holds; or an atom with one
        variable (`kind(X)`), for one class by value of X
    prior : `lpmln.Normal`, `lpmln.L1` or None
    options : further options of `Program.fit`

    >>> import pandas as pd
    >>> from lpmln.sklearn import LPMLNClassifier
    >>> X = pd.DataFrame({"fever": [1, 1, 1, 0, 0, 0], "cough": [1, 0, 1, 0, 1, 0]})
    >>> model = LPMLNClassifier("@w(flu) flu. @w(f) fever :- flu. @w(c) cough :- flu. @w(o) fever. @w(p) cough.", target="flu")
    >>> model.fit(X, [1, 1, 1, 0, 0, 0]).predict(X).tolist()
    [1, 1, 1, 0, 0, 0]
    """

    def __init__(self, program: Any = None, target: str = "", prior: Any = None,
                 options: Optional[Mapping[str, Any]] = None) -> None:
        self.program, self.target, self.prior, self.options = program, target, prior, options

    def _atoms(self, classes: Sequence[Any]) -> list[str]:
        """The atom of each class; of two classes about one atom, that atom twice."""
        variables = [word for word in terms.tokens(self.target) if terms.VARIABLE.match(word)]
        if not variables:
            if len(classes) != 2:
                raise ValueError(f"target '{self.target}' is an atom, for two classes; y has {len(classes)} class(es)")
            return [terms.canonical(self.target)] * 2
        values = [str(int(c) if isinstance(c, float) and c.is_integer() else c) for c in classes]
        quoted = [v if CONSTANT.fullmatch(v) else f'"{v}"' for v in values]
        return [terms.joined([v if word == variables[0] else word for word in terms.tokens(self.target)]) for v in quoted]

    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> LPMLNClassifier:
        """Learns the weights from X and the classes y."""
        if self.program is None or not self.target:
            raise ValueError("LPMLNClassifier needs a program and a target")
        self.__dict__.pop("feature_names_in_", None)
        rows, seen_rows = weighted(self._rows(X), sample_weight)
        y = self._classes(y, len(X))[seen_rows]
        self._remember(X)
        self.classes_, number = np.unique(y, return_inverse=True)
        self.atoms_ = self._atoms(list(self.classes_))
        if len(set(self.atoms_)) == 1:
            columns, seen = self.atoms_[:1], (number == 1).astype(np.float64)[:, None]
        else:
            columns, seen = self.atoms_, (number[:, None] == np.arange(len(self.atoms_))).astype(np.float64)
        values = np.hstack([rows.values, seen])
        self.fit_ = self._learn(Rows((*rows.columns, *columns), values, rows.counts, None))
        return self

    def _classes(self, y: Any, rows: int) -> npt.NDArray[Any]:
        """The class of each row, checked as scikit-learn wants it."""
        if y is None:
            raise ValueError("LPMLNClassifier requires y to be passed, but the target y is None")
        y = column_or_1d(y, warn=True)
        assert_all_finite(y, input_name="y")
        check_classification_targets(y)
        if len(y) != rows:
            raise ValueError(f"X has {rows} rows, y {len(y)}")
        found: npt.NDArray[Any] = y
        return found

    def predict_proba(self, X: Any) -> Floats:
        """By row and class; a row that is impossible gets equal shares."""
        check_is_fitted(self, "fit_")
        rows = self._rows(X)
        found = np.asarray(self.fit_.predict_proba(rows, *dict.fromkeys(self.atoms_)))
        shares = np.hstack([1 - found, found]) if len(set(self.atoms_)) == 1 else found
        shares = np.where(np.isnan(shares), 1.0, shares)
        total = shares.sum(axis=1, keepdims=True)
        equal: Floats = np.full_like(shares, 1 / shares.shape[1])
        np.divide(shares, total, out=equal, where=total > 0)
        return equal

    def predict(self, X: Any) -> npt.NDArray[Any]:
        """The most probable class of each row."""
        shares = self.predict_proba(X)
        best: npt.NDArray[Any] = np.asarray(self.classes_)[np.argmax(shares, axis=1)]
        return best

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.allow_nan = True
        return tags


class LPMLNDensity(DensityMixin, _Estimator):  # type: ignore[misc]
    """How probable rows are; weights are learned by `fit`.

    >>> import pandas as pd
    >>> from lpmln.sklearn import LPMLNDensity
    >>> X = pd.DataFrame({"heads": [1, 1, 1, 0]})
    >>> round(LPMLNDensity("@w heads.").fit(X).score(X), 6)
    -2.249341
    """

    def __init__(self, program: Any = None, prior: Any = None, options: Optional[Mapping[str, Any]] = None) -> None:
        self.program, self.prior, self.options = program, prior, options

    def fit(self, X: Any, y: Any = None, sample_weight: Any = None) -> LPMLNDensity:
        if self.program is None:
            raise ValueError("LPMLNDensity needs a program")
        self.__dict__.pop("feature_names_in_", None)
        rows = self._rows(X)
        self._remember(X)
        self.fit_ = self._learn(weighted(rows, sample_weight)[0])
        return self

    def score_samples(self, X: Any) -> Floats:
        """ln P(row) by row."""
        check_is_fitted(self, "fit_")
        return self.fit_.log_prob(self._rows(X))

    def score(self, X: Any, y: Any = None) -> float:
        """The log-likelihood of all rows."""
        return float(np.sum(self.score_samples(X)))

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.allow_nan = True
        return tags
