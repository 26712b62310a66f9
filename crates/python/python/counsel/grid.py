"""Observations with fractions as contexts: rounded, so that they come back.

Whole numbers stay as they are. A fraction of a bounded number is rounded to a cell of its range, and one of an unbounded number to a
cell that grows with it. Two observations in the same cells are one context.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ._counsel import context_key

__all__ = ["Grid"]

#: A range beyond this is none that anybody meant.
_WIDE = 1e6


class Grid:
    """The key of an observation, with fractions rounded to cells.

    Parameters
    ----------
    space : gymnasium.spaces.Space
        The observation space: it says which numbers are bounded.
    cells : int
        The number of cells of a bounded number's range; an unbounded number has a quarter as many for each factor of e.

    Examples
    --------
    >>> import numpy as np
    >>> from gymnasium.spaces import Box
    >>> from counsel.grid import Grid
    >>> grid = Grid(Box(-1.0, 1.0, (2,), np.float32))
    >>> grid(np.float32([0.31, 1.0])) == grid(np.float32([0.35, 1.0])) != grid(np.float32([0.9, 1.0]))
    True
    """

    def __init__(self, space: Any, *, cells: int = 16) -> None:
        self._space, self._cells = space, cells

    def __call__(self, observation: Any) -> int:
        return context_key(self._rounded(observation, self._space))

    def _rounded(self, part: Any, space: Any) -> Any:
        inner = getattr(space, "spaces", None)
        if isinstance(part, dict):
            return {name: self._rounded(value, inner[name] if isinstance(inner, dict) else None) for name, value in part.items()}
        if isinstance(part, (tuple, list)):
            own = inner if isinstance(inner, tuple) and len(inner) == len(part) else [None] * len(part)
            return tuple(self._rounded(value, one) for value, one in zip(part, own, strict=True))
        if part is None or isinstance(part, (str, bytes, int)):
            return part
        array = np.asarray(part)
        return self._cell(array, space) if array.dtype.kind == "f" else array

    def _cell(self, array: Any, space: Any) -> Any:
        numbers = np.nan_to_num(np.asarray(array, np.float64))
        cell = np.rint(0.25 * self._cells * np.arcsinh(numbers))
        low, high = getattr(space, "low", None), getattr(space, "high", None)
        if low is not None and high is not None and np.shape(low) == numbers.shape:
            low, wide = np.asarray(low, np.float64), np.asarray(high, np.float64) - np.asarray(low, np.float64)
            bounded = np.isfinite(wide) & (wide > 0) & (wide < _WIDE)
            inside = np.floor(self._cells * (numbers - low) / np.where(bounded, wide, 1.0))
            cell = np.where(bounded, inside, cell)
        # A whole number is its own cell, told from the cells of fractions by its last bit.
        whole = numbers == np.rint(numbers)
        near = np.clip(np.where(whole, numbers, cell), -(2.0**61), 2.0**61)
        return 2 * near.astype(np.int64) + whole
