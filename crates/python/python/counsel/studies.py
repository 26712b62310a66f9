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
from collections.abc import Iterable, Mapping
from pathlib import Path

from ._counsel import __version__
from .errors import CounselError

__all__ = ["ProgramError", "due", "merge", "program", "reproduce", "run_shard"]


class ProgramError(CounselError, RuntimeError):
    """The ``counsel`` program is not there, is of another version, or refused what it was told."""


def program() -> str:
    """The ``counsel`` program: the one that the variable COUNSEL_PROGRAM names, or else the one on the path.

    It must have the version of this package, so that all machines write the same bytes.
    """
    found = os.environ.get("COUNSEL_PROGRAM") or shutil.which("counsel")
    if found is None:
        raise ProgramError("there is no program `counsel`; put it on the path, or name it in COUNSEL_PROGRAM")
    try:
        said = subprocess.run([found, "--version"], capture_output=True, text=True, check=False).stdout.strip()
    except OSError as error:
        raise ProgramError(f"{found} cannot be started ({error}); name the program in COUNSEL_PROGRAM") from None
    if said != f"counsel {__version__}":
        raise ProgramError(f"{found} says `{said}`, this package is counsel {__version__}; install the same version of both")
    return found


def reproduce(
    *names: str, out: str | Path = "runs", seeds: str | None = None, set: Mapping[str, object] | None = None, jobs: int = 1
) -> Path:
    """Run studies into a folder; what is there already is not run again.

    Parameters
    ----------
    names : str
        Studies, groups, or files with studies of one's own.
    out : path
        The folder.
    seeds : str, optional
        ``"A..B"``, both included; the studies' own where it is left out.
    set : mapping, optional
        Changes of settings, such as ``{"kappa": 0.1}``.
    jobs : int
        Threads.
    """
    _run("reproduce", *_wanted(names, seeds, set), "--jobs", str(jobs), "--out", str(out))
    return Path(out)


def run_shard(
    *names: str,
    shard: int,
    shards: int,
    out: str | Path,
    seeds: str | None = None,
    set: Mapping[str, object] | None = None,
    jobs: int = 1,
) -> Path:
    """Run one of several parts of the seeds into a folder of its own. Running it again goes on where it was cut off."""
    part = ("--shard", f"{shard}/{shards}")
    _run("reproduce", *_wanted(names, seeds, set), *part, "--jobs", str(jobs), "--out", str(out))
    return Path(out)


def merge(out: str | Path, *parts: str | Path) -> None:
    """Put parts into one folder. Seals, digests and versions are checked; a cell with another content is refused."""
    _run("merge", str(out), *map(str, parts))


def due(
    *names: str, out: str | Path = "runs", seeds: str | None = None, set: Mapping[str, object] | None = None
) -> list[tuple[str, str, int]]:
    """The cells that are not in the folder yet: study, arm and seed of each, in order."""
    said = _run("reproduce", *_wanted(names, seeds, set), "--dry-run", "--out", str(out))
    cells = (line.split("/") for line in said.splitlines())
    return [(study, arm, int(seed)) for study, arm, seed in cells]


def _wanted(names: Iterable[str], seeds: str | None, changes: Mapping[str, object] | None) -> list[str]:
    words = list(names)
    if seeds is not None:
        words += ["--seeds", seeds]
    for key, value in (changes or {}).items():
        words += ["--set", f"{key}={str(value).lower() if isinstance(value, bool) else value}"]
    return words


def _run(*words: str) -> str:
    done = subprocess.run([program(), *words], capture_output=True, text=True, check=False)
    if done.returncode != 0:
        last = done.stderr.strip().splitlines()[-1:] or [f"it ended with {done.returncode}"]
        raise ProgramError(f"`counsel {' '.join(words)}`: {last[0].removeprefix('error: ')}")
    return done.stdout
