"""Gymnasium environments that take advice: :class:`AdvisedEnv` and :class:`AdvisedVectorEnv`.

The learner chooses an action; the wrapper decides whether advice is worth its price there, asks, and executes what the
certificate admits. ``info["counsel"]`` says what was chosen and what was executed: a learner must learn from the latter.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from ._counsel import Ask, Controller, Log, Predictor, Radius, Reply, VectorController, context_key
from .errors import RefusedError
from .settings import Novelty, Schedule, Settings, Spread

try:
    import gymnasium
    from gymnasium import spaces
    from gymnasium.utils import RecordConstructorArgs
    from gymnasium.vector import AutoresetMode, VectorEnv, VectorWrapper
except ModuleNotFoundError:
    raise ModuleNotFoundError("counsel.gymnasium needs gymnasium; pip install 'counsel-rl[gymnasium]'") from None

__all__ = ["AdvisedEnv", "AdvisedVectorEnv", "Advisor", "Critic", "VectorAdvisor", "observation_key"]

#: Samples of action values, (samples, actions), or (environments, samples, actions); None keeps the gate silent.
Critic = Callable[[Any], npt.ArrayLike | None]
#: Asked with the observation and the info of the last step; None says that no answer came.
Advisor = Callable[[Any, dict[str, Any]], str | Reply | None]
#: Asked with all observations of a step whose question is open, and their places; one reply each.
VectorAdvisor = Callable[[Sequence[Any], Sequence[int]], Sequence[str | Reply | None]]


def observation_key(observation: Any) -> int:
    """The key of an observation: the digest of its bytes, those of a dictionary in the order of its keys.

    >>> import numpy as np
    >>> observation_key(np.zeros(3)) == observation_key(np.zeros(3)) != observation_key(np.ones(3))
    True
    """
    return context_key(observation if isinstance(observation, (np.ndarray, str, bytes)) else _bytes(observation))


def _bytes(observation: Any) -> bytes:
    if isinstance(observation, dict):
        return b"".join(name.encode() + _bytes(observation[name]) for name in sorted(observation))
    if isinstance(observation, (tuple, list)):
        return b"".join(_bytes(part) for part in observation)
    return observation.encode() if isinstance(observation, str) else np.asarray(observation).tobytes()


def _words(space: Any, words: Sequence[str] | int | None) -> Sequence[str] | int:
    if not isinstance(space, spaces.Discrete):
        raise RefusedError(f"the action space is {space}; advice needs a Discrete one")
    count = int(space.n)
    given = count if words is None else words if isinstance(words, int) else len(words)
    if given != count or space.start != 0:
        raise RefusedError(f"{given} words came for {space}; pass one word for each of the actions 0 to {count - 1}")
    return count if words is None else words


def _unfinished(error: RefusedError) -> bool:
    """Whether a critic has no finite values yet; the gate is silent then, as it is without a critic."""
    return error.what == "a value sample"


class AdvisedEnv(gymnasium.Wrapper[Any, Any, Any, Any], RecordConstructorArgs):
    """An environment whose actions are replaced by advice where that is worth its price and certified.

    Without a critic, and without a finite radius, nothing is asked. ``reset`` begins an episode; it never refills a budget per run.

    Parameters
    ----------
    env : gymnasium.Env
        An environment with discrete actions.
    advisor : callable
        Asked with the observation and the info of the last step. An exception counts as an answer that never came, unless
        ``strict``; it was paid for all the same.
    settings : Settings
        Budget, gate, execution rule, price and cache.
    words : sequence of str, optional
        One word per action, as the advisor says it.
    kappa : float
        The cost of a call, on the scale of returns.
    critic : callable, optional
        Samples of the values of all actions at an observation; may be set later as ``env.critic``.
    radius : Radius or float, optional
        How far the estimate may be from the truth. None is infinite: the predictive gate is silent.
    bounds, predictor, log, seed, form
        As for :class:`counsel.Controller`.
    context, features : callable, optional
        What an answer may be reused for, and what the predictor looks at, of an observation.
    circumstances : callable, optional
        The keywords that :meth:`counsel.Controller.decide` takes beside them, such as ``{"credited_gain": gain}``, of an observation.
    strict : bool
        Whether exceptions of the advisor go on.

    Examples
    --------
    >>> import gymnasium, numpy, counsel
    >>> from counsel.gymnasium import AdvisedEnv
    >>> env = AdvisedEnv(gymnasium.make("CartPole-v1"), lambda observation, info: "right", words=["left", "right"], kappa=0.0,
    ...                  settings=counsel.Settings(advisor="right", gate=counsel.Always(), execution=counsel.Trusting(),
    ...                                            budget=counsel.Budget(per_episode=1)),
    ...                  critic=lambda observation: numpy.zeros((1, 2)))
    >>> observation, info = env.reset(seed=0)
    >>> [env.step(0)[4]["counsel"]["executed"] for _ in range(3)]
    [1, 0, 0]
    """

    def __init__(
        self,
        env: gymnasium.Env[Any, Any],
        advisor: Advisor,
        *,
        settings: Settings,
        kappa: float,
        words: Sequence[str] | int | None = None,
        critic: Critic | None = None,
        radius: Radius | float | None = None,
        bounds: Spread | None = None,
        predictor: Predictor | None = None,
        log: Log | None = None,
        seed: int = 0,
        form: str = "word",
        context: Callable[[Any], int] = observation_key,
        features: Callable[[Any], npt.ArrayLike] | None = None,
        circumstances: Callable[[Any], Mapping[str, Any]] | None = None,
        strict: bool = False,
    ) -> None:
        # Everything is recorded, callables by reference: check_env and make_vec build the environment again from its spec.
        RecordConstructorArgs.__init__(
            self, _disable_deepcopy=True, advisor=advisor, settings=settings, kappa=kappa, words=words, critic=critic, radius=radius,
            bounds=bounds, predictor=predictor, log=log, seed=seed, form=form, context=context, features=features,
            circumstances=circumstances, strict=strict,
        )
        gymnasium.Wrapper.__init__(self, env)
        self.advisor = advisor
        self.critic = critic
        self.controller = Controller(
            settings, _words(env.action_space, words), kappa=kappa, radius=radius, bounds=bounds, predictor=predictor, log=log,
            seed=seed, form=form,
        )
        self._features, self._circumstances, self._strict, self._logs = features, circumstances, strict, log is not None
        # Making a key costs as much as a decision, so it is made where something reads it.
        gate = settings.gate
        counts = isinstance(gate, Novelty) or (isinstance(gate, Schedule) and gate.visited_less_than is not None)
        reads = self._logs or predictor is not None or settings.cache is not None or counts
        self._context = context if reads else None
        self._observation: Any = None
        self._info: dict[str, Any] = {}
        #: Whether advice replaced the action of the last step.
        self.overridden = False

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> tuple[Any, dict[str, Any]]:
        self._observation, self._info = self.env.reset(seed=seed, options=options)
        self.controller.begin_episode()
        return self._observation, self._info

    def _decide(self, action: int) -> dict[str, Any]:
        said: dict[str, Any] = {"chosen": action, "executed": action, "asked": False}
        observation = self._observation
        values = None if self.critic is None else self.critic(observation)
        if values is None:
            return said
        features = None if self._features is None else self._features(observation)
        circumstances = {} if self._circumstances is None else self._circumstances(observation)
        try:
            context = None if self._context is None else self._context(observation)
            turn = self.controller.decide(values, action, context=context, features=features, **circumstances)
        except RefusedError as error:
            if _unfinished(error):
                return said
            raise
        if isinstance(turn, Ask):
            reply: str | Reply | None = None
            try:
                reply = self.advisor(observation, self._info)
            except Exception:
                if self._strict:
                    self.controller.resume(turn, None)
                    raise
            turn = self.controller.resume(turn, reply)
            said["asked"] = True
        said["executed"] = turn.action
        said["estimate"], said["score"], said["threshold"] = turn.estimate, turn.score, turn.threshold
        said["calls_left"] = self.controller.calls_left
        return said

    def step(self, action: Any) -> tuple[Any, Any, bool, bool, dict[str, Any]]:
        said = self._decide(int(action))
        self.overridden = said["executed"] != said["chosen"]
        self._observation, reward, terminated, truncated, self._info = self.env.step(said["executed"])
        if self._logs and "score" in said:
            self.controller.outcome(float(reward))
        return self._observation, reward, terminated, truncated, {**self._info, "counsel": said}


def _at(observation: Any, place: int) -> Any:
    if isinstance(observation, dict):
        return {name: _at(part, place) for name, part in observation.items()}
    return observation[place]


class AdvisedVectorEnv(VectorWrapper):
    """Environments side by side with one hard budget; all open questions of a step go to the advisor at once.

    All three autoreset modes work. A step that only resets a place is no decision: its action is handed on as it is.

    Parameters
    ----------
    envs : gymnasium.vector.VectorEnv
        Environments with discrete actions.
    advisor : callable
        Asked with the observations whose question is open, and their places; returns one reply each, None for a lost one. An
        exception loses all of them, unless ``strict``.
    settings, words, kappa, radius, bounds, predictor, log, seed, form
        As for :class:`counsel.VectorController`.
    critic : callable, optional
        Samples of the values of all actions, of shape (environments, samples, actions).
    context, features : callable, optional
        Keys and features of all observations; None leaves them out.
    circumstances : callable, optional
        The keywords that :meth:`counsel.VectorController.decide` takes beside them, with an entry per place.
    """

    def __init__(
        self,
        env: VectorEnv[Any, Any, Any],
        advisor: VectorAdvisor,
        *,
        settings: Settings,
        kappa: float,
        words: Sequence[str] | int | None = None,
        critic: Critic | None = None,
        radius: Radius | float | None = None,
        bounds: Spread | None = None,
        predictor: Predictor | None = None,
        log: Log | None = None,
        seed: int = 0,
        form: str = "word",
        context: Callable[[Any], npt.NDArray[np.uint64]] | None = None,
        features: Callable[[Any], npt.ArrayLike] | None = None,
        circumstances: Callable[[Any], Mapping[str, Any]] | None = None,
        strict: bool = False,
    ) -> None:
        super().__init__(env)
        self.advisor = advisor
        self.critic = critic
        self.controller = VectorController(
            settings, _words(env.single_action_space, words), env.num_envs, kappa=kappa, radius=radius, bounds=bounds,
            predictor=predictor, log=log, seed=seed, form=form,
        )
        self._mode = AutoresetMode(env.metadata.get("autoreset_mode", AutoresetMode.NEXT_STEP))
        self._context, self._features, self._circumstances, self._strict = context, features, circumstances, strict
        self._observation: Any = None
        self._over = np.zeros(env.num_envs, np.bool_)
        #: Where advice replaced the action of the last step.
        self.overridden = np.zeros(env.num_envs, np.bool_)

    def reset(
        self, *, seed: int | list[int] | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Any, dict[str, Any]]:
        # Environments may take the mask out of the options.
        mask = (options or {}).get("reset_mask")
        self._observation, info = self.env.reset(seed=seed, options=options)  # type: ignore[arg-type]
        begun = np.ones(self.num_envs, np.bool_) if mask is None else np.asarray(mask, np.bool_)
        self.controller.begin_episodes(begun)
        self._over &= ~begun
        return self._observation, info

    def _decide(self, chosen: npt.NDArray[np.int64]) -> dict[str, Any]:
        observation, live = self._observation, ~self._over
        blank = np.full(self.num_envs, np.nan)
        said: dict[str, Any] = {
            "chosen": chosen, "executed": chosen, "asked": np.zeros(self.num_envs, np.bool_), "estimate": blank, "score": blank,
            "threshold": blank, "decided": np.zeros(self.num_envs, np.bool_),
        }
        values = None if self.critic is None else self.critic(observation)
        if values is None:
            return said
        values = np.asarray(values)
        live = live & np.isfinite(values).all(axis=(1, 2))
        contexts = None if self._context is None else self._context(observation)
        features = None if self._features is None else np.asarray(self._features(observation))
        circumstances = {} if self._circumstances is None else self._circumstances(observation)
        batch = self.controller.decide(values, chosen, contexts=contexts, features=features, mask=live, **circumstances)
        executed = batch.actions
        if len(batch.asks):
            places = batch.asks.tolist()
            replies: Sequence[str | Reply | None] = [None] * len(places)
            try:
                replies = self.advisor([_at(observation, place) for place in places], places)
            except Exception:
                if self._strict:
                    self.controller.resume(batch, replies)
                    raise
            executed = self.controller.resume(batch, replies)
            said["asked"][batch.asks] = True
        return said | {
            "executed": executed, "estimate": batch.estimate, "score": batch.score, "threshold": batch.threshold, "decided": live
        }

    def step(self, actions: Any) -> tuple[Any, Any, Any, Any, dict[str, Any]]:
        said = self._decide(np.array(actions, np.int64))
        self.overridden = said["executed"] != said["chosen"]
        began = self._over.copy()
        self._observation, reward, terminated, truncated, info = self.env.step(said["executed"])
        if said["decided"].any():
            self.controller.outcome(np.asarray(reward, np.float64))
        over = np.logical_or(terminated, truncated)
        if self._mode is AutoresetMode.NEXT_STEP:
            self.controller.begin_episodes(began)
            self._over = over
        elif self._mode is AutoresetMode.SAME_STEP:
            self.controller.begin_episodes(over)
        else:
            self._over = self._over | over
        return self._observation, reward, terminated, truncated, {**info, "counsel": said}
