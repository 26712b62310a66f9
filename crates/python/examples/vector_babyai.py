"""A thousand BabyAI environments, one hard budget: all open questions of a step are asked in one round."""

import os

import gymnasium as gym
import numpy as np
import numpy.typing as npt

import counsel
import counsel.envs

NUM_ENVS, STEPS = (64, 40) if os.environ.get("EXAMPLE") == "short" else (1024, 100)
ACTIONS = len(counsel.envs.WORDS)
envs = gym.make_vec("counsel/BabyAI-GoToObj-v0", num_envs=NUM_ENVS, vectorization_mode="vector_entry_point")
rng = np.random.default_rng(0)


def values(observation: dict[str, npt.NDArray[np.uint8]]) -> npt.NDArray[np.float32]:
    """Your network; here, samples around the thought that walking is a good idea."""
    thought = np.array([0.1, 0.1, 0.3, 0.0, 0.0, 0.0, 0.0], np.float32)
    return thought + rng.normal(0, 0.1, (NUM_ENVS, 8, ACTIONS)).astype(np.float32)


def ask_all(images: npt.NDArray[np.uint8]) -> list[str | None]:
    """Your model, asked concurrently; here, a rule: walk where nothing is in the way."""
    return ["forward" if image[3, 5, 0] == 1 else "left" for image in images]


settings = counsel.Settings(
    advisor="walk-v1", budget=counsel.Budget(per_run=500, per_episode=3), execution=counsel.Certified(tolerance=1.0)
)
with counsel.Log("runs", arm="vector") as log:
    controller = counsel.VectorController(
        settings, counsel.envs.WORDS, NUM_ENVS, kappa=0.005, radius=0.02, predictor=counsel.Predictor.frequency(ACTIONS), log=log
    )
    observation, _ = envs.reset(seed=0)
    over = np.zeros(NUM_ENVS, np.bool_)
    for step in range(STEPS):
        q = values(observation)
        batch = controller.decide(q, q.mean(axis=1).argmax(axis=1), contexts=counsel.envs.contexts(observation), mask=~over)
        actions = controller.resume(batch, ask_all(observation["image"][batch.asks]))
        controller.begin_episodes(over)  # this step resets them
        observation, reward, terminated, truncated, _ = envs.step(actions)
        controller.outcome(reward)
        over = terminated | truncated
        # buffer.add(..., actions, ...): the executed ones
print(controller.calls, "calls for", len(log), "decisions in", NUM_ENVS, "environments")
print(counsel.audit("runs"))
