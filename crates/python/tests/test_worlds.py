"""Worlds are copied and pickled with their episodes, and show themselves as text."""

from __future__ import annotations

import copy
import pickle
from typing import Any

import numpy as np
import pytest

gymnasium = pytest.importorskip("gymnasium")

import counsel  # noqa: E402
import counsel.envs  # noqa: E402
from counsel.envs import WorldEnv, WorldVectorEnv  # noqa: E402
from gymnasium.utils.env_checker import data_equivalence  # noqa: E402

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


def test_a_level_shows_itself_as_text() -> None:
    env = WorldEnv("BabyAI-GoToObj-v0", render_mode="ansi")
    observation, _ = env.reset(seed=0)
    assert observation["mission"] in str(env.render()) and len(str(env.render()).splitlines()) > 5
    assert WorldEnv("BabyAI-GoToObj-v0").render() is None
    with pytest.raises(counsel.RefusedError, match="the render mode is 'human'; pass \"ansi\", or nothing"):
        WorldEnv("BabyAI-GoToObj-v0", render_mode="human")
    with pytest.raises(counsel.RefusedError, match="the action is 7; pass one of 0 to 6"):
        env.step(7)
