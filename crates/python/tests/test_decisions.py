"""Same decisions: the engine from Python against numpy of the formulas, and a batch against one by one."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from formulas import Rule

import counsel

DECISIONS = 50_000
SAMPLES, ACTIONS = 8, 7
WORDS = [f"w{action}" for action in range(ACTIONS)]


@pytest.mark.parametrize("cache", [False, True])
def test_fifty_thousand_decisions_are_those_of_the_formulas(cache: bool) -> None:
    settings = counsel.Settings(
        advisor="chance", budget=counsel.Budget(per_run=12_000), cache=counsel.Cache() if cache else None,
        execution=counsel.rules.Certified(tolerance=0.25),
    )
    engine = counsel.Engine(settings, WORDS)
    rule = Rule(tolerance=0.25, price=0.005, budget=12_000, cache=cache)
    rng = np.random.default_rng(5)
    different, worst, reused = 0, 0.0, 0
    for _ in range(DECISIONS):
        values, lower, law = rng.random((SAMPLES, ACTIONS)), rng.random(ACTIONS) * 0.5, rng.random(ACTIONS + 1)
        upper, law = lower + 0.05, law / law.sum()
        base, context, radius = int(rng.integers(ACTIONS)), int(rng.integers(200)), float(rng.random() * 0.05)
        none, estimate, asks = rule.decide(values, lower, upper, law, base, context, radius)
        turn = engine.decide(values, lower, upper, law, base, context=context, radius=radius, price=0.005)
        worst = max(worst, abs(turn.estimate - estimate))
        reused += none != base
        if turn.asked != asks:
            different += 1
        elif isinstance(turn, counsel.Ask):
            said = int(rng.integers(ACTIONS + 1))
            answer = said if said < ACTIONS else None
            act = engine.resume(turn, WORDS[said] if answer is not None else "well")
            different += act.action != rule.resume(values, lower, upper, base, context, answer)
        else:
            different += turn.action != none
    assert different == 0
    assert worst < 1e-12
    assert engine.calls > 5_000 and (reused > 5_000) == cache


def controller(**named: Any) -> counsel.Controller:
    settings = counsel.Settings(advisor="chance", budget=counsel.Budget(per_run=500), execution=counsel.rules.Certified(tolerance=3.0))
    return counsel.Controller(settings, WORDS, price=0.01, **named)


def test_bounds_law_and_radius_of_a_controller_are_those_of_the_formulas() -> None:
    predictor = counsel.Predictor.frequency(ACTIONS, strength=0.5)
    own = controller(radius=0.02, bounds=counsel.Spread(scale=2.0, low=0.0, high=0.9), predictor=predictor)
    rule = Rule(tolerance=3.0, price=0.01, budget=500, cache=False)
    counts = np.full(ACTIONS + 1, 0.5 / (ACTIONS + 1))
    rng = np.random.default_rng(6)
    for _ in range(3_000):
        values, base = rng.random((SAMPLES, ACTIONS)), int(rng.integers(ACTIONS))
        mean, spread = values.mean(axis=0), 2.0 * values.std(axis=0)
        lower, upper = np.clip(mean - spread, 0.0, 0.9), np.clip(mean + spread, 0.0, 0.9)
        none, estimate, asks = rule.decide(values, lower, upper, counts / counts.sum(), base, 0, 0.02)
        turn = own.decide(values=values, base=base)
        assert turn.asked == asks and turn.estimate == pytest.approx(estimate, abs=1e-12)
        if isinstance(turn, counsel.Ask):
            said = int(rng.integers(ACTIONS))
            counts[said] += 1
            act = own.resume(turn, WORDS[said])
            assert act.action == rule.resume(values, lower, upper, base, 0, said)
            assert act.paid is not None and act.paid.response == said
            assert np.allclose(act.record()["lower_bounds"], lower, atol=1e-12)
        else:
            assert turn.action == none
    assert own.calls == 500, "the budget was reached"


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_a_batch_is_the_same_as_one_by_one_to_the_bit(dtype: type) -> None:
    """One engine each, the same order: all of a batch are decided, then resumed."""
    settings = counsel.Settings(
        advisor="chance", budget=counsel.Budget(per_run=900), cache=counsel.Cache(time_to_live=300),
        execution=counsel.rules.Certified(tolerance=3.0), pacing=counsel.Pacing(dual=counsel.Dual(target_rate=0.1, rho=0.05)),
    )
    count = 16
    vector = counsel.VectorController(settings, WORDS, count, price=0.01, radius=0.02)
    engine = counsel.Engine(settings, WORDS)
    rng = np.random.default_rng(7)
    law = np.full(ACTIONS + 1, 1 / (ACTIONS + 1))
    asked = 0
    for _ in range(400):
        values = rng.random((count, SAMPLES, ACTIONS)).astype(dtype)
        base, contexts = rng.integers(ACTIONS, size=count), rng.integers(60, size=count)
        batch = vector.decide(values=values, base=base, contexts=contexts)
        turns = []
        for place in range(count):
            wide = values[place].astype(np.float64)
            # The sums in the order of the engine, so that every bit is the same.
            mean = np.add.reduce(wide, axis=0) / SAMPLES
            spread = np.sqrt(np.add.reduce([(1 / SAMPLES) * (row - mean) * (row - mean) for row in wide], axis=0))
            turns.append(
                engine.decide(wide, mean - spread, mean + spread, law, int(base[place]), context=int(contexts[place]), radius=0.02, price=0.01)
            )
        assert [place for place, turn in enumerate(turns) if turn.asked] == batch.asks.tolist()
        assert [turn.estimate for turn in turns] == batch.estimate.tolist()
        replies = [WORDS[int(rng.integers(ACTIONS))] if rng.random() < 0.9 else None for _ in batch.asks]
        actions = vector.resume(batch, replies)
        said = iter(replies)
        acts = [engine.resume(turn, next(said)) if isinstance(turn, counsel.Ask) else turn for turn in turns]
        assert [act.action for act in acts] == actions.tolist()
        asked += len(replies)
    assert vector.calls == engine.calls == asked and 100 < asked <= 900


def test_a_batch_that_is_refused_decides_nothing() -> None:
    settings = counsel.Settings(advisor="a", budget=counsel.Budget(per_run=5), gate=counsel.gates.Always())
    vector = counsel.VectorController(settings, 2, 3, price=0.0)
    values = np.zeros((3, 1, 2))
    values[2, 0, 1] = np.nan
    with pytest.raises(counsel.RefusedError, match="environment 2"):
        vector.decide(values=values, base=[0, 0, 0])
    assert vector.calls == 0
    batch = vector.decide(values=values, base=[0, 0, 0], mask=np.array([True, True, False]))
    assert batch.asks.tolist() == [0, 1] and vector.calls == 2
    assert vector.resume(batch, ["a1", None]).tolist() == [1, 0, 0]


def test_each_place_has_episodes_of_its_own_and_the_run_one_budget() -> None:
    settings = counsel.Settings(
        advisor="a", budget=counsel.Budget(per_run=7, per_episode=2), gate=counsel.gates.Always(), execution=counsel.rules.Trusting()
    )
    vector = counsel.VectorController(settings, 2, 3, price=0.0)

    def asks() -> list[int]:
        batch = vector.decide(values=np.zeros((3, 1, 2)), base=[0, 0, 0])
        vector.resume(batch, ["a1"] * len(batch.asks))
        found: list[int] = batch.asks.tolist()
        return found

    assert [asks(), asks(), asks()] == [[0, 1, 2], [0, 1, 2], []]
    vector.begin_episodes(np.array([False, True, False]))
    assert [asks(), asks()] == [[1], []], "the seventh call is the last of the run"
    assert vector.calls == 7


def test_a_batch_is_resumed_once_and_where_it_was_decided() -> None:
    settings = counsel.Settings(advisor="a", budget=counsel.Budget(per_run=6), gate=counsel.gates.Always(), execution=counsel.rules.Trusting())
    vector, other = counsel.VectorController(settings, 2, 2, price=0.0), counsel.VectorController(settings, 2, 2, price=0.0)
    values = np.zeros((2, 1, 2))
    silent = vector.decide(values=values, base=[0, 0], mask=np.zeros(2, bool))
    batch = vector.decide(values=values, base=[0, 0])
    other.decide(values=values, base=[0, 0])
    with pytest.raises(counsel.StateError, match="another controller"):
        other.resume(batch, ["a1", "a1"])
    with pytest.raises(counsel.RefusedError, match="1 replies came for 2"):
        vector.resume(batch, ["a1"])
    assert vector.resume(silent, []).tolist() == [0, 0], "an empty batch leaves the open one alone"
    assert vector.resume(batch, ["a1", None]).tolist() == [1, 0]
    with pytest.raises(counsel.StateError, match="resumed already"):
        vector.resume(batch, ["a1", "a1"])
    late = vector.decide(values=values, base=[0, 0])
    vector.decide(values=values, base=[0, 0])
    with pytest.raises(counsel.StateError, match="given up as lost"):
        vector.resume(late, ["a1", "a1"])
    assert vector.calls == 6
