"""Any Gymnasium environment with discrete actions, wrapped in one line."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from enum import EnumMeta
from typing import TYPE_CHECKING, Any, overload

import numpy.typing as npt

from ._counsel import Controller, Log, VectorController
from .advisors import Advisor, side_by_side
from .errors import RefusedError
from .reading import Reader
from .settings import Budget

if TYPE_CHECKING:
    import gymnasium
    from gymnasium.vector import VectorEnv

    from .gymnasium import AdvisedEnv, AdvisedVectorEnv, Override

__all__ = ["wrap"]


def _names(env: Any, space: Any) -> Sequence[str] | int:
    """What an environment calls its actions, or their number."""
    count = int(getattr(space, "n", 0))
    if not count:
        raise RefusedError(f"the action space is {space}; advice needs a Discrete one")
    bare = env.unwrapped
    meant = getattr(bare, "actions", None)
    names: list[str] | None = [str(name) for name in meant.__members__] if isinstance(meant, EnumMeta) else None
    if names is None and callable(getattr(bare, "get_action_meanings", None)):
        names = list(bare.get_action_meanings())
    return [name.lower() for name in names] if names is not None and len(names) == count else count


@overload
def wrap(
    env: gymnasium.Env[Any, Any], advisor: Advisor, *, price: float | None = ..., budget: int | Budget | None = ...,
    controller: Controller | None = ..., actions: Sequence[str] | None = ..., context: Callable[[Any], Any] | None = ...,
    features: Callable[[Any], npt.ArrayLike] | None = ..., episodes: int | None = ..., seed: int = ...,
    log: Log | None = ..., forgiving: bool = ..., strict: bool = ..., stop_after: int = ..., at_once: int = ...,
    override: Override | None = ...,
) -> AdvisedEnv: ...
@overload
def wrap(
    env: VectorEnv[Any, Any, Any], advisor: Advisor, *, price: float | None = ..., budget: int | Budget | None = ...,
    controller: VectorController | None = ..., actions: Sequence[str] | None = ..., context: Callable[[Any], Any] | None = ...,
    features: Callable[[Any], npt.ArrayLike] | None = ..., episodes: int | None = ..., seed: int = ...,
    log: Log | None = ..., forgiving: bool = ..., strict: bool = ..., stop_after: int = ..., at_once: int = ...,
    override: Override | None = ...,
) -> AdvisedVectorEnv: ...
def wrap(
    env: Any,
    advisor: Advisor,
    *,
    price: float | None = None,
    budget: int | Budget | None = None,
    controller: Any = None,
    actions: Sequence[str] | None = None,
    context: Callable[[Any], Any] | None = None,
    features: Callable[[Any], npt.ArrayLike] | None = None,
    episodes: int | None = None,
    seed: int = 0,
    log: Log | None = None,
    forgiving: bool = True,
    strict: bool = False,
    stop_after: int = 10,
    at_once: int = 16,
    override: Override | None = None,
) -> Any:
    """The environment with advice where it is worth its price, by the recommended controller.

    ``info["counsel"]["executed"]`` is the action that was executed, and a learner must learn from it: :func:`counsel.sb3.learner` sees to
    it for Stable-Baselines3. The controller learns values from the rewards of the environment, and expects returns of about 0 to 1.

    Parameters
    ----------
    env : gymnasium.Env or gymnasium.vector.VectorEnv
        An environment with discrete actions, or many side by side: then all questions of a step are asked at once.
    advisor : callable
        Asked with an observation, and with the info of the last step if it takes two arguments; may be an ``async def``. It returns the
        name or the number of an action, or None if no answer came.
    price : float
        What a call costs, in units of return.
    budget : int or Budget
        The most calls of the whole run.
    controller : Controller or VectorController, optional
        One of your own in the place of ``price`` and ``budget``. A Controller may serve several environments, with one budget.
    actions : sequence of str, optional
        The names of the actions, as the advisor says them. Without it, the environment's own names (minigrid and Atari have some), or
        a0, a1, ...
    context : callable, optional
        What tells situations apart, of an observation. Without it the observation itself does, with fractions rounded by
        :class:`counsel.grid.Grid`. For many environments it gives an array of keys.
    features : callable, optional
        Numbers that describe an observation: situations with the same numbers are one state.
    episodes : int, optional
        The number of episodes of the run, if it is known.
    seed : int
        The randomness of the controller.
    log : Log, optional
        Where decisions are written.
    forgiving : bool
        Whether answers are read as language models write them, by the rules of :mod:`counsel.reading`; ``env.reader`` counts how, and keeps
        what it could not read. Otherwise an answer is the bare name of an action.
    strict, stop_after, override
        As for :class:`counsel.gymnasium.AdvisedEnv`.
    at_once : int
        The most questions that many environments ask at the same time.

    Examples
    --------
    >>> import gymnasium, counsel
    >>> env = counsel.wrap(gymnasium.make("FrozenLake-v1", is_slippery=False), lambda observation: 2, price=0.01, budget=50)
    >>> observation, info = env.reset(seed=0)
    >>> observation, reward, terminated, truncated, info = env.step(0)
    >>> info["counsel"]["executed"], env.controller.calls
    (2, 1)
    """
    import gymnasium
    from gymnasium.vector import VectorEnv

    from .gymnasium import AdvisedEnv, AdvisedVectorEnv

    if not isinstance(env, (gymnasium.Env, VectorEnv)):
        raise RefusedError(f"the environment is {env!r}; pass a gymnasium.Env or a gymnasium.vector.VectorEnv")
    given = {"price": price, "budget": budget}
    missing = [name for name, value in given.items() if value is None]
    if controller is None and missing:
        raise RefusedError(f"no `{missing[0]}` came; pass the price of a call and the most calls of the run, or a controller of your own")
    own = {"price": price, "budget": budget, "actions": actions, "episodes": episodes, "log": log}
    surplus = [name for name, value in own.items() if value is not None]
    if controller is not None and surplus:
        raise RefusedError(f"`{surplus[0]}` came beside a controller, which has its own; pass it when you make the controller")
    options: dict[str, Any] = {"context": context, "features": features, "strict": strict, "stop_after": stop_after, "override": override}
    made: dict[str, Any] = {"episodes": episodes, "seed": seed, "log": log}
    if isinstance(env, VectorEnv):
        if controller is None:
            names = actions if actions is not None else _names(env, env.single_action_space)
            controller = VectorController.recommended(price, budget, names, env.num_envs, **made)  # type: ignore[arg-type]
        options["reader"] = Reader(controller.actions) if forgiving else None
        return AdvisedVectorEnv(env, side_by_side(advisor, at_once=at_once), controller, **options)
    if controller is None:
        names = actions if actions is not None else _names(env, env.action_space)
        controller = Controller.recommended(price, budget, names, **made)  # type: ignore[arg-type]
    options["reader"] = Reader(controller.actions) if forgiving else None
    return AdvisedEnv(env, advisor, controller, **options)
