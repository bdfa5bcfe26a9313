"""scikit-learn, ArviZ, matplotlib, where they are installed."""

import os
import subprocess
import sys

import lpmln
import numpy as np
import pytest

PROGRAM = """
@w(flu) flu.
@w(f) fever :- flu. @w(c) cough :- flu.
@w(of) fever. @w(oc) cough.
"""


@pytest.fixture
def data():
    pd = pytest.importorskip("pandas")
    r = np.random.default_rng(0)
    flu = r.random(400) < 0.4
    fever = np.where(flu, r.random(400) < 0.9, r.random(400) < 0.1)
    cough = np.where(flu, r.random(400) < 0.7, r.random(400) < 0.2)
    return pd.DataFrame({"fever": fever, "cough": cough}), flu.astype(int)


def test_classifier(data):
    pytest.importorskip("sklearn")
    from lpmln.sklearn import LPMLNClassifier
    from sklearn.model_selection import GridSearchCV, cross_val_score
    from sklearn.pipeline import make_pipeline
    from sklearn.preprocessing import FunctionTransformer

    X, y = data
    model = LPMLNClassifier(PROGRAM, target="flu")
    assert cross_val_score(model, X, y, cv=3).mean() > 0.8
    search = GridSearchCV(model, {"prior": [lpmln.Normal(0, s) for s in (0.1, 1, 10)]}, cv=2).fit(X, y)
    assert search.best_params_["prior"] in [lpmln.Normal(0, s) for s in (0.1, 1, 10)]
    missing = X.astype("boolean")
    missing.iloc[0, 0] = None
    pipeline = make_pipeline(FunctionTransformer(lambda X: X), model).fit(missing, y)
    assert pipeline.predict_proba(missing).shape == (400, 2)
    # the classes are Bayes' rule on the counts: fever and cough are independent given flu only if nothing else is
    shares = model.fit(X, y).predict_proba(X)
    assert shares.sum(axis=1) == pytest.approx(1) and set(model.predict(X)) <= {0, 1}


def test_classes_by_value(data):
    pytest.importorskip("sklearn")
    from lpmln.sklearn import LPMLNClassifier

    X, y = data
    names = np.array(["well", "ill"])[y]
    program = "1 {is(ill); is(well)} 1. @w(X) is(X) :- X = (ill; well). @w(f(X)) fever :- is(X). @w(c(X)) cough :- is(X)."
    model = LPMLNClassifier(program, target="is(X)").fit(X, names)
    assert list(model.classes_) == ["ill", "well"] and (model.predict(X) == names).mean() > 0.8


def test_density(data):
    pytest.importorskip("sklearn")
    from lpmln.sklearn import LPMLNDensity

    X, _ = data
    model = LPMLNDensity(PROGRAM).fit(X)
    assert model.score(X) == pytest.approx(model.fit_.log_likelihood, rel=1e-9)
    weighted = LPMLNDensity(PROGRAM).fit(X.drop_duplicates(), sample_weight=X.groupby(["fever", "cough"], sort=False).size())
    assert weighted.score(X) == pytest.approx(model.score(X), rel=1e-6)


def test_estimators_as_scikit_learn_wants_them(data):
    """Its own checks, but for those that feed arrays without names: cloning, parameters, repeated fits, pickling."""
    pytest.importorskip("sklearn")
    import pickle

    from lpmln.sklearn import LPMLNClassifier, LPMLNDensity
    from sklearn.base import clone
    from sklearn.exceptions import NotFittedError
    from sklearn.utils import estimator_checks as checks

    X, y = data
    for model in (LPMLNClassifier(PROGRAM, target="flu"), LPMLNDensity(PROGRAM)):
        name = type(model).__name__
        for check in ("check_estimator_cloneable", "check_estimator_repr", "check_no_attributes_set_in_init",
                      "check_parameters_default_constructible", "check_get_params_invariance", "check_set_params",
                      "check_do_not_raise_errors_in_init_or_set_param", "check_estimator_tags_renamed",
                      "check_valid_tag_types"):
            if hasattr(checks, check):
                getattr(checks, check)(name, model)
        with pytest.raises(NotFittedError):
            (model.predict if hasattr(model, "predict") else model.score_samples)(X)
        before, copy = X.copy(), clone(model)
        copy.fit(X, y)
        first = dict(copy.fit_.estimate)
        copy.fit(X, y)  # again: the same
        assert copy.fit_.estimate == first and X.equals(before)
        assert copy.n_features_in_ == 2 and list(copy.feature_names_in_) == ["fever", "cough"]
        other = pickle.loads(pickle.dumps(copy))
        ask = (lambda m: m.predict_proba(X)) if hasattr(copy, "predict_proba") else (lambda m: m.score_samples(X))
        assert np.array_equal(ask(other), ask(copy))
        with pytest.raises(ValueError, match="feature names"):
            ask_renamed = X.rename(columns={"fever": "fewer"})
            (copy.predict_proba if hasattr(copy, "predict_proba") else copy.score_samples)(ask_renamed)
        with pytest.raises(lpmln.InputError, match="data frame"):
            copy.fit(X.to_numpy(), y)


NAMED = """
f(0..30). @w(o(I)) x(I) :- f(I).
class(-9..9; one; two; three). 1 { is(C) : class(C) } 1. @w(a(C)) is(C) :- class(C). @w(b(C, I)) x(I) :- is(C), f(I).
"""


@pytest.mark.parametrize("kind", ["LPMLNClassifier", "LPMLNDensity"])
def test_all_checks_of_scikit_learn(kind):
    """Its arrays without names become data frames here, of atoms that say which numbers are positive; all else is ours."""
    pd, checks = pytest.importorskip("pandas"), pytest.importorskip("sklearn.utils.estimator_checks")
    import lpmln.sklearn
    from sklearn.utils.validation import check_is_fitted, validate_data

    def frame(self, X, reset):
        X = validate_data(self, X, reset=reset, ensure_all_finite="allow-nan")
        return pd.DataFrame({f"x({i})": np.where(np.isnan(x), np.nan, x > 0) for i, x in enumerate(X.T)})

    class Named(getattr(lpmln.sklearn, kind)):
        def fit(self, X, y=None, sample_weight=None):
            return super().fit(frame(self, X, True), y, sample_weight)

        def ask(self, name, X):
            check_is_fitted(self)
            return getattr(super(), name)(frame(self, X, False))

        if kind == "LPMLNClassifier":
            def predict_proba(self, X):
                return self.ask("predict_proba", X)
        else:
            def score_samples(self, X):
                return self.ask("score_samples", X)

    Named.__qualname__ = f"Named{kind}"  # where pickle finds it
    Named.__name__ = Named.__qualname__
    globals()[Named.__name__] = Named
    given = {"target": "is(C)"} if kind == "LPMLNClassifier" else {}
    checks.check_estimator(Named(NAMED, prior=lpmln.Normal(0, 1), **given), on_skip=None)


def test_weights_of_rows(data):
    pytest.importorskip("sklearn")
    from lpmln.sklearn import LPMLNClassifier

    X, y = data
    weights = np.arange(len(X)) % 3
    model = LPMLNClassifier(PROGRAM, target="flu").fit(X, y, sample_weight=weights)
    again = LPMLNClassifier(PROGRAM, target="flu").fit(X.loc[X.index.repeat(weights)], np.repeat(y, weights))
    assert model.fit_.log_likelihood == pytest.approx(again.fit_.log_likelihood, rel=1e-9)
    for wrong in (np.zeros(len(X)), np.ones(3)):
        with pytest.raises(ValueError, match="sample_weight"):
            model.fit(X, y, sample_weight=wrong)
    numbers = LPMLNClassifier("1 {is(-1); is(1)} 1. @w(X) is(X) :- X = (-1; 1). @w(f(X)) fever :- is(X).", target="is(X)")
    for classes in ([-1, 1], [-1.0, 1.0]):
        labels = np.array(classes)[y]
        assert (numbers.fit(X[["fever"]], labels).predict(X[["fever"]]) == labels).mean() > 0.8


def test_arviz():
    """What the samples of a question say about themselves is what ArviZ says about the same samples."""
    arviz = pytest.importorskip("arviz")
    p = lpmln.Program(text="1 a. 2 b. 1 c :- a, b. -1 d :- a, not c.", method="mc-asp", chains=4, samples=500, seed=3)
    answer, samples = p.infer(), p.sample(2000)
    inference = lpmln.to_arviz(samples)
    assert inference.posterior["a"].shape == (4, 500)
    for atom in answer:
        assert float(inference.posterior[atom].mean()) == pytest.approx(answer[atom])
        ess, rhat = arviz.ess(inference, var_names=[atom], method="bulk"), arviz.rhat(inference, var_names=[atom])
        values = [float(getattr(found, "posterior", found)[atom]) for found in (ess, rhat)]  # ArviZ 1 keeps the group
        assert values == pytest.approx([answer.ess[atom], answer.rhat[atom]], rel=1e-6)


def test_plots(tmp_path):
    matplotlib = pytest.importorskip("matplotlib")
    matplotlib.use("Agg")
    import lpmln.plot as plot

    p = lpmln.Program(text="@w(a) a. @w(b) b :- a. @w(c) c.")
    fit = p.fit([{"a": 1, "b": 1, "c": 1}] * 3 + [{"a": 1, "b": 0, "c": 1}, {"a": 0, "c": 1}], optimizer="lbfgs")
    r = np.random.default_rng(0)
    predicted = r.random(500)
    for number, ax in enumerate((plot.weights(fit), plot.convergence(fit), plot.marginals(p.infer(), p.infer(given="a")),
                                 plot.calibration(predicted, r.random(500) < predicted))):
        ax.figure.savefig(tmp_path / f"{number}.png")
        assert ax.get_xlabel()


def test_what_plots_show():
    """Atoms that evidence makes certain have their bars, intervals of shares stay in [0, 1], infinity is at the edge."""
    matplotlib = pytest.importorskip("matplotlib")
    matplotlib.use("Agg")
    import lpmln.plot as plot

    p = lpmln.Program(text="1 a. 2 b. 3 c. d :- a.")
    ax = plot.marginals(p.infer(), p.infer(given="a, not b"))
    before, after = ([bar.get_width() for bar in group] for group in ax.containers)
    assert [tick.get_text() for tick in ax.get_yticklabels()] == ["a", "b", "c", "d"]
    assert before == pytest.approx([p.prob(x) for x in "abcd"]) and after == pytest.approx([1, 0, p.prob("c"), 1])
    ax = plot.marginals(p.compile().infer(), p.compile().given("a").infer())
    assert [bar.get_width() for bar in ax.containers[1]][::3] == pytest.approx([1, 1])
    ax = plot.calibration([0.05, 0.05, 0.95], [0, 0, 1])
    (bars,) = ax.containers[0][2]
    assert all(0 <= y <= 1 for bar in bars.get_segments() for _, y in bar) and all(np.ptp(bar[:, 1]) > 0.3
                                                                                  for bar in bars.get_segments())
    fit = lpmln.Program(text="@w(a) a. @w(b) b.").fit([{"a": 1, "b": 1}, {"a": 1, "b": 0}])
    ax = plot.weights(fit)
    assert ax.get_xlim()[1] < 10 and [text.get_text() for text in ax.texts] == ["+∞"]


def test_extras_are_imported_only_when_used():
    script = ("import sys, lpmln; lpmln.Program(text='1 a.').infer(); "
              "print([m for m in ('pandas', 'sklearn', 'arviz', 'matplotlib', 'tqdm', 'torch') if m in sys.modules])")
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True, env={**os.environ})
    assert done.stdout.strip() == "[]"
