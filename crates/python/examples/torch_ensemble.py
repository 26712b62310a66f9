"""Your own loop: PyTorch heads with random priors, a controller with a predictor inside, and a calibrated radius."""

import os
from functools import partial

import gymnasium as gym
import numpy as np
import numpy.typing as npt
import torch

import counsel
from counsel.torch import Heads

State = npt.NDArray[np.float32]
EPISODES = 12 if os.environ.get("EXAMPLE") == "short" else 100
torch.set_num_threads(1)
env = gym.make("CartPole-v1", max_episode_steps=200)
heads = Heads(4, 2, heads=8, seed=1)
optimiser = torch.optim.Adam(heads.parameters(), lr=2e-3)
rng = np.random.default_rng(0)
memory: list[tuple[State, int, float, State, bool]] = []


def call_my_model(observation: State) -> str | None:
    return "right" if observation[2] + 0.5 * observation[3] > 0 else "left"


def learn() -> None:
    rows = [memory[i] for i in rng.integers(len(memory), size=64)]
    observation, action, reward, following, done = (np.array(column) for column in zip(*rows, strict=True))
    with torch.no_grad():
        best = heads(torch.as_tensor(following)).max(dim=-1).values
        target = torch.as_tensor(reward[:, None]) / 100 + 0.98 * torch.as_tensor(~done[:, None]) * best
    loss = heads.loss(torch.as_tensor(observation), torch.as_tensor(action), target.float(), (torch.rand(64, 8) < 0.5).float())
    optimiser.zero_grad()
    torch.autograd.backward(loss)
    optimiser.step()


# A radius from opportunities whose worth is known: here, simulated ones.
label = rng.normal(0, 0.05, 200)
radius = counsel.calibration.calibrate(
    counsel.calibration.split(label + rng.normal(0, 0.002, 200), label, calibration=200), alpha=0.1
)
settings = counsel.Settings(
    advisor="lean-v1", budget=counsel.Budget(per_run=200), cache=counsel.Cache(time_to_live=2_000), execution=counsel.rules.Improving()
)
with counsel.Log("runs", arm="ensemble") as log:
    controller = counsel.Controller(
        settings, ["left", "right"], price=0.001, radius=radius, bounds=counsel.Spread(scale=2.0),
        predictor=counsel.Predictor.feature(2, 4), log=log,
    )
    for episode in range(EPISODES):
        observation, _ = env.reset(seed=episode)
        controller.begin_episode()
        done = False
        while not done:
            q = heads.samples(observation)  # (8, 2), float32
            base = int(rng.integers(2)) if rng.random() < 0.3 else int(q.mean(axis=0).argmax())
            act = controller.advise(
                values=q, base=base, ask=partial(call_my_model, observation),
                context=(10 * observation).round().astype(int), features=observation,
            )
            following, reward, terminated, truncated, _ = env.step(act.action)
            controller.outcome(float(reward), terminated=terminated, truncated=truncated)
            memory.append((observation, act.action, float(reward), following, terminated))
            learn()
            observation, done = following, terminated or truncated
print(f"{controller.calls} calls in {len(log)} steps of {EPISODES} episodes")
print(counsel.audit("runs"))
