"""Clusters of instances and chosen rules, on data whose source is known."""

import math

import lpmln
import pytest


def likelihood(shares):
    """Of coins thrown 100 times, at the maximum: 100 times the negative entropy."""
    return sum(100 * (p * math.log(p) + (1 - p) * math.log(1 - p)) for p in shares)


def test_split():
    """Three coins, two of them alike: two groups."""
    p = lpmln.Program(text="coin(1..3). @w(h) heads(C) :- coin(C).")
    rows = [{"heads(1)": i < 90, "heads(2)": i < 20, "heads(3)": 40 <= i < 60} for i in range(100)]
    found = p.split(rows)
    (split,) = found.splits
    assert split.variable == "C" and [group.values for group in split.groups] == [("2", "3"), ("1",)]
    assert [group.weight for group in split.groups] == pytest.approx([math.log(0.2 / 0.8), math.log(9)])
    assert found.log_likelihood == pytest.approx(likelihood([0.9, 0.2, 0.2]))
    middle = 130 / 300
    assert found.tied_log_likelihood == pytest.approx(3 * likelihood([middle]))
    assert found.program.prob("heads(1)") == pytest.approx(0.9) and found.tries[0].taken
    assert found._repr_html_().startswith("<table>")
    alike = p.split([{"heads(1)": i < 50, "heads(2)": 25 <= i < 75, "heads(3)": i % 2 == 0} for i in range(100)])
    assert not alike.splits


def test_induce():
    rows = [{"rain": i < 50, "moon": i % 2 == 0, "wet": i < 45 or i > 95} for i in range(100)]
    p = lpmln.Program(text="@w rain. @w moon. @w wet.")
    found = p.induce("wet :- rain. wet :- moon. wet :- rain, moon.", rows)
    assert found.rules == ("wet :- rain.",) and [each.kept for each in found.candidates] == [True, False, False]
    wet_if_rain, wet_else = 45 / 50, 4 / 50
    assert found.program.prob("wet", given="rain") == pytest.approx(wet_if_rain)
    assert found.program.prob("wet", given="not rain") == pytest.approx(wet_else)
    assert found.log_likelihood > found.base_log_likelihood + found.penalty
    with pytest.raises(lpmln.InputError):
        p.induce("wet :- ", rows)


def test_frames():
    pytest.importorskip("pandas")
    rows = [{"a": i < 30, "b": i < 25} for i in range(60)]
    found = lpmln.Program(text="@w a. @w b.").induce("b :- a.", rows)
    assert list(found.to_frame()["kept"]) == [True]
    frame = lpmln.Program(text="n(1..2). @w(x) p(N) :- n(N).").split([{"p(1)": 1, "p(2)": 0}] * 50).to_frame()
    assert list(frame["taken"]) == [True] and frame["gain"].dtype == float
