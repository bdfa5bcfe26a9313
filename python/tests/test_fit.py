"""Learning: data of all kinds, options, tests, intervals, progress."""

import math
import os

import lpmln
import numpy as np
import pytest
from lpmln.fit import chi_square_tail

COIN = "@w(heads) heads."
SEEN = [{"heads": True}] * 3 + [{"heads": False}]
WEATHER = "@w(rain) rain. @w(wind) wind. storm :- rain, wind. @w(late) late :- storm."
WEATHER_SEEN = "rain. storm. late.\n--- 3\nrain. storm. not late.\n---\nrain. not storm.\n--- 6\nnot rain.\n--- 10\n"


def test_the_virus(examples):
    """The exact maximum of the paper's example."""
    fit = lpmln.Program(os.path.join(examples, "virus", "virus.lpmln")).fit(os.path.join(examples, "virus", "virus.obs"))
    assert fit.log_likelihood == pytest.approx(-7.22353, abs=5e-6)
    assert list(fit.estimate.values()) == pytest.approx([0.64947, 0.25251], abs=1e-5)


def test_the_network(examples):
    """A supremum at infinity, directions that the data leaves open."""
    folder = os.path.join(examples, "network")
    fit = lpmln.Program(os.path.join(folder, "network.lpmln")).fit(os.path.join(folder, "network.obs"))
    assert fit.supremum == pytest.approx(-10.0438586, abs=1e-6)
    assert sum(way == "-" for way in fit._columns["diverges"]) >= 2 and fit.groups
    assert fit.degrees < len(fit.parameters)


def test_kinds_of_data(tmp_path):
    p, expected = lpmln.Program(text=COIN), math.log(3)
    (tmp_path / "seen.csv").write_text("heads\n1\n1\n1\n0\n")
    (tmp_path / "seen.obs").write_text("heads.\n--- 3\nnot heads.\n")
    kinds = [SEEN, {"heads": [1, 1, 1, 0]}, "heads.\n--- 3\nnot heads.", tmp_path / "seen.csv", str(tmp_path / "seen.csv"),
             tmp_path / "seen.obs", str(tmp_path / "seen.obs")]
    for data in kinds:
        assert p.fit(data).estimate["heads"] == pytest.approx(expected), data
    assert p.fit(np.array([[1.0], [1], [1], [0]]), columns=["heads"]).estimate["heads"] == pytest.approx(expected)
    assert p.fit({"heads": [1, 0], "n": [3, 1]}, count="n").estimate["heads"] == pytest.approx(expected)
    assert p.fit({"heads": [1, 0]}, count=[3, 1]).observations == 4
    for name in ("no such file.csv", "nosuch.obs"):
        with pytest.raises(lpmln.InputError, match="can't read"):
            p.fit(name)
    with pytest.raises(TypeError, match="rows are .* not 3"):
        p.fit(3)


def test_frames():
    pd = pytest.importorskip("pandas")
    fit = lpmln.Program(text=COIN).fit(pd.DataFrame({"heads": [True, True, True, False, None]}))
    assert fit.estimate["heads"] == pytest.approx(math.log(3))
    assert list(fit.weights.columns) == ["weight", "std_error", "lower", "upper", "holds", "diverges", "identified"]
    assert fit.weights.loc["heads", "holds"] == pytest.approx(0.75)
    assert fit.covariance.loc["heads", "heads"] == pytest.approx(fit.weights.loc["heads", "std_error"] ** 2)


def test_figures():
    fit = lpmln.Program(text=COIN).fit(SEEN)
    log = 3 * math.log(0.75) + math.log(0.25)
    assert fit.log_likelihood == pytest.approx(log)
    assert (fit.aic, fit.bic) == pytest.approx((2 - 2 * log, math.log(4) - 2 * log))
    # the information of a coin is n p (1 - p)
    assert fit._columns["std_error"][0] == pytest.approx(1 / math.sqrt(4 * 0.75 * 0.25))
    assert "heads" in fit.summary() and "converged" in fit.summary() and fit._repr_html_().startswith("<table>")
    assert fit.text.strip() == f"{fit.estimate['heads']!r} heads."


def test_the_learned_program():
    fit = lpmln.Program(text=WEATHER).fit(WEATHER_SEEN)
    assert fit.program.prob("storm") == pytest.approx(fit.predict_proba([{}], "storm")["storm"][0])
    assert fit.program.prob("late", given="storm") == pytest.approx(0.75)
    rows = [{"rain": True, "storm": True, "late": True}, {"rain": False}]
    assert fit.log_prob(rows) == pytest.approx(
        [fit.program.infer(given=row).log_evidence for row in rows])


def test_priors_and_bounds():
    p = lpmln.Program(text=COIN)
    assert p.fit(SEEN, prior=lpmln.Normal(0, 0.5)).estimate["heads"] < math.log(3)
    assert p.fit(SEEN, prior=lpmln.L1(10)).estimate["heads"] == 0
    assert p.fit(SEEN, bounds=(-1, 0.5)).estimate["heads"] == pytest.approx(0.5)
    with pytest.raises(TypeError, match="prior is"):
        p.fit(SEEN, prior=3)
    with pytest.raises(TypeError, match="unknown option of learning 'priors'"):
        p.fit(SEEN, priors=3)


def test_options(tmp_path):
    p = lpmln.Program(text=WEATHER)
    fits = [p.fit(WEATHER_SEEN, optimizer=o) for o in ("auto", "lbfgs", "newton", "em")]
    assert [f.log_likelihood for f in fits] == pytest.approx([fits[0].log_likelihood] * 4, abs=1e-8)
    assert len(p.fit(WEATHER_SEEN, folds=2).folds) == 2
    assert math.isfinite(p.fit(WEATHER_SEEN, test=WEATHER_SEEN).test_log_likelihood)
    checkpoint = tmp_path / "run.ck"
    first = p.fit(WEATHER_SEEN, optimizer="lbfgs", checkpoint=checkpoint)
    assert checkpoint.exists()
    assert p.fit(WEATHER_SEEN, optimizer="lbfgs", checkpoint=checkpoint, resume=True).estimate == first.estimate
    with pytest.raises(ValueError, match="unknown optimizer"):
        p.fit(WEATHER_SEEN, optimizer="magic")


def test_noise():
    p = lpmln.Program(text="@w(a) a. b :- a.")
    data = "a. b.\n---\na. not b.\n---\nnot a.\n"
    with pytest.raises(lpmln.NoAnswer):
        p.fit(data)
    with pytest.warns(lpmln.LPMLNWarning):
        assert p.fit(data, noise="drop").estimate["a"] == pytest.approx(0, abs=1e-6)


def test_progress():
    seen = []
    fit = lpmln.Program(text=WEATHER).fit(WEATHER_SEEN, optimizer="lbfgs", progress=seen.append)
    assert len(seen) == fit.iterations == len(fit.history) and seen[-1].log_likelihood == pytest.approx(fit.log_likelihood)
    assert set(seen[0].weights) == {"rain", "wind", "late"}
    stopped = lpmln.Program(text=WEATHER).fit(WEATHER_SEEN, optimizer="ascent", progress=lambda step: step.iteration < 3)
    assert not stopped.converged and stopped.iterations == 3

    def breaks(step):
        raise RuntimeError("mine")

    with pytest.raises(RuntimeError, match="mine"):
        lpmln.Program(text=WEATHER).fit(WEATHER_SEEN, optimizer="lbfgs", progress=breaks)


def test_a_bar(capsys):
    pytest.importorskip("tqdm")
    lpmln.Program(text=WEATHER).fit(WEATHER_SEEN, optimizer="lbfgs", progress=True)
    assert "log-likelihood" in capsys.readouterr().err


def test_fixed_parameters_and_tests():
    p = lpmln.Program(text=WEATHER)
    whole = p.fit(WEATHER_SEEN)
    part = p.fit(WEATHER_SEEN, fixed=["late"])  # at 0
    assert set(part.estimate) == {"rain", "wind"} and part.log_likelihood < whole.log_likelihood
    ratio = whole.likelihood_ratio(part)
    assert ratio.degrees == 1 and ratio.p_value == pytest.approx(chi_square_tail(ratio.statistic, 1))
    wald = whole.wald({"late": 0})
    assert wald.statistic == pytest.approx((whole.estimate["late"] / whole._columns["std_error"][2]) ** 2)
    with pytest.raises(lpmln.UsageError):
        part.likelihood_ratio(whole)
    with pytest.raises(lpmln.InputError):
        p.fit(WEATHER_SEEN, fixed=["nothing"])


def test_profile_intervals():
    """Of a coin, where the likelihood is known: both ends lose half a quantile of chi-square."""
    fit = lpmln.Program(text=COIN).fit({"heads": [1, 0]}, count=[30, 10])
    low, high = fit.profile("heads")
    for w in (low, high):
        p = 1 / (1 + math.exp(-w))
        assert 30 * math.log(p) + 10 * math.log(1 - p) == pytest.approx(fit.log_likelihood - 3.841458820694124 / 2, abs=1e-5)
    assert low < fit._columns["weight"][0] < high
    pytest.importorskip("pandas")
    both = fit.intervals(0.9).loc["heads"]
    assert both["wald_upper"] - both["wald_lower"] == pytest.approx(2 * 1.6448536269514722 / math.sqrt(40 * 0.75 * 0.25))
    assert (both["profile_lower"], both["profile_upper"]) == pytest.approx(fit.profile("heads", 0.9))
    assert both["profile_upper"] - fit.estimate["heads"] > both["wald_upper"] - fit.estimate["heads"]  # it is skewed
    always = lpmln.Program(text=COIN).fit({"heads": [1]}, count=[30])
    assert always.profile("heads")[1] == math.inf


def test_chi_square():
    scipy = pytest.importorskip("scipy.stats")
    for degrees in (1, 2, 3, 7, 40):
        for x in (1e-6, 0.1, 1, 5, 30, 200):
            assert chi_square_tail(x, degrees) == pytest.approx(scipy.chi2.sf(x, degrees), rel=1e-10, abs=1e-300)


def test_compare(tmp_path):
    """A coin that is fair, one that is not, and one that is learned: ln L is 4 ln(1/2) and 3 ln(3/4) + ln(1/4)."""
    programs = [lpmln.Program(text="0 heads."), lpmln.Program(text=COIN), lpmln.Program(text="@w(x) heads. :- heads, tails.")]
    found = lpmln.compare(programs, SEEN)
    assert [m.log_likelihood for m in found] == pytest.approx([4 * math.log(0.5)] + [3 * math.log(0.75) + math.log(0.25)] * 2)
    assert [m.parameters for m in found] == [0, 1, 1] and found.observations == 4
    (test,) = found.tests
    assert (test.smaller, test.larger, test.degrees, test.doubt) == (0, 1, 1, None)
    assert test.p_value == pytest.approx(chi_square_tail(2 * (found[1].log_likelihood - found[0].log_likelihood), 1))
    with pytest.raises(lpmln.UsageError):
        lpmln.compare(programs[:1], SEEN)
    with pytest.raises(lpmln.UsageError):
        lpmln.compare([], SEEN)
    pytest.importorskip("pandas")
    assert list(found.to_frame()["aic"]) == pytest.approx([m.aic for m in found])
