"""Stable-Baselines3: a replay buffer that keeps what was executed, an adapter for vector environments, and on-policy learners.

SB3 stores the action that its policy chose. Where advice replaced it, the transition is that of another action, so off-policy
learners need :class:`ExecutedActionReplayBuffer`, and on-policy ones must leave such steps out of their gradient.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Literal

import numpy as np

from .errors import RefusedError

try:
    import gymnasium
    from stable_baselines3.common.base_class import BaseAlgorithm
    from stable_baselines3.common.buffers import ReplayBuffer, RolloutBuffer
    from stable_baselines3.common.on_policy_algorithm import OnPolicyAlgorithm
    from stable_baselines3.common.vec_env import VecEnv as _VecEnv
except ModuleNotFoundError:
    raise ModuleNotFoundError("counsel.sb3 needs Stable-Baselines3; pip install 'counsel-rl[sb3]'") from None

__all__ = ["ExecutedActionReplayBuffer", "MaskedRolloutBuffer", "VecEnv", "learner"]


class ExecutedActionReplayBuffer(ReplayBuffer):
    """Keeps the action that was executed, told by ``info["counsel"]["executed"]``, in place of the one that was chosen."""

    def add(self, obs: Any, next_obs: Any, action: Any, reward: Any, done: Any, infos: list[dict[str, Any]]) -> None:
        executed = np.array(action)
        for place, info in enumerate(infos):
            if "counsel" in info:
                executed[place] = info["counsel"]["executed"]
        super().add(obs, next_obs, executed, reward, done, infos)


class MaskedRolloutBuffer(RolloutBuffer):
    """Gives steps whose action was replaced by advice no advantage: they teach the value function and not the policy."""

    env: Any = None

    def reset(self) -> None:
        super().reset()
        self.advised = np.zeros((self.buffer_size, self.n_envs), np.bool_)

    def add(self, *args: Any, **kwargs: Any) -> None:
        # SB3 adds a step right after it was taken, so the environments still know whether its action was replaced.
        self.advised[self.pos] = self.env.get_attr("overridden")
        super().add(*args, **kwargs)

    def compute_returns_and_advantage(self, last_values: Any, dones: Any) -> None:
        super().compute_returns_and_advantage(last_values, dones)
        self.advantages[self.advised] = 0.0


def learner(
    algorithm: type[BaseAlgorithm], policy: Any, env: Any, *, on_policy: Literal["refuse", "mask"] = "refuse", **kwargs: Any
) -> Any:
    """A Stable-Baselines3 learner that learns from what was executed.

    Parameters
    ----------
    algorithm : type
        Such as ``DQN`` or ``PPO``.
    policy, env, **kwargs
        As the algorithm takes them.
    on_policy : {"refuse", "mask"}
        On-policy data with replaced actions is not on-policy any more. By default it is refused; with ``mask`` advised steps get
        no advantage.
    """
    if not issubclass(algorithm, OnPolicyAlgorithm):
        return algorithm(policy, env, **({"replay_buffer_class": ExecutedActionReplayBuffer} | kwargs))
    if on_policy != "mask":
        raise RefusedError(
            f"{algorithm.__name__} learns on-policy, and replaced actions make its data off-policy; use an off-policy learner, or "
            'pass on_policy="mask" to give advised steps no advantage'
        )
    model: Any = algorithm(policy, env, **({"rollout_buffer_class": MaskedRolloutBuffer} | kwargs))
    model.rollout_buffer.env = model.env
    return model


class VecEnv(_VecEnv):
    """A Gymnasium vector environment with autoreset in the same step, as SB3 wants it."""

    def __init__(self, envs: gymnasium.vector.VectorEnv[Any, Any, Any]) -> None:
        mode = envs.metadata.get("autoreset_mode")
        if mode is not gymnasium.vector.AutoresetMode.SAME_STEP:
            raise RefusedError(f"the environments reset by {mode}; make them with autoreset_mode=AutoresetMode.SAME_STEP")
        super().__init__(envs.num_envs, envs.single_observation_space, envs.single_action_space)
        self.envs = envs
        self._actions: Any = None

    def reset(self) -> Any:
        seeds: Any = self._seeds if any(seed is not None for seed in self._seeds) else None
        observation, _ = self.envs.reset(seed=seeds)
        self._reset_seeds()
        return observation

    def step_async(self, actions: Any) -> None:
        self._actions = actions

    def step_wait(self) -> tuple[Any, Any, Any, list[dict[str, Any]]]:
        observation, reward, terminated, truncated, info = self.envs.step(self._actions)
        done = np.logical_or(terminated, truncated)
        infos: list[dict[str, Any]] = []
        for place in range(self.num_envs):
            own: dict[str, Any] = {"TimeLimit.truncated": bool(truncated[place] and not terminated[place])}
            if done[place]:
                own["terminal_observation"] = info["final_obs"][place]
            if "counsel" in info:
                own["counsel"] = {name: column[place].item() for name, column in info["counsel"].items()}
            infos.append(own)
        return observation, np.asarray(reward, np.float32), done, infos

    def close(self) -> None:
        self.envs.close()

    def get_attr(self, attr_name: str, indices: Any = None) -> list[Any]:
        value = getattr(self.envs, attr_name)
        return [value[place] if attr_name == "overridden" else value for place in self._get_indices(indices)]

    def set_attr(self, attr_name: str, value: Any, indices: Any = None) -> None:
        setattr(self.envs, attr_name, value)

    def env_method(self, method_name: str, *args: Any, indices: Any = None, **kwargs: Any) -> list[Any]:
        return [getattr(self.envs, method_name)(*args, **kwargs) for _ in self._get_indices(indices)]

    def env_is_wrapped(self, wrapper_class: Any, indices: Any = None) -> list[bool]:
        return [False for _ in self._get_indices(indices)]

    def get_images(self) -> Sequence[Any]:
        return [None] * self.num_envs
