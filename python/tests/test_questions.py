"""Questions to programs: infer, map, models, sample, check, translate, errors, interruption."""

import contextlib
import math
import os
import pickle
import signal
import subprocess
import sys
import textwrap
import threading
import time

import lpmln
import pytest
from conftest import Brute


def test_the_bird(examples):
    p = lpmln.Program(os.path.join(examples, "bird", "bird.lpmln"))
    assert dict(p.infer()) == pytest.approx({"bird(jo)": 0.909969, "migratoryBird(jo)": 0.244728,
                                             "residentBird(jo)": 0.665241}, abs=5e-7)
    assert p.prob("bird(jo)") == p.infer()["bird(jo)"]
    assert p.map()[0].atoms == {"bird(jo)", "residentBird(jo)"}
    assert p.map()[0].violated[0].line == 8
    models = p.models()
    assert models.total == 3 and sum(m.probability for m in models) == pytest.approx(1)
    assert [round(m.probability, 6) for m in models] == [0.665241, 0.244728, 0.090031]
    assert p.models(1)[0] == models[0]


def test_the_virus(examples):
    """The numbers of the paper's example."""
    p = lpmln.Program(os.path.join(examples, "virus", "virus.lpmln"), weights={"1": 0.612, "2": 0.574})
    assert p.infer("carries_virus(X)", given='has_disease("B")')['carries_virus("C")'] == pytest.approx(0.852182, abs=5e-7)
    assert p.infer('carries_virus("D")')['carries_virus("D")'] == pytest.approx(0.569614, abs=5e-7)


@pytest.mark.parametrize("seed", range(20))
def test_random_programs(seed):
    b = Brute(seed)
    p = lpmln.Program(text=b.text)
    for atom, probability in p.infer().items():
        assert probability == pytest.approx(b.prob(atom), abs=1e-12)
    given = {b.facts[0]: seed % 2 == 0}
    answer = p.infer(given=given)
    assert answer.log_evidence == pytest.approx(b.log_evidence(given), abs=1e-12)
    for atom, probability in answer.items():
        assert probability == pytest.approx(b.prob(atom, given), abs=1e-12)
    with p.compile().given(given) as g:
        for atom, probability in g.infer().items():
            assert probability == pytest.approx(b.prob(atom, given), abs=1e-12)


@pytest.mark.parametrize("given", ["a, not b", "a. not b.", {"a": True, "b": False}, ["a", "not b"], ":- not a. :- b."])
def test_ways_to_give_evidence(given):
    p = lpmln.Program(text="1 a. 2 b. 0.5 c :- a, not b.")
    assert p.prob("c", given=given) == pytest.approx(1 / (1 + math.exp(-0.5)))


def test_wrong_evidence():
    p = lpmln.Program(text="1 a. 2 b. c :- a. 1 p(\"x. y\").")
    for value in ("yes", 2, 0.5):
        with pytest.raises(lpmln.InputError, match="'a': .* is neither 1"):
            p.infer("b", given={"a": value})
    for value in (None, math.nan, ""):
        assert p.prob("c", given={"a": value}) == p.prob("c")
    for given in ("a,", "a, , b", "a b"):
        with pytest.raises(lpmln.InputError):
            p.infer("b", given=given)
    assert p.prob("p(\"x. y\")", do={"p(\"x. y\")": False, "a": True}) == 0


def test_evidence_from_a_file(tmp_path):
    (tmp_path / "seen.obs").write_text("a. not b.")
    p = lpmln.Program(text="1 a. 2 b. 0.5 c :- a, not b.")
    assert p.prob("c", given=tmp_path / "seen.obs") == pytest.approx(1 / (1 + math.exp(-0.5)))


def test_frames():
    pd = pytest.importorskip("pandas")
    p = lpmln.Program(text="1 a. 2 b.")
    frame = p.infer().to_frame()
    assert list(frame.columns) == ["probability", "lower", "upper", "error"] and frame.index.name == "atom"
    assert all(dtype == float for dtype in frame.dtypes)
    frame = p.models().to_frame()
    assert len(frame) == 4 and frame["a"].dtype == bool
    assert isinstance(p.sample(5).to_frame(), pd.DataFrame)


def test_samples():
    p = lpmln.Program(text="1 a. 2 b. :- a, b.")
    once, again, other = p.sample(200, seed=1), p.sample(200, seed=1), p.sample(200, seed=2)
    assert list(once) == list(again) != list(other)
    assert {frozenset(), frozenset({"a"}), frozenset({"b"})} == set(once)
    truth = once.to_numpy(["a", "b"])
    # 200 independent draws: five standard errors around the truth
    exact = p.prob("b")
    assert abs(truth[:, 1].mean() - exact) < 5 * math.sqrt(exact * (1 - exact) / 200)
    assert p.sample(10, uniform=True).exact in (True, False)


def test_markov_chains():
    p = lpmln.Program(text="1 a. 2 b. 1 c :- a, b.", method="mc-asp", chains=2, samples=500)
    answer = p.infer()
    assert answer.method == "mc-asp" and not answer.exact
    exact = p.with_options(method="exact").infer()
    for atom in answer:
        assert abs(answer[atom] - exact[atom]) < 6 * answer.error[atom] + 1e-9
        assert answer.lower[atom] <= answer[atom] <= answer.upper[atom]
    assert p.sample(100).chains == 2


def test_other_languages(tmp_path):
    (tmp_path / "coin.pl").write_text("0.3::heads. win :- heads. query(win).")
    assert lpmln.Program(tmp_path / "coin.pl").infer() == pytest.approx({"win": 0.3})
    assert lpmln.Program(text="0.3::heads. query(heads).", dialect="problog").prob("heads") == pytest.approx(0.3)
    p = lpmln.Program(text="0.3::rain. 0.9::wet :- rain. 0.1::wet.", dialect="problog")
    for given in ("wet", {"wet": True}, ["wet"], "evidence(wet,true)."):
        assert p.prob("rain", given=given) == pytest.approx(0.3 * 0.91 / (0.3 * 0.91 + 0.7 * 0.1))


def test_options_and_constants():
    assert lpmln.Program(text="1 p(1..n).", constants={"n": 2}).infer().keys() == {"p(1)", "p(2)"}
    assert lpmln.Program(text="@w(a) a.", weights={"a": 3}).prob("a") == pytest.approx(1 / (1 + math.exp(-3)))
    with pytest.raises(TypeError, match="unknown option 'tmie_limit'"):
        lpmln.Program(text="a.", tmie_limit=3)
    with pytest.raises(ValueError, match="unknown method"):
        lpmln.Program(text="a.", method="magic")
    with pytest.raises(TypeError, match="a file or text"):
        lpmln.Program()


def test_check_and_translate():
    p = lpmln.Program(text="1 a. b :- a.")
    analysis = p.check()
    assert analysis.rules == 2 and analysis.tight and analysis.to_dict()["soft_rules"] == 1
    with pytest.raises(AttributeError):
        analysis.nothing
    assert ":~" in p.translate("asp")
    with pytest.raises(lpmln.UsageError, match="'klingon'; there are: .*asp"):
        p.translate("klingon")


def test_wrong_programs():
    with pytest.raises(lpmln.InputError) as caught:
        lpmln.Program(text="p(1).\nq(X) :- not p(X).").infer()
    (error,) = [d for d in caught.value.diagnostics if d.severity == "error"]
    assert (error.line, error.file) == (2, "text") and "unsafe" in error.message and "^" in str(error)
    with pytest.raises(lpmln.InputError):
        lpmln.Program("no such file.lpmln").infer()
    with pytest.raises(lpmln.NoAnswer):
        lpmln.Program(text="a. :- a.").infer()
    with pytest.raises(lpmln.NoAnswer):
        lpmln.Program(text="1 a. b :- a.").infer(given="b, not a")


def test_warnings():
    """Of the line that asks, however deep in the package they arise."""
    p = lpmln.Program(text="1 : {a}. @w b.")
    for ask in (p.infer, p.map, lambda: p.prob("b"), lambda: p.predict_proba([{"a": 1}], "b"), lambda: p.fit("b.")):
        with pytest.warns(lpmln.LPMLNWarning) as said:
            ask()
        assert said[0].filename == __file__


def test_wrong_options():
    with pytest.raises(TypeError, match="option seed='x'"):
        lpmln.Program(text="a.", seed="x")
    with pytest.raises(TypeError, match="option of learning iterations='x'"):
        lpmln.Program(text="@w a.").fit("a.", iterations="x")


def test_long_answers_are_cut():
    p = lpmln.Program(text="0 a(1..10).")
    assert repr(p.models()).endswith(" … and 964 more]")
    assert repr(p.models()).count("\n") == 59 and p.models()._repr_html_().endswith("<p> … and 964 more</p>")
    assert repr(lpmln.Program(text="0 a(1..100).").infer()).endswith(" … and 40 more}")


def test_a_limit_is_an_exception():
    hard = "1 { c(X,1..4) } 1 :- X = 1..400. 1 :- c(X,V), c(Y,V), X < Y, (X*Y*7+X+Y) \\ 5 < 2."
    with pytest.raises(lpmln.LimitReached):
        lpmln.Program(text=hard, method="exact", time_limit=1).infer()


def test_a_worker_that_dies_is_an_exception(tmp_path):
    fake = tmp_path / "worker"
    fake.write_text("#!/bin/sh\nexit 1\n")
    fake.chmod(0o755)
    with pytest.raises(lpmln.Error):
        lpmln.Program(text="1 a.", worker=str(fake)).infer()


def test_programs_are_pickled():
    p = pickle.loads(pickle.dumps(lpmln.Program(text="1 a.", seed=3)))
    assert p.prob("a") == pytest.approx(1 / (1 + math.exp(-1)))


def test_threads_ask_one_program():
    p = lpmln.Program(text="1 a. 2 b. 1 c :- a, b.")
    m, exact, wrong = p.compile(), p.infer(), []
    known = [p.prob("b", given={"a": holds}) for holds in (False, True)]

    def ask(i):
        for _ in range(50):
            with m.given({"a": i % 2 == 0}) as g:
                if abs(g.prob("b") - known[i % 2 == 0]) > 1e-12:
                    wrong.append(i)
            if p.infer() != exact:
                wrong.append(i)

    threads = [threading.Thread(target=ask, args=(i,)) for i in range(8)]
    [t.start() for t in threads]
    [t.join() for t in threads]
    assert not wrong


@pytest.mark.parametrize("caught_by", ["this", "other"])
def test_control_c(caught_by):
    """A question in the main thread ends soon after a signal, whichever thread the system gives it to; the program
    answers again."""
    script = textwrap.dedent("""
        import lpmln, signal, sys, threading, time
        hard = "1 { c(X,1..4) } 1 :- X = 1..400. 1 :- c(X,V), c(Y,V), X < Y, (X*Y*7+X+Y) \\\\ 5 < 2."
        p = lpmln.Program(text=hard, method="exact")
        thread = threading.main_thread().ident if sys.argv[1] == "this" else None
        send = lambda: signal.pthread_kill(thread or threading.get_ident(), signal.SIGINT)
        threading.Timer(1.0, send).start()
        begin = time.monotonic()
        try:
            p.infer()
        except KeyboardInterrupt:
            print("interrupted", time.monotonic() - begin < 5)
        print(lpmln.Program(text="1 a.").prob("a") > 0.7)
    """)
    done = subprocess.run([sys.executable, "-c", script, caught_by], capture_output=True, text=True, timeout=300)
    assert done.stdout.split() == ["interrupted", "True", "True"], done.stderr


def test_control_c_leaves_what_was_found():
    """Also of a question that was quick the last time, and of rows; after CPU time, so that there is something."""
    script = textwrap.dedent("""
        import lpmln, numpy as np, os, signal, time
        def stop_now(*_):
            global begin
            begin = time.monotonic()
            os.kill(os.getpid(), signal.SIGINT)
        signal.signal(signal.SIGPROF, stop_now)
        def stopped(question):
            signal.setitimer(signal.ITIMER_PROF, 0.5)
            try:
                question()
            except lpmln.Interrupted as stop:
                print(time.monotonic() - begin < 4)
                return stop.partial
        p = lpmln.Program(text="{a(1..20)}. 1 :- a(X),a(X+1).")
        print(len(p.sample(2)), len(p.sample(2)))
        print(0 < len(stopped(lambda: p.sample(10**7))) < 10**7)
        m = p.compile()
        print(0 < len(stopped(lambda: m.given().sample(10**7))) < 10**7)
        rows = np.broadcast_to(np.full((1, len(m.observables)), np.nan), (10**7, len(m.observables)))
        found = stopped(lambda: m.evaluate(evidence=rows, outputs=["log_evidence"])).log_evidence
        print(found[0] == 0 and np.isnan(found[-1]))
    """)
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, timeout=300)
    assert done.stdout.split() == ["2", "2"] + ["True"] * 6, done.stdout + done.stderr


def test_control_c_at_any_moment():
    """Also while the thread of a question starts: nothing goes on in the background, and the next answer is right."""
    script = textwrap.dedent("""
        import contextlib, lpmln, os, random, signal, threading
        signal.signal(signal.SIGALRM, lambda *_: os.kill(os.getpid(), signal.SIGINT))
        p = lpmln.Program(text="{a(1..20)}. 1 :- a(X),a(X+1).")
        m, expected = p.compile(), p.prob("a(1)")
        hard = lpmln.Program(text="1 { c(X,1..4) } 1 :- X = 1..400. 1 :- c(X,V), c(Y,V), X < Y, (X*Y*7+X+Y) \\\\ 5 < 2.",
                             method="exact")
        questions = [lambda: m.given().sample(10**6), p.models, p.infer, hard.infer]
        r = random.Random(1)
        for _ in range(60):
            question = r.choice(questions)
            with contextlib.suppress(KeyboardInterrupt):
                signal.setitimer(signal.ITIMER_REAL, 10 ** r.uniform(-5, -1))
                while True:
                    question()
            for thread in threading.enumerate()[1:]:
                with contextlib.suppress(RuntimeError):  # it did not start
                    thread.join(5)
                assert not thread.is_alive(), "a question goes on"
            assert p.prob("a(1)") == expected
        print("done")
    """)
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, timeout=300)
    assert done.stdout == "done\n", done.stdout + done.stderr


def test_the_lock_is_released():
    """Python goes on while C works."""
    p, steps = lpmln.Program(text="{a(1..20)}. 1 :- a(X),a(X+1)."), []
    worker = threading.Thread(target=lambda: p.sample(300_000))
    worker.start()
    while worker.is_alive():
        steps.append(time.monotonic())
        time.sleep(0.001)
    assert len(steps) > 20 and max(b - a for a, b in zip(steps, steps[1:])) < 1


def test_two_threads_work_at_once():
    """On two states; also on a busy machine, where both wait for a core rather than for Python's lock."""
    m, both, ready = lpmln.Program(text="{a(1..20)}. 1 :- a(X),a(X+1).").compile(), [], []

    def work():
        ready.append(threading.get_native_id())
        m.given().sample(400_000)

    threads = [threading.Thread(target=work) for _ in range(2)]
    [t.start() for t in threads]
    while all(t.is_alive() for t in threads):
        time.sleep(0.002)
        with contextlib.suppress(OSError):  # it has just ended
            states = [open(f"/proc/self/task/{each}/stat").read().rpartition(")")[2].split()[0] for each in ready]
            both.append(states == ["R", "R"])
    assert len(both) > 10 and sum(both) > len(both) / 2


def test_what_samples_say():
    p = lpmln.Program(text="2 a. 1 b :- a. 1 c :- b.", method="mc-asp", seed=3)
    answer, exact = p.infer(), p.with_options(method="exact").infer()
    for atom, value in exact.items():
        assert 0 < answer.lower[atom] < answer[atom] < answer.upper[atom] < 1
        assert answer.upper[atom] - answer.lower[atom] == pytest.approx(2 * 1.96 * answer.error[atom], rel=1e-3)
        assert abs(answer[atom] - value) < 5 * answer.error[atom]
        assert 100 < answer.ess[atom] <= 5000 and 0.99 < answer.rhat[atom] < 1.05
    assert answer.guarantee == "exact" and 0 < answer.log_partition_error < 0.1
    assert abs(answer.log_partition - exact.log_partition) < 5 * answer.log_partition_error


def test_what_else_infer_says():
    """By hand: a and b are coins of weights 1 and 0; P(c) = P(a)."""
    p = lpmln.Program(text="@w(a, 1) a. 0 b. c :- a.", counts=True, sensitivity=True, next=True)
    answer, sure = p.infer("c", given="b"), 1 / (1 + math.exp(-1))
    assert [(c.parameter, c.instances) for c in answer.counts] == [("a", 1), (None, 1)]
    assert answer.counts[0].expected == pytest.approx(1 - sure) and answer.counts[1].expected_given_evidence == 0
    assert answer.sensitivity["c", "a"] == pytest.approx(sure * (1 - sure))
    entropy = -sure * math.log(sure) - (1 - sure) * math.log(1 - sure)
    assert answer.next["a"] == pytest.approx(entropy)
    again = pickle.loads(pickle.dumps(answer))
    assert answer.of("b") == 1 and math.isnan(again.of("b"))
    assert again == answer and again.counts == answer.counts and again.next == answer.next


def test_answers_are_pickled():
    p = lpmln.Program(text="1 a. 2 b :- a.")
    for answer in (p.models(), p.map(), p.sample(5)):
        again = pickle.loads(pickle.dumps(answer))
        assert list(again) == list(answer) and len(again) == len(answer)
    assert p.map().log_weight_upper == pytest.approx(p.map()[0].log_weight)


def test_pages_for_notebooks(diagnosis):
    for shown in (diagnosis, diagnosis.infer(), diagnosis.map(), diagnosis.models(2), diagnosis.sample(3),
                  diagnosis.check(), diagnosis.compile(), diagnosis.predict_proba([{"shows(fever)": 1}], "has(flu)")):
        page = shown._repr_html_()
        assert page.startswith("<table>") and page.count("<tr>") == page.count("</tr>") > 1
    page = lpmln.Program(text='1 p("<script>").').infer()._repr_html_()
    assert "<script>" not in page and "&lt;script&gt;" in page


def test_bounds():
    """Certain bounds: the exact probability is between them, whatever the effort."""
    text = "e(1..14). 0.5 a(X) :- e(X). -1 b :- a(X), a(Y), X < Y, not c. {c}. 1 :- a(X), not a(Y), e(Y), X < Y."
    exact = lpmln.Program(text=text, method="exact").infer("b", "c", "a(1)")
    for limit in (0.05, 5):
        answer = lpmln.Program(text=text, method="bounds", compile_limit=limit).infer("b", "c", "a(1)")
        assert answer.method == "bounds" and set(answer) == set(exact)
        for atom in answer:
            assert 0 <= answer.lower[atom] <= exact[atom] + 1e-12 and exact[atom] - 1e-12 <= answer.upper[atom] <= 1
            assert answer.lower[atom] <= answer[atom] <= answer.upper[atom]


ALARM = "@w(b,-2) burglary. @w(q,-3) quake. 1.5 alarm :- burglary. alarm :- quake."


def test_why():
    p = lpmln.Program(text=ALARM)
    found = p.why("alarm")
    assert found.query == "alarm" and found.probability == pytest.approx(p.prob("alarm"))
    assert [proof.inputs for proof in found] == [("burglary", "1.5 alarm :- burglary."), ("quake",)]
    assert found[1].probability == pytest.approx(p.prob("quake")) and found[1].share == pytest.approx(
        p.prob("quake") / p.prob("alarm"))
    assert found[0].rules == ("alarm :- burglary",) and not found.evidence
    assert {c.literal: c.probability_with for c in found.changes}["quake"] == pytest.approx(1, abs=1e-15)
    assert p.why("not alarm", n=1)[0].inputs == ("not burglary", "not quake")
    seen = p.why("burglary", given="alarm")
    assert seen.evidence[0].literal == "alarm" and seen.evidence[0].probability_without == pytest.approx(p.prob("burglary"))
    with pytest.raises(lpmln.InputError):
        lpmln.Program(text="d(1..2). {p(X)} :- d(X).").why("p(X)")


def test_why_of_a_state():
    model = lpmln.Program(text=ALARM).compile(observable=["alarm"])
    with model.given("alarm", weights={"q": 0.0}) as g:
        found = g.why("burglary")
        expected = lpmln.Program(text=ALARM, weights={"q": 0.0}).prob("burglary", given="alarm")
        assert found.probability == pytest.approx(expected) and found[0].inputs == ("burglary",)


def test_interventions():
    """What is set does not tell about its causes."""
    p = lpmln.Program(text="1 rain. 2 sprinkler. wet :- rain. wet :- sprinkler. slip :- wet. {x; y}.")
    rain = 1 / (1 + math.exp(-1))
    assert p.prob("rain", do="wet") == pytest.approx(rain)
    assert p.prob("rain", given="wet") > rain
    assert p.prob("slip", do={"wet": False}) == 0
    assert p.prob("slip", do={"rain": False, "sprinkler": True}) == 1
    assert all("x" in m.atoms and "wet" not in m.atoms for m in p.models(do=["x", "not wet"]))
    assert p.map(do="not rain, not sprinkler")[0].atoms <= {"x", "y"}
    assert all("wet" in s for s in p.sample(20, do="wet"))
    with pytest.raises(lpmln.InputError, match="true and to false"):
        p.infer(do="x, not x")


def test_decisions():
    """Rain costs 0.3 * 60, an umbrella 20; below clouds it is 0.27/0.41 * 60."""
    p = lpmln.Program(text="""#decision umbrella. #decision hat. 0.3 :: rain. wet :- rain, not umbrella.
        0.9 :: cloudy :- rain. 0.2 :: cloudy :- not rain. #utility(-60) wet. #utility(-20) umbrella.""")
    best = p.decide()
    assert best["umbrella"] is False and best.expected_utility == pytest.approx(-18)
    assert [dict(t) for t in best.ties] == [{"umbrella": False, "hat": False}, {"umbrella": False, "hat": True}]
    assert p.decide(given="cloudy")["umbrella"] is True
    assert p.decide(given="cloudy", do="not umbrella").expected_utility == pytest.approx(-60 * 0.27 / 0.41)
    with pytest.raises(lpmln.NoAnswer):
        p.decide(given="wet", do="umbrella")


def test_visible_states():
    """Three of the four stable models have c."""
    p = lpmln.Program(text="{a}. {b}. c :- a. c :- b. #show c/0.")
    assert [set(m.atoms) for m in p.map(visible=True)] == [{"c"}]
    assert p.map(visible=True)[0].probability == pytest.approx(0.75)
    assert p.map()[0].probability == pytest.approx(0.25)
