"""lpmln: probabilistic answer set programs.

Rules carry weights, stable models get probabilities, weights are learned from data.

>>> import lpmln
>>> p = lpmln.Program(text='''
... @log(0.1/0.9) burglary.
... @log(0.2/0.8) earthquake.
... alarm :- burglary.
... alarm :- earthquake.''')
>>> p.infer("burglary", given="alarm")
{'burglary': 0.357143}
"""

from ._native import version as __version__
from .answers import (Analysis, Count, Decision, Marginals, Predictions, Samples, StableModel, StableModels,
                      Violation)
from .chains import to_arviz
from .compare import Compared, Comparison, RatioTest, compare
from .errors import (Diagnostic, Error, InputError, InternalError, Interrupted, LimitReached, LPMLNWarning, NoAnswer,
                     UsageError)
from .explain import Change, Explanation, Piece, Proof
from .fit import L1, Fit, Iteration, Normal, Test
from .model import Evaluation, Model, State
from .program import Program
from .structure import Attempt, Candidate, Cluster, Induction, Splitting, SplitRule

__all__ = [
    "Analysis", "Attempt", "Candidate", "Change", "Cluster", "Compared", "Comparison", "Count", "Decision",
    "Diagnostic", "Error", "Evaluation", "Explanation", "Fit", "Induction", "InputError", "InternalError",
    "Interrupted", "Iteration", "L1", "LPMLNWarning", "LimitReached", "Marginals", "Model", "NoAnswer", "Normal",
    "Piece", "Predictions", "Program", "Proof", "RatioTest", "Samples", "SplitRule", "Splitting", "StableModel",
    "StableModels", "State", "Test", "UsageError", "Violation", "__version__", "compare", "to_arviz",
]
