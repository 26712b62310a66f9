"""Gymnasium environments that take advice: :class:`AdvisedEnv` and :class:`AdvisedVectorEnv`. :func:`counsel.wrap` makes either in one line.

The learner chooses an action; the wrapper decides whether advice is worth its price there, asks, and executes what may act. ``info["counsel"]`` says what was chosen and what was executed: a learner must learn from the latter.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, TypedDict

import numpy as np
import numpy.typing as npt

from ._counsel import Ask, Controller, Reply, VectorController, context_key
from .advisors import Advisor, VectorAdvisor, single, words_of
from .breaker import Breaker
from .errors import RefusedError
from .grid import Grid
from .keys import observation_key
from .reading import Reader

try:
    import gymnasium
    from gymnasium import spaces
    from gymnasium.utils import RecordConstructorArgs
    from gymnasium.vector import AutoresetMode, VectorEnv, VectorWrapper
except ModuleNotFoundError:
    raise ModuleNotFoundError("counsel.gymnasium needs gymnasium; pip install 'counsel-rl[gymnasium]'") from None

__all__ = ["AdvisedEnv", "AdvisedVectorEnv", "Advisor", "Critic", "Override", "Said", "VectorAdvisor", "observation_key"]

#: Has the last word: of an observation and the number of the action that would be executed, another action and who decided; None leaves it.
Override = Callable[[Any, int], tuple[int | str, str] | None]

#: Samples of action values, (samples, actions), or (environments, samples, actions); None keeps the gate silent.
Critic = Callable[[Any], npt.ArrayLike | None]


class Said(TypedDict, total=False):
    """What ``info["counsel"]`` of a single environment says. Numbers are there where something was decided, ``failure`` where an
    advisor failed, and ``override_by`` and ``override_of``, the action of the controller, where somebody had the last word. Of environments
    side by side each entry is an array, ``decided`` says where, and ``override_of`` is -1 where nobody had it."""

    chosen: int
    executed: int
    asked: bool
    estimate: float
    score: float
    threshold: float
    calls_left: int
    failure: str
    override_by: str
    override_of: int


def _check_actions(space: Any, controller: Controller | VectorController) -> list[str]:
    """The names of the actions, if they are those of the space."""
    names = controller.actions
    if not isinstance(space, spaces.Discrete):
        raise RefusedError(f"the action space is {space}; advice needs a Discrete one")
    if len(names) != space.n or space.start != 0:
        raise RefusedError(
            f"the controller has {len(names)} actions for {space}; make it with one name for each of the actions 0 to {int(space.n) - 1}"
        )
    return names


class AdvisedEnv(gymnasium.Wrapper[Any, Any, Any, Any], RecordConstructorArgs):
    """An environment whose actions are replaced by advice where that is worth its price.

    A recommended controller learns values from the steps of this environment, by context. One from settings is handed values by a
    critic; without a critic, or without a finite radius where the gate subtracts one, nothing is asked. ``reset`` begins an episode; it
    never refills a budget per run, so the same seed may give another episode, and the spec of the environment says so.

    Parameters
    ----------
    env : gymnasium.Env
        An environment with discrete actions.
    advisor : callable
        Asked with the observation, and with the info of the last step if it takes two arguments; may be an ``async def``. It returns
        the name or the number of an action, a :class:`counsel.Reply`, or None if no answer came. An exception counts as an answer that
        never came, unless ``strict``; it was paid for all the same, and ``info["counsel"]["failure"]`` says what it was.
    controller : Controller
        Who decides. One controller may serve several environments: budget, books and log are shared, episodes are not.
    critic : callable, optional
        Samples of the values of all actions at an observation; may be set later as ``env.critic``.
    context : callable, optional
        What tells situations apart, of an observation. Without it a recommended controller rounds fractions by :class:`counsel.grid.Grid`,
        and others take observations as they are.
    features : callable, optional
        What a predictor looks at, of an observation.
    circumstances : callable, optional
        The keywords that :meth:`counsel.Controller.decide` takes beside them, such as ``{"credited_gain": gain}``, of an observation.
    reader : counsel.reading.Reader, optional
        Reads answers as language models write them. Without it an answer is the bare name of an action, and nothing else is read.
    strict : bool
        Whether exceptions of the advisor go on.
    stop_after : int
        After this many answers in a row that never came, ``step`` raises :class:`counsel.StateError` with the last failure. The
        next step goes on.
    override : callable, optional
        Has the last word where the controller decides: called with an observation and the number of the action that would be executed, it
        returns None, or another action and who decided, such as ``("stop", "operator")``. What it returns is executed and logged, and the
        controller learns from it without crediting advice; see :meth:`counsel.Controller.override`. May be set later as ``env.override``.

    Attributes
    ----------
    controller : Controller
        The place of this environment: ``calls``, ``calls_left``, ``diagnose()``.
    advising : bool
        False lets every action pass, and spends nothing: for an evaluation.
    overridden : bool
        Whether advice, or somebody who had the last word, replaced the action of the last step.

    Examples
    --------
    >>> import gymnasium, counsel
    >>> from counsel.gymnasium import AdvisedEnv
    >>> controller = counsel.Controller.recommended(price=0.01, budget=50, actions=["left", "right"])
    >>> env = AdvisedEnv(gymnasium.make("CartPole-v1"), lambda observation: "right", controller)
    >>> observation, info = env.reset(seed=0)
    >>> [env.step(0)[4]["counsel"]["executed"] for _ in range(3)]
    [1, 1, 1]
    """

    def __init__(
        self,
        env: gymnasium.Env[Any, Any],
        advisor: Advisor,
        controller: Controller,
        *,
        critic: Critic | None = None,
        context: Callable[[Any], Any] | None = None,
        features: Callable[[Any], npt.ArrayLike] | None = None,
        circumstances: Callable[[Any], Mapping[str, Any]] | None = None,
        reader: Reader | None = None,
        strict: bool = False,
        stop_after: int = 10,
        override: Override | None = None,
    ) -> None:
        # Everything is recorded, callables by reference: check_env and make_vec build the environment again from its spec.
        RecordConstructorArgs.__init__(
            self, _disable_deepcopy=True, advisor=advisor, controller=controller, critic=critic, context=context, features=features,
            circumstances=circumstances, reader=reader, strict=strict, stop_after=stop_after, override=override,
        )
        gymnasium.Wrapper.__init__(self, env)
        if not isinstance(controller, Controller):
            raise RefusedError(f"the controller is {controller!r}; pass a counsel.Controller, such as Controller.recommended")
        self._names = _check_actions(env.action_space, controller)
        self.advisor = single(advisor)
        self.critic = critic
        self.controller = controller.place()
        self._features, self._circumstances, self._strict = features, circumstances, strict
        self._breaker = Breaker(stop_after)
        self.reader = reader
        self.override = override
        # Making a key costs as much as a decision, so it is made where something reads it.
        own = Grid(env.observation_space) if controller.learns else observation_key
        self._context = (context or own) if controller.reads_contexts else None
        self._observation: Any = None
        self._info: dict[str, Any] = {}
        self._key: int | None = None
        self.advising = True
        self.overridden = False

    @property
    def spec(self) -> Any:  # type: ignore[override]
        spec = super().spec
        if spec is not None:
            # What was spent and learned before is no part of a seed.
            spec.nondeterministic = True
        return spec

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> tuple[Any, dict[str, Any]]:
        self._observation, self._info = self.env.reset(seed=seed, options=options)
        self._see()
        self.controller.begin_episode()
        return self._observation, self._info

    def _see(self) -> None:
        self._key = None if self._context is None else context_key(self._context(self._observation))

    def _decide(self, action: int) -> Said:
        said: Said = {"chosen": action, "executed": action, "asked": False}
        observation = self._observation
        values = None if self.critic is None else self.critic(observation)
        if not self.advising or (values is None and not self.controller.learns):
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
                reply = words_of(self.advisor(observation, self._info), self._names, self.reader)
            except Exception as error:
                failed = error
            except BaseException:
                self.controller.resume(turn, None)
                raise
            turn = self.controller.resume(turn, reply)
            if failed is not None and self._strict:
                raise failed
            said["asked"] = True
            failure = self._breaker.hear(failed, reply is not None)
            if failure is not None:
                said["failure"] = failure
        if self.override is not None:
            set_by = self.override(observation, turn.action)
            if set_by is not None:
                instead, by = set_by
                said["override_by"], said["override_of"] = by, turn.action
                turn = self.controller.override(turn, instead, by=by)
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
            changed = self._key != before if self.controller.learns else None
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
    env : gymnasium.vector.VectorEnv
        Environments with discrete actions.
    advisor : callable
        Asked with the observations whose question is open, and their places; returns one reply each, None for a lost one. An
        exception loses all of them, unless ``strict``. :func:`counsel.advisors.side_by_side` makes one of an advisor for single observations.
    controller : VectorController
        Who decides, for as many environments.
    critic : callable, optional
        Samples of the values of all actions, of shape (environments, samples, actions).
    context, features : callable, optional
        Keys and features of all observations. Where keys are needed, those of the observations are the default, with fractions rounded
        as in :class:`AdvisedEnv`.
    circumstances : callable, optional
        The keywords that :meth:`counsel.VectorController.decide` takes beside them, with an entry per place.
    reader, strict, stop_after
        As for :class:`AdvisedEnv`; a step on which no question was answered counts once.
    override : callable, optional
        As for :class:`AdvisedEnv`, called for each place where something is decided.
    """

    def __init__(
        self,
        env: VectorEnv[Any, Any, Any],
        advisor: VectorAdvisor,
        controller: VectorController,
        *,
        critic: Critic | None = None,
        context: Callable[[Any], npt.NDArray[np.uint64]] | None = None,
        features: Callable[[Any], npt.ArrayLike] | None = None,
        circumstances: Callable[[Any], Mapping[str, Any]] | None = None,
        reader: Reader | None = None,
        strict: bool = False,
        stop_after: int = 10,
        override: Override | None = None,
    ) -> None:
        super().__init__(env)
        if not isinstance(controller, VectorController):
            raise RefusedError(f"the controller is {controller!r}; pass a counsel.VectorController, such as VectorController.recommended")
        if controller.num_envs != env.num_envs:
            raise RefusedError(f"the controller is for {controller.num_envs} environments, but there are {env.num_envs}; make one for these")
        self._names = _check_actions(env.single_action_space, controller)
        self.advisor = advisor
        self.critic = critic
        self.controller = controller
        if context is None and controller.reads_contexts:
            own = Grid(env.single_observation_space) if controller.learns else observation_key
            context = lambda observation: np.array([own(_at(observation, place)) for place in range(self.num_envs)], np.uint64)  # noqa: E731
        self._mode = AutoresetMode(env.metadata.get("autoreset_mode", AutoresetMode.NEXT_STEP))
        self._context, self._features, self._circumstances, self._strict = context, features, circumstances, strict
        self._breaker = Breaker(stop_after)
        self.reader = reader
        self.override = override
        self._observation: Any = None
        self._keys: Any = None
        self._over = np.zeros(env.num_envs, np.bool_)
        #: False lets every action pass, and spends nothing: for an evaluation.
        self.advising = True
        #: Where advice, or somebody who had the last word, replaced the action of the last step.
        self.overridden = np.zeros(env.num_envs, np.bool_)

    def reset(
        self, *, seed: int | list[int] | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Any, dict[str, Any]]:
        # Environments may take the mask out of the options.
        mask = (options or {}).get("reset_mask")
        self._observation, info = self.env.reset(seed=seed, options=options)  # type: ignore[arg-type]
        self._keys = None
        begun = np.ones(self.num_envs, np.bool_) if mask is None else np.asarray(mask, np.bool_)
        self.controller.begin_episodes(begun)
        self._over &= ~begun
        return self._observation, info

    def _contexts(self) -> Any:
        """The keys of what is seen now, made once and only where something reads them."""
        if self._keys is None and self._context is not None:
            self._keys = np.asarray(self._context(self._observation))
        return self._keys

    def _decide(self, chosen: npt.NDArray[np.int64]) -> dict[str, Any]:
        observation, live = self._observation, ~self._over
        blank = np.full(self.num_envs, np.nan)
        said: dict[str, Any] = {
            "chosen": chosen, "executed": chosen, "asked": np.zeros(self.num_envs, np.bool_), "estimate": blank, "score": blank,
            "threshold": blank, "decided": np.zeros(self.num_envs, np.bool_),
        }
        values = None if self.critic is None else self.critic(observation)
        if not self.advising or (values is None and not self.controller.learns):
            return said
        if values is not None:
            values = np.asarray(values)
            live = live & np.isfinite(values).all(axis=(1, 2))
        features = None if self._features is None else np.asarray(self._features(observation))
        circumstances = {} if self._circumstances is None else self._circumstances(observation)
        batch = self.controller.decide(
            contexts=self._contexts(), base=chosen, values=values, features=features, mask=live, **circumstances
        )
        executed = batch.actions
        if len(batch.asks):
            places = batch.asks.tolist()
            replies: list[str | Reply | None] = [None] * len(places)
            failed: Exception | None = None
            try:
                came = self.advisor([_at(observation, place) for place in places], places)
                replies = [words_of(reply, self._names, self.reader) for reply in came]
            except Exception as error:
                failed = error
            except BaseException:
                self.controller.resume(batch, replies)
                raise
            executed = self.controller.resume(batch, replies)
            if failed is not None and self._strict:
                raise failed
            said["asked"][batch.asks] = True
            self._breaker.hear(failed, any(reply is not None for reply in replies))
        said |= {"executed": executed, "estimate": batch.estimate, "score": batch.score, "threshold": batch.threshold, "decided": live}
        return said if self.override is None else said | self._overridden(self.override, executed, live)

    def _overridden(self, override: Override, decided: npt.NDArray[np.int64], live: npt.NDArray[np.bool_]) -> dict[str, Any]:
        """What is executed once somebody has had the last word at every place where something was decided."""
        executed, replaced = np.array(decided), np.full(self.num_envs, -1)
        who = np.full(self.num_envs, None, object)
        for place in np.flatnonzero(live).tolist():
            set_by = override(_at(self._observation, place), int(decided[place]))
            if set_by is not None:
                instead, who[place] = set_by
                self.controller.override(place, instead, by=who[place])
                executed[place] = self._names.index(instead) if isinstance(instead, str) else instead
                replaced[place] = decided[place]
        return {"executed": executed, "override_by": who, "override_of": replaced}

    def step(self, actions: Any) -> tuple[Any, Any, Any, Any, dict[str, Any]]:
        said = self._decide(np.array(actions, np.int64))
        self.overridden = said["executed"] != said["chosen"]
        began, before = self._over.copy(), self._keys
        self._observation, reward, terminated, truncated, info = self.env.step(said["executed"])
        self._keys = None
        if said["decided"].any():
            # Where an episode is over, the next one may be seen already; nothing lapses there.
            changed = self._contexts() != before if self.controller.learns else None
            self.controller.outcome(
                np.asarray(reward, np.float64), terminated=np.asarray(terminated), truncated=np.asarray(truncated), changed=changed
            )
        over = np.logical_or(terminated, truncated)
        if self._mode is AutoresetMode.NEXT_STEP:
            self.controller.begin_episodes(began)
            self._over = over
        elif self._mode is AutoresetMode.SAME_STEP:
            self.controller.begin_episodes(over)
        else:
            self._over = self._over | over
        return self._observation, reward, terminated, truncated, {**info, "counsel": said}
