"""The log of a run: every row is one decision, from which the same decision can be computed again.

``counsel reproduce`` and :class:`counsel.Log` write the same files, so everything here works for both.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from . import _counsel
from ._counsel import Log, explain
from .errors import RefusedError

if TYPE_CHECKING:
    import polars

__all__ = ["Audit", "Log", "audit", "cells", "explain", "read", "scan", "unfinished"]


@dataclass(frozen=True)
class Audit:
    """What came of computing every decision again.

    Attributes
    ----------
    agreeing, decisions : int
        How many decisions agree, of how many.
    cells : int
        In how many cells.
    faults : list of str
        What is wrong, in words.
    """

    agreeing: int
    decisions: int
    cells: int
    faults: list[str]

    @property
    def clean(self) -> bool:
        """Whether everything agrees and no file is damaged or missing."""
        return not self.faults

    def __str__(self) -> str:
        share = 100 * self.agreeing / self.decisions if self.decisions else 0.0
        lines = [*self.faults[:20], f"{self.agreeing} of {self.decisions} decisions agree ({share:.4f} %) in {self.cells} cells"]
        return "\n".join(lines)


def audit(folder: str | Path) -> Audit:
    """Compute every decision of the run in a folder again, from its log: the same as ``counsel audit``. The log of a cascade or a router is
    one file: pass its path as the ``folder``."""
    path = Path(folder)
    return Audit(*(_counsel.audit_chronicle(path) if path.is_file() else _counsel.audit(path)))


def _files(folder: str | Path, arms: Sequence[str] | None, running: bool = False) -> list[Path]:
    root = Path(folder)
    found = [path for path in sorted(root.glob("*/*/seed-*.parquet")) if path.with_suffix(".json").exists()]
    if running:
        pieces = [path for cell in _running(root) for path in sorted(cell.glob("*.parquet")) if not path.name.startswith(".")]
        chosen = [path for path in found if arms is None or path.parent.name in arms]
        chosen += [path for path in pieces if arms is None or path.parent.parent.name in arms]
        if chosen:
            return chosen
    chosen = [path for path in found if arms is None or path.parent.name in arms]
    if not chosen:
        known = ", ".join(sorted({path.parent.name for path in found})) or "no finished cell"
        raise RefusedError(f"{root} has no log of the arms {arms}; it has {known}", remedy=f"choose from {known}")
    return chosen


def _running(root: Path) -> list[Path]:
    """The journals of cells that are being written, or were when their program was killed."""
    return [path for path in sorted(root.glob("*/*/.seed-*")) if path.is_dir() and (path / "head.json").exists()]


def unfinished(folder: str | Path) -> list[str]:
    """The cells that are being written, or were when their program was killed, as ``STUDY/ARM/SEED``.

    ``counsel.Log(folder, arm=..., seed=..., resume=True)`` opens one again: close it, or go on with it.
    """
    return [f"{path.parent.parent.name}/{path.parent.name}/{int(path.name[6:])}" for path in _running(Path(folder))]


def cells(folder: str | Path, *, arms: Sequence[str] | None = None) -> list[str]:
    """The finished cells of the run in a folder, as ``STUDY/ARM/SEED``; with ``arms`` only those of these arms."""
    return [f"{path.parent.parent.name}/{path.parent.name}/{int(path.stem[5:])}" for path in _files(folder, arms)]


def scan(folder: str | Path, *, arms: Sequence[str] | None = None, running: bool = False) -> polars.LazyFrame:
    """The rows of all finished cells as a polars frame that reads only what is asked for; with ``running`` also those of cells that are
    still being written, which lag by a second at most. Needs polars.

    Parameters
    ----------
    folder : path
        The folder of the run.
    arms : sequence of str, optional
        Only these arms.
    running : bool
        Whether unfinished cells count.
    """
    try:
        import polars
    except ModuleNotFoundError:
        raise ModuleNotFoundError("counsel.log.scan needs polars; pip install 'counsel-rl[polars]'") from None
    # Columns that no decision of a cell uses are left out of its file, so files may differ.
    rows = polars.concat([polars.scan_parquet(path) for path in _files(folder, arms, running)], how="diagonal")
    # The files keep keys as signed numbers; `counsel.context_key` has no sign.
    return rows.with_columns(polars.col("context").reinterpret(signed=False))


def read(
    folder: str | Path,
    *,
    arms: Sequence[str] | None = None,
    backend: Literal["polars", "pandas", "numpy"] = "polars",
    running: bool = False,
) -> Any:
    """The rows of all finished cells; with ``running`` also those of cells that are still being written, which lag by a second at most.

    ``polars`` and ``pandas`` give a frame. ``numpy`` needs neither and gives one array per column, checked against the digests;
    numbers that are absent are NaN, lists are arrays of objects.

    Parameters
    ----------
    folder : path
        The folder of the run.
    arms : sequence of str, optional
        Only these arms.
    backend : {"polars", "pandas", "numpy"}
        What the rows are.
    running : bool
        Whether unfinished cells count.
    """
    if backend == "polars":
        return scan(folder, arms=arms, running=running).collect()
    if backend == "pandas":
        try:
            import pandas
        except ModuleNotFoundError:
            raise ModuleNotFoundError("this needs pandas; pip install 'counsel-rl[pandas]'") from None
        frame = pandas.concat([pandas.read_parquet(path) for path in _files(folder, arms, running)], ignore_index=True)
        return frame.assign(context=frame["context"].astype("int64").astype("uint64"))
    if backend != "numpy":
        raise RefusedError(f"the backend `{backend}` is unknown; choose polars, pandas or numpy")
    finished = [] if running and not list(Path(folder).glob("*/*/seed-*.json")) else cells(folder, arms=arms)
    parts = [_counsel.columns(Path(folder), cell) for cell in finished]
    if running:
        going = [cell for cell in unfinished(folder) if arms is None or cell.split("/")[1] in arms]
        parts += [_counsel.columns(Path(folder), cell, running=True) for cell in going]
    names = dict.fromkeys(name for part in parts for name in part)
    blank = [[None] * len(part["step"]) for part in parts]
    columns = {name: [entry for part, none in zip(parts, blank) for entry in part.get(name, none)] for name in names}
    return {name: np.array(column, np.uint64) if name == "context" else _array(column) for name, column in columns.items()}


def _array(entries: list[Any]) -> np.ndarray[Any, Any]:
    first = next((entry for entry in entries if entry is not None), None)
    if isinstance(first, (int, float)):
        if any(entry is None for entry in entries):
            return np.array([np.nan if entry is None else entry for entry in entries], dtype=np.float64)
        return np.array(entries, dtype=np.int64 if isinstance(first, int) else np.float64)
    array = np.empty(len(entries), dtype=object)
    array[:] = entries
    return array
