"""Environments that take advice, and the worlds of counsel as environments."""

from __future__ import annotations

import warnings
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

gymnasium = pytest.importorskip("gymnasium")

import counsel  # noqa: E402
import counsel.envs  # noqa: E402
from counsel.gymnasium import AdvisedEnv, AdvisedVectorEnv  # noqa: E402
from gymnasium.utils.env_checker import check_env  # noqa: E402
from gymnasium.vector import AutoresetMode, SyncVectorEnv  # noqa: E402

WORDS = ["left", "right"]
EAGER = counsel.Settings(
    advisor="rule", budget=counsel.Budget(per_episode=5), gate=counsel.gates.Always(), execution=counsel.rules.Trusting()
)


def lean(observation: Any, info: dict[str, Any]) -> str:
    return "right" if observation[2] > 0 else "left"


def flat(observation: Any) -> Any:
    return np.zeros((2, 2), np.float32)


def eager(settings: counsel.Settings = EAGER, **named: Any) -> counsel.Controller:
    return counsel.Controller(settings, **({"actions": WORDS, "price": 0.0} | named))


def advised(advisor: Any = lean, settings: counsel.Settings = EAGER, **named: Any) -> AdvisedEnv:
    return AdvisedEnv(gymnasium.make("CartPole-v1"), advisor, eager(settings), **({"critic": flat} | named))


def test_an_advised_environment_is_a_good_environment() -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        check_env(advised(), skip_render_check=True)


def test_info_says_what_was_chosen_and_what_was_executed() -> None:
    env = advised()
    observation, _ = env.reset(seed=3)
    for step in range(8):
        before = observation
        observation, *_, info = env.step(0)
        said = info["counsel"]
        assert said["chosen"] == 0 and said["asked"] == (step < 5)
        assert said["executed"] == (int(before[2] > 0) if step < 5 else 0)
        assert env.overridden == (said["executed"] != 0) and said["calls_left"] == max(0, 4 - step)
    assert env.controller.calls == 5
    env.reset()
    assert env.step(1)[4]["counsel"]["asked"], "a new episode has calls again"


def test_silence_is_the_default() -> None:
    asked: list[int] = []

    def note(observation: Any, info: Any) -> str:
        asked.append(1)
        return "left"

    budget = counsel.Budget(per_run=100)
    predictive = counsel.Settings(advisor="rule", budget=budget)
    for named in (
        {"critic": None}, {"settings": predictive}, {"critic": lambda observation: None},
        {"critic": lambda observation: np.full((2, 2), np.nan)},
    ):
        env = advised(note, **named)
        env.reset(seed=0)
        assert env.step(1)[4]["counsel"]["executed"] == 1
    assert not asked


def test_an_advisor_that_fails_is_a_lost_answer_and_the_episode_goes_on() -> None:
    def broken(observation: Any, info: Any) -> str:
        raise ConnectionError("down")

    env = advised(broken)
    env.reset(seed=0)
    assert env.step(1)[4]["counsel"] | {"estimate": 0, "score": 0, "threshold": 0} == {
        "chosen": 1, "executed": 1, "asked": True, "estimate": 0, "score": 0, "threshold": 0, "calls_left": 4,
        "failure": "ConnectionError: down",
    }
    strict = advised(broken, strict=True)
    strict.reset(seed=0)
    with pytest.raises(ConnectionError):
        strict.step(1)
    assert strict.controller.calls == 1


@pytest.mark.parametrize("said", [None, ConnectionError("down")])
def test_an_advisor_that_keeps_failing_does_not_spend_the_budget_in_silence(said: Exception | None) -> None:
    def broken(observation: Any, info: Any) -> str | None:
        if said is not None:
            raise said
        return None

    def all_broken(observations: Any, places: Any) -> list[str | None]:
        return [broken(observation, None) for observation in observations]

    hundred = replace(EAGER, budget=counsel.Budget(per_run=100))
    single = advised(broken, hundred, stop_after=3)
    single.reset(seed=0)
    both = SyncVectorEnv([lambda: gymnasium.make("CartPole-v1")] * 2)
    vector = AdvisedVectorEnv(
        both, all_broken, counsel.VectorController(hundred, WORDS, 2, price=0.0), critic=lambda seen: np.stack([flat(one) for one in seen]), stop_after=3
    )
    vector.reset(seed=0)
    failure = "no answer came" if said is None else "ConnectionError: down"
    for env, action, calls in ((single, 1, 3), (vector, np.ones(2, int), 6)):
        for _ in range(2):
            env.step(action)
        with pytest.raises(counsel.StateError, match=f"failed 3 times in a row.*{failure}.*`stop_after`"):
            env.step(action)
        assert env.controller.calls == calls
        env.step(action)
    with pytest.raises(counsel.RefusedError, match="`stop_after` is 0"):
        advised(broken, stop_after=0)


def test_unsuitable_environments_are_refused() -> None:
    with pytest.raises(counsel.RefusedError, match="Discrete"):
        AdvisedEnv(gymnasium.make("Pendulum-v1"), lean, eager())
    with pytest.raises(counsel.RefusedError, match="has 3 actions for Discrete"):
        AdvisedEnv(gymnasium.make("CartPole-v1"), lean, eager(actions=["a", "b", "c"]))
    with pytest.raises(counsel.RefusedError, match="pass a counsel.Controller"):
        AdvisedEnv(gymnasium.make("CartPole-v1"), lean, EAGER)  # type: ignore[arg-type]
    envs = SyncVectorEnv([lambda: gymnasium.make("CartPole-v1")] * 2)
    with pytest.raises(counsel.RefusedError, match="is for 3 environments, but there are 2"):
        AdvisedVectorEnv(envs, lambda seen, places: [None] * len(places), counsel.VectorController(EAGER, WORDS, 3, price=0.0))


@pytest.mark.parametrize("mode", list(AutoresetMode))
def test_vector_environments_take_advice_in_every_autoreset_mode(mode: AutoresetMode, tmp_path: Path) -> None:
    envs = SyncVectorEnv([lambda: gymnasium.make("CartPole-v1", max_episode_steps=12)] * 3, autoreset_mode=mode)
    asked: list[list[int]] = []

    def advisor(observations: Any, places: Any) -> list[str]:
        asked.append(list(places))
        return [lean(observation, {}) for observation in observations]

    with counsel.Log(tmp_path, arm=mode.name) as log:
        controller = counsel.VectorController(EAGER, WORDS, 3, price=0.0, log=log)
        env = AdvisedVectorEnv(envs, advisor, controller, critic=lambda observation: np.zeros((3, 2, 2)))
        observation, _ = env.reset(seed=1)
        over = np.zeros(3, bool)
        calls = np.zeros(3, int)
        for _ in range(60):
            if mode is AutoresetMode.DISABLED and over.any():
                observation, _ = env.reset(options={"reset_mask": over})
                calls[over], over = 0, np.zeros(3, bool)
            dead = over if mode is AutoresetMode.NEXT_STEP else np.zeros(3, bool)
            before = observation
            observation, reward, terminated, truncated, info = env.step(np.zeros(3, np.int64))
            said = info["counsel"]
            assert (said["asked"] == (~dead & (calls < 5))).all(), "five calls in each episode of each place, none in a dead step"
            expected = np.where(said["asked"], before[:, 2] > 0, 0)
            assert (said["executed"] == expected).all()
            calls[dead] = 0
            calls += said["asked"]
            over = terminated | truncated
            if mode is AutoresetMode.SAME_STEP:
                calls[over] = 0
    assert max(map(len, asked)) == 3
    assert counsel.audit(tmp_path).clean


def test_a_kept_answer_serves_its_own_context_alone() -> None:
    keeping = counsel.Settings(
        advisor="rule", budget=counsel.Budget(per_run=1), gate=counsel.gates.Always(), execution=counsel.rules.Trusting(), cache=counsel.Cache()
    )
    envs = SyncVectorEnv([lambda: gymnasium.make("CartPole-v1")] * 2)
    env = AdvisedVectorEnv(
        envs, lambda observations, places: ["right"] * len(places), counsel.VectorController(keeping, WORDS, 2, price=0.0),
        critic=lambda observation: np.zeros((2, 1, 2)),
    )
    env.reset(seed=1)
    replaced = [int((env.step(np.zeros(2, np.int64))[4]["counsel"]["executed"] == 1).sum()) for _ in range(10)]
    assert replaced == [1] + [0] * 9


@pytest.mark.parametrize("level", ["BabyAI-GoToObj-v0", "BabyAI-GoToLocal-v0", "BabyAI-BossLevel-v0", "Pixel-9x9-v0", "Crafter-v0", "Alfworld-v0"])
def test_the_worlds_are_good_environments(level: str) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        check_env(gymnasium.make(f"counsel/{level}").unwrapped, skip_render_check=True)


def same(one: Any, other: Any) -> bool:
    if isinstance(one, dict):
        return all(same(one[name], other[name]) for name in one)
    return bool(np.array_equal(one, other))


@pytest.mark.parametrize("mode", list(AutoresetMode))
@pytest.mark.parametrize("level", ["counsel/BabyAI-GoToLocal-v0", "counsel/Pixel-9x9-v0", "counsel/Alfworld-v0"])
def test_native_vector_environments_are_singles_side_by_side(level: str, mode: AutoresetMode) -> None:
    count = 4
    native = gymnasium.make_vec(
        level, num_envs=count, vectorization_mode="vector_entry_point", autoreset_mode=mode, max_steps=17
    )
    singles = [gymnasium.make(level, max_steps=17) for _ in range(count)]
    assert native.metadata["autoreset_mode"] is mode
    observation, _ = native.reset(seed=5)
    assert native.observation_space.contains(observation)
    shown = [single.reset(seed=5 + place)[0] for place, single in enumerate(singles)]
    over = np.zeros(count, bool)
    rng = np.random.default_rng(0)
    for _ in range(60):
        if mode is AutoresetMode.DISABLED and over.any():
            observation, _ = native.reset(options={"reset_mask": over})
            shown = [single.reset()[0] if done else seen for single, done, seen in zip(singles, over, shown, strict=True)]
            over[:] = False
        for place in range(count):
            seen = observation[place] if isinstance(observation, tuple) else {k: v[place] for k, v in observation.items()} if isinstance(observation, dict) else observation[place]
            assert same(seen, shown[place]), (place, seen, shown[place])
        actions = rng.integers(4, size=count)
        observation, reward, terminated, truncated, info = native.step(actions)
        for place, single in enumerate(singles):
            if over[place] and mode is AutoresetMode.NEXT_STEP:
                shown[place], expected = single.reset()[0], (0.0, False, False)
            else:
                shown[place], *expected, _ = single.step(actions[place])
                if mode is AutoresetMode.SAME_STEP and (expected[1] or expected[2]):
                    assert same(info["final_obs"][place], shown[place]) and info["_final_obs"][place]
                    shown[place] = single.reset()[0]
            assert (reward[place], terminated[place], truncated[place]) == tuple(expected)
        over = terminated | truncated


def test_babyai_is_that_of_minigrid() -> None:
    pytest.importorskip("minigrid")
    different = 0
    for level in ("BabyAI-GoToObj-v0", "BabyAI-Pickup-v0", "BabyAI-UnlockPickup-v0"):
        own, original = gymnasium.make(f"counsel/{level}"), gymnasium.make(level, disable_env_checker=True)
        shown, expected = own.reset(seed=7)[0], original.reset(seed=7)[0]
        for action in np.random.default_rng(1).integers(7, size=400):
            different += not same(shown, expected)
            shown, *ours, _ = own.step(action)
            expected, *theirs, _ = original.step(action)
            different += ours != theirs
            if theirs[1] or theirs[2]:
                shown, expected = own.reset()[0], original.reset()[0]
    assert different == 0


def test_contexts_tell_situations_apart() -> None:
    envs = counsel.envs.WorldVectorEnv("BabyAI-GoToObj-v0", 8)
    one = counsel.envs.contexts(envs.reset(seed=0)[0])
    assert (one == counsel.envs.contexts(envs.reset(seed=0)[0])).all() and len(set(one.tolist())) > 4
    with pytest.raises(counsel.RefusedError, match="environment 1 is 9"):
        envs.step(np.array([0, 9, 0, 0, 0, 0, 0, 0]))
    with pytest.raises(counsel.RefusedError, match="did you mean `BabyAI-GoToObj-v0`"):
        counsel.envs.WorldVectorEnv("BabyAI-GoToObjj-v0", 8)
