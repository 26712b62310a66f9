"""Two arms on the same seeds, their logs as one table in polars, and the paired difference."""

import os

import gymnasium as gym
import numpy as np
import polars as pl

import counsel
from counsel.gymnasium import AdvisedEnv

SEEDS, EPISODES = (4, 2) if os.environ.get("EXAMPLE") == "short" else (12, 10)
GATES: dict[str, counsel.gates.Gate] = {"never": counsel.gates.Never(), "always": counsel.gates.Always()}

for arm, gate in GATES.items():
    for seed in range(SEEDS):
        with counsel.Log("runs", arm=arm, seed=seed) as log:
            settings = counsel.Settings(
                advisor="lean-v1", gate=gate, budget=counsel.Budget(per_episode=30), execution=counsel.rules.Trusting()
            )
            env = AdvisedEnv(
                gym.make("CartPole-v1", max_episode_steps=100), lambda observation: "right" if observation[2] > 0 else "left",
                counsel.Controller(settings, ["left", "right"], price=0.01, log=log), critic=lambda observation: np.zeros((2, 2)),
            )
            rng = np.random.default_rng(seed)
            for episode in range(EPISODES):
                env.reset(seed=1_000 * seed + episode)
                over = False
                while not over:
                    _, _, terminated, truncated, _ = env.step(int(rng.integers(2)))
                    over = terminated or truncated

returns = (
    counsel.log.scan("runs")
    .group_by("arm", "seed")
    .agg(value=pl.col("reward").sum() / pl.col("episode").n_unique(), calls=(pl.col("outcome") == "asked").sum())
    .sort("arm", "seed")
    .collect()
)
print(returns)
print(counsel.stats.paired(returns, baseline="never"))
print(counsel.audit("runs"))
