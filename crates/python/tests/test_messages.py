"""Refusals: each names what was handed in and the way out, and none is a panic."""

from __future__ import annotations

import copy
import pickle
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import counsel

BUDGET = counsel.Budget(per_run=1)


def make(**named: Any) -> Any:
    return lambda: counsel.Settings(**({"advisor": "a", "budget": BUDGET} | named))


def decide(values: Any, base: Any = 0, **named: Any) -> Any:
    return lambda: counsel.Controller(make()(), 2, price=0.1, **named).decide(values=values, base=base)


REFUSALS = {
    "a negative tolerance": (make(execution=counsel.rules.Certified(tolerance=-1.0)), "tolerance is -1"),
    "a period of zero": (make(gate=counsel.gates.Period(every=0)), "the period is 0"),
    "no limit": (make(budget=counsel.Budget()), "declare at least one of per_run"),
    "a reserve of nothing": (make(budget=counsel.Budget(per_episode=1, reserve=counsel.Reserve(fraction=0.5, after_step=1))), "declare per_run"),
    "a time-to-live of zero": (make(cache=counsel.Cache(time_to_live=0)), "pass `off`"),
    "a negative price": (make(pacing=counsel.Pacing(factor=-2.0)), "pacing.factor is -2"),
    "a rate above one": (make(pacing=counsel.Pacing(dual=counsel.Dual(target_rate=2.0, rho=0.1))), "target call rate is 2"),
    "text for a number": (lambda: counsel.gates.Uncertainty(threshold="high"), "is 'high'; pass a finite number"),  # type: ignore[arg-type]
    "an unknown gate": (lambda: counsel.Settings.from_dict({"advisor": "a", "budget": {"per_run": 1}, "gate": {"policy": "predictiv"}}), "did you mean `predictive`"),
    "an unknown key": (lambda: counsel.Settings.from_dict({"advisor": "a", "budget": {"per_rum": 1}}), "did you mean `per_run`"),
    "an unknown rule": (lambda: counsel.Settings.from_dict({"advisor": "a", "budget": {"per_run": 1}, "execution": "trustin"}), "did you mean `trusting`"),
    "a word twice": (lambda: counsel.Engine(make()(), ["a", "A"]), "names two actions"),
    "no words": (lambda: counsel.Engine(make()(), []), "one name per action"),
    "one word": (lambda: counsel.Engine(make()(), "left"), "one name per action"),
    "an unknown form": (lambda: counsel.Engine(make()(), 2, form="xml"), "choose `word` or `json`"),
    "no settings": (lambda: counsel.Engine({}, 2), "pass a counsel.Settings"),  # type: ignore[arg-type]
    "a flat array": (decide(np.zeros(4)), "shape [4]"),
    "text": (decide([["a", "b"]]), "not numbers"),
    "NaN": (decide([[0.0, float("nan")]]), "a value sample is NaN"),
    "no sample": (decide(np.zeros((0, 2))), "value samples"),
    "no action": (decide(np.zeros((1, 0))), "number of actions is 0"),
    "a base past the end": (decide(np.zeros((1, 2)), 2), "only 2 actions"),
    "a base below zero": (decide(np.zeros((1, 2)), -1), "only 2 actions"),
    "a radius below zero": (decide(np.zeros((1, 2)), radius=-0.5), "a radius is -0.5"),
    "a radius of text": (decide(np.zeros((1, 2)), radius="wide"), "pass a CalibratedRadius"),
    "bounds upside down": (decide(np.zeros((1, 2)), bounds=counsel.Spread(low=1.0, high=0.0)), "bounds.low is 1"),
    "a cost of infinity": (lambda: counsel.Controller(make()(), 2, price=float("inf")), "price is inf"),
    "no environments": (lambda: counsel.VectorController(make()(), 2, 0, price=0.0), "num_envs is 0"),
    "a context of nothing": (lambda: counsel.context_key(3.5), "numbers with a fraction"),  # type: ignore[arg-type]
    "an unknown source": (lambda: counsel.Reply("a", source="guess"), "choose live"),
    "a strength of zero": (lambda: counsel.Predictor.frequency(2, strength=0.0), "strength is 0"),
    "a level past the end": (lambda: counsel.calibration.conformal_rank(9, 1.0), "alpha is 1"),
    "cuts past the end": (lambda: counsel.calibration.split([0.1], [0.2], calibration=2), "only 1 were collected"),
    "columns that differ": (lambda: counsel.calibration.split([0.1], [0.2, 0.3], calibration=1), "`label` has 2 entries"),
    "a name with a slash": (lambda: counsel.Log("runs", arm="a/b"), "is no name of a folder"),
    "no such cell": (lambda: counsel.explain("/tmp", "mine/a/0", 0), "no finished cell"),
}


@pytest.mark.parametrize("what", REFUSALS)
def test_a_refusal_names_the_value_and_the_way_out(what: str) -> None:
    action, expected = REFUSALS[what]
    with pytest.raises(counsel.RefusedError) as refusal:
        action()
    assert expected in str(refusal.value), str(refusal.value)
    assert refusal.value.remedy, str(refusal.value)
    assert isinstance(refusal.value, ValueError)
    again = pickle.loads(pickle.dumps(refusal.value))
    assert str(again) == str(refusal.value) and again.remedy == refusal.value.remedy


def test_refusals_have_parts() -> None:
    with pytest.raises(counsel.RefusedError) as refusal:
        counsel.Predictor.frequency(2, strength=-1.0)
    error = refusal.value
    assert (error.what, error.value, error.allowed) == ("the smoothing strength", -1.0, "(0, infinity)")


def test_replies_of_the_wrong_kind_are_refused_and_the_question_stays_open() -> None:
    engine = counsel.Engine(counsel.Settings(advisor="a", budget=BUDGET, gate=counsel.gates.Always(), execution=counsel.rules.Trusting()), 2)
    zeros = np.zeros(2)
    turn = engine.decide(np.zeros((1, 2)), zeros, zeros, np.full(3, 1 / 3), 0, price=0.0)
    assert isinstance(turn, counsel.Ask)
    with pytest.raises(counsel.RefusedError, match="a reply is"):
        engine.resume(turn, 3)  # type: ignore[arg-type]
    assert engine.resume(turn, "a1").action == 1
    other = counsel.Engine(make()(), 2)
    with pytest.raises(counsel.StateError, match="another engine"):
        other.resume(turn, "a1")
    with pytest.raises(counsel.StateError, match="resumed already"):
        engine.resume(turn, "a1")


def test_settings_are_values() -> None:
    settings = counsel.Settings(
        advisor="a", budget=counsel.Budget(per_run=9, token_bucket=counsel.TokenBucket(capacity=2, refill_every=5), reserve=counsel.Reserve(fraction=0.5, after_step=3)),
        gate=counsel.gates.Importance(heuristic="mistake", threshold=0.1), execution=counsel.rules.LowVariance(max_variance=0.2),
        pacing=counsel.Pacing(factor=2.0, dual=counsel.Dual(target_rate=0.1, rho=0.5, step_size="inverse-sqrt")),
        cache=counsel.Cache(support=True, no_effect=True, time_to_live=4),
    )
    assert counsel.Settings.from_dict(settings.to_dict()) == settings == copy.deepcopy(settings) == pickle.loads(pickle.dumps(settings))


def test_the_package_needs_numpy_and_nothing_else() -> None:
    code = "import sys, counsel; print(sorted({'gymnasium', 'polars', 'pandas', 'torch', 'stable_baselines3', 'ray'} & set(sys.modules)))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


@pytest.mark.parametrize("module, needs, extra", [
    ("counsel.gymnasium", "gymnasium", "gymnasium"), ("counsel.envs", "gymnasium", "gymnasium"), ("counsel.sb3", "stable_baselines3", "sb3"),
    ("counsel.torch", "torch", "torch"), ("counsel.ray", "ray", "ray"),
])
def test_a_package_that_is_missing_is_named_with_the_way_to_get_it(module: str, needs: str, extra: str) -> None:
    code = f"import sys; sys.modules['{needs}'] = None; import {module}"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert done.returncode == 1 and f"pip install 'counsel-rl[{extra}]'" in done.stderr, done.stderr


PARTS = {
    "a feature predictor without features": (lambda: counsel.Predictor.feature(3, 2).laws(contexts=[1]), "has 0 columns"),
    "too few features": (lambda: counsel.Predictor.feature(3, 2).laws(np.ones((1, 1))), "has 1 columns, but the predictor was made for 2"),
    "features of NaN": (lambda: counsel.Predictor.feature(3, 2).laws(np.full((2, 2), np.nan)), "has NaN in row 0, column 0"),
    "a masked value": (decide(np.ma.masked_array(np.zeros((1, 2)), mask=[[0, 1]])), "masked entries"),
    "no samples of many": (lambda: counsel.VectorController(make()(), 2, 1, price=0.1).decide(values=np.zeros((1, 0, 2)), base=[0]), "the table of value samples has 0 entries"),
    "an action below zero": (lambda: counsel.calibration.exact_value([0.5, 0.5, 0.0], [0, 1, 0], [0.1, 0.2], -1), "names action -1, but there are only 2"),
    "a radius without its levels": (lambda: counsel.calibration.calibrate(SPLITS, method="local", alpha=0.1), "needs `edges`; pass the estimates at which"),
    "a radius with too much": (lambda: counsel.calibration.calibrate(SPLITS, alpha=0.1, edges=[0.0]), "takes no `edges`; it takes `alpha`"),
    "an unknown radius": (lambda: counsel.calibration.calibrate(SPLITS, method="constnat", alpha=0.1), "did you mean `constant`"),  # type: ignore[arg-type]
    "a negative budget": (lambda: counsel.Budget(per_run=-1), "`per_run` of Budget is -1; pass a whole number, 0 or more or None"),
    "half a call": (lambda: counsel.Budget(per_run=2.5), "pass a whole number"),  # type: ignore[arg-type]
    "a threshold of NaN": (lambda: counsel.gates.Disagreement(threshold=float("nan")), "`threshold` of Disagreement is nan; pass a finite number"),
    "a word that is none": (lambda: counsel.gates.Importance(heuristic="late"), "pass one of `early`, `important`, `mistake`"),  # type: ignore[arg-type]
    "a flag of text": (lambda: counsel.Cache(shift="yes"), "pass True or False"),  # type: ignore[arg-type]
    "an advisor of numbers": (make(advisor=3), "pass its version, as text"),
}
SPLITS = counsel.calibration.split(np.zeros(40), np.zeros(40), calibration=20)


@pytest.mark.parametrize("what", PARTS)
def test_a_refusal_speaks_of_what_was_handed_in(what: str) -> None:
    work, expected = PARTS[what]
    with pytest.raises(counsel.RefusedError) as refusal:
        work()
    said = str(refusal.value)
    assert expected in said, said
    assert refusal.value.remedy and not any(word in said for word in ("u64", "f64", "at line", "invalid type", "65535")), said


def test_what_holds_no_budget_can_be_pickled() -> None:
    radius = counsel.calibration.calibrate(SPLITS, alpha=0.2)
    predictor = counsel.Predictor.per_context(3)
    reply = counsel.Reply("left", source="replayed", latency_ms=2.5)
    things: list[Any] = [radius, predictor, reply, counsel.gates.Novelty(threshold=0.5), counsel.Settings(advisor="a", budget=BUDGET)]
    for thing in things:
        for again in (pickle.loads(pickle.dumps(thing)), copy.deepcopy(thing)):
            assert repr(again) == repr(thing)
    assert (pickle.loads(pickle.dumps(radius)).at([0.1]) == radius.at([0.1])).all()
    engine = counsel.Engine(counsel.Settings(advisor="a", budget=BUDGET, gate=counsel.gates.Always(), execution=counsel.rules.Trusting()), 3)
    turn = engine.decide(np.zeros((1, 3)), np.zeros(3), np.zeros(3), np.full(4, 0.25), 0, price=0.0)
    assert isinstance(turn, counsel.Ask)
    paid = engine.resume(turn, "a2").paid
    assert paid is not None
    # What a paid call alone makes is its own copy, and cannot be made of a file.
    act = engine.decide(np.zeros((1, 3)), np.zeros(3), np.zeros(3), np.full(4, 0.25), 0, price=0.0)
    for thing, remedy in ((act, "pickle act.record()"), (paid, "let a predictor observe it")):
        assert copy.copy(thing) is thing and copy.deepcopy([thing])[0] is thing
        with pytest.raises(TypeError, match=remedy):
            pickle.dumps(thing)
    assert pickle.loads(pickle.dumps(act.record())) == act.record()  # type: ignore[union-attr]
    predictor.observe([paid], contexts=[7])
    again = pickle.loads(pickle.dumps(predictor))
    assert (again.laws(contexts=[7, 8]) == predictor.laws(contexts=[7, 8])).all() and again.laws(contexts=[7])[0, 2] > 0.5


def test_everything_shows_what_it_is(tmp_path: Path) -> None:
    radius = counsel.calibration.calibrate(SPLITS, alpha=0.2)
    log, ledger = counsel.Log(tmp_path / "runs", arm="a-b"), counsel.Ledger(tmp_path / "calls.jsonl", limit=3)
    controller = counsel.Controller.recommended(0.01, 5, ["left", "<right>"], log=log)
    act = controller.advise(context="x", base=0, ask=lambda: "<right>")
    shown = [radius, log, ledger, controller, act, controller.diagnose(), counsel.VectorController.recommended(0.01, 5, 2, 3)]
    assert repr(radius) == "CalibratedRadius(method='constant', scores=20)" and repr(log) == "Log(cell='mine/a-b/0', decisions=1, closed=False)"
    assert repr(ledger).endswith("calls.jsonl', limit=3)") and repr(counsel.Predictor.uniform(2)) == "Predictor('uniform', actions=2, features=0)"
    for thing in shown:
        html = thing._repr_html_()
        assert html.startswith("<table>") and "<right>" not in html
    assert "&lt;right&gt;" in act._repr_html_()
    told = act.explain()
    assert "In short: it asked" in told and "it executed <right>" in told and "received" not in told
    assert controller.radius == 0.0 and controller.learns and controller.reads_contexts
    plain = counsel.Settings(advisor="a", budget=BUDGET)
    assert counsel.Controller(plain, 2, price=0.0, radius=0.5).radius == 0.5
    kept = counsel.Controller(plain, 2, price=0.0, radius=radius)
    assert isinstance(kept.radius, counsel.CalibratedRadius) and repr(kept.radius) == repr(radius) and not kept.learns


def test_keys_have_no_sign_in_any_reader(tmp_path: Path) -> None:
    key = next(key for key in (counsel.context_key(f"situation {number}") for number in range(99)) if key >= 2**63)
    with counsel.Log(tmp_path, arm="a") as log:
        controller = counsel.Controller.recommended(0.01, 5, 2, log=log)
        act = controller.advise(context=key, base=0, ask=lambda: None)
    assert act.record()["context"] == key
    assert counsel.log.read(tmp_path, backend="numpy")["context"].tolist() == [key]
    for backend in ("polars", "pandas"):
        pytest.importorskip(backend)
        assert list(counsel.log.read(tmp_path, backend=backend)["context"]) == [key]
