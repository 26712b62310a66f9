"""A breaker: an advisor that keeps failing does not spend a budget in silence."""

from __future__ import annotations

from .errors import RefusedError, StateError

__all__ = ["Breaker"]


class Breaker:
    """Counts answers in a row that never came, and stops at `stop_after`: each of them was paid for, and the next would be, too."""

    def __init__(self, stop_after: int) -> None:
        if stop_after < 1:
            raise RefusedError(f"`stop_after` is {stop_after}; pass 1 or more")
        self._stop_after, self._in_a_row = stop_after, 0

    def hear(self, error: Exception | None, came: bool) -> str | None:
        """What failed, if anything did, in a line. Raises where that was too often."""
        if came:
            self._in_a_row = 0
            return None
        failure = "no answer came" if error is None else f"{type(error).__name__}: {error}"
        self._in_a_row += 1
        if self._in_a_row >= self._stop_after:
            self._in_a_row = 0
            raise StateError(
                f"the advisor failed {self._stop_after} times in a row, and each call was paid for; the last failure: {failure}; mend "
                "it and step on, or pass a larger `stop_after`"
            ) from error
        return failure
