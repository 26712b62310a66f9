"""Advice for coroutines: the advisor is awaited, and the answer goes to the decision that asked for it."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Any

from ._counsel import Act, Ask, Controller, Reply

__all__ = ["advise"]


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
