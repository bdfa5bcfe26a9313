"""Pictures by matplotlib.  Each function draws into an axes, makes one if there is none, and returns it."""

from __future__ import annotations

from typing import Any, Mapping, Optional

import numpy as np
import numpy.typing as npt

from .answers import NORMAL, Marginals
from .data import Floats
from .fit import Fit


def _axes(ax: Any) -> Any:
    if ax is not None:
        return ax
    try:
        import matplotlib.pyplot as pyplot
    except ImportError:
        raise ImportError("plots need matplotlib: pip install matplotlib") from None
    return pyplot.subplots(layout="constrained")[1]


def weights(fit: Fit, ax: Any = None) -> Any:
    """The weights with their 95% intervals; of those that diverge, which way, at the edge."""
    ax = _axes(ax)
    columns, at = fit._columns, np.arange(len(fit.parameters))
    w = np.asarray(columns["weight"])
    half = np.nan_to_num(np.asarray(columns["upper"]) - w)
    ways = np.array([{"+": 1, "-": -1}.get(way, 0) for way in columns["diverges"]])
    stays = ways == 0
    ax.errorbar(w[stays], at[stays], xerr=half[stays], fmt="o", capsize=3)
    ax.axvline(0, color="0.7", linewidth=1, zorder=0)
    for i in np.flatnonzero(ways):
        edge = ((1 + ways[i]) / 2, at[i])
        ax.annotate(f"{columns['diverges'][i]}∞", edge, (-28 * ways[i], 0), ("axes fraction", "data"), "offset points",
                    {"arrowstyle": "->"}, ha="center", va="center")
    ax.set_ylim(len(at) - 0.5, -0.5)
    ax.set_yticks(at, fit.parameters)
    ax.set_xlabel("weight, 95% interval")
    return ax


def convergence(fit: Fit, ax: Any = None) -> Any:
    """How far each iteration's log-likelihood was below the best one, by start."""
    ax = _axes(ax)
    best = max((step.log_likelihood for step in fit.history), default=0.0)
    for run in sorted({step.run for step in fit.history}):
        steps = [step for step in fit.history if step.run == run]
        below = [max(best - step.log_likelihood, 1e-16) for step in steps]
        ax.semilogy(range(1, len(steps) + 1), below, marker=".", label=f"start {run + 1}")
    ax.set_xlabel("iteration")
    ax.set_ylabel("log-likelihood below the best")
    if len({step.run for step in fit.history}) > 1:
        ax.legend()
    return ax


def calibration(probabilities: Any, outcomes: Any, bins: int = 10, ax: Any = None) -> Any:
    """A reliability diagram: how often what was predicted with probability p happened, by bins of p."""
    ax = _axes(ax)
    p, y = np.asarray(probabilities, dtype=float).ravel(), np.asarray(outcomes, dtype=float).ravel()
    place = np.minimum((p * bins).astype(int), bins - 1)
    used = [b for b in range(bins) if (place == b).any()]
    mean = [p[place == b].mean() for b in used]
    share = np.array([y[place == b].mean() for b in used])
    low, high = _wilson(share, np.array([(place == b).sum() for b in used]))
    ax.plot([0, 1], [0, 1], color="0.7", linewidth=1)
    ax.errorbar(mean, share, yerr=[share - low, high - share], fmt="o-", capsize=3)
    ax.set_xlabel("predicted probability")
    ax.set_ylabel("share that happened")
    ax.set_aspect("equal")
    return ax


def _wilson(share: Floats, n: npt.NDArray[np.int_]) -> tuple[Floats, Floats]:
    """95% intervals of shares of n, which stay between 0 and 1."""
    square = NORMAL**2 / n
    middle = (share + square / 2) / (1 + square)
    half = np.sqrt(square * (share * (1 - share) + square / 4)) / (1 + square)
    return np.minimum(middle - half, share), np.maximum(middle + half, share)


def _of(answer: Mapping[str, float], atom: str) -> float:
    """Also of an atom that the answer does not list, because it is certain or impossible."""
    return answer.of(atom) if isinstance(answer, Marginals) else answer.get(atom, np.nan)


def marginals(before: Mapping[str, float], after: Optional[Mapping[str, float]] = None, ax: Any = None) -> Any:
    """Probabilities of atoms, before and after evidence; those that the evidence makes certain included."""
    ax = _axes(ax)
    atoms = list(dict.fromkeys([*before, *(after or {})]))
    at = np.arange(len(atoms))
    width = 0.4 if after is not None else 0.8
    ax.barh(at - (width / 2 if after is not None else 0), [_of(before, a) for a in atoms], width, label="before")
    if after is not None:
        ax.barh(at + width / 2, [_of(after, a) for a in atoms], width, label="after")
        ax.legend()
    ax.set_yticks(at, atoms)
    ax.invert_yaxis()
    ax.set_xlim(0, 1)
    ax.set_xlabel("probability")
    return ax
