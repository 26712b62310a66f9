"""A person, or the user's program, has the last word: logged, audited and explained, and nothing that advice is credited with."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

import counsel

NAMES = ["left", "right", "wait"]


def recommended(**named: Any) -> counsel.Controller:
    return counsel.Controller.recommended(0.01, 50, NAMES, **named)


def test_the_log_says_who_decided_and_what_was_replaced(tmp_path: Path) -> None:
    with counsel.Log(tmp_path, arm="a") as log:
        controller = recommended(log=log)
        for step in range(9):
            act = controller.advise(context=step % 3, base=0, ask=lambda: "right")
            decided = act.action
            if step % 4 == 1:
                act = controller.override(act, "wait", by="operator")
                assert act.action == 2 and f"it would have executed {NAMES[decided]}, but operator had the last word" in act.explain()
                assert (act.record()["override_by"], act.record()["override_of"]) == ("operator", decided)
            else:
                assert act.record()["override_by"] is None and "operator" not in act.explain()
            controller.outcome(float(act.action == 1), terminated=step % 3 == 2)
    assert str(counsel.audit(tmp_path)).startswith("9 of 9 decisions agree (100.0000 %)")
    frame = counsel.log.read(tmp_path, backend="numpy")
    assert [by for by in frame["override_by"] if by] == ["operator"] * 2
    for row in (1, 5):
        assert (frame["executed"][row], frame["override_action"][row], frame["override_of"][row]) == (2, 2, 1)
    assert "operator set wait in its place" in counsel.explain(tmp_path, "mine/a/0", 5)
    assert controller.summary()["overridden"] == controller.diagnose().overridden == 2
    assert "2 actions overridden" in str(controller.diagnose())


def test_a_log_without_an_override_has_none_of_its_columns(tmp_path: Path) -> None:
    with counsel.Log(tmp_path, arm="a") as log:
        controller = recommended(log=log)
        controller.advise(context=0, base=0, ask=lambda: "right")
        controller.outcome(0.0)
    assert not any(name.startswith("override") for name in counsel.log.read(tmp_path, backend="numpy"))


def test_the_controller_learns_from_what_was_executed() -> None:
    controller = counsel.Controller.recommended(0.01, 0, NAMES)
    for _ in range(40):
        act = controller.advise(context="here", base=0, ask=lambda: "left")
        act = controller.override(act, 2, by="program")
        controller.outcome(float(act.action == 2), terminated=True)
    act = controller.advise(context="here", base=0, ask=lambda: "left")
    values = np.reshape(act.record()["value_samples"], (-1, 3)).mean(0)
    assert values[2] > 0.6 and values.argmax() == 2, values


def test_an_override_that_comes_too_late_or_from_elsewhere_is_refused() -> None:
    controller, other = recommended(), recommended()
    act = controller.advise(context="x", base=0, ask=lambda: "right")
    assert other.advise(context="x", base=0, ask=lambda: "right").action == 1
    with pytest.raises(counsel.StateError, match="step 0 is not the last decision here"):
        other.override(act, 0, by="operator")
    wrong: list[tuple[Any, str, str]] = [
        (3, "operator", "`action` is 3, but there are only 3 actions"), (-1, "operator", "`action` is -1"), ("up", "operator", "or one of left, right, wait"),
        (0, "", "the override is by"), (0, "a\nb", "can be printed"), (0, "x" * 65, "1 to 64 characters"),
    ]
    for action, by, said in wrong:
        with pytest.raises(counsel.RefusedError, match=said):
            controller.override(act, action, by=by)
    act = controller.override(act, np.int64(0), by="operator")
    act = controller.override(act, "wait", by="supervisor")
    assert (act.action, act.record()["override_of"], controller.summary()["overridden"]) == (2, 1, 1)
    controller.outcome(0.0)
    with pytest.raises(counsel.StateError, match="its outcome is known"):
        controller.override(act, 0, by="operator")


def test_places_of_a_vector_are_overridden_one_by_one(tmp_path: Path) -> None:
    with counsel.Log(tmp_path, arm="v") as log:
        controller = counsel.VectorController.recommended(0.01, 50, NAMES, 3, log=log)
        for _ in range(4):
            actions = controller.advise(ask=lambda places: ["right"] * len(places), contexts=np.arange(3, dtype=np.uint64), base=np.zeros(3, np.int64))
            controller.override(1, "wait", by="operator")
            actions[1] = 2
            controller.outcome((actions == 1).astype(float), terminated=np.ones(3, np.bool_))
    assert str(counsel.audit(tmp_path)).startswith("12 of 12")
    frame = counsel.log.read(tmp_path, backend="numpy")
    assert [place for place, by in zip(frame["place"], frame["override_by"], strict=True) if by] == [1] * 4
    assert controller.summary()["overridden"] == 4
    for place, said in ((3, "`place` is 3, but there are only 3"), (-1, "`place` is -1; pass a whole number")):
        with pytest.raises(counsel.RefusedError, match=said):
            controller.override(place, 0, by="operator")
    with pytest.raises(counsel.StateError, match="no decision waits"):
        controller.override(0, 0, by="operator")


def test_somebody_has_the_last_word_in_a_wrapped_environment(tmp_path: Path) -> None:
    gymnasium = pytest.importorskip("gymnasium")
    seen: list[tuple[int, int]] = []

    def guard(observation: Any, action: int) -> tuple[str, str] | None:
        seen.append((int(observation), action))
        return ("left", "operator") if action == 2 and observation == 0 else None

    with counsel.Log(tmp_path / "one", arm="a") as log:
        env = counsel.wrap(
            gymnasium.make("FrozenLake-v1", is_slippery=False), lambda observation: 2, price=0.01, budget=50,
            actions=["left", "down", "right", "up"], override=guard, log=log,
        )
        env.reset(seed=0)
        info = env.step(1)[4]["counsel"]
        assert (info["executed"], info["override_by"], info["override_of"]) == (0, "operator", 2) and env.overridden
        env.override = None
        info = env.step(1)[4]["counsel"]
        assert info["executed"] == 2 and "override_by" not in info and seen == [(0, 2)]
        env.advising, env.override = False, guard
        assert env.step(2)[4]["counsel"]["executed"] == 2 and len(seen) == 1, "without a decision there is none to override"
    assert str(counsel.audit(tmp_path / "one")).startswith("2 of 2")
    with counsel.Log(tmp_path / "many", arm="a") as log:
        envs = counsel.wrap(
            gymnasium.make_vec("FrozenLake-v1", 3, vectorization_mode="sync", is_slippery=False), lambda observation: 2, price=0.01, budget=50,
            actions=["left", "down", "right", "up"], override=lambda observation, action: None if action == 1 else guard(observation, action), log=log,
        )
        envs.reset(seed=0)
        info = envs.step(np.array([0, 1, 2]))[4]["counsel"]
        assert info["executed"].tolist() == [0, 0, 0] and info["override_of"].tolist() == [2, 2, 2] and list(info["override_by"]) == ["operator"] * 3
    assert str(counsel.audit(tmp_path / "many")).startswith("3 of 3")
