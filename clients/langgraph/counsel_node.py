"""A node of LangGraph that asks an advisor where it is worth it, and pays once however often the graph is resumed.

LangGraph runs an interrupted node again from its start. The key of the decision is that of the node's task, so the second run gets the
decision of the first: what was paid for is not paid for again, and what was answered is not asked again.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import counsel
from langgraph.config import get_config
from langgraph.types import interrupt


def key_of_task(step: str = "") -> str:
    """What this run of a node has in common with its repetition: thread, checkpoint, node and task."""
    known = get_config()["configurable"]
    return ":".join(str(known.get(name, "")) for name in ("thread_id", "checkpoint_ns")) + f":{step}"


def advised(gate: counsel.Sidecar, ask: Callable[[], str | None], **situation: Any) -> counsel.RemoteAct:
    """What to do in this node; `ask` asks the advisor. Call it once in a node, or name each call by `step`."""
    return gate.advise(ask=ask, key=key_of_task(situation.pop("step", "")), **situation)


def advised_by_person(gate: counsel.Sidecar, question: str, **situation: Any) -> counsel.RemoteAct:
    """The same with a person as advisor: the graph stops, and `Command(resume=...)` brings the answer."""
    turn = gate.decide(key=key_of_task(situation.pop("step", "")), **situation)
    return turn if isinstance(turn, counsel.RemoteAct) else gate.resume(turn, interrupt(question))
