"""Stable-Baselines3: a replay buffer that keeps what was executed, an adapter for vector environments, and on-policy learners.

SB3 stores the action that its policy chose. Where advice replaced it, the transition is that of another action, so off-policy
learners need :class:`ExecutedActionReplayBuffer`, and on-policy ones must leave such steps out of their gradient.
"""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from typing import Any, Literal

import numpy as np

from .errors import RefusedError, StateError

try:
    import gymnasium
    from stable_baselines3.common.base_class import BaseAlgorithm
    from stable_baselines3.common.buffers import DictReplayBuffer, DictRolloutBuffer, ReplayBuffer, RolloutBuffer
    from stable_baselines3.common.callbacks import BaseCallback
    from stable_baselines3.common.on_policy_algorithm import OnPolicyAlgorithm
    from stable_baselines3.common.vec_env import VecEnv as _VecEnv
except ModuleNotFoundError:
    raise ModuleNotFoundError("counsel.sb3 needs Stable-Baselines3; pip install 'counsel-rl[sb3]'") from None

__all__ = [
    "AdviceCallback", "TeachHeads", "ExecutedActionDictReplayBuffer", "ExecutedActionReplayBuffer", "MaskedDictRolloutBuffer", "MaskedRolloutBuffer", "VecEnv",
    "attach", "learner", "load",
]


def _executed(action: Any, infos: list[dict[str, Any]]) -> Any:
    """The actions that were executed, in the place of those that were chosen."""
    executed = np.array(action)
    for place, info in enumerate(infos):
        if "counsel" in info:
            executed[place] = info["counsel"]["executed"]
    return executed


class ExecutedActionReplayBuffer(ReplayBuffer):
    """Keeps the action that was executed, told by ``info["counsel"]["executed"]``, in place of the one that was chosen."""

    def add(self, obs: Any, next_obs: Any, action: Any, reward: Any, done: Any, infos: list[dict[str, Any]]) -> None:
        super().add(obs, next_obs, _executed(action, infos), reward, done, infos)


class ExecutedActionDictReplayBuffer(DictReplayBuffer):
    """The same for observations that are dictionaries."""

    def add(self, obs: Any, next_obs: Any, action: Any, reward: Any, done: Any, infos: list[dict[str, Any]]) -> None:
        super().add(obs, next_obs, _executed(action, infos), reward, done, infos)


class _Masked:
    """Gives steps whose action was replaced by advice no advantage: they teach the value function and not the policy."""

    env: Any = None

    def reset(self) -> None:
        super().reset()  # type: ignore[misc]
        self.advised = np.zeros((self.buffer_size, self.n_envs), np.bool_)  # type: ignore[attr-defined]

    def add(self, *args: Any, **kwargs: Any) -> None:
        if self.env is None:
            raise StateError(
                "this learner was loaded, and its rollout buffer knows no environment, so it cannot leave advised steps out; load it by "
                "counsel.sb3.load, or pass the learner to counsel.sb3.attach"
            )
        # SB3 adds a step right after it was taken, so the environments still know whether its action was replaced.
        self.advised[self.pos] = self.env.get_attr("overridden")  # type: ignore[attr-defined]
        super().add(*args, **kwargs)  # type: ignore[misc]

    def compute_returns_and_advantage(self, last_values: Any, dones: Any) -> None:
        super().compute_returns_and_advantage(last_values, dones)  # type: ignore[misc]
        self.advantages[self.advised] = 0.0  # type: ignore[attr-defined]


class MaskedRolloutBuffer(_Masked, RolloutBuffer):
    """Gives steps whose action was replaced by advice no advantage: they teach the value function and not the policy."""


class MaskedDictRolloutBuffer(_Masked, DictRolloutBuffer):
    """The same for observations that are dictionaries."""


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
    is_dict = isinstance(env.observation_space, gymnasium.spaces.Dict)
    if not issubclass(algorithm, OnPolicyAlgorithm):
        buffer = ExecutedActionDictReplayBuffer if is_dict else ExecutedActionReplayBuffer
        return algorithm(policy, env, **({"replay_buffer_class": buffer} | kwargs))
    if on_policy != "mask":
        raise RefusedError(
            f"{algorithm.__name__} learns on-policy, and replaced actions make its data off-policy; use an off-policy learner, or "
            'pass on_policy="mask" to give advised steps no advantage'
        )
    masked = MaskedDictRolloutBuffer if is_dict else MaskedRolloutBuffer
    return attach(algorithm(policy, env, **({"rollout_buffer_class": masked} | kwargs)))


def attach(model: Any) -> Any:
    """The same learner ``model``, whose rollout buffer asks the learner's present environment which actions were replaced: after ``load`` and
    ``set_env``. A learner without such a buffer is left as it is."""
    buffer = getattr(model, "rollout_buffer", None)
    if isinstance(buffer, _Masked):
        buffer.env = model.env
    return model


def load(algorithm: type[BaseAlgorithm], path: Any, env: Any, **kwargs: Any) -> Any:
    """The learner that was saved at this ``path``, in this environment ``env``: ``algorithm.load`` for one that :func:`learner` made."""
    return attach(algorithm.load(path, env=env, **kwargs))


class AdviceCallback(BaseCallback):
    """Logs what advice costs and changes, as ``advice/calls``, ``advice/calls_left``, ``advice/asked``, ``advice/replaced`` and
    ``advice/failed``: the first two of the run, the others as shares of the steps since the last line of the logger.

    Parameters
    ----------
    verbose : int
        As for every callback of Stable-Baselines3.
    """

    def __init__(self, verbose: int = 0) -> None:
        super().__init__(verbose)
        self._calls = self._steps = self._asked = self._replaced = self._failed = 0
        self._left: int | None = None

    def _on_training_start(self) -> None:
        kept = getattr(self.model, "replay_buffer", None) or getattr(self.model, "rollout_buffer", None)
        if type(kept) in (ReplayBuffer, DictReplayBuffer, RolloutBuffer, DictRolloutBuffer):
            warnings.warn(
                f"this {type(self.model).__name__} keeps the actions that it chose, and learns something false where advice replaced them; make it by "
                "counsel.sb3.learner",
                stacklevel=2,
            )

    def _on_step(self) -> bool:
        said = [info["counsel"] for info in self.locals.get("infos", []) if "counsel" in info]
        if self.num_timesteps > 0 and self.logger.name_to_value.get("advice/calls") is None:
            # The logger forgets what it has written.
            self._steps = self._asked = self._replaced = self._failed = 0
        asked = sum(bool(one["asked"]) for one in said)
        self._calls, self._asked, self._steps = self._calls + asked, self._asked + asked, self._steps + len(said)
        self._replaced += sum(one["executed"] != one["chosen"] for one in said)
        self._failed += sum("failure" in one for one in said)
        left = [one["calls_left"] for one in said if "calls_left" in one]
        self._left = min(left) if left else self._left
        self.logger.record("advice/calls", self._calls)
        if self._left is not None:
            self.logger.record("advice/calls_left", self._left)
        for name, count in (("asked", self._asked), ("replaced", self._replaced), ("failed", self._failed)):
            self.logger.record(f"advice/{name}", count / max(1, self._steps))
        return True


class TeachHeads(BaseCallback):
    """Teaches :class:`counsel.torch.Heads` beside an off-policy learner, from its replay buffer: what was executed, and what came of it.

    The heads give a learner without an ensemble samples of its values: ``AdvisedEnv(..., critic=heads.samples)``.

    Parameters
    ----------
    heads : counsel.torch.Heads
        What is taught.
    discount : float, optional
        That of the learner without it.
    learning_rate : float
        Of Adam.
    every, batch_size, after : int
        It learns once in ``every`` steps, from ``batch_size`` transitions, after the first ``after`` steps.
    share : float
        The share of the transitions that each head sees.
    verbose : int
        As for every callback of Stable-Baselines3.
    """

    def __init__(
        self, heads: Any, *, discount: float | None = None, learning_rate: float = 1e-3, every: int = 4, batch_size: int = 64, after: int = 100,
        share: float = 0.5, verbose: int = 0,
    ) -> None:
        super().__init__(verbose)
        import torch

        self.heads, self.discount = heads, discount
        self._every, self._batch_size, self._after, self._share = every, batch_size, after, share
        self._optimiser = torch.optim.Adam([one for one in heads.parameters() if one.requires_grad], lr=learning_rate)

    def _on_training_start(self) -> None:
        if getattr(self.model, "replay_buffer", None) is None:
            raise RefusedError(
                f"{type(self.model).__name__} has no replay buffer for heads to learn from; use an off-policy learner, or counsel.wrap, "
                "which learns values by itself"
            )

    def _on_step(self) -> bool:
        import torch

        if self.num_timesteps <= self._after or self.n_calls % self._every:
            return True
        model: Any = self.model
        batch = model.replay_buffer.sample(self._batch_size, env=model._vec_normalize_env)
        discount = model.gamma if self.discount is None else self.discount
        observation, following = (part.float() for part in (batch.observations, batch.next_observations))
        with torch.no_grad():
            best = self.heads(following).max(dim=-1).values
            target = batch.rewards + discount * (1 - batch.dones) * best
        loss = self.heads.loss(observation, batch.actions, target, (torch.rand_like(target) < self._share).float())
        self._optimiser.zero_grad()
        loss.backward()
        self._optimiser.step()
        return True


class VecEnv(_VecEnv):
    """A Gymnasium vector environment, as SB3 wants it.

    Parameters
    ----------
    envs : gymnasium.vector.VectorEnv
        The environments, with autoreset in the same step.
    """

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
