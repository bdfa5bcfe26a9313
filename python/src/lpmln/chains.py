"""Samples of Markov chains for ArviZ."""

from __future__ import annotations

from typing import Any, Optional, Sequence

import numpy as np

from .answers import Samples


def to_arviz(samples: Samples, atoms: Optional[Sequence[str]] = None) -> Any:
    """An InferenceData (of ArviZ 1, a DataTree) whose posterior has a variable for each atom, by chain and draw."""
    try:
        import arviz
    except ImportError:
        raise ImportError("to_arviz needs ArviZ: pip install arviz") from None
    atoms = samples.atoms if atoms is None else tuple(atoms)
    truth = samples.to_numpy(atoms).astype(np.int8)
    draws = len(samples) // samples.chains
    shape = truth[: draws * samples.chains].reshape(samples.chains, draws, len(atoms))
    posterior = {atom: shape[:, :, i] for i, atom in enumerate(atoms)}
    if int(arviz.__version__.partition(".")[0]) >= 1:
        return arviz.from_dict({"posterior": posterior})
    return arviz.from_dict(posterior=posterior)
