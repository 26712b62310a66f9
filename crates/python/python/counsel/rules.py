"""When an answer may act: one class per rule.

Generated from crates/decision/src/certificate.rs by tests/test_declared.py; UPDATE_DOCS=1 writes it.
"""

from __future__ import annotations

from dataclasses import dataclass

from .declaration import Rule

__all__ = [
    "Certified", "Improving", "LowVariance", "Rule", "Screened", "Trusting", "Unscreened",
]


@dataclass(frozen=True, kw_only=True)
class Certified(Rule):
    """Certified within `tolerance`, and no worse than the fallback.

    Parameters
    ----------
    tolerance : float
        ε: how much worse than the best action a certified one may be.
    """

    tolerance: float


@dataclass(frozen=True, kw_only=True)
class Improving(Rule):
    """No worse than the fallback; no certificate."""


@dataclass(frozen=True, kw_only=True)
class Trusting(Rule):
    """Whatever parses."""


@dataclass(frozen=True, kw_only=True)
class Unscreened(Rule):
    """Whatever parses, while the gate goes on valuing answers as if the certificate screened them: the certificate switched off at the same questions.

    Parameters
    ----------
    tolerance : float
        ε of the certificate that the gate reckons with.
    """

    tolerance: float


@dataclass(frozen=True, kw_only=True)
class Screened(Rule):
    """Ahead of every other action by more than wrong answers seem to be: at most the share `alpha` of them passes.

    Parameters
    ----------
    alpha : float
        How many of the wrong answers may pass.
    threshold : float | None
        The lead that an answer must exceed, learned from wrong answers; without it nothing passes.
    """

    alpha: float
    threshold: float | None = None


@dataclass(frozen=True, kw_only=True)
class LowVariance(Rule):
    """Whatever parses, where the state's epistemic variance is at most this.

    Parameters
    ----------
    max_variance : float
        The largest variance at which advice acts.
    """

    max_variance: float
