"""Studies on a Ray cluster, and a ledger of paid calls for tasks on many machines.

:func:`reproduce` gives every study and seed to a task. A task hands back the bytes of its cells and writes nothing on its machine; the
machine that called it checks and writes them. The folder has the same bytes as a local run, whatever machine was lost on the way::

    ray.init(address="auto")
    counsel.ray.reproduce("babyai-main", out="runs")

Tasks need the ``counsel`` program on their machine (:func:`counsel.studies.program`). They run studies with simulated and recorded
advisors, which cost nothing, so a lost task is simply run again. For an advisor that is paid, reserve every call at a
:class:`Ledger`: it lives in one place, and nothing is retried behind your back.
"""

from __future__ import annotations

import tempfile
from collections import deque
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import ray

from . import studies
from ._counsel import Ledger as _Ledger
from .errors import BudgetError, StateError

__all__ = ["Ledger", "reproduce"]


def reproduce(
    *names: str,
    out: str | Path = "runs",
    seeds: str | None = None,
    set: Mapping[str, object] | None = None,
    num_cpus: int = 1,
    max_in_flight: int = 64,
    max_retries: int = 3,
) -> int:
    """Run studies on the cluster and say how many cells were run. What is in the folder already is not run again.

    Parameters
    ----------
    names : str
        Studies or groups. A file with a study of one's own must lie at the same path on every machine.
    out : path
        The folder, on this machine.
    seeds : str, optional
        ``"A..B"``, both included; the studies' own where it is left out.
    set : mapping, optional
        Changes of settings, such as ``{"kappa": 0.1}``.
    num_cpus : int
        Processors for each task, and threads in it.
    max_in_flight : int
        Tasks that are handed out at once.
    max_retries : int
        How often a task is run again whose machine was lost.
    """
    task = ray.remote(num_cpus=num_cpus, max_retries=max_retries, scheduling_strategy="SPREAD")(_cells)
    # A task is told the file of a study of one's own, and the id of any other.
    cells = dict.fromkeys(
        (name if name.endswith(".toml") else study, arm, seed)
        for name in names
        for study, arm, seed in studies.due(name, out=out, seeds=seeds, set=set)
    )
    groups = deque(dict.fromkeys((study, seed) for study, _, seed in cells))
    running: list[Any] = []
    while groups or running:
        while groups and len(running) < max_in_flight:
            study, seed = groups.popleft()
            running.append(task.remote(study, seed, dict(set or {}), num_cpus))
        finished, running = ray.wait(running, num_returns=1)
        with tempfile.TemporaryDirectory(prefix="counsel-") as folder:
            for name, content in ray.get(finished[0]).items():
                path = Path(folder, name)
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_bytes(content)
            studies.merge(out, folder)
    return len(cells)


def _cells(name: str, seed: int, changes: Mapping[str, object], jobs: int) -> dict[str, bytes]:
    """The task: one study and seed, as the bytes of its files."""
    with tempfile.TemporaryDirectory(prefix="counsel-") as folder:
        root = studies.reproduce(name, out=folder, seeds=f"{seed}..{seed}", set=changes, jobs=jobs)
        files = (path for path in sorted(root.rglob("*.*")) if path.is_file() and path.name != ".lock")
        return {str(path.relative_to(root)): path.read_bytes() for path in files}


class _Desk:
    """The actor that keeps the ledger, and the reservations that are open."""

    def __init__(self, path: str, limit: int) -> None:
        self._ledger = _Ledger(path, limit=limit)
        self._open: dict[int, Any] = {}

    def reserve(self, model: str, prompt: str) -> int | None:
        try:
            reservation = self._ledger.reserve(model=model, prompt=prompt)
        except BudgetError:
            return None
        self._open[reservation.number] = reservation
        return int(reservation.number)

    def settle(self, number: int, reason: str | None) -> None:
        self._open.pop(number).settle(reason=reason)

    def spent(self) -> int:
        return int(self._ledger.spent)


class Ledger:
    """A hard budget of calls for tasks on many machines. The file lies on the machine that makes it.

    A reservation is on the disk before the call is sent. A task that dies after it has spent it; the ledger never gives it back. If the
    machine with the ledger is lost, no further call can be reserved. Hand the ledger to tasks as an argument.
    """

    def __init__(self, path: str | Path, *, limit: int) -> None:
        here = ray.util.scheduling_strategies.NodeAffinitySchedulingStrategy(
            ray.get_runtime_context().get_node_id(), soft=False
        )
        actor = ray.remote(num_cpus=0, max_restarts=0, max_task_retries=0, scheduling_strategy=here)(_Desk)
        self._desk = actor.remote(str(Path(path).absolute()), limit)
        ray.get(self._desk.spent.remote())

    @contextmanager
    def reserve(self, *, model: str = "", prompt: str = "") -> Iterator[int]:
        """The right to one call; raises :class:`counsel.BudgetError` where none is left."""
        number = self._ask(self._desk.reserve.remote(model, prompt))
        if number is None:
            raise BudgetError("the ledger is spent; raise its limit, or ask no more")
        try:
            yield number
        except Exception as error:
            self._ask(self._desk.settle.remote(number, str(error)))
            raise
        self._ask(self._desk.settle.remote(number, None))

    @property
    def spent(self) -> int:
        """How many calls are spent, by all tasks together."""
        return int(self._ask(self._desk.spent.remote()))

    @staticmethod
    def _ask(answer: Any) -> Any:
        try:
            return ray.get(answer)
        except ray.exceptions.RayActorError:
            raise StateError("the machine with the ledger is gone; open the ledger's file again in a new one") from None
