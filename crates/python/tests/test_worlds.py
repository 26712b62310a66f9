"""Worlds are copied and pickled with their episodes, and show themselves as text."""

from __future__ import annotations

import copy
import pickle
import warnings
from typing import Any

import numpy as np
import pytest

gymnasium = pytest.importorskip("gymnasium")

import counsel  # noqa: E402
import counsel.envs  # noqa: E402
from counsel.envs import WorldEnv, WorldVectorEnv  # noqa: E402
from gymnasium.utils.env_checker import check_env, data_equivalence  # noqa: E402
from gymnasium.vector import AutoresetMode  # noqa: E402

LEVELS = ["BabyAI-GoToObj-v0", "pixel-9x9", "crafter", "alfworld"]
WAYS = {"copy": copy.deepcopy, "pickle": lambda env: pickle.loads(pickle.dumps(env))}


def level(name: str) -> str:
    return next(found for found in counsel.envs.LEVELS.values() if found.lower().startswith(name.lower()))


def walk(env: Any, steps: int, seed: int) -> list[Any]:
    rng, seen = np.random.default_rng(seed), []
    for _ in range(steps):
        seen.append(env.step(int(rng.integers(min(6, env.action_space.n)))))
        if seen[-1][2] or seen[-1][3]:
            seen.append(env.reset())
    return seen


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("name", LEVELS)
def test_a_twin_goes_on_as_the_other_does_and_leaves_it_alone(name: str, way: str) -> None:
    env = WorldEnv(level(name), max_steps=30)
    env.reset(seed=5)
    walk(env, 70, seed=0)
    twin, third = WAYS[way](env), WAYS[way](env)
    first = walk(twin, 70, seed=1)
    assert data_equivalence(first, walk(env, 70, seed=1)) and data_equivalence(first, walk(third, 70, seed=1))
    assert not data_equivalence(first, walk(WAYS[way](env), 70, seed=2))


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("mode", ["NextStep", "SameStep", "Disabled"])
def test_twins_of_many_places_go_on_alike(mode: str, way: str) -> None:
    envs = WorldVectorEnv("BabyAI-GoToObj-v0", 5, mode, max_steps=12)
    envs.reset(seed=3)
    rng = np.random.default_rng(0)
    for row in rng.integers(7, size=(40, 5)):
        envs.step(row)
    twins = WAYS[way](envs)
    for row in rng.integers(7, size=(40, 5)):
        assert data_equivalence(envs.step(row)[:4], twins.step(row)[:4])


def test_wrapped_environments_of_gymnasium_are_copied_and_pickled() -> None:
    env = gymnasium.make("counsel/BabyAI-GoToObj-v0")
    env.reset(seed=1)
    env.step(2)
    for twin in (copy.deepcopy(env), pickle.loads(pickle.dumps(env))):
        assert data_equivalence(twin.step(1), copy.deepcopy(env).step(1))


def test_levels_are_vectors_of_numbers_for_learners_that_take_nothing_else() -> None:
    env = counsel.envs.Flat(gymnasium.make("counsel/BabyAI-GoToLocal-v0"), words=32)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        check_env(env, skip_render_check=True)
    seen = {tuple(env.reset(seed=seed)[0][-32:]) for seed in range(20)}
    assert len(seen) > 5, "missions are told apart"
    for mode in AutoresetMode:
        native = gymnasium.make_vec("counsel/BabyAI-GoToLocal-v0", num_envs=3, vectorization_mode="vector_entry_point", autoreset_mode=mode, max_steps=5)
        many, ends = counsel.envs.FlatVector(native, words=32), 0
        singles = [counsel.envs.Flat(gymnasium.make("counsel/BabyAI-GoToLocal-v0", max_steps=5), words=32) for _ in range(3)]
        shown = np.stack([single.reset(seed=place)[0] for place, single in enumerate(singles)])
        observation, _ = many.reset(seed=[0, 1, 2])
        assert many.observation_space.contains(observation) and (observation == shown).all()
        for _ in range(5):
            observation, _, _, truncated, info = many.step(np.array([0, 1, 2]))
            last = np.stack([single.step(action)[0] for action, single in enumerate(singles)])
            over = truncated if mode is AutoresetMode.SAME_STEP else np.zeros(3, bool)
            assert (observation[~over] == last[~over]).all()
            ends += int(over.sum())
            for place in np.flatnonzero(over):
                assert (info["final_obs"][place] == last[place]).all()
        assert ends == (3 if mode is AutoresetMode.SAME_STEP else 0)
    for wrong in (lambda: counsel.envs.Flat(gymnasium.make("CartPole-v1")), lambda: counsel.envs.Flat(gymnasium.make("counsel/Pixel-9x9-v0"))):
        with pytest.raises(counsel.RefusedError, match="pass a BabyAI level"):
            wrong()
    with pytest.raises(counsel.RefusedError, match="`words` is 0"):
        counsel.envs.Flat(gymnasium.make("counsel/BabyAI-GoToObj-v0"), words=0)


def test_a_level_shows_itself_as_text() -> None:
    env = WorldEnv("BabyAI-GoToObj-v0", render_mode="ansi")
    observation, _ = env.reset(seed=0)
    assert observation["mission"] in str(env.render()) and len(str(env.render()).splitlines()) > 5
    assert WorldEnv("BabyAI-GoToObj-v0").render() is None
    with pytest.raises(counsel.RefusedError, match="the render mode is 'human'; pass \"ansi\", or nothing"):
        WorldEnv("BabyAI-GoToObj-v0", render_mode="human")
    with pytest.raises(counsel.RefusedError, match="the action is 7; pass one of 0 to 6"):
        env.step(7)
