"""A DQN in one file, with advice and without, on the same seeds of BabyAI-GoToObj.

The advisor is a stand-in for a language model: it names what minigrid's bot would do, and nine times in ten it is right. The three lines
that advice takes are marked. With `sb3` as an argument the learner is that of Stable-Baselines3.
"""

import os
import random
import sys
from collections import deque
from typing import Any

import gymnasium as gym
import minigrid  # noqa: F401
import minigrid.utils.baby_ai_bot as baby_ai_bot
import minigrid.wrappers as wrappers
import numpy as np
import torch
from torch import nn

import counsel

SHORT = os.environ.get("EXAMPLE") == "short"
SEEDS, STEPS = (range(2), 600) if SHORT else (range(int(os.environ.get("SEEDS", "20"))), 5_000)
torch.set_num_threads(1)
# minigrid has no types.
Bot: Any = baby_ai_bot.BabyAIBot
ImageOnly: Any = wrappers.ImgObsWrapper


def make() -> gym.Env[Any, Any]:
    return gym.wrappers.RecordEpisodeStatistics(ImageOnly(gym.make("BabyAI-GoToObj-v0", disable_env_checker=True)))


class Advisor:
    """Right nine times in ten."""

    def __init__(self, env: gym.Env[Any, Any], seed: int) -> None:
        self.env, self.rng = env, random.Random(seed)

    def __call__(self, observation: Any) -> str:
        right = int(Bot(self.env.unwrapped).replan())
        actions = ["left", "right", "forward", "pickup", "drop", "toggle", "done"]
        return f"Action: {actions[right] if self.rng.random() < 0.9 else self.rng.choice(actions)}"


def dqn(env: gym.Env[Any, Any], seed: int, advised: bool) -> list[float]:
    """Returns of all episodes of one run."""
    torch.manual_seed(seed)
    rng = random.Random(seed)

    def network() -> nn.Module:
        return nn.Sequential(nn.Flatten(), nn.Linear(147, 64), nn.ReLU(), nn.Linear(64, 7))

    q, target = network(), network()
    target.load_state_dict(q.state_dict())
    optimiser, buffer, returns = torch.optim.Adam(q.parameters(), lr=1e-3), deque[Any](maxlen=5_000), []
    observation, _ = env.reset(seed=seed)
    for step in range(STEPS):
        if rng.random() < max(0.05, 1 - step / (0.5 * STEPS)):
            action = rng.randrange(7)
        else:
            with torch.no_grad():
                action = int(q(torch.as_tensor(observation[None], dtype=torch.float32) / 10).argmax())
        following, reward, terminated, truncated, info = env.step(action)
        if advised:
            action = info["counsel"]["executed"]                                # counsel, line 3: learn from what was executed
        buffer.append((observation, action, float(reward), following, terminated))
        observation = following
        if terminated or truncated:
            returns.append(float(info["episode"]["r"]))
            observation, _ = env.reset()
        if step > 200 and step % 4 == 0:
            seen, acts, rewards, later, over = zip(*rng.sample(list(buffer), 32), strict=True)
            x, y = (torch.as_tensor(np.array(part), dtype=torch.float32) / 10 for part in (seen, later))
            with torch.no_grad():
                goal = torch.tensor(rewards) + 0.95 * (1 - torch.tensor(over, dtype=torch.float32)) * target(y).max(1).values
            loss = nn.functional.mse_loss(q(x).gather(1, torch.tensor(acts)[:, None]).squeeze(1), goal)
            optimiser.zero_grad()
            torch.autograd.backward(loss)
            optimiser.step()
        if step % 250 == 0:
            target.load_state_dict(q.state_dict())
    return returns


def sb3(env: gym.Env[Any, Any], seed: int, advised: bool) -> list[float]:
    """The same by Stable-Baselines3, whose policy needs a flat observation in floats."""
    from stable_baselines3 import DQN
    from stable_baselines3.common.monitor import Monitor

    import counsel.sb3                                                          # counsel, line 1

    watched = Monitor(env)
    named: dict[str, Any] = {
        "learning_starts": 200, "buffer_size": 5_000, "exploration_fraction": 0.5, "target_update_interval": 250, "gamma": 0.95, "learning_rate": 1e-3,
        "policy_kwargs": {"net_arch": [64]}, "seed": seed, "device": "cpu",
    }
    make_learner = counsel.sb3.learner if advised else lambda kind, *args, **rest: kind(*args, **rest)
    make_learner(DQN, "MlpPolicy", watched, **named).learn(STEPS)               # counsel, line 3
    return [float(reward) for reward in watched.get_episode_rewards()]


def run(seed: int, advised: bool, learner: Any) -> tuple[float, int]:
    """The mean return of a run, and the calls that it made."""
    env = make()
    bare = env
    if learner is sb3:
        env = gym.wrappers.FlattenObservation(env)
    if advised:
        env = counsel.wrap(env, Advisor(bare, seed), price=0.01, budget=500, seed=seed)     # counsel, line 2
    returns = learner(env, seed, advised)
    return float(np.mean(returns)), env.controller.calls if advised else 0  # type: ignore[attr-defined]


def main() -> None:
    learner = sb3 if "sb3" in sys.argv[1:] else dqn
    gains, calls = [], []
    for seed in SEEDS:
        plain, (advised, made) = run(seed, False, learner)[0], run(seed, True, learner)
        gains.append(advised - plain)
        calls.append(made)
        print(f"seed {seed}: {plain:.3f} without advice, {advised:.3f} with it, {made} calls", flush=True)
    found = counsel.stats.mean_interval(np.array(gains))
    if found is not None:
        mean, low, high = found
        print(f"difference {mean:+.3f}, 95 % interval {low:+.3f} to {high:+.3f}; {np.mean(calls):.0f} calls of at most 500")


if __name__ == "__main__":
    main()
