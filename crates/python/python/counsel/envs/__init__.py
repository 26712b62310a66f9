"""The worlds of counsel as Gymnasium environments: ``counsel/BabyAI-GoToObj-v0`` and the others.

Importing this module registers them. Each id has an ordinary environment and a native vector environment with any number of
places, which is stepped in one call:

>>> import gymnasium, counsel.envs
>>> env = gymnasium.make("counsel/BabyAI-GoToObj-v0")
>>> observation, info = env.reset(seed=7)
>>> observation["mission"][:9]
'go to the'
>>> envs = gymnasium.make_vec("counsel/BabyAI-GoToObj-v0", num_envs=64, vectorization_mode="vector_entry_point")
>>> observation, info = envs.reset(seed=0)
>>> observation["image"].shape
(64, 7, 7, 3)

A BabyAI level is minigrid's, seed for seed; ``crafter`` is PyPI's crafter; ``alfworld`` are its text games, where an action is the
place of a command in ``info["admissible"]``.
"""

from __future__ import annotations

import string
from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from .._counsel import Worlds, checked_seed, context_key, levels
from ..errors import RefusedError

try:
    import gymnasium
    from gymnasium import spaces
    from gymnasium.vector import AutoresetMode, VectorEnv
    from gymnasium.vector.utils import batch_space
except ModuleNotFoundError:
    raise ModuleNotFoundError("counsel.envs needs gymnasium; pip install 'counsel-rl[gymnasium]'") from None

from .flat import Flat, FlatVector

__all__ = ["LEVELS", "ACTIONS", "Flat", "FlatVector", "WorldEnv", "WorldVectorEnv", "contexts"]

#: The level behind every registered id.
LEVELS: dict[str, str] = {}
#: The names of the actions of BabyAI.
ACTIONS = ("left", "right", "forward", "pickup", "drop", "toggle", "done")
#: More commands than any text game admits at once; one past what is admissible does nothing.
_COMMANDS = 256

#: In place of last observations where there are none.
_NOTHING = (np.empty(0, np.uint8), np.empty(0, np.int64))

_Image = npt.NDArray[np.uint8]
_Directions = npt.NDArray[np.int64]
_MISSION = string.ascii_lowercase + string.digits + " ,'-"


def _observation_space(worlds: Worlds) -> spaces.Space[Any]:
    if worlds.tells:
        return spaces.Text(max_length=1 << 16, min_length=0, charset=string.printable)
    image = spaces.Box(0, 255, tuple(worlds.image_shape), np.uint8)
    if not worlds.text(0):
        return image
    mission = spaces.Text(max_length=512, min_length=0, charset=_MISSION)
    return spaces.Dict({"image": image, "direction": spaces.Discrete(4), "mission": mission})


class _Places:
    """Native places and the arrays that a step fills."""

    def __init__(self, level: str, count: int, max_steps: int | None) -> None:
        self.worlds = Worlds(level, count, max_steps=max_steps)
        self.count = count
        self.observation_space = _observation_space(self.worlds)
        self.action_space = spaces.Discrete(_COMMANDS if self.worlds.tells else len(self.worlds.words))
        self.has_mission = isinstance(self.observation_space, spaces.Dict)
        self.texts = [self.worlds.text(place) for place in range(count)]

    def empty(self) -> tuple[_Image, _Directions]:
        return np.empty((self.count, *self.worlds.image_shape), np.uint8), np.empty(self.count, np.int64)

    def reset(self, seeds: Sequence[int | None], mask: Sequence[bool]) -> tuple[_Image, _Directions]:
        image, direction = self.empty()
        self.worlds.reset(seeds, mask, image, direction)
        self.texts = [self.worlds.text(place) for place in range(self.count)]
        return image, direction

    def batched(self, image: _Image, direction: _Directions, texts: Sequence[str]) -> Any:
        """What a vector environment shows."""
        if self.worlds.tells:
            return tuple(texts)
        return {"image": image, "direction": direction, "mission": tuple(texts)} if self.has_mission else image

    def single(self, image: _Image, direction: _Directions, text: str, place: int = 0) -> Any:
        """What one place shows."""
        if self.worlds.tells:
            return text
        if not self.has_mission:
            return image[place]
        return {"image": image[place], "direction": direction[place], "mission": text}


class WorldEnv(gymnasium.Env[Any, np.int64]):
    """One place of a level. It can be copied with its episode, and pickled up to a million steps after a reset with a seed.

    Parameters
    ----------
    level : str
        The id of the level, without ``counsel/``.
    max_steps : int, optional
        How many steps an episode has at most.
    render_mode : {"ansi"}, optional
        What :meth:`render` gives: the task, the clock and a picture, as lines of text.
    """

    metadata = {"render_modes": ["ansi"], "render_fps": 4}

    def __init__(self, level: str, max_steps: int | None = None, render_mode: str | None = None) -> None:
        if render_mode not in (None, "ansi"):
            raise RefusedError(f'the render mode is {render_mode!r}; pass "ansi", or nothing')
        self.places = _Places(level, 1, max_steps)
        self.render_mode = render_mode
        self.observation_space, self.action_space = self.places.observation_space, self.places.action_space
        self._step, self._tells, self._has_mission = self.places.worlds.step_alone, self.places.worlds.tells, self.places.has_mission
        self._seeded = False

    def __getstate__(self) -> dict[str, Any]:
        return {name: value for name, value in vars(self).items() if name != "_step"}

    def __setstate__(self, state: dict[str, Any]) -> None:
        vars(self).update(state)
        self._step = self.places.worlds.step_alone

    def render(self) -> str | None:
        return self.places.worlds.picture(0) if self.render_mode == "ansi" else None

    def _info(self) -> dict[str, Any]:
        return {"admissible": self.places.worlds.commands(0)} if self.places.worlds.tells else {}

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> tuple[Any, dict[str, Any]]:
        seed = None if seed is None else checked_seed(seed)
        super().reset(seed=seed)
        if seed is None and not self._seeded:
            seed = int(self.np_random.integers(2**31))
        self._seeded = True
        image, direction = self.places.reset([seed], [True])
        return self.places.single(image, direction, self.places.texts[0]), self._info()

    def step(self, action: np.int64 | int) -> tuple[Any, float, bool, bool, dict[str, Any]]:
        image, direction, reward, terminated, truncated = self._step(action)
        if self._has_mission:
            seen = {"image": image, "direction": np.int64(direction), "mission": self.places.texts[0]}
            return seen, reward, terminated, truncated, {}
        if self._tells:
            return self.places.worlds.text(0), reward, terminated, truncated, self._info()
        return image, reward, terminated, truncated, {}


class WorldVectorEnv(VectorEnv[Any, Any, Any]):
    """Many places of a level, stepped in one native call. They can be copied with their episodes, and pickled.

    Parameters
    ----------
    level : str
        The id of the level, without ``counsel/``.
    num_envs : int
        How many places.
    autoreset_mode : AutoresetMode
        When an episode that is over begins again. With ``SAME_STEP`` the last observation is in ``info["final_obs"]``.
    max_steps : int, optional
        How many steps an episode has at most.
    """

    def __init__(
        self,
        level: str,
        num_envs: int = 1,
        autoreset_mode: AutoresetMode | str = AutoresetMode.NEXT_STEP,
        max_steps: int | None = None,
    ) -> None:
        self.autoreset_mode = AutoresetMode(autoreset_mode)
        self.metadata = {"render_modes": [], "autoreset_mode": self.autoreset_mode}
        self.num_envs = num_envs
        self.places = _Places(level, num_envs, max_steps)
        self.single_observation_space = self.places.observation_space
        self.single_action_space = self.places.action_space
        self.observation_space = batch_space(self.single_observation_space, num_envs)
        self.action_space = batch_space(self.single_action_space, num_envs)
        self._seeded = False

    def _info(self) -> dict[str, Any]:
        worlds = self.places.worlds
        return {"admissible": tuple(worlds.commands(place) for place in range(self.num_envs))} if worlds.tells else {}

    def reset(
        self, *, seed: int | Sequence[int | None] | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Any, dict[str, Any]]:
        each: list[int | None] = [None] * self.num_envs if seed is None or isinstance(seed, (int, np.integer)) else list(seed)
        first = checked_seed(seed) if isinstance(seed, (int, np.integer)) else None
        super().reset(seed=first)
        if seed is None and not self._seeded:
            first = int(self.np_random.integers(2**31))
        seeds: list[int | None] = each if first is None else [first + place for place in range(self.num_envs)]
        if len(seeds) != self.num_envs:
            raise RefusedError(f"{len(seeds)} seeds came for {self.num_envs} environments; pass one for each")
        self._seeded = True
        mask = (options or {}).get("reset_mask")
        flags = [True] * self.num_envs if mask is None else [bool(flag) for flag in mask]
        image, direction = self.places.reset(seeds, flags)
        return self.places.batched(image, direction, self.places.texts), self._info()

    def step(self, actions: Any) -> tuple[Any, Any, Any, Any, dict[str, Any]]:
        places, count = self.places, self.num_envs
        image, direction = places.empty()
        reward, terminated, truncated = np.empty(count), np.empty(count, np.bool_), np.empty(count, np.bool_)
        same = self.autoreset_mode is AutoresetMode.SAME_STEP
        final_image, final_direction = places.empty() if same else _NOTHING
        begun, last = places.worlds.step(
            np.ascontiguousarray(actions, np.int64), self.autoreset_mode.value, image, direction, reward, terminated, truncated,
            final_image, final_direction,
        )
        for place in range(count) if places.worlds.tells else begun:
            places.texts[place] = places.worlds.text(place)
        info = self._info()
        if last:
            final = np.full(count, None, object)
            for place, text in zip(begun, last, strict=True):
                final[place] = places.single(final_image, final_direction, text, place)
            ended = terminated | truncated
            info |= {"final_obs": final, "_final_obs": ended, "final_info": {}, "_final_info": ended}
        return places.batched(image, direction, places.texts), reward, terminated, truncated, info


def contexts(observation: Any) -> npt.NDArray[np.uint64]:
    """The keys of what each place of a vector environment shows in an ``observation``, for a cache or a predictor."""
    if isinstance(observation, tuple):
        return np.array([context_key(text) for text in observation], np.uint64)
    if not isinstance(observation, dict):
        return np.array([context_key(np.ascontiguousarray(image)) for image in observation], np.uint64)
    shown = zip(observation["image"], observation["direction"], observation["mission"], strict=True)
    keys = [context_key(image.tobytes() + bytes([direction]) + mission.encode()) for image, direction, mission in shown]
    return np.array(keys, np.uint64)


def _gymnasium_id(level: str) -> str:
    """``crafter`` becomes ``Crafter-v0``, ``alfworld-evaluation`` ``AlfworldEvaluation-v0``; the others have names already."""
    if level[0].isupper():
        return level
    return "".join(part.capitalize() for part in level.split("-")) + "-v0"


def _register() -> None:
    for _, ids in levels():
        for level in ids:
            name = f"counsel/{_gymnasium_id(level)}"
            LEVELS[name] = level
            if name not in gymnasium.registry:
                gymnasium.register(
                    name,
                    entry_point="counsel.envs:WorldEnv",
                    vector_entry_point="counsel.envs:WorldVectorEnv",
                    kwargs={"level": level},
                )


_register()
