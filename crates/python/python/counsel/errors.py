"""What can go wrong. Every message names the offending value and the remedy."""

from __future__ import annotations

__all__ = ["BudgetError", "CounselError", "LogError", "OutageError", "RefusedError", "SettingsError", "SidecarError", "StateError"]


class CounselError(Exception):
    """Everything that counsel raises itself."""


class RefusedError(CounselError, ValueError):
    """Something that was handed in cannot be used.

    Attributes
    ----------
    what : str or None
        What was handed in.
    value : float or None
        The offending number.
    allowed : str or None
        What is allowed, in words.
    remedy : str or None
        What to do about it.

    Examples
    --------
    >>> import counsel
    >>> try:
    ...     counsel.calibration.conformal_rank(9, 1.5)
    ... except counsel.RefusedError as error:
    ...     print(error.what, error.value, error.allowed)
    alpha 1.5 (0, 1)
    """

    def __init__(
        self,
        message: str,
        what: str | None = None,
        value: float | None = None,
        allowed: str | None = None,
        remedy: str | None = None,
    ) -> None:
        super().__init__(message)
        self.what = what
        self.value = value
        self.allowed = allowed
        # The way out is what stands behind the last semicolon of a message.
        self.remedy = remedy if remedy is not None or "; " not in message else message.rsplit("; ", 1)[1]


class SettingsError(RefusedError):
    """A setting has a word or a number that cannot be used."""


class StateError(CounselError, RuntimeError):
    """It cannot be done now: a question was resumed twice, or a budget is used in a forked process."""


class BudgetError(CounselError, RuntimeError):
    """A ledger is spent. A controller never raises this: its decision is then ``unaffordable``."""


class OutageError(CounselError, RuntimeError):
    """No answer came from a language model. The question was paid for as far as it was sent."""


class LogError(CounselError, OSError):
    """A file of a run is damaged, missing, claimed by another process, or cannot be written."""


class SidecarError(CounselError, OSError):
    """A sidecar does not answer, or refuses.

    Attributes
    ----------
    status : int or None
        The status of its answer; none where it did not answer.
    kind : str or None
        The type of the problem (RFC 9457).
    """

    def __init__(self, message: str, status: int | None = None, kind: str | None = None) -> None:
        super().__init__(message)
        self.status, self.kind = status, kind
