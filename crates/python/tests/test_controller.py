"""The controller as a user holds it: recommended in a few lines, shared by threads, saved and loaded, and asked why."""

from __future__ import annotations

import json
import threading
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import counsel

NAMES = ["left", "right", "forward"]
EAGER = counsel.Settings(
    advisor="a", budget=counsel.Budget(per_run=80), gate=counsel.gates.Always(), execution=counsel.rules.Trusting()
)


def test_the_recommended_controller_asks_and_follows() -> None:
    controller = counsel.Controller.recommended(price=0.01, budget=500, actions=NAMES)
    followed = 0
    for _ in range(20):
        for step in range(4):
            act = controller.advise(context=f"cell {step}", base=0, ask=lambda: "right")
            followed += act.action == 1
            controller.outcome(0.25 * (act.action == 1), terminated=step == 3)
    assert 0 < controller.calls <= 12 and followed > 60, controller.diagnose()


def test_an_answer_heard_in_a_like_state_is_not_bought_again() -> None:
    calls = []
    for described in (True, False):
        controller = counsel.Controller.recommended(price=0.01, budget=500, actions=NAMES, episodes=200)
        for context in range(200):
            features = [float(context % 2)] if described else None
            act = controller.advise(context=context, features=features, base=0, ask=lambda: "right")
            controller.outcome(float(act.action == 1), terminated=True)
        calls.append(controller.calls)
    assert calls[0] < 100 < 150 < calls[1], calls


def test_the_recommended_controller_decides_as_the_arm_of_the_study() -> None:
    """The trace is the arm `babyai-deploy/counsel` on GoToObj: 20 episodes, answers of a recorded model (crates/experiment/src/scene/babyai/recommended.rs)."""
    trace = json.loads((Path(__file__).parent / "recommended_trace.json").read_text())
    budget = counsel.Budget(per_episode=trace["calls_per_episode"])
    controller = counsel.Controller.recommended(trace["price"], budget, trace["actions"], episodes=trace["episodes"])
    for number, step in enumerate(trace["steps"]):
        act = controller.advise(
            context=step["context"], features=step["features"], base=step["base"], fallback_law=step["fallback_law"], ask=lambda step=step: step["reply"]
        )
        assert (act.asked, act.action, act.score) == (step["asked"], step["executed"], step["score"]), f"decision {number}"
        controller.outcome(step["reward"], terminated=step["terminated"], truncated=step["truncated"], changed=step["changed"])
    asked = sum(step["asked"] for step in trace["steps"])
    assert controller.calls == asked > 0 and sum(step["reward"] for step in trace["steps"]) > 0, controller.diagnose()


def corridor(controller: counsel.Controller, steps: int, seed: int) -> list[tuple[int, bool, float]]:
    """What a controller does for an agent that walks at random; the decisions are a function of its state."""
    rng, found, at = np.random.default_rng(seed), [], 0
    for _ in range(steps):
        base, doubt = int(rng.integers(3)), float(rng.random())
        act = controller.advise(
            context=(at, "corridor"), base=base, features=[at / 6, 1.0], ask=lambda doubt=doubt: "forward" if doubt < 0.8 else "left"
        )
        before, at = at, min(at + 1, 6) if act.action == 2 else max(at - 1, 0)
        over = at == 6
        controller.outcome(float(over), terminated=over, changed=at != before)
        found.append((act.action, act.asked, act.score))
        at = 0 if over else at
    return found


def test_a_loaded_controller_decides_as_the_saved_one_would_have(tmp_path: Path) -> None:
    controller = counsel.Controller.recommended(price=0.005, budget=200, actions=NAMES, episodes=60, seed=3)
    corridor(controller, 150, seed=1)
    controller.save(tmp_path / "state.json")
    loaded = counsel.Controller.load(tmp_path / "state.json")
    assert corridor(loaded, 250, seed=2) == corridor(controller, 250, seed=2)
    assert loaded.calls == controller.calls > 3 and loaded.bankroll == controller.bankroll
    assert str(loaded.diagnose()) == str(controller.diagnose())
    assert loaded.settings == controller.settings and loaded.price == 0.005
    with pytest.raises(counsel.LogError, match="save it again"):
        (tmp_path / "other.json").write_text('{"format": 99}')
        counsel.Controller.load(tmp_path / "other.json")
    with pytest.raises(counsel.LogError, match="check the path"):
        counsel.Controller.load(tmp_path / "nowhere.json")
    with pytest.raises(counsel.LogError, match="check the path"):
        (tmp_path / "file").write_text("")
        controller.save(tmp_path / "file" / "state.json")
    assert not list(tmp_path.glob("*.part"))


def test_eight_threads_lose_no_paid_answer(tmp_path: Path) -> None:
    with counsel.Log(tmp_path, arm="threads") as log:
        controller = counsel.Controller(EAGER, NAMES, price=0.0, log=log)
        barrier = threading.Barrier(8)
        followed: list[int] = []

        def work(thread: int) -> None:
            for question in range(10):
                ask = controller.decide(values=np.zeros((1, 3)), base=0)
                assert isinstance(ask, counsel.Ask)
                barrier.wait(20)  # all eight questions are open
                if question % 2:
                    followed.append(controller.resume(ask, NAMES[1 + thread % 2]).action)
                else:
                    followed.append(controller.resume(ask, counsel.Reply(NAMES[1 + thread % 2])).action)

        with ThreadPoolExecutor(8) as pool:
            list(pool.map(work, range(8)))
    assert controller.calls == 80 and len(followed) == 80 and sorted(followed) == [1] * 40 + [2] * 40
    audit = counsel.audit(tmp_path)
    assert audit.clean and audit.decisions == 80, str(audit)


def test_advise_of_many_threads_uses_every_answer() -> None:
    controller = counsel.Controller(EAGER, NAMES, price=0.0)
    with ThreadPoolExecutor(8) as pool:
        acts = list(pool.map(lambda _: controller.advise(values=np.zeros((1, 3)), base=0, ask=lambda: "right"), range(80)))
    assert [act.action for act in acts] == [1] * 80 and controller.calls == 80


def test_refusals_in_a_thread_pool_do_not_hang() -> None:
    controller = counsel.Controller(EAGER, NAMES, price=0.0)
    table = np.array([[0.0, np.nan, 0.0]])

    def work(thread: int) -> int:
        refused = 0
        for turn in range(2_000):
            try:
                controller.decide(values=table if (turn + thread) % 2 else np.zeros((1, 3)), base=0)
            except counsel.RefusedError:
                refused += 1
            try:
                controller.outcome(0.0)
            except counsel.StateError:
                pass
        return refused

    pool = ThreadPoolExecutor(4)
    running = [pool.submit(work, thread) for thread in range(4)]
    assert [job.result(timeout=60) for job in running] == [1_000] * 4


def test_a_controller_says_why_it_is_silent() -> None:
    predictive = counsel.Settings(advisor="a", budget=counsel.Budget(per_run=10), execution=counsel.rules.Improving())
    greedy = counsel.Controller(predictive, NAMES, price=0.01, radius=0.0)
    rng = np.random.default_rng(0)
    for _ in range(50):
        values = rng.random((4, 3))
        greedy.decide(values=values, base=int(values.mean(axis=0).argmax()))
    found = greedy.diagnose()
    assert (found.decisions, found.calls, found.changed) == (50, 0, 0) and found.reasons == {"greedy-fallback": 50}
    assert "your fallback is greedy" in str(found) and "Controller.recommended" in str(found)
    silent = counsel.Controller(predictive, NAMES, price=0.01)
    silent.decide(values=rng.random((4, 3)), base=0)
    assert list(silent.diagnose().reasons) == ["no-radius"]
    spent = counsel.Controller(EAGER, NAMES, price=0.0)
    for answer in ["right"] * 60 + ["go right!", None] * 10 + ["left"]:
        spent.advise(values=np.zeros((1, 3)), base=0, ask=lambda answer=answer: answer)
    spent.decide(values=np.zeros((1, 3)), base=0)
    assert spent.diagnose().reasons == {"lost": 10, "unreadable": 10, "budget-spent": 2}
    assert repr(spent.diagnose()) == "Diagnosis(decisions=82, calls=80, changed=60)"


def test_a_controller_shows_what_it_is() -> None:
    controller = counsel.Controller.recommended(0.01, counsel.Budget(per_run=7, per_episode=np.int64(2)), NAMES, advisor="m-1")
    assert repr(controller) == "Controller(gate='amortised', price=0.01, calls=0, calls_left=2)"
    assert controller.actions == NAMES and controller.price == 0.01 and controller.calls_left == 2
    assert controller.settings.gate == counsel.gates.Amortised() and controller.settings.advisor == "m-1"
    assert controller.settings.budget == counsel.Budget(per_run=7, per_episode=2)
    assert counsel.Controller(EAGER, NAMES, price=0.0).settings == EAGER
    assert counsel.Controller(EAGER, 7, price=0.0).actions == [f"a{action}" for action in range(7)]


def test_contexts_are_keyed_without_ambiguity() -> None:
    image = np.zeros((2, 2), np.uint8)
    different: list[Any] = [
        ("ab", "c"), ("a", "bc"), ("abc",), "abc", ("ab", b"c"), (1, 2), (12,), ("1", 2), (1, (2,)), ((1, 2),), (image, 0), (image.reshape(4), 0),
        (image.astype(np.int64), 0), {"a": 1, "b": 2}, {"a": 12}, (), (None,), 12, -1, 2**70,
    ]
    keys = [counsel.context_key(context) for context in different]
    assert len(set(keys)) == len(different)
    assert keys == [counsel.context_key(context) for context in different]
    assert counsel.context_key({"b": 2, "a": 1}) == counsel.context_key({"a": np.int64(1), "b": 2})
    assert counsel.context_key("prompt") == counsel.context_key(b"prompt")
    assert counsel.context_key(5) == 5 and counsel.context_key(np.int32(5)) == 5
    for context in (np.zeros(3), 0.5, ("a", np.float32(1.0)), {"image": np.zeros((2, 2))}):
        with pytest.raises(counsel.RefusedError, match="round them"):
            counsel.context_key(context)
    with pytest.raises(counsel.RefusedError, match="has no key"):
        counsel.context_key(object())


REFUSED: dict[str, tuple[Any, type[Exception], str]] = {
    "values of five actions": (lambda c: c.decide(values=np.zeros((2, 5)), base=2), counsel.RefusedError, "5 actions, but the controller knows 3"),
    "values of two actions": (lambda c: c.decide(values=np.zeros((2, 2)), base=1), counsel.RefusedError, "2 actions, but the controller knows 3"),
    "a base below zero": (lambda c: c.decide(values=np.zeros((1, 3)), base=-1), counsel.RefusedError, "`base` is -1, but there are only 3 actions"),
    "bounds without values": (lambda c: c.decide(base=0, bounds=([0.0] * 3, [1.0] * 3)), counsel.RefusedError, "pass both"),
    "a law that is too short": (lambda c: c.decide(values=np.zeros((1, 3)), base=0, law=[0.5, 0.5]), counsel.RefusedError, "the response law is about 1"),
    "no values": (lambda c: c.decide(base=0), counsel.RefusedError, "no values"),
    "a reward of NaN": (lambda c: (c.advise(values=np.zeros((1, 3)), base=0, ask=lambda: None), c.outcome(float("nan"))), counsel.RefusedError, "the reward is NaN"),
    "a reward without end": (lambda c: (c.advise(values=np.zeros((1, 3)), base=0, ask=lambda: None), c.outcome(float("inf"))), counsel.RefusedError, "the reward is inf"),
    "a reward whose sum overflows": (lambda c: (c.advise(values=np.zeros((1, 3)), base=0, ask=lambda: None), c.outcome(1e308)), counsel.RefusedError, "the reward is 1e308"),
    "a label of NaN": (lambda c: c.outcome(0.0, label=float("nan")), counsel.RefusedError, "`label` is NaN"),
    "a label whose error is negative": (lambda c: c.outcome(0.0, label=1.0, monte_carlo=-1.0), counsel.RefusedError, "`monte_carlo` is -1"),
    "an advisor that cannot be asked": (lambda c: c.advise(values=np.zeros((1, 3)), base=0, ask="right"), counsel.RefusedError, "`ask` is 'right'; pass a callable"),
    "a coroutine in the place of a callable": (lambda c: c.aadvise(values=np.zeros((1, 3)), base=0, ask=3), counsel.RefusedError, "`ask` is 3"),
    "an outcome of nothing": (lambda c: c.outcome(0.0), counsel.StateError, "no decision waits"),
    "too many actions": (lambda c: counsel.Controller(EAGER, [f"w{n}" for n in range(70_000)], price=0.0), counsel.RefusedError, "at most 65535"),
    "no actions": (lambda c: counsel.Controller(EAGER, 0, price=0.0), counsel.RefusedError, "1 to 65535"),
    "a budget of words": (lambda c: counsel.Controller.recommended(0.1, "many", 3), counsel.SettingsError, "the budget is many"),
    "a gate of text": (lambda c: counsel.Settings(advisor="a", budget=counsel.Budget(per_run=1), gate="always"), counsel.SettingsError, "one of counsel.gates"),  # type: ignore[arg-type]
    "a rule for a gate": (lambda c: counsel.Settings(advisor="a", budget=counsel.Budget(per_run=1), gate=counsel.rules.Trusting()), counsel.SettingsError, "one of counsel.gates"),  # type: ignore[arg-type]
    "no context": (lambda c: counsel.Controller.recommended(0.1, 5, 3).decide(base=0), counsel.RefusedError, "no `context` came"),
    "a feature of NaN": (lambda c: c.decide(values=np.zeros((1, 3)), base=0, features=[float("nan")]), counsel.RefusedError, "feature 0 is NaN"),
}


@pytest.mark.parametrize("what", REFUSED)
def test_what_cannot_be_decided_is_refused_and_nothing_is_paid(what: str) -> None:
    work, kind, expected = REFUSED[what]
    controller = counsel.Controller(EAGER, NAMES, price=0.0)
    before = 1 if "reward" in what else 0
    with pytest.raises(kind) as refusal:
        work(controller)
    assert expected in str(refusal.value), str(refusal.value)
    assert controller.calls == before


def test_numbers_of_numpy_are_numbers_in_settings() -> None:
    settings = counsel.Settings(
        advisor="a", budget=counsel.Budget(per_run=np.int64(5)), execution=counsel.rules.Certified(tolerance=np.float32(0.25)),
        gate=counsel.gates.RandomExact(calls_per_episode=(np.int64(1),), decisions_per_episode=np.int32(4)),
        cache=counsel.Cache(time_to_live=np.int64(3)), pacing=counsel.Pacing(factor=np.float32(0.5)),
    )
    assert settings.to_dict()["budget"] == {"per_run": 5} and settings.to_dict()["execution"] == {"certified": {"tolerance": 0.25}}
    assert counsel.Settings.from_dict(settings.to_dict()) == settings


def test_a_batch_with_values_past_all_sense_decides_nothing() -> None:
    vector = counsel.VectorController(EAGER, NAMES, 3, price=0.0)
    values = np.zeros((3, 1, 3))
    values[2] = 1e308
    with pytest.raises(counsel.RefusedError, match="environment 2"):
        vector.decide(values=values, base=[0, 0, 0])
    with pytest.raises(counsel.RefusedError, match="environment 1: `base` is 3"):
        vector.decide(values=np.zeros((3, 1, 3)), base=[0, 3, 0])
    assert vector.calls == 0


def test_environments_side_by_side_share_what_they_learn(tmp_path: Path) -> None:
    with counsel.Log(tmp_path, arm="vector") as log:
        vector = counsel.VectorController.recommended(0.01, 60, NAMES, 4, log=log, seed=1)
        rng, at, reached = np.random.default_rng(0), np.zeros(4, np.int64), 0
        for _ in range(120):
            batch = vector.decide(contexts=at, base=rng.integers(3, size=4))
            actions = vector.resume(batch, ["forward"] * len(batch.asks))
            at = np.where(actions == 2, at + 1, np.maximum(at - 1, 0))
            over = at == 5
            vector.outcome(over.astype(float), terminated=over)
            reached, at = reached + int(over.sum()), np.where(over, 0, at)
    assert 0 < vector.calls <= 20 and reached > 60, vector.diagnose()
    assert counsel.audit(tmp_path).clean
    vector.save(tmp_path / "state.json")
    again = counsel.VectorController.load(tmp_path / "state.json", 4)
    assert again.decide(contexts=at, base=[0, 1, 2, 0]).actions.tolist() == vector.decide(contexts=at, base=[0, 1, 2, 0]).actions.tolist()


def test_a_question_that_is_dropped_is_lost_when_the_controller_is_closed(tmp_path: Path) -> None:
    log = counsel.Log(tmp_path / "a", arm="a")
    controller = counsel.Controller(EAGER, NAMES, price=0.0, log=log)
    controller.decide(values=np.zeros((1, 3)), base=0)
    late = controller.decide(values=np.zeros((1, 3)), base=1)
    controller.close()
    assert isinstance(late, counsel.Ask)
    with pytest.raises(counsel.StateError, match="given up as lost"):
        controller.resume(late, "right")
    # A controller that is gone before its log is closed leaves its questions there.
    with counsel.Log(tmp_path / "b", arm="b") as log:
        counsel.Controller(EAGER, NAMES, price=0.0, log=log).decide(values=np.zeros((1, 3)), base=0)
    for folder, rows in (("a", 2), ("b", 1)):
        assert list(counsel.log.read(tmp_path / folder, backend="numpy")["reply_source"]) == ["lost"] * rows
        assert counsel.audit(tmp_path / folder).clean
