"""Learners of Stable-Baselines3 learn from what was executed, and heads of PyTorch know what they do not know."""

from __future__ import annotations

import json
import warnings
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

sb3 = pytest.importorskip("stable_baselines3")
torch = pytest.importorskip("torch")

import counsel  # noqa: E402
import counsel.envs  # noqa: E402
import counsel.sb3  # noqa: E402
import gymnasium  # noqa: E402
from counsel.gymnasium import AdvisedEnv, AdvisedVectorEnv  # noqa: E402
from counsel.sb3 import ExecutedActionReplayBuffer, VecEnv, learner  # noqa: E402
from counsel.torch import Heads  # noqa: E402
from gymnasium.vector import AutoresetMode, SyncVectorEnv  # noqa: E402
from stable_baselines3.common.buffers import ReplayBuffer  # noqa: E402
from stable_baselines3.common.callbacks import BaseCallback  # noqa: E402
from stable_baselines3.common.env_checker import check_env  # noqa: E402
from stable_baselines3.common.env_util import make_vec_env  # noqa: E402
from stable_baselines3.common.evaluation import evaluate_policy  # noqa: E402
from stable_baselines3.common.logger import configure  # noqa: E402

torch.set_num_threads(1)
EAGER = counsel.Settings(
    advisor="rule", budget=counsel.Budget(per_episode=20), gate=counsel.gates.Always(), execution=counsel.rules.Trusting()
)


def lean(observation: Any, info: Any = None) -> str:
    return "right" if observation[2] + 0.5 * observation[3] > 0 else "left"


def advised() -> AdvisedEnv:
    controller = counsel.Controller(EAGER, ["left", "right"], price=0.0)
    return AdvisedEnv(gymnasium.make("CartPole-v1"), lean, controller, critic=lambda observation: np.zeros((2, 2)))


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
        envs, lambda observations, places: [lean(observation) for observation in observations],
        counsel.VectorController(EAGER, ["left", "right"], 3, price=0.0), critic=lambda observation: np.zeros((3, 2, 2)),
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


def test_levels_of_babyai_are_learned_side_by_side() -> None:
    envs = gymnasium.make_vec(
        "counsel/BabyAI-GoToObj-v0", num_envs=8, vectorization_mode="vector_entry_point", autoreset_mode=AutoresetMode.SAME_STEP, max_steps=12
    )
    env = counsel.wrap(counsel.envs.FlatVector(envs), lambda observation: "forward", price=0.0, budget=60, actions=list(counsel.envs.ACTIONS))
    model = learner(sb3.DQN, "MlpPolicy", VecEnv(env), learning_starts=40, buffer_size=2_000, seed=0, device="cpu")
    model.learn(400)
    assert 0 < env.controller.calls <= 60 and model.num_timesteps >= 400


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


class Described(gymnasium.ObservationWrapper[Any, Any, Any]):
    """An observation as a dictionary."""

    def __init__(self, env: Any) -> None:
        super().__init__(env)
        self.observation_space = gymnasium.spaces.Dict({"cart": env.observation_space})

    def observation(self, observation: Any) -> Any:
        return {"cart": observation}


def described(controller: counsel.Controller) -> AdvisedEnv:
    return AdvisedEnv(
        Described(gymnasium.make("CartPole-v1")), lambda observation: lean(observation["cart"]), controller, critic=lambda observation: np.zeros((2, 2))
    )


def test_learners_take_observations_that_are_dictionaries() -> None:
    for algorithm, named in ((sb3.DQN, {"learning_starts": 20, "buffer_size": 500}), (sb3.PPO, {"on_policy": "mask", "n_steps": 64, "batch_size": 32})):
        controller = counsel.Controller(EAGER, ["left", "right"], price=0.0)
        watch = Watch()
        model = learner(algorithm, "MultiInputPolicy", described(controller), seed=0, device="cpu", **named)
        model.learn(128, callback=watch)
        assert sum(chosen != executed for chosen, executed in watch.seen) > 10
        if algorithm is sb3.DQN:
            assert model.replay_buffer.actions[: len(watch.seen), 0, 0].tolist() == [executed for _, executed in watch.seen]
        else:
            replaced = [chosen != executed for chosen, executed in watch.seen[-64:]]
            assert model.rollout_buffer.advised[:, 0].tolist() == replaced


def test_a_masked_learner_goes_on_after_it_was_loaded(tmp_path: Path) -> None:
    model = learner(sb3.PPO, "MlpPolicy", advised(), on_policy="mask", n_steps=64, batch_size=32, seed=0, device="cpu")
    model.learn(64)
    model.save(tmp_path / "model.zip")
    loaded, watch = counsel.sb3.load(sb3.PPO, tmp_path / "model.zip", advised(), device="cpu"), Watch()
    loaded.learn(64, callback=watch)
    assert loaded.rollout_buffer.advised[:, 0].tolist() == [chosen != executed for chosen, executed in watch.seen]
    plain = sb3.PPO.load(tmp_path / "model.zip", env=advised(), device="cpu")
    with pytest.raises(counsel.StateError, match="counsel.sb3.load"):
        plain.learn(64)
    counsel.sb3.attach(plain).learn(64)


def test_environments_made_by_the_learner_share_one_budget() -> None:
    controller = counsel.Controller(replace(EAGER, budget=counsel.Budget(per_run=100)), ["left", "right"], price=0.0)

    def make() -> AdvisedEnv:
        return AdvisedEnv(gymnasium.make("CartPole-v1"), lean, controller, critic=lambda observation: np.zeros((2, 2)))

    model = learner(sb3.DQN, "MlpPolicy", make_vec_env(make, n_envs=4), learning_starts=50, buffer_size=2_000, seed=0, device="cpu")
    watch, advice = Watch(), counsel.sb3.AdviceCallback()
    model.learn(400, callback=[watch, advice])
    assert controller.calls == 100 and sum(chosen != executed for chosen, executed in watch.seen) > 20


def test_an_evaluation_without_advice_spends_nothing() -> None:
    env = advised()
    model = learner(sb3.DQN, "MlpPolicy", env, learning_starts=50, buffer_size=2_000, seed=0, device="cpu")
    env.advising = False
    evaluate_policy(model, env, n_eval_episodes=2, warn=False)
    assert env.controller.calls == 0
    env.advising = True
    evaluate_policy(model, env, n_eval_episodes=2, warn=False)
    assert env.controller.calls > 0


def test_the_scalars_of_advice_are_logged(tmp_path: Path) -> None:
    env = advised()
    model = learner(sb3.DQN, "MlpPolicy", env, learning_starts=50, buffer_size=2_000, seed=0, device="cpu")
    model.set_logger(configure(str(tmp_path), ["json"]))
    watch = Watch()
    model.learn(600, callback=[watch, counsel.sb3.AdviceCallback()])
    lines = [json.loads(line) for line in (tmp_path / "progress.json").read_text().splitlines()]
    last = lines[-1]
    assert 0 < last["advice/calls"] <= env.controller.calls and {"advice/calls_left", "advice/asked", "advice/replaced", "advice/failed"} <= set(last)
    steps = last["time/total_timesteps"]
    since = lines[-2]["time/total_timesteps"] if len(lines) > 1 else 0
    replaced = [chosen != executed for chosen, executed in watch.seen[since:steps]]
    assert last["advice/replaced"] == pytest.approx(sum(replaced) / len(replaced)) and last["advice/failed"] == 0.0


def test_a_learner_that_keeps_what_it_chose_is_warned_of() -> None:
    named: dict[str, Any] = {"learning_starts": 10, "buffer_size": 200, "seed": 0, "device": "cpu"}
    with pytest.warns(UserWarning, match="keeps the actions that it chose.*counsel.sb3.learner"):
        sb3.DQN("MlpPolicy", advised(), **named).learn(20, callback=counsel.sb3.AdviceCallback())
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        learner(sb3.DQN, "MlpPolicy", advised(), **named).learn(20, callback=counsel.sb3.AdviceCallback())


def test_a_tensor_with_a_gradient_is_refused_with_the_way_out() -> None:
    controller = counsel.Controller(EAGER, ["left", "right"], price=0.0)
    with pytest.raises(counsel.RefusedError, match=r"pass tensor.detach\(\).cpu\(\)"):
        controller.decide(values=torch.zeros((1, 2), requires_grad=True), base=0)
    assert controller.decide(values=torch.zeros((1, 2)), base=0).asked
