"""Studies of counsel, run by the ``counsel`` program: in one piece, in parts on several machines, and merged again.

Cells are independent and the same to the byte wherever they are run, so a part can go to any worker. A worker for submitit is one
line::

    executor.map_array(lambda part: counsel.studies.run_shard("lock", shard=part, shards=4, out=f"parts/{part}"), range(4))
    counsel.studies.merge("runs", *(f"parts/{part}" for part in range(4)))
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sysconfig
import tempfile
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, fields
from pathlib import Path
from typing import TYPE_CHECKING, TypedDict

from ._counsel import __version__
from .errors import CounselError

if TYPE_CHECKING:
    from typing_extensions import Unpack

__all__ = ["Chosen", "Live", "ProgramError", "due", "merge", "program", "reproduce", "run_shard"]


class ProgramError(CounselError, RuntimeError):
    """The ``counsel`` program is not there, is of another version, or refused what it was told; ``reason`` is what it said."""

    def __init__(self, message: str, reason: str | None = None) -> None:
        super().__init__(message)
        self.reason = reason or message


@dataclass(frozen=True)
class Live:
    """Language models that are asked during a run, behind an OpenAI-compatible endpoint, and what they may cost.

    Who passes this agrees to the cost: nobody is asked again. The key is read from the environment of this process.

    Parameters
    ----------
    base_url : str
        Where the endpoint is.
    budget : int
        Most calls, retries included; those in the ledger count.
    ledger : path, optional
        The file that every attempt is written to, so that the budget holds over several runs; ``calls.ledger`` in the folder of the
        run where it is left out.
    prices, money : optional
        A file with what a million tokens cost (``usd_per_million_input_tokens``), and the most money, as the ``counsel`` program
        takes them.
    key_env : str, optional
        The variable with the key, where it is not ``OPENAI_API_KEY``.
    key_over_http, any_model : bool
        Send the key over plain http, too; take answers that name another model.
    token_limit, reasoning_tokens : optional
        ``"max_tokens"`` or ``"max_completion_tokens"``, where it shall not be learned; tokens to reason in besides those of the answer.
    time_out, deadline : float, optional
        Seconds for one attempt, and for a question with all its attempts.
    retries : int, optional
        Attempts after the first one.
    stop_after : int, optional
        Questions in a row without an answer after which a run stops.
    """

    base_url: str
    budget: int
    ledger: str | Path | None = None
    prices: str | Path | None = None
    money: str | None = None
    key_env: str | None = None
    key_over_http: bool = False
    any_model: bool = False
    token_limit: str | None = None
    reasoning_tokens: int | None = None
    time_out: float | None = None
    deadline: float | None = None
    retries: int | None = None
    stop_after: int | None = None

    def _words(self) -> list[str]:
        words: list[str] = []
        for option in fields(self):
            value = getattr(self, option.name)
            if value is None or value is False:
                continue
            words.append("--" + option.name.replace("_", "-"))
            if value is not True:
                words.append(str(value))
        return words


def program() -> str:
    """The ``counsel`` program: the one that the variable COUNSEL_PROGRAM names, or that the wheel brought along, or that is on the path.

    It must have the version of this package, so that all machines write the same bytes.
    """
    found = os.environ.get("COUNSEL_PROGRAM") or shutil.which("counsel", path=sysconfig.get_path("scripts")) or shutil.which("counsel")
    if found is None:
        raise ProgramError(
            "there is no program `counsel`: a wheel that was built by pip has none; install a released wheel, put the program on the path, or "
            "name it in COUNSEL_PROGRAM"
        )
    try:
        said = subprocess.run([found, "--version"], capture_output=True, text=True, check=False).stdout.strip()
    except OSError as error:
        raise ProgramError(f"{found} cannot be started ({error}); name the program in COUNSEL_PROGRAM") from None
    if said != f"counsel {__version__}":
        raise ProgramError(f"{found} says `{said}`, this package is counsel {__version__}; install the same version of both")
    return found


class Chosen(TypedDict, total=False):
    """What is chosen of studies, and who answers in them: keywords of all functions that run them.

    Parameters
    ----------
    seeds : str
        ``"A..B"``, both included; the studies' own where it is left out.
    set : mapping
        Changes of settings, such as ``{"price": 0.1}``.
    advisor : str
        Model, template and decoding, as ``"my-model/abstract/generate"``, in the place of every language model of the studies.
    transcripts : path
        The folder of recorded answers, where they are not those that come with the program.
    live : Live
        Ask language models now; without it their recorded answers are replayed.
    """

    seeds: str | None
    set: Mapping[str, object] | None
    advisor: str | None
    transcripts: str | Path | None
    live: Live | None


def reproduce(*names: str, out: str | Path = "runs", jobs: int = 1, **chosen: Unpack[Chosen]) -> Path:
    """Run studies into a folder; what is there already is not run again.

    Parameters
    ----------
    names : str
        Studies, groups, or files with studies of one's own.
    out : path
        The folder.
    jobs : int
        Threads.
    chosen
        ``seeds``, ``set``, ``advisor``, ``transcripts`` and ``live``, as :class:`Chosen` says.
    """
    _run("reproduce", *_wanted(names, **chosen), "--jobs", str(jobs), "--out", str(out))
    return Path(out)


def run_shard(
    *names: str, shard: int, shards: int, out: str | Path, jobs: int = 1, **chosen: Unpack[Chosen]
) -> Path:
    """Run one of several parts of the seeds into a folder of its own. Running it again goes on where it was cut off.

    Parameters
    ----------
    names : str
        Studies, groups, or files with studies of one's own.
    shard, shards : int
        Which part, from 0, of how many.
    out : path
        The folder.
    jobs : int
        Threads.
    chosen
        ``seeds``, ``set``, ``advisor``, ``transcripts`` and ``live``, as :class:`Chosen` says.
    """
    part = ("--shard", f"{shard}/{shards}")
    _run("reproduce", *_wanted(names, **chosen), *part, "--jobs", str(jobs), "--out", str(out))
    return Path(out)


def merge(out: str | Path, *parts: str | Path) -> None:
    """Put parts into one folder. Seals, digests and versions are checked; a cell with another content is refused.

    Parameters
    ----------
    out : path
        The folder.
    parts : path
        The folders of the parts.
    """
    _run("merge", str(out), *map(str, parts))


def due(*names: str, out: str | Path = "runs", **chosen: Unpack[Chosen]) -> list[tuple[str, str, int]]:
    """The cells that are not in the folder yet: study, arm and seed of each, in order.

    Parameters
    ----------
    names : str
        Studies, groups, or files with studies of one's own.
    out : path
        The folder.
    chosen
        ``seeds``, ``set``, ``advisor``, ``transcripts`` and ``live``, as :class:`Chosen` says.
    """
    said = _run("reproduce", *_wanted(names, **chosen), "--dry-run", "--out", str(out))
    cells = (line.split("/") for line in said.splitlines())
    return [(study, arm, int(seed)) for study, arm, seed in cells]


def _wanted(
    names: Iterable[str],
    seeds: str | None = None,
    set: Mapping[str, object] | None = None,
    advisor: str | None = None,
    transcripts: str | Path | None = None,
    live: Live | None = None,
) -> list[str]:
    words = list(names)
    if seeds is not None:
        words += ["--seeds", seeds]
    for key, value in (set or {}).items():
        words += ["--set", f"{key}={str(value).lower() if isinstance(value, bool) else value}"]
    if advisor is not None:
        words += ["--advisor", advisor]
    if transcripts is not None:
        words += ["--transcripts", str(transcripts)]
    if live is not None:
        words += ["--live", "--yes", *live._words()]
    return words


def _run(*words: str) -> str:
    done = subprocess.run([program(), *words], capture_output=True, text=True, check=False)
    _check(words, done.returncode, done.stderr)
    return done.stdout


def _relay(words: Iterable[str], ask: Callable[[str], str]) -> None:
    """Run the program with ``--relay``: its questions, each a line, go to ``ask``, which gives the line of the answer."""
    words, pipe = [*words, "--relay"], subprocess.PIPE
    with tempfile.TemporaryFile("w+", encoding="utf-8") as complaints:
        with subprocess.Popen(
            [program(), *words], stdin=pipe, stdout=pipe, stderr=complaints, encoding="utf-8"
        ) as running:
            assert running.stdin is not None and running.stdout is not None
            try:
                for question in running.stdout:
                    running.stdin.write(ask(question))
                    running.stdin.flush()
            except BaseException:
                running.kill()
                raise
        complaints.seek(0)
        _check(words, running.returncode, complaints.read())


def _check(words: Iterable[str], code: int, complaints: str) -> None:
    if (reason := _reason(code, complaints)) is not None:
        raise ProgramError(f"`counsel {' '.join(words)}`: {reason}", reason)


def _reason(code: int, complaints: str) -> str | None:
    """Why the program failed, if it did: the last thing that it said."""
    if code == 0:
        return None
    last = complaints.strip().splitlines()[-1:] or [f"it ended with {code}"]
    return last[0].removeprefix("error: ")
