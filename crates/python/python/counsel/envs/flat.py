"""Worlds for learners that take numbers alone: image, direction and mission of BabyAI as one vector.

>>> import gymnasium, counsel.envs
>>> env = counsel.envs.Flat(gymnasium.make("counsel/BabyAI-GoToObj-v0"))
>>> observation, info = env.reset(seed=7)
>>> observation.shape, observation.dtype
((215,), dtype('float32'))
"""

from __future__ import annotations

import zlib
from typing import Any

import gymnasium
import numpy as np
import numpy.typing as npt
from gymnasium import spaces
from gymnasium.vector import VectorEnv, VectorWrapper
from gymnasium.vector.utils import batch_space

from ..errors import RefusedError

__all__ = ["Flat", "FlatVector"]

_Vector = npt.NDArray[np.float32]


class _Encoding:
    """How an observation becomes a vector. Missions are few, so that the words of one are hashed once."""

    def __init__(self, space: Any, words: int) -> None:
        if words < 1:
            raise RefusedError(f"`words` is {words}; pass the number of buckets, 1 or more")
        parts = space.spaces if isinstance(space, spaces.Dict) else {}
        if set(parts) != {"image", "direction", "mission"}:
            raise RefusedError(f"the observations are {space}; pass a BabyAI level, whose observations have image, direction and mission")
        self._words, self._known = words, dict[str, _Vector]()
        pixels = int(np.prod(parts["image"].shape or ()))
        self.space = spaces.Box(0.0, np.inf, (pixels + 4 + words,), np.float32)

    def __call__(self, observation: Any) -> _Vector:
        image = np.asarray(observation["image"], np.float32).reshape(-1) / 10
        return np.concatenate([image, np.eye(4, dtype=np.float32)[int(observation["direction"])], self._mission(observation["mission"])])

    def _mission(self, text: str) -> _Vector:
        if text not in self._known:
            counts = np.zeros(self._words, np.float32)
            for word in text.split():
                counts[zlib.crc32(word.encode()) % self._words] += 1
            self._known[text] = counts
        return self._known[text]

    def all(self, observation: Any) -> _Vector:
        """Those of all places."""
        image = np.asarray(observation["image"], np.float32).reshape(len(observation["image"]), -1) / 10
        direction = np.eye(4, dtype=np.float32)[np.asarray(observation["direction"], np.int64)]
        return np.concatenate([image, direction, np.stack([self._mission(text) for text in observation["mission"]])], axis=1)


class Flat(gymnasium.ObservationWrapper[Any, Any, Any], gymnasium.utils.RecordConstructorArgs):
    """A BabyAI level whose observations are vectors of numbers: the image in tenths, the direction, and the words of the mission.

    Parameters
    ----------
    env : gymnasium.Env
        A level of :mod:`counsel.envs` or of minigrid.
    words : int
        The buckets that words are hashed to.
    """

    def __init__(self, env: gymnasium.Env[Any, Any], *, words: int = 64) -> None:
        gymnasium.utils.RecordConstructorArgs.__init__(self, words=words)
        gymnasium.ObservationWrapper.__init__(self, env)
        self._encoding = _Encoding(env.observation_space, words)
        self.observation_space = self._encoding.space

    def observation(self, observation: Any) -> _Vector:
        return self._encoding(observation)


class FlatVector(VectorWrapper):
    """The same for many places side by side.

    Parameters
    ----------
    env : gymnasium.vector.VectorEnv
        Places of a level of :mod:`counsel.envs`.
    words : int
        The buckets that words are hashed to.
    """

    def __init__(self, env: VectorEnv[Any, Any, Any], *, words: int = 64) -> None:
        super().__init__(env)
        self._encoding = _Encoding(env.single_observation_space, words)
        self.single_observation_space = self._encoding.space
        self.observation_space = batch_space(self._encoding.space, env.num_envs)

    def reset(self, **named: Any) -> tuple[_Vector, dict[str, Any]]:
        observation, info = self.env.reset(**named)
        return self._encoding.all(observation), info

    def step(self, actions: Any) -> tuple[_Vector, Any, Any, Any, dict[str, Any]]:
        observation, reward, terminated, truncated, info = self.env.step(actions)
        if "final_obs" in info:
            final = np.array([None if one is None else self._encoding(one) for one in info["final_obs"]] + [None], object)[:-1]
            info = {**info, "final_obs": final}
        return self._encoding.all(observation), reward, terminated, truncated, info
