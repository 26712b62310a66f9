"""Labels by paired rollouts, the radius that follows from them, and a radius that is set and updated."""

from __future__ import annotations

import warnings
from pathlib import Path
from typing import Any

import numpy as np
import pytest

gymnasium = pytest.importorskip("gymnasium")

import counsel  # noqa: E402
import counsel.envs  # noqa: E402
from counsel import calibration, labels  # noqa: E402
from counsel.calibration import CalibratedRadius  # noqa: E402

SETTINGS = counsel.Settings(advisor="rule", budget=counsel.Budget(per_run=10), execution=counsel.rules.Trusting())
#: The way to the goal in FrozenLake's map of 4 x 4.
WAY = [1, 3, 1, 3, 1, 0, 1, 0, 2, 1, 1, 0, 0, 2, 2, 0]


def lake() -> Any:
    return gymnasium.make("FrozenLake-v1", is_slippery=False)


def paired(**named: Any) -> labels.Labels:
    chosen: dict[str, Any] = {
        "critic": lambda observation: np.zeros((2, 4)), "opportunities": 60, "discount": 0.9, "steps": 60,
        "actions": ["left", "down", "right", "up"],
    }
    return labels.paired(lake(), lambda observation: WAY[observation], lambda observation: WAY[observation], SETTINGS, **chosen | named)


def test_an_answer_that_changes_nothing_is_worth_nothing_and_one_that_does_is_worth_the_difference() -> None:
    same = paired()
    assert len(same) == same.calls == 60 and not same.label.any() and set(same.trajectory) == set(range(10))
    # An agent that stands still at the start and goes the way otherwise: advice there is worth the whole way, 0.9 to the fifth.
    still = labels.paired(
        lake(), lambda observation: 0 if observation == 0 else WAY[observation], lambda observation: "Action: down", SETTINGS,
        critic=lambda observation: np.zeros((2, 4)), opportunities=5, discount=0.9, steps=60, actions=["left", "down", "right", "up"],
    )
    assert still.label.tolist() == pytest.approx([0.9**5] * 5)


def test_labels_of_the_environments_of_counsel_become_a_radius() -> None:
    env = gymnasium.make("counsel/BabyAI-GoToObj-v0", max_steps=20)
    rng = np.random.default_rng(0)
    found = labels.paired(
        env, lambda observation: int(rng.integers(3)), lambda observation: "forward", SETTINGS, actions=counsel.envs.ACTIONS,
        critic=lambda observation: rng.random((4, 7)), opportunities=80, pairs=3, every=2,
    )
    assert len(found) == 80 and (found.monte_carlo >= 0).all() and found.monte_carlo.any() and found.estimate.any()
    radius = calibration.calibrate(found.split(calibration=60), method="mondrian", alpha=0.2)
    assert np.isfinite(radius.at([0.5])[0])


def test_a_refusal_names_what_was_wrong() -> None:
    with pytest.raises(counsel.RefusedError, match="`opportunities` is 0; pass 1 or more"):
        paired(opportunities=0)


def logged(folder: Path, count: int = 60) -> None:
    rng = np.random.default_rng(0)
    with counsel.Log(folder, arm="pilot") as log:
        controller = counsel.Controller(SETTINGS, 3, price=0.01, radius=0.0, log=log)
        for step in range(count):
            values = rng.random((4, 3))
            act = controller.decide(values=values, base=0)
            if isinstance(act, counsel.Ask):
                act = controller.resume(act, "a1")
            controller.outcome(0.0, terminated=step % 5 == 4, label=act.estimate + 0.05 * rng.random() if step % 2 else None)


def test_a_radius_follows_from_the_labels_in_a_log(tmp_path: Path) -> None:
    logged(tmp_path)
    radius = calibration.from_log(tmp_path, alpha=0.1)
    assert 0.0 < radius.at([0.5])[0] < 0.06 and "mondrian" in repr(radius)
    assert calibration.from_log(tmp_path, method="constant", calibration=20).at([0.5])[0] < 0.06
    with counsel.Log(tmp_path / "none", arm="pilot") as log:
        controller = counsel.Controller(SETTINGS, 3, price=0.01, log=log)
        controller.decide(values=np.zeros((2, 3)), base=0)
        controller.outcome(0.0)
    with pytest.raises(counsel.RefusedError, match="1 decisions, and none has a label; pass label= to"):
        calibration.from_log(tmp_path / "none")


def test_a_radius_that_idle_opportunities_shrink_is_warned_of_and_strata_mend_it() -> None:
    rng = np.random.default_rng(0)
    stake = rng.random(300) < 0.15
    estimate = np.where(stake, rng.random(300), 0.0)
    label = np.where(stake, rng.random(300), 0.0)
    splits = calibration.split(estimate, label, calibration=300)
    with pytest.warns(UserWarning, match='of 300 opportunities have no error at all.*pass method="mondrian"'):
        shrunk = calibration.calibrate(splits, alpha=0.2)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        honest = calibration.calibrate(splits, alpha=0.2, method="mondrian")
    assert shrunk.at([0.5])[0] == 0.0 < 0.3 < honest.at([0.5])[0]


def test_a_radius_is_set_and_updated_while_a_controller_runs(tmp_path: Path) -> None:
    controller = counsel.Controller(SETTINGS, 2, price=0.01)
    values = np.array([[0.0, 0.5], [0.0, 0.4]])
    law = [0.0, 1.0, 0.0]
    assert controller.radius is None and controller.advise(values=values, law=law, base=0, ask=lambda: "a1").outcome == "silent"
    controller.radius = 0.05
    assert controller.advise(values=values, law=law, base=0, ask=lambda: "a1").outcome == "asked"
    radius = calibration.calibrate(calibration.split(np.zeros(20), np.zeros(20) + 0.01, calibration=20), alpha=0.1)
    for _ in range(20):
        radius = radius.updated(0.45, 0.05)
    controller.radius = radius
    assert isinstance(controller.radius, CalibratedRadius) and controller.radius.at([0.45])[0] == pytest.approx(0.4)
    act = controller.advise(values=values, law=law, base=0, ask=lambda: "a1")
    assert act.outcome == "asked" and act.score == pytest.approx(act.estimate - 0.4)
    controller.radius = None
    assert controller.advise(values=values, law=law, base=0, ask=lambda: "a1").outcome == "silent"
    with pytest.raises(counsel.RefusedError, match="`label` is NaN"):
        radius.updated(0.0, float("nan"))
    with counsel.Log(tmp_path, arm="a") as log:
        kept = counsel.Controller(SETTINGS, 2, price=0.01, radius=0.1, log=log)
        kept.radius = 0.2
        assert kept.decide(values=values, law=law, base=0) is not None
        with pytest.raises(counsel.StateError, match="keeps how its calibrated radius came about"):
            kept.radius = radius
    assert counsel.audit(tmp_path).clean
    vector = counsel.VectorController(SETTINGS, 2, 3, price=0.01)
    vector.radius = 0.3
    assert vector.radius == 0.3
