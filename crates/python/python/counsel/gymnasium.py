"""Gymnasium environments that take advice: :class:`AdvisedEnv` and :class:`AdvisedVectorEnv`.

The learner chooses an action; the wrapper decides whether advice is worth its price there, asks, and executes what may act. ``info["counsel"]`` says what was chosen and what was executed: a learner must learn from the latter.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from ._counsel import Ask, CalibratedRadius, Controller, Log, Predictor, Reply, VectorController, context_key
from .breaker import Breaker
from .errors import RefusedError
from .gates import Novelty, Schedule
from .settings import Budget, Settings, Spread

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
    """The key of an observation: the digest of its bytes. Unlike :func:`counsel.context_key` it takes numbers with a fraction, as
    they are: equal observations have equal keys, and no others do.

    >>> import numpy as np
    >>> observation_key(np.zeros(3)) == observation_key(np.zeros(3)) != observation_key(np.ones(3))
    True
    """
    return context_key(observation.tobytes() if isinstance(observation, np.ndarray) else _exact(observation))


def _exact(part: Any) -> Any:
    if isinstance(part, dict):
        return {name: _exact(inner) for name, inner in part.items()}
    if isinstance(part, (tuple, list)):
        return tuple(_exact(inner) for inner in part)
    if isinstance(part, (str, bytes)):
        return part
    array = np.asarray(part)
    return array.dtype.str, array.shape, array.tobytes()


def _actions(space: Any, actions: Sequence[str] | int | None) -> Sequence[str] | int:
    if not isinstance(space, spaces.Discrete):
        raise RefusedError(f"the action space is {space}; advice needs a Discrete one")
    count = int(space.n)
    given = count if actions is None else actions if isinstance(actions, int) else len(actions)
    if given != count or space.start != 0:
        raise RefusedError(f"{given} names came for {space}; pass one name for each of the actions 0 to {count - 1}")
    return count if actions is None else actions


def _budget(budget: int | Budget | None) -> int | Budget:
    if budget is None:
        raise RefusedError("neither `budget` nor `settings` came; pass the number of calls of the run, or settings of your own")
    return budget


def _counts(settings: Settings) -> bool:
    """Whether something reads how often contexts were met, or keeps answers by context."""
    gate = settings.gate
    return settings.cache is not None or isinstance(gate, Novelty) or (isinstance(gate, Schedule) and not isinstance(gate.at, str))


class AdvisedEnv(gymnasium.Wrapper[Any, Any, Any, Any], RecordConstructorArgs):
    """An environment whose actions are replaced by advice where that is worth its price.

    With a budget alone this is the recommended controller: it learns values from the steps of this environment, by context. With
    ``settings`` it is one of your own, and without a critic, or without a finite radius where the gate subtracts one, nothing is
    asked. ``reset`` begins an episode; it never refills a budget per run.

    Parameters
    ----------
    env : gymnasium.Env
        An environment with discrete actions.
    advisor : callable
        Asked with the observation and the info of the last step. An exception counts as an answer that never came, unless
        ``strict``; it was paid for all the same, and ``info["counsel"]["failure"]`` says what it was.
    price : float
        The cost of a call, in units of return.
    budget : int or Budget
        The most calls of the run, for the recommended controller.
    actions : sequence of str, optional
        The name of every action, as the advisor says it.
    settings : Settings, optional
        Budget, gate, rule, pacing and cache of your own.
    critic : callable, optional
        Samples of the values of all actions at an observation; may be set later as ``env.critic``.
    radius : CalibratedRadius or float, optional
        How far the estimate may be from the truth. None is infinite: the predictive gate is silent.
    bounds, predictor, log, seed, form
        As for :class:`counsel.Controller`.
    context : callable, optional
        What tells situations apart, of an observation. The recommended controller takes the observation itself, so one with
        fractions needs a context that rounds them.
    features : callable, optional
        What a predictor looks at, of an observation.
    circumstances : callable, optional
        The keywords that :meth:`counsel.Controller.decide` takes beside them, such as ``{"credited_gain": gain}``, of an observation.
    strict : bool
        Whether exceptions of the advisor go on.
    stop_after : int
        After this many answers in a row that never came, ``step`` raises :class:`counsel.StateError` with the last failure. The
        next step goes on.

    Examples
    --------
    >>> import gymnasium, counsel
    >>> from counsel.gymnasium import AdvisedEnv
    >>> env = AdvisedEnv(gymnasium.make("CartPole-v1"), lambda observation, info: "right", price=0.01, budget=50,
    ...                  actions=["left", "right"], context=lambda observation: (10 * observation).round().astype(int))
    >>> observation, info = env.reset(seed=0)
    >>> [env.step(0)[4]["counsel"]["executed"] for _ in range(3)]
    [1, 1, 1]
    """

    def __init__(
        self,
        env: gymnasium.Env[Any, Any],
        advisor: Advisor,
        *,
        price: float,
        budget: int | Budget | None = None,
        actions: Sequence[str] | int | None = None,
        settings: Settings | None = None,
        critic: Critic | None = None,
        radius: CalibratedRadius | float | None = None,
        bounds: Spread | None = None,
        predictor: Predictor | None = None,
        log: Log | None = None,
        seed: int = 0,
        form: str = "word",
        context: Callable[[Any], Any] | None = None,
        features: Callable[[Any], npt.ArrayLike] | None = None,
        circumstances: Callable[[Any], Mapping[str, Any]] | None = None,
        strict: bool = False,
        stop_after: int = 10,
    ) -> None:
        # Everything is recorded, callables by reference: check_env and make_vec build the environment again from its spec.
        RecordConstructorArgs.__init__(
            self, _disable_deepcopy=True, advisor=advisor, price=price, budget=budget, actions=actions, settings=settings,
            critic=critic, radius=radius, bounds=bounds, predictor=predictor, log=log, seed=seed, form=form, context=context,
            features=features, circumstances=circumstances, strict=strict, stop_after=stop_after,
        )
        gymnasium.Wrapper.__init__(self, env)
        self.advisor = advisor
        self.critic = critic
        named = _actions(env.action_space, actions)
        if settings is None:
            self.controller = Controller.recommended(price, _budget(budget), named, seed=seed, log=log)
        else:
            self.controller = Controller(
                settings, named, price=price, radius=radius, bounds=bounds, predictor=predictor, log=log, seed=seed, form=form
            )
        self._learns = settings is None
        self._features, self._circumstances, self._strict = features, circumstances, strict
        self._breaker = Breaker(stop_after)
        # Making a key costs as much as a decision, so it is made where something reads it.
        reads = settings is None or log is not None or predictor is not None or _counts(settings)
        self._context = (context or (context_key if settings is None else observation_key)) if reads else None
        self._observation: Any = None
        self._info: dict[str, Any] = {}
        self._key: int | None = None
        #: Whether advice replaced the action of the last step.
        self.overridden = False

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> tuple[Any, dict[str, Any]]:
        self._observation, self._info = self.env.reset(seed=seed, options=options)
        self._see()
        self.controller.begin_episode()
        return self._observation, self._info

    def _see(self) -> None:
        self._key = None if self._context is None else context_key(self._context(self._observation))

    def _decide(self, action: int) -> dict[str, Any]:
        said: dict[str, Any] = {"chosen": action, "executed": action, "asked": False}
        observation = self._observation
        values = None if self.critic is None else self.critic(observation)
        if values is None and not self._learns:
            return said
        features = None if self._features is None else self._features(observation)
        circumstances = {} if self._circumstances is None else self._circumstances(observation)
        try:
            turn = self.controller.decide(context=self._key, base=action, values=values, features=features, **circumstances)
        except RefusedError as error:
            # A critic without finite values yet: the gate is silent, as it is without a critic.
            if error.what == "a value sample":
                return said
            raise
        if isinstance(turn, Ask):
            reply: str | Reply | None = None
            failed: Exception | None = None
            try:
                reply = self.advisor(observation, self._info)
            except Exception as error:
                failed = error
                if self._strict:
                    self.controller.resume(turn, None)
                    raise
            turn = self.controller.resume(turn, reply)
            said["asked"] = True
            failure = self._breaker.hear(failed, reply is not None)
            if failure is not None:
                said["failure"] = failure
        said["executed"] = turn.action
        said["estimate"], said["score"], said["threshold"] = turn.estimate, turn.score, turn.threshold
        said["calls_left"] = self.controller.calls_left
        return said

    def step(self, action: Any) -> tuple[Any, Any, bool, bool, dict[str, Any]]:
        said = self._decide(int(action))
        self.overridden = said["executed"] != said["chosen"]
        before = self._key
        self._observation, reward, terminated, truncated, self._info = self.env.step(said["executed"])
        self._see()
        if "score" in said:
            changed = self._key != before if self._learns else None
            self.controller.outcome(float(reward), terminated=terminated, truncated=truncated, changed=changed)
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
    price, budget, actions, settings, radius, bounds, predictor, log, seed, form
        As for :class:`AdvisedEnv`, with one budget for all environments.
    critic : callable, optional
        Samples of the values of all actions, of shape (environments, samples, actions).
    context, features : callable, optional
        Keys and features of all observations. Where keys are needed, those of the observations are the default.
    circumstances : callable, optional
        The keywords that :meth:`counsel.VectorController.decide` takes beside them, with an entry per place.
    strict, stop_after
        As for :class:`AdvisedEnv`; a step on which no question was answered counts once.
    """

    def __init__(
        self,
        env: VectorEnv[Any, Any, Any],
        advisor: VectorAdvisor,
        *,
        price: float,
        budget: int | Budget | None = None,
        actions: Sequence[str] | int | None = None,
        settings: Settings | None = None,
        critic: Critic | None = None,
        radius: CalibratedRadius | float | None = None,
        bounds: Spread | None = None,
        predictor: Predictor | None = None,
        log: Log | None = None,
        seed: int = 0,
        form: str = "word",
        context: Callable[[Any], npt.NDArray[np.uint64]] | None = None,
        features: Callable[[Any], npt.ArrayLike] | None = None,
        circumstances: Callable[[Any], Mapping[str, Any]] | None = None,
        strict: bool = False,
        stop_after: int = 10,
    ) -> None:
        super().__init__(env)
        self.advisor = advisor
        self.critic = critic
        named = _actions(env.single_action_space, actions)
        if settings is None:
            self.controller = VectorController.recommended(price, _budget(budget), named, env.num_envs, seed=seed, log=log)
        else:
            self.controller = VectorController(
                settings, named, env.num_envs, price=price, radius=radius, bounds=bounds, predictor=predictor, log=log, seed=seed,
                form=form,
            )
        self._learns = settings is None
        if context is None and (settings is None or _counts(settings)):
            context = self._keys
        self._mode = AutoresetMode(env.metadata.get("autoreset_mode", AutoresetMode.NEXT_STEP))
        self._context, self._features, self._circumstances, self._strict = context, features, circumstances, strict
        self._breaker = Breaker(stop_after)
        self._observation: Any = None
        self._over = np.zeros(env.num_envs, np.bool_)
        #: Where advice replaced the action of the last step.
        self.overridden = np.zeros(env.num_envs, np.bool_)

    def _keys(self, observation: Any) -> npt.NDArray[np.uint64]:
        key = context_key if self._learns else observation_key
        return np.array([key(_at(observation, place)) for place in range(self.num_envs)], np.uint64)

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
        if values is None and not self._learns:
            return said
        if values is not None:
            values = np.asarray(values)
            live = live & np.isfinite(values).all(axis=(1, 2))
        contexts = None if self._context is None else self._context(observation)
        features = None if self._features is None else np.asarray(self._features(observation))
        circumstances = {} if self._circumstances is None else self._circumstances(observation)
        batch = self.controller.decide(
            contexts=contexts, base=chosen, values=values, features=features, mask=live, **circumstances
        )
        executed = batch.actions
        if len(batch.asks):
            places = batch.asks.tolist()
            replies: Sequence[str | Reply | None] = [None] * len(places)
            failed: Exception | None = None
            try:
                replies = self.advisor([_at(observation, place) for place in places], places)
            except Exception as error:
                failed = error
                if self._strict:
                    self.controller.resume(batch, replies)
                    raise
            executed = self.controller.resume(batch, replies)
            said["asked"][batch.asks] = True
            self._breaker.hear(failed, any(reply is not None for reply in replies))
        return said | {
            "executed": executed, "estimate": batch.estimate, "score": batch.score, "threshold": batch.threshold, "decided": live
        }

    def step(self, actions: Any) -> tuple[Any, Any, Any, Any, dict[str, Any]]:
        said = self._decide(np.array(actions, np.int64))
        self.overridden = said["executed"] != said["chosen"]
        began = self._over.copy()
        self._observation, reward, terminated, truncated, info = self.env.step(said["executed"])
        if said["decided"].any():
            self.controller.outcome(np.asarray(reward, np.float64), terminated=np.asarray(terminated), truncated=np.asarray(truncated))
        over = np.logical_or(terminated, truncated)
        if self._mode is AutoresetMode.NEXT_STEP:
            self.controller.begin_episodes(began)
            self._over = over
        elif self._mode is AutoresetMode.SAME_STEP:
            self.controller.begin_episodes(over)
        else:
            self._over = self._over | over
        return self._observation, reward, terminated, truncated, {**info, "counsel": said}
