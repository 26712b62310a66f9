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

__all__ = ["Audit", "Log", "audit", "cells", "explain", "read", "scan"]


@dataclass(frozen=True)
class Audit:
    """What came of computing every decision again."""

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
    """Compute every decision of a run again, from its log: the same as ``counsel audit``."""
    return Audit(*_counsel.audit(Path(folder)))


def _files(folder: str | Path, arms: Sequence[str] | None) -> list[Path]:
    root = Path(folder)
    found = [path for path in sorted(root.glob("*/*/seed-*.parquet")) if path.with_suffix(".json").exists()]
    chosen = [path for path in found if arms is None or path.parent.name in arms]
    if not chosen:
        known = ", ".join(sorted({path.parent.name for path in found})) or "no finished cell"
        raise RefusedError(f"{root} has no log of the arms {arms}; it has {known}", remedy=f"choose from {known}")
    return chosen


def cells(folder: str | Path, *, arms: Sequence[str] | None = None) -> list[str]:
    """The finished cells of a run, as ``STUDY/ARM/SEED``."""
    return [f"{path.parent.parent.name}/{path.parent.name}/{int(path.stem[5:])}" for path in _files(folder, arms)]


def scan(folder: str | Path, *, arms: Sequence[str] | None = None) -> polars.LazyFrame:
    """The rows of all finished cells as a polars frame that reads only what is asked for. Needs polars."""
    try:
        import polars
    except ModuleNotFoundError:
        raise ModuleNotFoundError("counsel.log.scan needs polars; pip install 'counsel-rl[polars]'") from None
    return polars.scan_parquet(_files(folder, arms))


def read(
    folder: str | Path, *, arms: Sequence[str] | None = None, backend: Literal["polars", "pandas", "numpy"] = "polars"
) -> Any:
    """The rows of all finished cells.

    ``polars`` and ``pandas`` give a frame. ``numpy`` needs neither and gives one array per column, checked against the digests;
    numbers that are absent are NaN, lists are arrays of objects.
    """
    if backend == "polars":
        return scan(folder, arms=arms).collect()
    if backend == "pandas":
        try:
            import pandas
        except ModuleNotFoundError:
            raise ModuleNotFoundError("this needs pandas; pip install 'counsel-rl[pandas]'") from None
        return pandas.concat([pandas.read_parquet(path) for path in _files(folder, arms)], ignore_index=True)
    if backend != "numpy":
        raise RefusedError(f"the backend `{backend}` is unknown; choose polars, pandas or numpy")
    parts = [_counsel.columns(Path(folder), cell) for cell in cells(folder, arms=arms)]
    names = dict.fromkeys(name for part in parts for name in part)
    blank = [[None] * len(part["step"]) for part in parts]
    return {name: _array([entry for part, none in zip(parts, blank) for entry in part.get(name, none)]) for name in names}


def _array(entries: list[Any]) -> np.ndarray[Any, Any]:
    first = next((entry for entry in entries if entry is not None), None)
    if isinstance(first, (int, float)):
        if any(entry is None for entry in entries):
            return np.array([np.nan if entry is None else entry for entry in entries], dtype=np.float64)
        return np.array(entries, dtype=np.int64 if isinstance(first, int) else np.float64)
    array = np.empty(len(entries), dtype=object)
    array[:] = entries
    return array
