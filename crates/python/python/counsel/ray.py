"""Studies on a Ray cluster, and a ledger of paid calls for tasks on many machines.

:func:`reproduce` gives every study and seed to a task. A task hands back the bytes of its cells and writes nothing on its machine; the
machine that called it checks and writes them. The folder has the same bytes as a local run, whatever machine was lost on the way::

    ray.init(address="auto")
    counsel.ray.reproduce("babyai-main", out="runs")

Tasks need the ``counsel`` program on their machine (:func:`counsel.studies.program`). Simulated and recorded advisors cost nothing,
so a lost task is simply run again. Language models behind an endpoint are asked by one process, beside the one that called::

    counsel.ray.reproduce("babyai-exact", out="runs/live", live=counsel.studies.Live("https://api.example.com", budget=500))

That process alone has the key and the ledger, and keeps every answer in the folder before a task hears it. So the budget holds for
the whole cluster, a question is paid for once whoever asks it, and a task that is lost is not run again behind your back.

Tasks of your own that pay for calls share a :class:`Ledger`.
"""

from __future__ import annotations

import itertools
import socket
import subprocess
import tempfile
import threading
from collections import deque
from collections.abc import Iterator, Mapping
from concurrent.futures import Future
from contextlib import contextmanager, nullcontext
from pathlib import Path
from typing import TYPE_CHECKING, Any

try:
    import ray
except ModuleNotFoundError:
    raise ModuleNotFoundError("counsel.ray needs Ray; pip install 'counsel-rl[ray]'") from None

from . import studies
from ._counsel import Ledger as _Ledger
from .errors import BudgetError, StateError

if TYPE_CHECKING:
    from typing_extensions import Unpack

__all__ = ["Ledger", "reproduce"]


def reproduce(
    *names: str,
    out: str | Path = "runs",
    at_once: int = 8,
    num_cpus: int = 1,
    max_in_flight: int = 64,
    max_retries: int = 3,
    **chosen: Unpack[studies.Chosen],
) -> int:
    """Run studies on the cluster and say how many cells were run. What is in the folder already is not run again.

    Parameters
    ----------
    names : str
        Studies or groups. A file with a study of one's own must lie at the same path on every machine.
    out : path
        The folder, on this machine.
    at_once : int
        Questions to live models that are under way at once.
    num_cpus : int
        Processors for each task, and threads in it.
    max_in_flight : int
        Tasks that are handed out at once.
    max_retries : int
        How often a task is run again whose machine was lost. Tasks with live models are not.
    chosen
        ``seeds``, ``set``, ``advisor``, ``transcripts`` and ``live``, as :class:`counsel.studies.Chosen` says. Transcripts must lie at
        the same path on every machine. What a run with live models could not finish raises :class:`counsel.studies.ProgramError` at
        its end; calling again goes on.
    """
    live, transcripts = chosen.get("live"), chosen.get("transcripts")
    chosen["set"] = dict(chosen.get("set") or {})
    if transcripts is not None:
        # Tasks have a folder of their own to work in.
        chosen["transcripts"] = Path(transcripts).absolute()

    def due() -> list[tuple[str, str, int]]:
        # A task is told the file of a study of one's own, and the id of any other.
        cells = (
            (str(Path(name).absolute()) if name.endswith(".toml") else study, arm, seed)
            for name in names
            for study, arm, seed in studies.due(name, out=out, **chosen)
        )
        return list(dict.fromkeys(cells))

    cells = due()
    groups = deque(dict.fromkeys((study, seed) for study, _, seed in cells))
    retries = max_retries if live is None else 0
    task = ray.remote(num_cpus=num_cpus, max_retries=retries, scheduling_strategy="SPREAD")(_cells)
    running: list[Any] = []
    complaints: list[str] = []
    with nullcontext() if live is None else _asking(live, Path(out), at_once, max_in_flight) as switchboard:
        while groups or running:
            while groups and len(running) < max_in_flight:
                study, seed = groups.popleft()
                running.append(task.remote(study, seed, num_cpus, chosen, switchboard))
            finished, running = ray.wait(running, num_returns=1)
            try:
                files, complaint = ray.get(finished[0])
            except ray.exceptions.RayError as error:
                if live is None:
                    raise
                files, complaint = {}, f"a task was lost ({type(error).__name__})"
            _take(files, out)
            complaints += [complaint] if complaint else []
    if complaints:
        raise studies.ProgramError(
            f"{len(due())} of {len(cells)} cells are unfinished: {complaints[0]}; what came is in {out}, "
            "and calling this again goes on from there"
        )
    return len(cells)


def _take(files: Mapping[str, bytes], out: str | Path) -> None:
    """Check and write what a task handed back, if it finished a cell."""
    if not any(name.endswith(".parquet") for name in files):
        return
    with tempfile.TemporaryDirectory(prefix="counsel-") as folder:
        for name, content in files.items():
            path = Path(folder, name)
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(content)
        studies.merge(out, folder)


def _cells(
    name: str, seed: int, jobs: int, chosen: studies.Chosen, switchboard: Any | None
) -> tuple[dict[str, bytes], str | None]:
    """The task: one study and seed, as the bytes of its files. With live models also why some are missing, if some are."""
    complaint = None
    with tempfile.TemporaryDirectory(prefix="counsel-") as folder:
        root = Path(folder)
        mine: studies.Chosen = {**chosen, "seeds": f"{seed}..{seed}"}
        if switchboard is None:
            studies.reproduce(name, out=root, jobs=jobs, **mine)
        else:
            words = studies._wanted([name], **mine)
            try:
                studies._relay(
                    ["reproduce", *words, "--jobs", str(jobs), "--out", folder],
                    lambda question: str(ray.get(switchboard.ask.remote(question))),
                )
            except studies.ProgramError as error:
                complaint = f"seed {seed} of {name}: {error.reason}"
        files = (path for path in sorted(root.rglob("*.*")) if path.is_file() and path.name != ".lock")
        return {str(path.relative_to(root)): path.read_bytes() for path in files}, complaint


@contextmanager
def _asking(live: studies.Live, out: Path, at_once: int, askers: int) -> Iterator[Any]:
    """The process that asks live models, and the actor through which tasks on all machines reach it.

    The process belongs to this one, so that it has our environment and the key in it. The actor is on this machine, too, and speaks
    with it through a socket in a folder that is ours alone.
    """
    with tempfile.TemporaryDirectory(prefix="counsel-") as folder, socket.socket(socket.AF_UNIX) as door:
        path = str(Path(folder, "desk"))
        door.bind(path)
        door.listen(1)
        door.settimeout(60)
        switchboard = _actor(_Switchboard, max_concurrency=askers + 1).remote(path)
        words = ["advisor", "serve", *live._words(), "--at-once", str(at_once), "--out", str(out)]
        try:
            line, _ = door.accept()
        except TimeoutError:
            ray.kill(switchboard)
            raise StateError("no actor could start on this machine; call this on a machine of the cluster") from None
        with tempfile.TemporaryFile("w+", encoding="utf-8") as complaints:
            with line:
                both = line.fileno()
                serving = subprocess.Popen([studies.program(), *words], stdin=both, stdout=both, stderr=complaints)
            with serving:
                try:
                    yield switchboard
                finally:
                    # The process ends with its standard input, which ends with the actor.
                    ray.kill(switchboard)
            complaints.seek(0)
            if (reason := studies._reason(serving.returncode, complaints.read())) is not None:
                raise StateError(
                    f"the process that asks live models failed: {reason}; what came is in {out}, and calling this again goes on "
                    "from there"
                )


class _Switchboard:
    """The actor that hands questions of tasks to the process that asks, and the answers back. It numbers lines and reads none."""

    def __init__(self, path: str) -> None:
        self._line = socket.socket(socket.AF_UNIX)
        self._line.connect(path)
        self._questions = self._line.makefile("w", encoding="utf-8", newline="\n")
        self._numbers = itertools.count()
        self._waiting: dict[int, Future[str]] = {}
        self._turn = threading.Lock()
        self._ended = False
        threading.Thread(target=self._listen, daemon=True).start()

    def ask(self, question: str) -> str:
        answer: Future[str] = Future()
        with self._turn:
            if self._ended:
                raise self._gone()
            number = next(self._numbers)
            self._waiting[number] = answer
            self._questions.write(f"{number} {question}")
            self._questions.flush()
        return answer.result()

    def _listen(self) -> None:
        try:
            with self._line.makefile("r", encoding="utf-8", newline="\n") as answers:
                for line in answers:
                    number, answer = line.split(" ", 1)
                    with self._turn:
                        waiting = self._waiting.pop(int(number))
                    waiting.set_result(answer)
        except ConnectionError:
            pass  # the process was killed before it read a question
        finally:
            with self._turn:
                self._ended = True
                for waiting in self._waiting.values():
                    waiting.set_exception(self._gone())

    @staticmethod
    def _gone() -> StateError:
        return StateError("the process that asks live models is gone; call `counsel.ray.reproduce` again")


def _actor(kind: type, **more: int) -> Any:
    """An actor of this kind on the machine of this process, which is not started again if it is lost."""
    here = ray.util.scheduling_strategies.NodeAffinitySchedulingStrategy(
        ray.get_runtime_context().get_node_id(), soft=False
    )
    return ray.remote(num_cpus=0, max_restarts=0, max_task_retries=0, scheduling_strategy=here, **more)(kind)


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
        self._desk = _actor(_Desk).remote(str(Path(path).absolute()), limit)
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
