"""Advisors: whatever can be asked, as environments ask it.

An advisor is a callable of an observation, or of an observation and an info. It may be an ``async def``; it returns the name of an action,
the number of one, a :class:`counsel.Reply`, or None if no answer came.
"""

from __future__ import annotations

import asyncio
import inspect
import threading
from collections.abc import Callable, Coroutine, Sequence
from concurrent.futures import ThreadPoolExecutor
from numbers import Integral
from typing import Any

from ._counsel import Reply
from .errors import RefusedError
from .reading import Reader

__all__ = ["Advisor", "VectorAdvisor", "side_by_side", "single"]

#: Asked with an observation, and perhaps the info of the last step; None says that no answer came.
Advisor = Callable[..., Any]
#: Asked with all observations of a step whose question is open, and their places; one reply each.
VectorAdvisor = Callable[[Sequence[Any], Sequence[int]], Sequence[str | Reply | int | None]]

_LOCK = threading.Lock()
_LOOP: list[asyncio.AbstractEventLoop] = []


def _loop() -> asyncio.AbstractEventLoop:
    """The event loop of a thread of its own, so that coroutines can be asked from anywhere, also where a loop runs already."""
    with _LOCK:
        if not _LOOP:
            loop = asyncio.new_event_loop()
            threading.Thread(target=loop.run_forever, name="counsel-advisors", daemon=True).start()
            _LOOP.append(loop)
        return _LOOP[0]


def _awaited(coroutine: Coroutine[Any, Any, Any]) -> Any:
    return asyncio.run_coroutine_threadsafe(coroutine, _loop()).result()


def single(advisor: Advisor) -> Callable[[Any, dict[str, Any]], Any]:
    """The advisor as a callable of an observation and an info."""
    if not callable(advisor):
        raise RefusedError(f"the advisor is {advisor!r}; pass a callable of the observation, or of the observation and the info")
    takes = _takes(advisor)

    def ask(observation: Any, info: dict[str, Any]) -> Any:
        said = advisor(observation, info) if takes > 1 else advisor(observation)
        return _awaited(said) if inspect.iscoroutine(said) else said

    return ask


def _takes(advisor: Advisor) -> int:
    """How many of observation and info an advisor takes."""
    try:
        parameters = inspect.signature(advisor).parameters.values()
    except (TypeError, ValueError):
        return 1
    if any(parameter.kind is parameter.VAR_POSITIONAL for parameter in parameters):
        return 2
    plain = [one for one in parameters if one.kind in (one.POSITIONAL_ONLY, one.POSITIONAL_OR_KEYWORD)]
    needed = sum(one.default is one.empty for one in plain)
    if needed > 2 or not plain:
        raise RefusedError(f"the advisor takes {len(plain)} arguments; it is asked with the observation, or with the observation and the info")
    # A second argument with a default is the advisor's own.
    return max(needed, 1)


def words_of(said: Any, names: Sequence[str], reader: Reader | None = None) -> str | Reply | None:
    """What an advisor said, as a reply: the number of an action is its name, and a text is what the reader makes of it."""
    if isinstance(said, Integral) and not isinstance(said, bool):
        if not 0 <= int(said) < len(names):
            raise RefusedError(f"the advisor named action {said}, but there are only {len(names)}; return a number from 0 to {len(names) - 1}")
        return names[int(said)]
    if isinstance(said, Reply) and reader is not None:
        read = reader.read(said.text).action
        return said if read is None else said.saying(read)
    if isinstance(said, str) and reader is not None:
        return reader.read(said).action or said
    if said is None or isinstance(said, (str, Reply)):
        return said
    raise RefusedError(f"the advisor returned {said!r}; return the name or the number of an action, a Reply, or None if no answer came")


def side_by_side(advisor: Advisor, *, at_once: int = 16) -> VectorAdvisor:
    """An advisor for many environments that asks one for single observations, as many times at once.

    A question that fails is a lost answer, and the others stand. If all of a step fail, the first failure goes on.

    Parameters
    ----------
    advisor : callable
        As for one environment. One with two arguments is handed an empty info.
    at_once : int
        The most questions that wait at the same time.

    Examples
    --------
    >>> from counsel.advisors import side_by_side
    >>> side_by_side(lambda observation: "right")([0.5, 0.7], [0, 3])
    ['right', 'right']
    """
    if at_once < 1:
        raise RefusedError(f"`at_once` is {at_once}; pass 1 or more")
    ask = single(advisor)
    pool = ThreadPoolExecutor(at_once, thread_name_prefix="counsel-advisor")

    def ask_all(observations: Sequence[Any], places: Sequence[int]) -> list[Any]:
        asked = [pool.submit(ask, observation, {}) for observation in observations]
        failures = [job.exception() for job in asked]
        first = next((failure for failure in failures if failure is not None), None)
        if first is not None and all(failure is not None for failure in failures):
            raise first
        return [job.result() if failure is None else None for job, failure in zip(asked, failures, strict=True)]

    return ask_all
