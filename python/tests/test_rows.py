"""Rows of data: what they may be, many evaluations at once, models as files."""

import math
import pathlib
import pickle

import lpmln
import numpy as np
import pytest
from conftest import Brute
from lpmln.data import rows_of, to_csv


@pytest.mark.parametrize("seed", range(10))
def test_rows_against_brute_force(seed):
    b = Brute(seed)
    p, r = lpmln.Program(text=b.text), np.random.default_rng(seed)
    atoms = [*b.facts, *(head for head, _ in b.rules)]
    rows = r.choice([0.0, 1.0, np.nan], size=(50, len(atoms)))
    found = p.predict_proba(rows, *atoms, columns=atoms)
    log = p.log_prob(rows, columns=atoms)
    for i, row in enumerate(rows):
        given = {a: v == 1 for a, v in zip(atoms, row) if not math.isnan(v)}
        assert log[i] == pytest.approx(b.log_evidence(given), abs=1e-11) or log[i] == b.log_evidence(given)
        for atom in atoms:
            assert found[atom][i] == pytest.approx(b.prob(atom, given), abs=1e-11, nan_ok=True)


@pytest.mark.parametrize("seed", range(5))
def test_gradients_are_those_of_finite_differences(seed):
    b = Brute(seed)
    m = lpmln.Program(text=b.text).compile()
    e = np.full((1, len(m.observables)), np.nan)
    e[0, m.observables.index(b.facts[0])] = 1
    w = np.array([b.weights[name] for name in m.parameters])
    done = m.evaluate(weights=w, evidence=e)
    h = 1e-5
    for k in range(len(w)):
        up, down = w.copy(), w.copy()
        up[k], down[k] = w[k] + h, w[k] - h
        both = m.evaluate(weights=np.stack([up, down]), evidence=e, outputs=["log_evidence"]).log_evidence
        assert done.gradient[0, k] == pytest.approx((both[0] - both[1]) / (2 * h), abs=1e-8)


def test_weights_by_name():
    m = lpmln.Program(text="@w(x) a. @w(y,1) b.").compile()
    many = m.evaluate(weights={"x": np.array([0.0, 1.0, 2.0])}).marginals
    assert many[:, m.queries.index("a")] == pytest.approx(1 / (1 + np.exp(-np.arange(3))))
    assert many[:, m.queries.index("b")] == pytest.approx([1 / (1 + math.exp(-1))] * 3)
    with pytest.raises(lpmln.InputError, match="did you mean 'x'"):
        m.evaluate(weights={"xx": 1})
    with pytest.raises(lpmln.InputError, match="columns"):
        m.evaluate(weights=np.zeros((3, 5)))


def test_what_was_learned_is_a_row_of_weights():
    p = lpmln.Program(text="d(flu;cold). @w(prior(D)) has(D) :- d(D).")
    fit = p.fit([{"has(flu)": 1, "has(cold)": 0}, {"has(flu)": 1}, {"has(flu)": 0, "has(cold)": 1}])
    m = p.compile()
    assert tuple(fit.parameters) == m.parameters
    found = m.evaluate(weights=np.array(list(fit.estimate.values())))
    assert found.marginals[0, m.queries.index("has(flu)")] == pytest.approx(2 / 3)


def test_arrays_go_in_without_a_copy():
    """Strides of any kind: a transposed and a reversed view give what a copy gives."""
    m = lpmln.Program(text="1 a. 2 b. 1 c :- a, b.").compile()
    e = np.random.default_rng(1).choice([0.0, 1.0, np.nan], size=(64, len(m.observables)))
    plain = m.evaluate(evidence=e).marginals
    turned = m.evaluate(evidence=np.asfortranarray(e)).marginals
    back = m.evaluate(evidence=e[::-1]).marginals
    assert np.array_equal(plain, turned, equal_nan=True) and np.array_equal(plain, back[::-1], equal_nan=True)
    assert np.array_equal(plain, m.evaluate(evidence=e, threads=2).marginals, equal_nan=True)


def test_kinds_of_rows(diagnosis):
    dicts = [{"shows(fever)": True, "shows(cough)": False}, {"shows(fever)": None}, {"shows( cough )": 1}]
    expected = diagnosis.predict_proba(np.array([[1, 0], [np.nan, np.nan], [np.nan, 1]]), "has(flu)",
                                       columns=["shows(fever)", "shows(cough)"])["has(flu)"]
    dicts[2] = {"shows(cough)": 1}
    assert diagnosis.predict_proba(dicts, "has(flu)")["has(flu)"] == pytest.approx(expected)
    columns = {"shows(fever)": [1, None, None], "shows(cough)": ["0", "", "true"]}
    assert diagnosis.predict_proba(columns, "has(flu)")["has(flu)"] == pytest.approx(expected)


def test_kinds_of_frames(diagnosis):
    pd = pytest.importorskip("pandas")
    names = ["shows(fever)", "shows(cough)"]
    values = [[True, False], [False, True], [True, True]]
    expected = np.asarray(diagnosis.predict_proba(pd.DataFrame(values, columns=names), "has(D)"))
    for dtype in ("int64", "float64", "boolean", "Int64", "object", "str"):
        frame = pd.DataFrame(values, columns=names, index=["x", "y", "z"]).astype(dtype)
        before = frame.copy()
        found = diagnosis.predict_proba(frame, "has(D)")
        assert np.asarray(found) == pytest.approx(expected), dtype
        assert list(found.to_frame().index) == ["x", "y", "z"]
        pd.testing.assert_frame_equal(frame, before)
    missing = pd.DataFrame({"shows(fever)": pd.array([True, None, False], dtype="boolean")})
    assert diagnosis.predict_proba(missing, "has(flu)")["has(flu)"][1] == pytest.approx(diagnosis.prob("has(flu)"))


def test_wrong_rows(diagnosis):
    with pytest.raises(lpmln.InputError, match=r"column 'shows\(fever\)', row 1: 2"):
        diagnosis.predict_proba({"shows(fever)": [1, 2]}, "has(flu)")
    with pytest.raises(lpmln.InputError, match="row 1: 'maybe'"):
        diagnosis.predict_proba({"shows(fever)": [1, "maybe"]}, "has(flu)")
    with pytest.raises(lpmln.InputError, match=r"did you mean 'shows\(fever\)'"):
        diagnosis.compile(observable=["shows/1"]).predict_proba({"shows(feever)": [1]})
    with pytest.raises(lpmln.InputError, match="needs columns"):
        diagnosis.predict_proba(np.zeros((2, 2)), "has(flu)")
    with pytest.raises(TypeError):
        diagnosis.predict_proba([1, 2], "has(flu)")


def test_impossible_rows():
    p = lpmln.Program(text="1 a. b :- a.")
    found = p.predict_proba([{"a": 1, "b": 0}, {"a": 1, "b": 1}], "a")
    assert math.isnan(found["a"][0]) and found["a"][1] == 1 and found.log_evidence[0] == -math.inf


def test_models_are_saved_loaded_and_pickled(diagnosis, tmp_path):
    m = diagnosis.compile(observable=["shows/1"])
    m.save(tmp_path / "model.lpc")
    for other in (lpmln.Model.load(tmp_path / "model.lpc"), pickle.loads(pickle.dumps(m))):
        assert (other.parameters, other.observables, other.queries) == (m.parameters, m.observables, m.queries)
        with other.given("shows(fever)") as g, m.given("shows(fever)") as h:
            assert g.prob("has(flu)") == h.prob("has(flu)") == pytest.approx(diagnosis.prob("has(flu)", given="shows(fever)"))
            # what it was not asked for is answered by the program inside
            assert g.prob("has(flu), not has(cold)") == pytest.approx(
                diagnosis.prob("has(flu), not has(cold)", given="shows(fever)"))
    with pytest.raises(lpmln.Error):
        lpmln.Model.from_bytes(b"nonsense")
    with pytest.raises(TypeError):
        lpmln.Model()


def test_states(diagnosis):
    m = diagnosis.compile(observable=["shows/1"])
    with m.given({"shows(fever)": True}, seed=3) as g:
        assert set(g.prob("has(D)")) == {"has(flu)", "has(cold)"} == set(g.prob("has/1"))
        sampled, models = g.sample(20), g.models(3)
        assert all("shows(fever)" in s for s in sampled) and len(models) == 3
        assert g.map()[0].probability == pytest.approx(models[0].probability)
        assert g.sample(20, seed=3)[:] == sampled[:]
        before = g.prob("has(flu)")
        g.set_weight("flu", 5)
        assert g.prob("has(flu)") > before
        assert g.clear().observe("not shows(fever)").prob("shows(fever)") == 0
        with pytest.raises(lpmln.InputError, match="did you mean"):
            g.observe("shows(feever)")
        with pytest.raises(lpmln.InputError, match="no literal"):
            g.observe("1 < 2")
        with pytest.raises(lpmln.InputError, match="did you mean 'flu'"):
            g.set_weight("fluu", 1)
    with m.given("shows(fever), not shows(cough)") as g:
        g.observe("has(flu)")
        assert g.prob("has(flu)") == 1 and g.prob("shows(cough)") == 0
    with pytest.raises(lpmln.NoAnswer):
        lpmln.Program(text="1 a. b :- a.").compile(observable=["b"]).given("a, not b").infer()


def test_states_beside_their_circuits():
    """What the circuit does not tell is answered with the weights of the state and the evidence of the model."""
    p = lpmln.Program(text="@w(flu, 1) flu. 2 fever :- flu. @w(other) fever. 3 notflu.")
    with p.compile().given("fever", weights={"flu": 3}) as g:
        assert g.prob("not flu") == pytest.approx(1 - g.prob("flu"))
        assert g.prob("not flu") == pytest.approx(p.with_weights({"flu": 3}).prob("not flu", given="fever"))
    m = p.compile(given="fever")
    for other in (m, pickle.loads(pickle.dumps(m))):
        assert other.prob("flu") == pytest.approx(p.prob("flu", given="fever"))
        assert other.prob("not flu") == pytest.approx(1 - p.prob("flu", given="fever"))
        assert other.given().why("flu").probability == pytest.approx(p.prob("flu", given="fever"))
        assert other.program().prob("flu") == pytest.approx(p.prob("flu", given="fever"))


def test_queries_of_states():
    """Names that a careless reader would mix up."""
    p = lpmln.Program(text="1 a. 2 nota. 1 p(#sup). 2 p(1). 1 p(\"a b\"). 2 p(\"ab\").")
    with p.compile().given() as g:
        for query in ("not a", "nota", "p(\"a b\")", "p( \"ab\" )", "p(#sup)", "a, not nota"):
            assert g.prob(query) == pytest.approx(p.prob(query)), query
        assert dict(g.prob("p(X)")) == pytest.approx(dict(p.infer("p(X)"))) and len(g.prob("p/1")) == 4
        with pytest.warns(lpmln.LPMLNWarning), pytest.raises(lpmln.InputError, match="0 queries"):
            g.prob("p(3..2)")
        with pytest.raises(lpmln.InputError, match="2 queries"):
            g.prob("p(\"ab\";1)")
        g.observe(":- a. :- not nota.")
        assert (g.prob("a"), g.prob("nota")) == (0, 1)
        with pytest.raises(TypeError, match="not a file"):
            g.observe(pathlib.Path("seen.obs"))


def test_no_rows(diagnosis):
    found = diagnosis.predict_proba({"shows(fever)": []}, "has(flu)", "has(cold)")
    assert found.to_numpy().shape == (0, 2) and diagnosis.log_prob({"shows(fever)": []}).shape == (0,)
    m = diagnosis.compile(observable=["shows/1"])
    assert m.evaluate(evidence=np.empty((0, len(m.observables)))).marginals.shape == (0, len(m.queries))
    with pytest.raises(lpmln.InputError, match="different numbers of rows"):
        m.evaluate(evidence=np.empty((0, len(m.observables))), weights=np.zeros((2, len(m.parameters))))


def test_one_name_is_no_list_of_letters(diagnosis):
    m = diagnosis.compile(observable="shows/1", queries="has/1")
    assert set(m.queries) == {"has(flu)", "has(cold)"} and {"shows(fever)", "shows(cough)"} <= set(m.observables)


def test_some_columns(diagnosis):
    rows, chosen = {"shows(fever)": [1, 0], "age": [30, 40]}, ["shows(fever)"]
    expected = diagnosis.predict_proba({"shows(fever)": [1, 0]}, "has(flu)")["has(flu)"]
    assert list(diagnosis.predict_proba(rows, "has(flu)", columns=chosen)["has(flu)"]) == list(expected)
    with pytest.raises(lpmln.InputError, match="no column 'shows'; there are: shows\\(fever\\), age"):
        diagnosis.predict_proba(rows, "has(flu)", columns=["shows"])
    pd = pytest.importorskip("pandas")
    assert list(diagnosis.predict_proba(pd.DataFrame(rows), "has(flu)", columns=chosen)["has(flu)"]) == list(expected)


def test_wrong_cells_have_a_place():
    pd = pytest.importorskip("pandas")
    p = lpmln.Program(text="@w(flu) flu. 1 fever :- flu.")
    with pytest.raises(lpmln.InputError, match="column 'fever', row 2 \\('z'\\): 2 is neither"):
        p.fit(pd.DataFrame({"flu": [1, 0, 1], "fever": [1, 0, 2]}, index=list("xyz")))
    with pytest.raises(lpmln.NoAnswer, match="column 'fevr': no rule derives this atom(.|\n)*did you mean fever(.|\n)*"
                                             "column 'fevr', row 1: observation 2 is impossible"):
        p.fit({"flu": [1, 0], "fevr": [0, 1]})
    with pytest.raises(lpmln.InputError, match="column 'blood pressure': "):
        p.fit({"flu": [1, 0], "blood pressure": [0, 1]})
    with pytest.raises(lpmln.NoAnswer, match="row 0: "):
        lpmln.compare([p, lpmln.Program(text="@w(flu) flu. fever :- flu.")], {"flu": [0], "fever": [1]})


def test_rows_as_text():
    rows = rows_of({"a": [1, None], "p(\"x\")": [0, 1], "n": [2, 3]}, count="n")
    assert to_csv(rows) == b'"a","p(""x"")",#count\n1,0,2.0\n,1,3.0\n'
    assert to_csv(rows_of({"a": [1, None]})) == b'"a"\n1\n\n'
    with pytest.raises(lpmln.InputError, match="no count"):
        rows_of({"a": [1], "n": [math.nan]}, count="n")
    with pytest.raises(lpmln.InputError, match="no column 'm'"):
        rows_of({"a": [1]}, count="m")
    with pytest.raises(lpmln.InputError, match="lengths"):
        rows_of({"a": [1], "b": [1, 0]})


def test_a_column_that_is_there_twice():
    p = lpmln.Program(text="1 a. 1 b(1,2) :- a.")
    for data in ({"a": [1], " a": [0]}, [{"b(1,2)": 1, "b(1, 2)": 0}]):
        with pytest.raises(lpmln.InputError, match="two columns"):
            p.predict_proba(data, "a")
    with pytest.raises(lpmln.InputError, match="two columns 'a'"):
        p.log_prob(np.ones((1, 2)), columns=["a", "a"])
    pd = pytest.importorskip("pandas")
    with pytest.raises(lpmln.InputError, match="two columns 'a'"):
        p.log_prob(pd.DataFrame([[1, 0]], columns=["a", "a"]))


def test_formulas_about_rows():
    p = lpmln.Program(text="1 a. 2 b. 1 c :- a, b.")
    found = p.predict_proba([{"c": 1}, {"a": 0}, {}], "a, b", "not a ; b")
    assert found["a, b"] == pytest.approx([1, 0, p.prob("a, b")])
    assert found["not a ; b"] == pytest.approx([1, 1, p.prob("not a ; b")])


def test_a_column_that_is_misspelt():
    p = lpmln.Program(text="@w(flu) flu. 1 fever :- flu. @w(o) fever.")
    with pytest.raises(lpmln.Error, match="fevr(.|\n)*did you mean fever"):
        p.predict_proba([{"fevr": 1}], "flu")
    with pytest.raises(lpmln.Error, match="fevr(.|\n)*did you mean fever"):
        p.fit([{"fevr": 1}, {"fevr": 0}])
