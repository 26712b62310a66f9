"""Coroutines: whoever is asked is awaited, and the answer goes to the decision that asked for it."""

from __future__ import annotations

import inspect
from collections.abc import Awaitable, Callable
from typing import Any

from ._counsel import Act, Answer, Ask, Cascade, Controller, Reply, Router

__all__ = ["advise", "cascaded", "routed"]


async def advise(controller: Controller, ask: Callable[[], Awaitable[str | Reply | None]], /, **situation: Any) -> Act:
    """Decides, awaits the advisor where it is worth it, and acts. A task that is cancelled while it waits has lost its answer."""
    turn = controller.decide(**situation)
    if not isinstance(turn, Ask):
        return turn
    try:
        reply = await ask()
    except BaseException:
        controller.resume(turn, None)
        raise
    return controller.resume(turn, reply)


async def _answer(model: Callable[[Any], Any], question: Any) -> Any:
    """What a model says, whether it is an ``async def`` or not."""
    said = model(question)
    return await said if inspect.isawaitable(said) else said


async def cascaded(
    cascade: Cascade, cheap: Callable[[Any], Any], strong: Callable[[Any], Any], question: Any, group: Any, numbers: Any, /
) -> Answer:
    """Awaits the cheap model, decides, and awaits the strong one where it pays."""
    hand = await _answer(cheap, question)
    decision = cascade._consult(question, hand, group, numbers)
    if not decision.ask:
        return cascade._executed(decision, hand, None)
    try:
        value = await _answer(strong, question)
    except BaseException:
        cascade.feedback(decision.id, None)
        raise
    return cascade._executed(decision, hand, value)


async def routed(router: Router, question: Any, group: Any, numbers: Any, /) -> Answer:
    """Decides who answers, and awaits the answer."""
    route, model = router._choose(question, group, numbers)
    try:
        value = await _answer(model, question)
    except BaseException:
        router.feedback(route.id, None)
        raise
    return router._executed(route, value)
