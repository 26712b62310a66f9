"""Stable-Baselines3's DQN on CartPole, advised where an ensemble of values says that advice is worth its price.

DQN has one value network, so the samples come from heads that learn beside it from the same replay buffer. Until the radius is
calibrated it is infinite, and nothing is asked.
"""

import os
from typing import Any

import gymnasium as gym
import numpy as np
import numpy.typing as npt
import torch
from stable_baselines3 import DQN
from stable_baselines3.common.callbacks import BaseCallback

import counsel
from counsel.gymnasium import AdvisedEnv
from counsel.sb3 import learner
from counsel.torch import Heads

STEPS = 2_000 if os.environ.get("EXAMPLE") == "short" else 20_000
torch.set_num_threads(1)
heads = Heads(4, 2, heads=8, seed=0)
optimiser = torch.optim.Adam(heads.parameters(), lr=1e-3)


def ask(observation: npt.NDArray[np.float32], info: dict[str, Any]) -> str:  # your model; return None if no answer came
    return "right" if observation[2] + 0.5 * observation[3] > 0 else "left"


class TeachHeads(BaseCallback):
    """The heads learn from what the replay buffer holds: executed actions."""

    def _on_step(self) -> bool:
        if self.num_timesteps > 100 and self.num_timesteps % 4 == 0:
            assert isinstance(self.model, DQN) and self.model.replay_buffer is not None
            batch = self.model.replay_buffer.sample(64)
            with torch.no_grad():
                following = heads(batch.next_observations).max(dim=-1).values
                target = batch.rewards + 0.99 * (1 - batch.dones) * following
            loss = heads.loss(batch.observations, batch.actions, target, (torch.rand_like(target) < 0.5).float())
            optimiser.zero_grad()
            torch.autograd.backward(loss)
            optimiser.step()
        return True


with counsel.Log("runs", arm="advised") as log:
    settings = counsel.Settings(
        advisor="lean-v1", budget=counsel.Budget(per_run=300, per_episode=20), execution=counsel.rules.Improving()
    )
    controller = counsel.Controller(settings, ["left", "right"], price=0.01, radius=0.02, log=log)
    env = AdvisedEnv(gym.make("CartPole-v1"), ask, controller, critic=heads.samples)
    model = learner(DQN, "MlpPolicy", env, learning_starts=100, buffer_size=5_000, seed=0, device="cpu")
    seen: list[tuple[int, int]] = []

    class Watch(BaseCallback):
        def _on_step(self) -> bool:
            said = self.locals["infos"][0]["counsel"]
            seen.append((said["chosen"], said["executed"]))
            return True

    model.learn(STEPS, callback=[TeachHeads(), Watch()])

kept = model.replay_buffer.actions[: min(len(seen), 5_000), 0, 0].tolist()
if len(seen) <= 5_000:
    assert kept == [executed for _, executed in seen], "the buffer holds what was executed"
print(env.controller.calls, "calls,", sum(chosen != executed for chosen, executed in seen), "actions replaced in", len(seen), "steps")
print(counsel.audit("runs"))
