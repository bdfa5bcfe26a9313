"""The code of the interface's Python section, as it is written there."""

import lpmln
import numpy as np
import pytest

PROGRAM = """
person(b; c). patient(ann; bob). illness(flu; cold).
{has_disease(X)} :- person(X).
@w(carries) carries_virus(X) :- has_disease(X).
@w(has) has(D) :- illness(D).
1 has(P,D) :- patient(P), illness(D), has(D).
@w(fever) shows(P,fever) :- has(P,flu).
{shows(P,cough)} :- patient(P).
"""


def test_section(tmp_path, monkeypatch):
    pd = pytest.importorskip("pandas")
    monkeypatch.chdir(tmp_path)
    (tmp_path / "virus.lpmln").write_text(PROGRAM)
    (tmp_path / "patients.csv").write_text(
        'has_disease(b),carries_virus(b),has(flu),"has(ann,flu)","shows(ann,fever)"\n1,1,1,1,1\n1,0,1,1,0\n0,,0,0,0\n,,1,,1\n')
    p = lpmln.Program("virus.lpmln")
    carrying = p.infer("carries_virus(X)", given="has_disease(b)")
    assert abs(carrying["carries_virus(b)"] - 0.5) < 1e-12 and len(carrying.to_frame()) == 2
    fit = p.fit(pd.read_csv("patients.csv"), prior=lpmln.Normal(0, 2))
    assert list(fit.weights.columns) == ["weight", "std_error", "lower", "upper", "holds", "diverges", "identified"]
    assert all(np.isfinite(x) for x in (fit.log_likelihood, fit.aic, fit.bic)) and fit.covariance.shape == (3, 3)
    rows = pd.DataFrame({"shows(ann,fever)": [1, 0, np.nan]})
    assert set(fit.predict_proba(rows, "has(D)")) == {"has(cold)", "has(flu)"}
    m = fit.program.compile(observable=["shows/2"])
    with m.given("shows(ann,fever)") as g:
        assert g.prob("has(ann,flu)") > 0.999
        assert g.map() and len(list(g.models(3))) == 3 and len(g.sample(1000, seed=1)) == 1000
    evidence = np.full((4, len(m.observables)), np.nan)
    evidence[1:, 0] = 1
    weights = np.zeros((4, len(m.parameters)))
    answer = m.evaluate(weights=weights, evidence=evidence)
    assert answer.log_evidence.shape == (4,) and answer.log_evidence[0] == 0 and answer.log_evidence[1] < 0
    assert answer.marginals.shape == (4, len(m.queries)) and answer.gradient.shape == (4, len(m.parameters))
