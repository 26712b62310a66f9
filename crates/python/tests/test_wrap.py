"""An environment in one line: actions, contexts, values and budget follow from the environment and two numbers."""

from __future__ import annotations

import asyncio
import threading
import time
import warnings
from pathlib import Path
from typing import Any

import numpy as np
import pytest

gymnasium = pytest.importorskip("gymnasium")

import counsel  # noqa: E402
from counsel.grid import Grid  # noqa: E402
from counsel.gymnasium import AdvisedEnv  # noqa: E402
from counsel.keys import observation_key  # noqa: E402
from gymnasium.spaces import Box, Dict, Discrete, Text, Tuple  # noqa: E402
from gymnasium.utils.env_checker import check_env  # noqa: E402
from gymnasium.vector import AutoresetMode, SyncVectorEnv  # noqa: E402

DOWN, RIGHT = 1, 2
#: The way through FrozenLake's map of 4 x 4.
WAY = [DOWN, 3, DOWN, 3, DOWN, 0, DOWN, 0, RIGHT, DOWN, DOWN, 0, 0, RIGHT, RIGHT, 0]


def lake() -> Any:
    return gymnasium.make("FrozenLake-v1", is_slippery=False)


def walk(env: Any, steps: int, seed: int) -> float:
    """The reward of an agent that moves at random."""
    rng, total = np.random.default_rng(seed), 0.0
    env.reset(seed=seed)
    for _ in range(steps):
        _, reward, terminated, truncated, info = env.step(int(rng.integers(4)))
        total += float(reward)
        assert "asked" in info["counsel"]
        if terminated or truncated:
            env.reset()
    return total


def test_a_wrapped_environment_learns_whom_to_follow(tmp_path: Path) -> None:
    with counsel.Log(tmp_path, arm="wrapped") as log:
        env = counsel.wrap(lake(), lambda observation: WAY[observation], price=0.01, budget=100, log=log)
        advised = walk(env, 600, seed=1)
    plain = counsel.wrap(lake(), lambda observation: WAY[observation], price=0.01, budget=100)
    plain.advising = False
    assert env.controller.calls <= 20 and plain.controller.calls == 0
    assert advised > 60 > 10 > walk(plain, 600, seed=1), env.controller.diagnose()
    assert counsel.audit(tmp_path).clean


def test_an_environment_with_a_budget_of_the_run_is_a_good_environment() -> None:
    for settings in (None, counsel.Settings(
        advisor="a", budget=counsel.Budget(per_run=100), gate=counsel.gates.Always(), execution=counsel.rules.Trusting()
    )):
        if settings is None:
            env: Any = counsel.wrap(lake(), lambda observation: WAY[observation], price=0.01, budget=100)
        else:
            controller = counsel.Controller(settings, 4, price=0.0)
            env = AdvisedEnv(lake(), lambda observation: WAY[observation], controller, critic=lambda observation: np.zeros((2, 4)))
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            check_env(env, skip_render_check=True)
        assert env.spec.nondeterministic and env.controller.calls > 0


def test_actions_have_the_names_that_the_environment_gives_them() -> None:
    pytest.importorskip("minigrid")
    env = counsel.wrap(gymnasium.make("BabyAI-GoToObj-v0", disable_env_checker=True), lambda observation, info: "forward", price=0.01, budget=5)
    assert env.controller.actions == ["left", "right", "forward", "pickup", "drop", "toggle", "done"]
    env.reset(seed=0)
    assert env.step(0)[4]["counsel"]["executed"] == 2
    assert counsel.wrap(lake(), lambda observation: 0, price=0.01, budget=5).controller.actions == ["a0", "a1", "a2", "a3"]
    assert counsel.wrap(lake(), lambda observation: 0, price=0.01, budget=5, actions=["w", "s", "e", "n"]).controller.actions == ["w", "s", "e", "n"]


def test_environments_share_one_controller_and_one_budget(tmp_path: Path) -> None:
    with counsel.Log(tmp_path, arm="shared") as log:
        controller = counsel.Controller.recommended(0.01, 12, 4, log=log)
        envs = [counsel.wrap(lake(), lambda observation: WAY[observation], controller=controller) for _ in range(4)]
        total = sum(walk(env, 150, seed) for seed, env in enumerate(envs))
        for env in envs:
            env.reset(seed=1)
        for step in range(40):
            for env in envs:
                _, _, terminated, truncated, _ = env.step(step % 4)
                if terminated or truncated:
                    env.reset()
    assert controller.calls <= 12 and total > 40
    rows = counsel.log.read(tmp_path, backend="numpy")
    assert set(rows["place"]) == {0, 1, 2, 3} and counsel.audit(tmp_path).clean


def test_questions_of_a_step_are_asked_side_by_side() -> None:
    most = waiting = 0
    lock = threading.Lock()

    def count(change: int) -> None:
        nonlocal most, waiting
        with lock:
            waiting += change
            most = max(most, waiting)

    def slow(observation: Any) -> str:
        count(1)
        time.sleep(0.05)
        count(-1)
        return "right"

    async def awaited(observation: Any) -> str:
        count(1)
        await asyncio.sleep(0.05)
        count(-1)
        return "right"

    for advisor in (slow, awaited):
        most = 0
        envs = SyncVectorEnv([lambda: gymnasium.make("CartPole-v1")] * 8, autoreset_mode=AutoresetMode.SAME_STEP)
        env = counsel.wrap(envs, advisor, price=0.0, budget=40, actions=["left", "right"], at_once=8)
        env.reset(seed=0)
        began = time.monotonic()
        said = env.step(np.zeros(8, np.int64))[4]["counsel"]
        assert said["asked"].all() and said["executed"].tolist() == [1] * 8 and most == 8
        assert time.monotonic() - began < 8 * 0.05 * 5


def test_one_question_of_many_may_fail() -> None:
    def ask(observation: Any) -> str:
        if observation[0] > 0:
            raise ConnectionError("down")
        return "right"

    envs = SyncVectorEnv([lambda: gymnasium.make("CartPole-v1")] * 8)
    env = counsel.wrap(envs, ask, price=0.0, budget=8, actions=["left", "right"])
    before = env.reset(seed=0)[0]
    executed = env.step(np.zeros(8, np.int64))[4]["counsel"]["executed"]
    assert executed.tolist() == (before[:, 0] <= 0).astype(int).tolist() and 0 < executed.sum() < 8


def test_advice_that_changes_nothing_lapses_in_many_environments_as_in_one() -> None:
    """The advisor walks into the wall. What it is followed for in one environment, it is followed for side by side."""

    def followed(env: Any, many: bool) -> list[int]:
        rng, found = np.random.default_rng(3), []
        env.reset(seed=0)
        for _ in range(120):
            action = int(rng.integers(1, 4))
            over, info = env.step(np.array([action]) if many else action)[2:5:2]
            found.append(int(np.ravel(info["counsel"]["executed"])[0]))
            if over and not many:
                env.reset()
        return found

    named: dict[str, Any] = {"price": 0.001, "budget": 60, "episodes": 30}
    one = counsel.wrap(lake(), lambda observation: 0, **named)
    envs = counsel.wrap(SyncVectorEnv([lake], autoreset_mode=AutoresetMode.SAME_STEP), lambda observation: 0, **named)
    alone, side_by_side = followed(one, False), followed(envs, True)
    assert alone == side_by_side and 0 in alone and one.controller.calls == envs.controller.calls > 0


def test_an_advisor_may_be_a_coroutine_where_a_loop_runs_already() -> None:
    async def ask(observation: Any) -> int:
        await asyncio.sleep(0)
        return WAY[observation]

    async def notebook() -> int:
        env = counsel.wrap(lake(), ask, price=0.01, budget=10)
        env.reset(seed=0)
        executed: int = env.step(3)[4]["counsel"]["executed"]
        return executed

    assert asyncio.run(notebook()) == DOWN


REFUSED: dict[str, tuple[dict[str, Any], Any, str]] = {
    "no price": ({"budget": 5}, lambda observation: 0, "no `price` came"),
    "no budget": ({"price": 0.1}, lambda observation: 0, "no `budget` came"),
    "a price beside a controller": ({"price": 0.1, "controller": counsel.Controller.recommended(0.1, 5, 4)}, lambda observation: 0, "`price` came beside a controller"),
    "an advisor that cannot be asked": ({"price": 0.1, "budget": 5}, "left", "pass a callable"),
    "an advisor of three things": ({"price": 0.1, "budget": 5}, lambda a, b, c: 0, "takes 3 arguments"),
    "no environment": ({"price": 0.1, "budget": 5}, lambda observation: 0, "the environment is 3; pass a gymnasium.Env"),
    "names that are too few": ({"price": 0.1, "budget": 5, "actions": ["a", "b"]}, lambda observation: 0, "has 2 actions for"),
}


@pytest.mark.parametrize("what", REFUSED)
def test_what_cannot_be_wrapped_is_refused(what: str) -> None:
    named, advisor, expected = REFUSED[what]
    with pytest.raises(counsel.RefusedError, match=expected):
        counsel.wrap(lake() if what != "no environment" else 3, advisor, **named)  # type: ignore[call-overload]


def test_an_answer_that_is_none_is_a_failure_of_the_advisor() -> None:
    for said, failure in ((7, "named action 7, but there are only 4"), ([1], "returned"), (True, "returned True")):
        env = counsel.wrap(lake(), lambda observation, said=said: said, price=0.01, budget=10)
        env.reset(seed=0)
        shown = env.step(0)[4]["counsel"]
        assert shown["asked"] and failure in shown["failure"] and shown["executed"] == 0


def test_an_interrupt_loses_the_answer_and_nothing_else() -> None:
    def interrupted(observation: Any) -> str:
        raise KeyboardInterrupt

    env = counsel.wrap(lake(), interrupted, price=0.01, budget=10)
    env.reset(seed=0)
    with pytest.raises(KeyboardInterrupt):
        env.step(0)
    assert env.controller.calls == 1 and env.controller.diagnose().reasons == {"lost": 1}


def test_fractions_are_rounded_and_whole_numbers_stay() -> None:
    space = Box(np.float32([-4.8, -np.inf]), np.float32([4.8, np.inf]))
    grid = Grid(space)
    near = [grid(np.float32([0.31, 0.21])), grid(np.float32([0.33, 0.19]))]
    assert near[0] == near[1] and len({near[0], grid(np.float32([2.9, 0.2])), grid(np.float32([0.31, 3.2])), grid(np.float32([0.31, -0.2]))}) == 4
    # An image in floats, as preprocessing makes it, keeps its levels apart.
    image = Grid(Box(0.0, 255.0, (3,), np.float32))
    assert len({image(np.float32([0, 1, level])) for level in range(11)}) == 11
    assert len({grid(np.float32(pair)) for pair in ([0, 0], [0.01, 0], [1, 0], [0, 1])}) == 4
    mixed = Dict({"cart": space, "kind": Discrete(3), "told": Text(9), "pair": Tuple([space, Discrete(2)])})
    told = {"cart": np.float32([0.31, 0.2]), "kind": np.int64(1), "told": "ab", "pair": (np.float32([0.31, 0.2]), 1)}
    other = [told | {"kind": np.int64(2)}, told | {"told": "ac"}, told | {"pair": (np.float32([0.31, 3.2]), 1)}, told | {"cart": np.float32([4, 0.2])}]
    keys = [Grid(mixed)(one) for one in [told, *other]]
    assert len(set(keys)) == 5 and keys[0] == Grid(mixed)(told | {"cart": np.float32([0.32, 0.21])})
    for odd in (np.float32([np.nan, np.inf]), np.float32([1e30, -1e30])):
        assert isinstance(grid(odd), int)


def test_keys_of_observations_never_meet() -> None:
    different: list[Any] = [
        ("ab", "c"), ("a", "bc"), np.zeros(3), np.zeros((3, 1)), np.zeros(3, np.float32), np.zeros(24, np.uint8), {"a": 0.5, "b": 1}, {"a": 1, "b": 0.5},
        None, (None,), 0.0, 0,
    ]
    keys = [observation_key(observation) for observation in different]
    assert len(set(keys)) == len(different) and keys == [observation_key(observation) for observation in different]
    for held in (object(), np.array([object()]), (1, np.array(["a", None], object))):
        with pytest.raises(counsel.RefusedError, match="only the address is known"):
            observation_key(held)
