"""Whole numbers that are none, such as a seed below zero, are refused like everything else: the argument, the value and what is allowed."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import counsel
from counsel import _counsel

MOST = 2**64 - 1
SETTINGS = counsel.Settings(advisor="a", budget=counsel.Budget(per_run=1))

#: The argument, and what takes it.
TAKEN: list[tuple[str, Callable[[Any], Any]]] = [
    ("seed", lambda n: counsel.Controller(SETTINGS, 2, price=0.0, seed=n)),
    ("seed", lambda n: counsel.Controller.recommended(0.0, 1, 2, seed=n)),
    ("seed", lambda n: counsel.VectorController(SETTINGS, 2, 3, price=0.0, seed=n)),
    ("seed", lambda n: counsel.VectorController.recommended(0.0, 1, 2, 3, seed=n)),
    ("seed", lambda n: counsel.Engine(SETTINGS, 2, seed=n)),
    ("seed", lambda n: counsel.Cascade(price=0.1, seed=n)),
    ("seed", lambda n: counsel.Router({"a": 0.1, "b": 0.2}, seed=n)),
    ("seed", lambda n: counsel.advisors.OpenAI("m", base_url="http://127.0.0.1:1", key_env=None, budget=1, prompt=str, seed=n)),
    ("episodes", lambda n: counsel.Controller.recommended(0.0, 1, 2, episodes=n)),
    ("num_envs", lambda n: counsel.VectorController(SETTINGS, 2, n, price=0.0)),
    ("words", lambda n: counsel.Cascade(price=0.1, words=n)),
    ("knots", lambda n: counsel.Cascade(price=0.1, knots=n)),
    ("id", lambda n: counsel.Cascade(price=0.1).feedback(n, 1.0)),
    ("requests", lambda n: counsel.Cascade(price=0.1).loss_bound(n)),
    ("requests", lambda n: counsel.Router({"a": 0.1}, per_request=0.1, requests=n)),
    ("max_tokens", lambda n: counsel.advisors.OpenAI("m", base_url="http://127.0.0.1:1", key_env=None, budget=1, prompt=str, max_tokens=n)),
    ("request_tokens", lambda n: counsel.Reply("a", request_tokens=n)),
    ("n", lambda n: counsel.calibration.conformal_rank(n, 0.1)),
    ("calibration", lambda n: counsel.calibration.split([0.1], [0.2], calibration=n)),
    ("actions", lambda n: counsel.Predictor.uniform(n)),
    ("successes", lambda n: _counsel.clopper_pearson(n, 3)),
]


@pytest.mark.parametrize("number", [-1, 2**64], ids=["below zero", "too large"])
@pytest.mark.parametrize("at", range(len(TAKEN)), ids=[f"{at} {name}" for at, (name, _) in enumerate(TAKEN)])
def test_a_number_that_does_not_fit_is_named(at: int, number: int) -> None:
    name, take = TAKEN[at]
    with pytest.raises(counsel.RefusedError) as refusal:
        take(number)
    assert str(refusal.value).startswith(f"`{name}` is {number}; pass a whole number from 0 to "), refusal.value
    assert refusal.value.remedy and isinstance(refusal.value, ValueError)


def test_logs_and_ledgers_are_not_begun_by_numbers_that_do_not_fit(tmp_path: Path) -> None:
    for work in (lambda: counsel.Log(tmp_path / "runs", arm="a", seed=-1), lambda: counsel.Ledger(tmp_path / "calls.jsonl", limit=-1)):
        with pytest.raises(counsel.RefusedError, match="is -1; pass a whole number from 0 to"):
            work()
    assert not list(tmp_path.iterdir())


def test_what_is_no_number_is_a_wrong_type_still() -> None:
    for seed in ("1", 1.5, None):
        with pytest.raises(TypeError):
            counsel.Engine(SETTINGS, 2, seed=seed)  # type: ignore[arg-type]
    assert counsel.Engine(SETTINGS, 2, seed=np.uint64(MOST)).calls == 0  # type: ignore[arg-type]


def test_an_advisor_that_cannot_answer_is_refused_before_anything_is_paid() -> None:
    for said in ({"temperature": -1.0}, {"max_tokens": 0}, {"words": []}):
        with pytest.raises(counsel.RefusedError):
            counsel.advisors.OpenAI("m", base_url="http://127.0.0.1:1", key_env=None, budget=1, prompt=str, **said)  # type: ignore[arg-type]


def test_worlds_and_advised_worlds_name_the_seed() -> None:
    gymnasium = pytest.importorskip("gymnasium")
    import counsel.envs
    from counsel.envs import WorldEnv, WorldVectorEnv

    refused = "is -1; pass a whole number from 0 to 18446744073709551615"
    one, many = WorldEnv("BabyAI-GoToObj-v0"), WorldVectorEnv("BabyAI-GoToObj-v0", 2)
    with pytest.raises(counsel.RefusedError, match=rf"`seed` {refused}"):
        one.reset(seed=-1)
    with pytest.raises(counsel.RefusedError, match=rf"`seed` {refused}"):
        many.reset(seed=-1)
    with pytest.raises(counsel.RefusedError, match=rf"`seed\[1\]` {refused}"):
        many.reset(seed=[3, -1])
    with pytest.raises(counsel.RefusedError, match=r"`seed\[1\]` is 18446744073709551616"):
        many.reset(seed=MOST)
    with pytest.raises(counsel.RefusedError, match="2 seeds came for|1 seeds came for"):
        many.reset(seed=[3])
    for env in (gymnasium.make("counsel/BabyAI-GoToObj-v0"), gymnasium.make_vec("counsel/BabyAI-GoToObj-v0", 2, vectorization_mode="vector_entry_point")):
        with pytest.raises(counsel.RefusedError, match=rf"`seed` {refused}"):
            counsel.wrap(env, lambda observation: "left", price=0.0, budget=1, seed=-1)
    # Numbers of numpy are whole numbers, too.
    shown = [env.reset(seed=seed)[0]["image"] for env in (one, many) for seed in (7, np.int64(7))]
    assert (shown[0] == shown[1]).all() and (shown[2] == shown[3]).all()
