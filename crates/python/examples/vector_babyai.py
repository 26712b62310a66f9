"""BabyAI environments side by side, one hard budget: the recommended controller asks where an answer pays, and keeps it.

The agent is one that knows nothing yet: it turns and walks at random. Run it with and without advice on the same seeds.
"""

import os

import gymnasium as gym
import numpy as np
import numpy.typing as npt

import counsel
import counsel.envs

NUM_ENVS, STEPS, CALLS = (16, 200, 300) if os.environ.get("EXAMPLE") == "short" else (1_024, 30, 1_500)
TYPES, COLOURS = {"key": 5, "ball": 6, "box": 7}, {"red": 0, "green": 1, "blue": 2, "purple": 3, "yellow": 4, "grey": 5}


def ask(image: npt.NDArray[np.uint8], mission: str) -> str:
    """Your model; here, a rule: turn until the thing is ahead, then walk. The agent stands at (3, 6) and looks along -y."""
    *_, colour, thing = mission.split()
    seen = np.argwhere((image[:, :, 0] == TYPES[thing]) & (image[:, :, 1] == COLOURS[colour]))
    if len(seen) == 0:
        return "right"
    x, y = seen[0]
    if y < 6 and image[3, 5, 0] in (1, 3):  # empty floor ahead, and the thing is further on
        return "forward"
    return "left" if x < 3 else "right"


def play(controller: counsel.VectorController | None) -> float:
    """The mean return of the episodes that came to their end."""
    envs = gym.make_vec("counsel/BabyAI-GoToObj-v0", num_envs=NUM_ENVS, vectorization_mode="vector_entry_point")
    rng = np.random.default_rng(0)
    observation, _ = envs.reset(seed=0)
    over, total, episodes = np.zeros(NUM_ENVS, np.bool_), 0.0, 0
    for _ in range(STEPS):
        actions = rng.integers(3, size=NUM_ENVS)
        if controller is not None:
            batch = controller.decide(contexts=counsel.envs.contexts(observation), base=actions, mask=~over)
            # All open questions of a step go out in one round.
            replies = [ask(observation["image"][place], observation["mission"][place]) for place in batch.asks]
            actions = controller.resume(batch, replies)
        observation, reward, terminated, truncated, _ = envs.step(actions)
        if controller is not None:
            controller.outcome(reward, terminated=terminated, truncated=truncated)
        over = terminated | truncated  # the next step resets them
        total, episodes = total + float(np.sum(reward)), episodes + int(over.sum())
        # buffer.add(..., actions, ...): the executed ones
    return total / episodes


with counsel.Log("runs", arm="vector") as log:
    advised = counsel.VectorController.recommended(price=0.001, budget=CALLS, actions=counsel.envs.ACTIONS, num_envs=NUM_ENVS, log=log)
    print(f"mean return {play(None):.3f} without advice, {play(advised):.3f} with {advised.calls} calls")
print(advised.diagnose())
print(counsel.audit("runs"))
