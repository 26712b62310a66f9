"""Learners of Stable-Baselines3 learn from what was executed, and heads of PyTorch know what they do not know."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

sb3 = pytest.importorskip("stable_baselines3")
torch = pytest.importorskip("torch")

import counsel  # noqa: E402
import counsel.envs  # noqa: E402
import gymnasium  # noqa: E402
from counsel.gymnasium import AdvisedEnv, AdvisedVectorEnv  # noqa: E402
from counsel.sb3 import ExecutedActionReplayBuffer, VecEnv, learner  # noqa: E402
from counsel.torch import Heads  # noqa: E402
from gymnasium.vector import AutoresetMode, SyncVectorEnv  # noqa: E402
from stable_baselines3.common.buffers import ReplayBuffer  # noqa: E402
from stable_baselines3.common.callbacks import BaseCallback  # noqa: E402
from stable_baselines3.common.env_checker import check_env  # noqa: E402

torch.set_num_threads(1)
EAGER = counsel.Settings(
    advisor="rule", budget=counsel.Budget(per_episode=20), gate=counsel.gates.Always(), execution=counsel.rules.Trusting()
)


def lean(observation: Any, info: Any = None) -> str:
    return "right" if observation[2] + 0.5 * observation[3] > 0 else "left"


def advised() -> AdvisedEnv:
    return AdvisedEnv(
        gymnasium.make("CartPole-v1"), lean, settings=EAGER, actions=["left", "right"], price=0.0,
        critic=lambda observation: np.zeros((2, 2)),
    )


class Watch(BaseCallback):
    def __init__(self) -> None:
        super().__init__()
        self.seen: list[tuple[int, int]] = []

    def _on_step(self) -> bool:
        self.seen += [(info["counsel"]["chosen"], info["counsel"]["executed"]) for info in self.locals["infos"]]
        return True


@pytest.mark.parametrize("buffer", [ReplayBuffer, ExecutedActionReplayBuffer])
def test_the_replay_buffer_keeps_what_was_executed(buffer: type) -> None:
    check_env(advised())
    watch = Watch()
    model = learner(
        sb3.DQN, "MlpPolicy", advised(), replay_buffer_class=buffer, learning_starts=50, buffer_size=2_000, seed=0, device="cpu",
        policy_kwargs={"net_arch": [32]},
    )
    model.learn(1_200, callback=watch)
    chosen, executed = zip(*watch.seen, strict=True)
    kept = tuple(model.replay_buffer.actions[: len(chosen), 0, 0].tolist())
    assert sum(a != b for a, b in zip(chosen, executed, strict=True)) > 100
    assert (kept == executed) == (buffer is ExecutedActionReplayBuffer), "without the buffer, what was chosen would be kept"
    assert (kept == chosen) == (buffer is ReplayBuffer)


def test_on_policy_learners_are_refused_or_masked() -> None:
    with pytest.raises(counsel.RefusedError, match="on_policy"):
        learner(sb3.PPO, "MlpPolicy", advised())
    masked: list[tuple[int, float]] = []

    class Look(Watch):
        def _on_rollout_end(self) -> None:
            buffer = self.model.rollout_buffer
            replaced = np.array([a != b for a, b in self.seen[-buffer.buffer_size :]])
            assert (buffer.advised[:, 0] == replaced).all()
            assert (buffer.advantages[buffer.advised] == 0).all() and (buffer.advantages[~buffer.advised] != 0).any()
            masked.append((int(replaced.sum()), float(np.abs(buffer.advantages).sum())))

    model = learner(sb3.PPO, "MlpPolicy", advised(), on_policy="mask", n_steps=128, batch_size=64, seed=0, device="cpu")
    model.learn(256, callback=Look())
    assert len(masked) == 2 and all(replaced > 10 for replaced, _ in masked)


def test_vector_environments_are_adapted() -> None:
    envs = SyncVectorEnv(
        [lambda: gymnasium.make("CartPole-v1", max_episode_steps=30)] * 3, autoreset_mode=AutoresetMode.SAME_STEP
    )
    vector = AdvisedVectorEnv(
        envs, lambda observations, places: [lean(observation) for observation in observations], settings=EAGER,
        actions=["left", "right"], price=0.0, critic=lambda observation: np.zeros((3, 2, 2)),
    )
    adapted = VecEnv(vector)
    watch = Watch()
    model = learner(sb3.DQN, "MlpPolicy", adapted, learning_starts=30, buffer_size=3_000, seed=0, device="cpu")
    model.learn(600, callback=watch)
    kept = model.replay_buffer.actions[:200, :, 0].reshape(-1).tolist()
    assert kept == [executed for _, executed in watch.seen[:600]]
    adapted.reset()
    ended = 0
    for _ in range(40):
        _, _, dones, infos = adapted.step(np.zeros(3, np.int64))
        for done, info in zip(dones, infos, strict=True):
            assert ("terminal_observation" in info) == done
            ended += done
    assert ended > 0
    with pytest.raises(counsel.RefusedError, match="SAME_STEP"):
        VecEnv(counsel.envs.WorldVectorEnv("BabyAI-GoToObj-v0", 2))


def test_heads_agree_where_there_are_data_and_differ_elsewhere() -> None:
    heads = Heads(2, 3, heads=6, hidden=64, seed=3)
    assert all(torch.equal(a, b) for a, b in zip(heads.parameters(), Heads(2, 3, heads=6, hidden=64, seed=3).parameters(), strict=True))
    optimiser = torch.optim.Adam([weight for weight in heads.parameters() if weight.requires_grad], lr=1e-2)
    prior = [weight.clone() for weight in heads.prior.parameters()]
    generator = torch.Generator().manual_seed(0)
    for _ in range(400):
        observation = torch.rand(64, 2, generator=generator) * 0.5
        loss = heads.loss(observation, torch.randint(3, (64,), generator=generator), observation.sum(dim=1, keepdim=True).expand(-1, 6))
        optimiser.zero_grad()
        loss.backward()
        optimiser.step()
    assert all(torch.equal(a, b) for a, b in zip(prior, heads.prior.parameters(), strict=True)), "priors are never trained"
    known, unknown = heads.samples([0.25, 0.25]), heads.samples([6.0, -6.0])
    assert known.shape == (6, 3) and known.dtype == np.float32
    assert unknown.std(axis=0).mean() > 5 * known.std(axis=0).mean()
    assert np.allclose(known.mean(axis=0), 0.5, atol=0.1)
