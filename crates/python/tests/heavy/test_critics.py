"""Values from what people have: ensembles, dropout, quantiles, learners of Stable-Baselines3, and heads that a callback teaches."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

sb3 = pytest.importorskip("stable_baselines3")
torch = pytest.importorskip("torch")

import counsel  # noqa: E402
import counsel.envs  # noqa: E402
import counsel.sb3  # noqa: E402
import gymnasium  # noqa: E402
from counsel import critics  # noqa: E402
from counsel.gymnasium import AdvisedEnv, AdvisedVectorEnv  # noqa: E402
from counsel.torch import Heads  # noqa: E402
from gymnasium import spaces  # noqa: E402
from torch import nn  # noqa: E402

torch.set_num_threads(1)
EAGER = counsel.Settings(
    advisor="rule", budget=counsel.Budget(per_run=100), gate=counsel.gates.Always(), execution=counsel.rules.Trusting()
)


def ensemble(count: int = 6) -> list[nn.Module]:
    torch.manual_seed(0)
    return [nn.Sequential(nn.Linear(4, 16), nn.ReLU(), nn.Linear(16, 2)) for _ in range(count)]


def test_an_ensemble_is_read_as_it_is_now() -> None:
    networks, observation = ensemble(), np.array([0.1, -0.2, 0.3, 0.0])
    critic = critics.modules(networks)
    values = critic(observation)
    by_hand = np.stack([network(torch.as_tensor(observation, dtype=torch.float32)).detach().numpy() for network in networks])
    assert values.shape == (6, 2) and np.allclose(values, by_hand)
    with torch.no_grad():
        networks[0][2].bias += 1.0
    assert np.allclose(critic(observation)[0], by_hand[0] + 1.0)
    many = critics.modules(networks, side_by_side=True)(np.stack([observation, observation]))
    assert many.shape == (2, 6, 2) and np.allclose(many[1], critic(observation))
    with pytest.raises(counsel.RefusedError, match="no networks came"):
        critics.modules([])
    with pytest.raises(counsel.RefusedError, match=r"network 0 gave the shape \[1, 2, 2\]"):
        critics.modules([lambda batch: torch.zeros(1, 2, 2)])(observation)


def test_an_ensemble_advises_an_environment_and_many() -> None:
    controller = counsel.Controller(EAGER, ["left", "right"], price=0.01)
    env = AdvisedEnv(gymnasium.make("CartPole-v1"), lambda observation: "right", controller, critic=critics.modules(ensemble()))
    env.reset(seed=0)
    assert all(env.step(0)[4]["counsel"]["asked"] for _ in range(5))
    vector = counsel.VectorController(EAGER, ["left", "right"], 3, price=0.01)
    envs = AdvisedVectorEnv(
        gymnasium.make_vec("CartPole-v1", num_envs=3, vectorization_mode="sync"), lambda observations, places: ["right"] * len(places), vector,
        critic=critics.modules(ensemble(), side_by_side=True),
    )
    envs.reset(seed=0)
    for _ in range(8):
        envs.step(np.zeros(3, np.int64))
    assert vector.calls > 0


def test_dropout_gives_other_samples_and_leaves_the_network_alone() -> None:
    torch.manual_seed(1)
    network = nn.Sequential(nn.Linear(4, 64), nn.Dropout(0.5), nn.ReLU(), nn.Linear(64, 3))
    observation, state = np.ones(4), torch.random.get_rng_state()
    for mode in (network.train, network.eval):
        mode()
        values = critics.dropout(network, samples=5, seed=3)(observation)
        assert values.shape == (5, 3) and len(np.unique(values[:, 0])) == 5 and network.training == network[1].training == (mode == network.train)
        assert np.array_equal(values, critics.dropout(network, samples=5, seed=3)(observation))
        assert not np.array_equal(values, critics.dropout(network, samples=5, seed=4)(observation))
    assert torch.equal(state, torch.random.get_rng_state())
    assert critics.dropout(network, samples=2, side_by_side=True)(np.ones((7, 4))).shape == (7, 2, 3)
    with pytest.raises(counsel.RefusedError, match="the network has no dropout"):
        critics.dropout(nn.Linear(4, 2))


@pytest.mark.parametrize("order", ["quantiles first", "actions first"])
def test_quantiles_are_samples(order: str) -> None:
    def network(batch: Any) -> Any:
        found = torch.arange(15.0).reshape(1, 5, 3).expand(len(batch), 5, 3)
        return found if order == "quantiles first" else found.transpose(1, 2)

    values = critics.quantiles(network, actions=3)(np.zeros(4))
    assert values.tolist() == np.arange(15.0).reshape(5, 3).tolist()
    with pytest.raises(counsel.RefusedError, match="none of it is the 4 actions"):
        critics.quantiles(network, actions=4)(np.zeros(4))


def test_a_dqn_of_stable_baselines_is_a_critic_of_one_observation_and_of_many() -> None:
    model = sb3.DQN("MlpPolicy", "CartPole-v1", seed=0, device="cpu", learning_starts=50, target_update_interval=10_000)
    model.learn(200)
    critic, observation = critics.sb3(model), np.array([0.0, 0.1, 0.2, 0.3], np.float32)
    values = critic(observation)
    assert values.shape == (2, 2) and int(values[0].argmax()) == int(model.predict(observation, deterministic=True)[0])
    assert not np.array_equal(values[0], values[1]), "the target network is behind"
    assert critic(np.stack([observation] * 3)).shape == (3, 2, 2)
    with pytest.raises(counsel.RefusedError, match="PPO has no values of actions; use counsel.wrap"):
        critics.sb3(sb3.PPO("MlpPolicy", "CartPole-v1", device="cpu", n_steps=8, batch_size=8))


class Pictures(gymnasium.Env[Any, Any]):
    """An image, or one in a dictionary; the brighter half says where to go."""

    def __init__(self, is_dict: bool) -> None:
        image = spaces.Box(0, 255, (40, 40, 3), np.uint8)
        self.observation_space = spaces.Dict({"image": image, "speed": spaces.Box(-1, 1, (2,))}) if is_dict else image
        self.action_space, self.is_dict = spaces.Discrete(2), is_dict

    def _seen(self) -> Any:
        self.side, self.left = int(self.np_random.integers(2)), 8
        image = self.np_random.integers(0, 40, (40, 40, 3)).astype(np.uint8)
        image[:, 20 * self.side : 20 * self.side + 20] += 150
        return {"image": image, "speed": np.zeros(2, np.float32)} if self.is_dict else image

    def reset(self, *, seed: int | None = None, options: Any = None) -> Any:
        super().reset(seed=seed)
        return self._seen(), {}

    def step(self, action: Any) -> Any:
        reward = float(int(action) == self.side)
        return self._seen(), reward, bool(self.np_random.random() < 0.2), False, {}


@pytest.mark.parametrize("is_dict", [False, True])
def test_a_dqn_of_images_and_of_dictionaries_is_a_critic(is_dict: bool) -> None:
    env = Pictures(is_dict)
    model = sb3.DQN("MultiInputPolicy" if is_dict else "CnnPolicy", env, seed=0, device="cpu", buffer_size=100, learning_starts=1000)
    observation, _ = env.reset(seed=0)
    assert critics.sb3(model)(observation).shape == (2, 2)


@pytest.mark.parametrize("shape", [(40, 40, 3), (3, 40, 40), (7, 7, 3)])
def test_heads_of_images_learn_what_an_image_says(shape: tuple[int, ...]) -> None:
    torch.manual_seed(0)
    heads, rng = Heads(shape, 2, heads=4, seed=0), np.random.default_rng(0)
    is_last = shape[2] == 3

    def picture(side: int) -> Any:
        image = rng.integers(0, 40, shape).astype(np.float32)
        columns = image[:, shape[1] // 2 :] if is_last else image[:, :, shape[2] // 2 :]
        columns += 150 * side
        return image

    assert heads.samples(picture(0)).shape == (4, 2) and heads.samples(np.stack([picture(0)] * 5)).shape == (5, 4, 2)
    optimiser = torch.optim.Adam([one for one in heads.parameters() if one.requires_grad], lr=3e-3)
    for _ in range(150):
        sides = rng.integers(2, size=32)
        actions = rng.integers(2, size=32)
        images = torch.as_tensor(np.stack([picture(side) for side in sides]))
        loss = heads.loss(images, torch.as_tensor(actions), torch.as_tensor((actions == sides)[:, None], dtype=torch.float32))
        optimiser.zero_grad()
        loss.backward()
        optimiser.step()
    found = [int(heads.samples(picture(side)).mean(axis=0).argmax()) == side for side in [0, 1] * 20]
    assert np.mean(found) > 0.9
    with pytest.raises(counsel.RefusedError, match=r"the shape of an observation is \(4, 4\)"):
        Heads((4, 4), 2)


def test_a_callback_teaches_heads_beside_a_learner() -> None:
    env = Pictures(False)
    heads = Heads((3, 40, 40), 2, heads=4, seed=0)
    model = sb3.DQN(
        "CnnPolicy", env, seed=0, device="cpu", buffer_size=2_000, learning_starts=100_000, gamma=0.0, exploration_initial_eps=1.0,
        exploration_fraction=1.0,
    )
    model.learn(900, callback=counsel.sb3.TeachHeads(heads, every=2, batch_size=32, learning_rate=3e-3))
    env.reset(seed=9)
    right = 0
    for _ in range(40):
        image, side = env._seen(), env.side
        right += int(heads.samples(image.transpose(2, 0, 1)).mean(axis=0).argmax()) == side
    assert right > 34
    with pytest.raises(counsel.RefusedError, match="PPO has no replay buffer"):
        ppo = sb3.PPO("MlpPolicy", "CartPole-v1", device="cpu", n_steps=8, batch_size=8)
        ppo.learn(8, callback=counsel.sb3.TeachHeads(Heads(4, 2)))
