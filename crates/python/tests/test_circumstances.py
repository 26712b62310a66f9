"""What a caller may say of a decision beside its values, and the gates, rules and books that read it."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import gymnasium
import numpy as np
import pytest
from conftest import Run

import counsel
from counsel.gymnasium import AdvisedEnv

WORDS = ["left", "right", "wait"]
BUDGET = counsel.Budget(per_run=80)


def settings(**named: Any) -> counsel.Settings:
    given: dict[str, Any] = {"advisor": "chance", "budget": BUDGET, "execution": counsel.rules.Trusting(), "cache": counsel.Cache(no_effect=True)}
    return counsel.Settings(**(given | named))


SETTINGS = {
    "learned": settings(gate=counsel.gates.Learned(first=5, chance=0.3, per_episode=4)),
    "amortised": settings(gate=counsel.gates.Amortised(), execution=counsel.rules.Improving()),
    "random-exact": settings(gate=counsel.gates.RandomExact(calls_per_episode=(3, 0, 5, 2), decisions_per_episode=20, deficit="dropped")),
    "supported": settings(gate=counsel.gates.Schedule(calls=30, per_episode=5, at="supported")),
    "unheld": settings(gate=counsel.gates.Schedule(calls=30, per_episode=5, at="unheld")),
    "seldom": settings(gate=counsel.gates.Schedule(calls=30, per_episode=5, at={"visited-less-than": 2})),
    "screened": settings(gate=counsel.gates.Always(), execution=counsel.rules.Screened(alpha=0.1, threshold=0.05)),
    "bankroll": settings(gate=counsel.gates.Always(), bankroll=counsel.Bankroll(start=0.2, most=0.5)),
}


def circumstances(rng: np.random.Generator) -> dict[str, Any]:
    shares = rng.random(3)
    return {
        "monitored": ["supported", "outside-support", "shifted", None][int(rng.integers(4))],
        "stalled": bool(rng.random() < 0.2),
        "expected_uses": float(rng.integers(4)),
        "fallback_law": shares / shares.sum(),
        "credited_gain": float(rng.normal(0.0, 0.05)),
        "forecast": None if rng.random() < 0.2 else (float(rng.normal()), float(rng.random())),
    }


@pytest.mark.parametrize("kind", SETTINGS)
def test_what_was_said_is_in_the_log_and_every_decision_can_be_computed_again(kind: str, tmp_path: Path, program: Run) -> None:
    rng = np.random.default_rng(4)
    with counsel.Log(tmp_path, arm="one") as log:
        one = counsel.Controller(SETTINGS[kind], WORDS, price=0.02, radius=0.01, log=log)
        for step in range(300):
            if step % 20 == 0:
                one.begin_episode()
            said = circumstances(rng)
            one.advise(values=rng.random((4, 3)), base=int(rng.integers(3)), ask=lambda: WORDS[int(rng.integers(3))], context=int(rng.integers(9)), **said)
            one.outcome(0.0)
    with counsel.Log(tmp_path, arm="many") as log:
        many = counsel.VectorController(SETTINGS[kind], WORDS, 5, price=0.02, radius=0.01, log=log)
        for _ in range(60):
            each = [circumstances(rng) for _ in range(5)]
            listed: dict[str, Any] = {name: [said[name] for said in each] for name in each[0]}
            batch = many.decide(values=rng.random((5, 4, 3)), base=rng.integers(3, size=5), contexts=rng.integers(9, size=5), **listed)
            many.resume(batch, [WORDS[int(rng.integers(3))] for _ in batch.asks])
            many.begin_episodes(rng.random(5) < 0.1)
    assert one.calls > 5 and many.calls > 5
    assert (one.bankroll is None) == (many.bankroll is None) == (kind != "bankroll")
    audited = program("audit", tmp_path, "--format", "json")
    told = json.loads(audited.stdout)
    assert audited.returncode == 0 and told["agreeing"] == told["decisions"] == 600 and told["faults"] == 0, audited.stdout
    rows = counsel.log.scan(tmp_path).collect()
    assert rows["credited_gain"].abs().sum() > 1 and rows["stalled"].sum() > 10 and rows["expected_uses"].max() == 3.0
    assert rows["forecast_value"].null_count() > 10 and rows["monitored"].n_unique() == 3


@pytest.mark.parametrize("kind", SETTINGS)
def test_a_batch_of_one_is_a_single_decision(kind: str) -> None:
    rng = np.random.default_rng(8)
    one = counsel.Controller(SETTINGS[kind], WORDS, price=0.02, radius=0.01)
    many = counsel.VectorController(SETTINGS[kind], WORDS, 1, price=0.02, radius=0.01)
    for _ in range(300):
        values, base, context, said = rng.random((4, 3)), int(rng.integers(3)), int(rng.integers(9)), circumstances(rng)
        answer = WORDS[int(rng.integers(3))]
        act = one.advise(values=values, base=base, ask=lambda: answer, context=context, **said)  # noqa: B023
        listed: dict[str, Any] = {name: [value] for name, value in said.items()}
        batch = many.decide(values=values[None], base=[base], contexts=[context], **listed)
        actions = many.resume(batch, [answer] * len(batch.asks))
        assert (int(actions[0]), float(batch.score[0]), many.bankroll) == (act.action, act.score, one.bankroll)


def test_a_bankroll_pays_prices_takes_gains_and_ends_advice() -> None:
    controller = counsel.Controller(settings(gate=counsel.gates.Always(), bankroll=counsel.Bankroll(start=0.1, most=0.3)), WORDS, price=0.04)
    rng, left, paid = np.random.default_rng(9), 0.1, 0
    for _ in range(200):
        gain = float(rng.normal(0.02, 0.05))
        left = min(left + gain, 0.3)
        turn = controller.decide(values=rng.random((2, 3)), base=0, context=0, credited_gain=gain)
        assert turn.asked == (left >= 0.04 and paid < 80)
        if isinstance(turn, counsel.Ask):
            left, paid = left - 0.04, paid + 1
            controller.resume(turn, "right")
        assert controller.bankroll == pytest.approx(left, abs=1e-12)
        left = controller.bankroll or 0.0


def test_a_learned_value_less_its_doubt_is_held_against_the_price() -> None:
    controller = counsel.Controller(settings(gate=counsel.gates.Learned(first=0, caution=0.7), cache=None), WORDS, price=0.1)
    for value, error in [(0.2, 0.1), (0.2, 0.2), (0.17, 0.1), (0.1699, 0.1), (-1.0, 0.0)]:
        turn = controller.decide(values=np.zeros((1, 3)), base=0, forecast=(value, error))
        assert turn.asked == (value - 0.7 * error >= 0.1), (value, error)
    assert not controller.decide(values=np.zeros((1, 3)), base=0).asked, "without a forecast nothing speaks for asking"
    many = counsel.VectorController(settings(gate=counsel.gates.Learned(first=0, caution=0.7), cache=None), WORDS, 3, price=0.1)
    batch = many.decide(values=np.zeros((3, 1, 3)), base=[0, 0, 0], forecast=np.array([[0.2, 0.1], [0.2, 0.2], [0.3, 0.0]]))
    assert batch.asks.tolist() == [0, 2]


def test_an_answer_is_worth_more_where_it_serves_more_often() -> None:
    values, base = np.array([[0.0, 0.06, 0.0]]), 0
    gate = settings(gate=counsel.gates.Amortised(), execution=counsel.rules.Improving(), cache=None)
    for uses, asked in [(0.0, False), (1.0, False), (3.0, True)]:
        turn = counsel.Controller(gate, WORDS, price=0.04, radius=0.0).decide(values=values, base=base, expected_uses=uses, fallback_law=[1.0, 0.0, 0.0])
        # A quarter of the answers gains 0.06, at each use.
        assert turn.asked == asked == (uses * 0.06 / 4 >= 0.04)


def test_a_screen_lets_one_wrong_answer_in_ten_pass() -> None:
    leads = [0.3, -0.2, 0.1, 0.0, 0.2, -0.1, 0.4, 0.5, -0.3]
    assert counsel.calibration.screen(leads, alpha=0.1) == 0.5
    assert counsel.calibration.screen(leads[1:], alpha=0.1) is None
    for threshold, action in [(0.5, 0), (0.44, 1), (None, 0)]:
        screened = settings(gate=counsel.gates.Always(), execution=counsel.rules.Screened(alpha=0.1, threshold=threshold))
        controller = counsel.Controller(screened, WORDS, price=0.0)
        assert controller.advise(context=0, values=[[0.0, 1.0, 0.55]], base=0, ask=lambda: "right").action == action


def test_every_gate_and_rule_of_a_study_file_has_settings_here() -> None:
    def known(written: dict[str, Any]) -> set[str]:
        class Odd:
            def _json(self) -> str:
                return json.dumps({"advisor": "a", "budget": {"per_run": 1}, "gate": {"policy": "never"}, "execution": "trusting"} | written)

        with pytest.raises(counsel.SettingsError) as refusal:
            counsel._counsel.check_settings(Odd())  # type: ignore[arg-type]
        return set(re.findall("`([^`]+)`", str(refusal.value))) - {"nonsense"}

    # The oracle reads the true value, which no program that acts can know.
    assert known({"gate": {"policy": "nonsense"}}) == {gate.policy for gate in counsel.gates.Gate.__subclasses__()} | {"oracle"}
    assert known({"execution": {"nonsense": {}}}) == {rule.rule for rule in counsel.rules.Rule.__subclasses__()}


@pytest.mark.parametrize("kind", SETTINGS)
def test_settings_read_as_they_are_written(kind: str) -> None:
    assert counsel.Settings.from_dict(json.loads(json.dumps(SETTINGS[kind].to_dict()))) == SETTINGS[kind]


REFUSED: dict[str, tuple[dict[str, Any], str]] = {
    "an unknown keyword": ({"credit": 1.0}, "`decide` knows nothing of `credit`"),
    "an unknown word": ({"monitored": "fine"}, "`monitored` is `fine`"),
    "uses below zero": ({"expected_uses": -1.0}, "expected_uses is -1"),
    "a gain without end": ({"credited_gain": float("inf")}, "credited_gain is inf"),
    "a forecast without error": ({"forecast": 0.5}, "`forecast` is 0.5"),
    "an error below zero": ({"forecast": (0.5, -0.1)}, "forecast[1] is -0.1"),
    "too few proposals": ({"fallback_law": [0.5, 0.5]}, "`fallback_law` has 2 entries"),
    "proposals above one": ({"fallback_law": [0.5, 0.5, 0.5]}, "add up to 1.5"),
    "a proposal below zero": ({"fallback_law": [1.5, -0.5, 0.0]}, "is -0.5"),
    "visits below zero": ({"visits": -3}, "`visits` is -3"),
    "text for a flag": ({"stalled": "no"}, "`stalled` is no"),
}


@pytest.mark.parametrize("what", REFUSED)
def test_what_cannot_be_is_refused_and_nothing_is_decided(what: str) -> None:
    said, expected = REFUSED[what]
    one = counsel.Controller(settings(gate=counsel.gates.Always()), WORDS, price=0.0)
    many = counsel.VectorController(settings(gate=counsel.gates.Always()), WORDS, 2, price=0.0)
    refused: list[Any] = [
        lambda: one.decide(context=0, values=np.zeros((1, 3)), base=0, **said),
        lambda: many.decide(contexts=[0, 0], values=np.zeros((2, 1, 3)), base=[0, 0], **{name: [value, value] for name, value in said.items()}),  # type: ignore[arg-type]
    ]
    for decide in refused:
        with pytest.raises(counsel.RefusedError, match=re.escape(expected)) as refusal:
            decide()
        assert refusal.value.remedy
    assert one.calls == many.calls == 0
    with pytest.raises(counsel.RefusedError, match="`expected_uses` has 1 entries for 2 environments"):
        many.decide(contexts=[0, 0], values=np.zeros((2, 1, 3)), base=[0, 0], expected_uses=[1.0])


def test_a_schedule_is_at_a_known_kind_of_place() -> None:
    with pytest.raises(counsel.SettingsError, match="unknown variant `visited-less`, expected .*`visited-less-than`"):
        settings(gate=counsel.gates.Schedule(calls=1, per_episode=1, at={"visited-less": 3}))


def test_an_advised_environment_hands_circumstances_on() -> None:
    controller = counsel.Controller(
        settings(gate=counsel.gates.Always(), bankroll=counsel.Bankroll(start=0.25, most=1.0)), ["left", "right"], price=0.1
    )
    env = AdvisedEnv(
        gymnasium.make("CartPole-v1"), lambda observation, info: "right", controller,
        critic=lambda observation: np.zeros((1, 2)), circumstances=lambda observation: {"credited_gain": 0.0},
    )
    env.reset(seed=0)
    assert [env.step(0)[4]["counsel"]["asked"] for _ in range(4)] == [True, True, False, False]
