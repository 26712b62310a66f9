"""Labels: what a question is worth, found out by playing on from copies of an environment.

An opportunity is a decision at which a question could be asked. Its label is what the return gains when the question is asked there: the
agent plays on from two copies of the environment, one with the action that the controller would execute after the answer, the other
with the agent's own. Both copies draw the same random numbers, so what the answer does not change cancels.

    labels = counsel.labels.paired(env, agent, advisor, settings, critic=critic, opportunities=200)
    radius = counsel.calibration.calibrate(labels.split(calibration=150), alpha=0.1, method="mondrian")
"""

from __future__ import annotations

import copy
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import numpy.typing as npt

from . import calibration as _calibration
from . import gates
from ._counsel import Ask, Controller, Predictor
from .advisors import Advisor, single, words_of
from .errors import RefusedError
from .reading import Reader
from .settings import Budget, Settings, Spread

__all__ = ["Labels", "paired"]

Column = npt.NDArray[np.float64]


@dataclass(frozen=True)
class Labels:
    """Labelled opportunities, in the order of time.

    Attributes
    ----------
    estimate, label : array
        What the controller estimated before the answer, and what the question was worth.
    monte_carlo : array
        The standard error of each label, over the pairs of copies.
    features : array of shape (n, features)
        What a scaled radius looks at.
    trajectory, step : array
        The episode, and the time.
    calls : int
        The answers that were paid for.
    """

    estimate: Column
    label: Column
    monte_carlo: Column
    features: Column
    trajectory: npt.NDArray[np.int64]
    step: npt.NDArray[np.int64]
    calls: int

    def __len__(self) -> int:
        return len(self.label)

    def split(self, *, fit: int = 0, calibration: int) -> _calibration.Splits:
        """The parts that a radius is derived from: the first ``fit`` opportunities, the next ``calibration`` ones, and the rest."""
        return _calibration.split(
            self.estimate, self.label, fit=fit, calibration=calibration, monte_carlo=self.monte_carlo,
            features=self.features if self.features.shape[1] else None, trajectory=self.trajectory, step=self.step,
        )


def paired(
    env: Any,
    agent: Callable[[Any], int],
    advisor: Advisor,
    settings: Settings,
    *,
    critic: Callable[[Any], npt.ArrayLike],
    opportunities: int,
    pairs: int = 1,
    every: int = 1,
    steps: int = 1_000,
    discount: float = 1.0,
    predictor: Predictor | None = None,
    bounds: Spread | None = None,
    features: Callable[[Any], npt.ArrayLike] | None = None,
    context: Callable[[Any], Any] | None = None,
    actions: Any = None,
    seed: int = 0,
) -> Labels:
    """Label the opportunities that an agent meets, by paired rollouts from copies.

    Each label takes one answer. The environment must be one that :func:`copy.deepcopy` copies with its state; those of
    :mod:`counsel.envs`, minigrid and the toy environments of Gymnasium are. It is played on by the agent alone and is left in an episode.

    Parameters
    ----------
    env : gymnasium.Env
        An environment with discrete actions. Pass it bare: an advised one would ask by itself.
    agent : callable
        The action of your agent at an observation.
    advisor : callable
        As for :func:`counsel.wrap`; the parser is the forgiving one.
    settings : Settings
        Those of the controller that the radius is for. Its rule and its gate's valuation are used; its budget, cache and bankroll are not.
    critic : callable
        Samples of the values of all actions, as the controller will get them.
    opportunities : int
        How many labels.
    pairs : int
        How many pairs of copies a label is the mean of, where the environment draws at random.
    every : int
        One step in this many is an opportunity.
    steps : int
        The most steps of a copy.
    discount : float
        Of rewards.
    predictor, bounds, features, context
        As the controller has them.
    actions : sequence of str, optional
        The names of the actions.
    seed : int
        The episodes and the draws of the copies.
    """
    for name, number in (("opportunities", opportunities), ("pairs", pairs), ("every", every), ("steps", steps)):
        if number < 1:
            raise RefusedError(f"`{name}` is {number}; pass 1 or more")
    from .environment import _names

    names = actions if actions is not None else _names(env, env.action_space)
    # Every opportunity is asked about, with the estimate of the gate that will be deployed.
    probing = replace(settings, gate=gates.Always(), budget=Budget(per_run=2**53), cache=None, bankroll=None)
    estimating = replace(settings, budget=Budget(per_run=2**53), cache=None, bankroll=None)
    chosen: dict[str, Any] = {"price": 0.0, "predictor": predictor, "bounds": bounds, "seed": seed}
    probe, gate = Controller(probing, names, **chosen), Controller(estimating, names, **chosen | {"radius": None})
    ask, reader, rng = single(advisor), Reader(probe.actions), np.random.default_rng(seed)
    rows: list[tuple[float, float, float, int, int]] = []
    looked_at: list[list[float]] = []
    observation, info = env.reset(seed=seed)
    episode, time = 0, 0
    while len(rows) < opportunities:
        base = int(agent(observation))
        if time % every == 0:
            situation: dict[str, Any] = {
                "base": base, "values": critic(observation), "context": context(observation) if context is not None else time,
                "features": None if features is None else features(observation),
            }
            estimated = gate.decide(**situation)
            turn = probe.decide(**situation)
            assert isinstance(turn, Ask)
            try:
                said = words_of(ask(observation, info), probe.actions, reader)
            except BaseException:
                probe.resume(turn, None)
                raise
            act = probe.resume(turn, said)
            if isinstance(estimated, Ask):
                # A gate that asks, such as a threshold, needs no radius; its question goes to nobody.
                gate.resume(estimated, None)
            differences = [_gain(env, agent, act.action, base, steps, discount, int(rng.integers(2**31))) for _ in range(pairs)]
            error = float(np.std(differences, ddof=1) / np.sqrt(pairs)) if pairs > 1 else 0.0
            rows.append((estimated.estimate, float(np.mean(differences)), error, episode, time))
            looked_at.append(act.scale_features)
        observation, _, terminated, truncated, info = env.step(base)
        time += 1
        if terminated or truncated:
            episode += 1
            observation, info = env.reset()
    estimate, label, error_of, trajectory, step = (np.array(column) for column in zip(*rows, strict=True))
    return Labels(
        estimate.astype(np.float64), label.astype(np.float64), error_of.astype(np.float64), np.array(looked_at, np.float64).reshape(len(rows), -1),
        trajectory.astype(np.int64), step.astype(np.int64), probe.calls,
    )


def _gain(env: Any, agent: Callable[[Any], int], advised: int, base: int, steps: int, discount: float, seed: int) -> float:
    """What the return of a copy gains by the advised action. Both copies draw the same numbers."""
    if advised == base:
        return 0.0
    return _played(env, agent, advised, steps, discount, seed) - _played(env, agent, base, steps, discount, seed)


def _played(env: Any, agent: Callable[[Any], int], action: int, steps: int, discount: float, seed: int) -> float:
    twin = copy.deepcopy(env)
    twin.unwrapped.np_random = np.random.default_rng(seed)
    total, weight = 0.0, 1.0
    for _ in range(steps):
        observation, reward, terminated, truncated, _ = twin.step(action)
        total, weight = total + weight * float(reward), weight * discount
        if terminated or truncated:
            break
        action = int(agent(observation))
    return total
