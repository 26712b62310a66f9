"""When to ask: one class per gate.

Generated from crates/decision/src/gate/policy.rs by tests/test_declared.py; UPDATE_DOCS=1 writes it.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

from .declaration import Gate

__all__ = [
    "Always", "Amortised", "CalibratedUncertainty", "Disagreement", "EpistemicGap", "Gate", "Importance", "Learned",
    "Never", "Novelty", "Period", "Predictive", "Random", "RandomExact", "Rcmp", "Schedule", "Uncertainty", "Value",
]


@dataclass(frozen=True, kw_only=True)
class Never(Gate):
    """Asks nothing."""


@dataclass(frozen=True, kw_only=True)
class Always(Gate):
    """Asks whenever a call is left."""


@dataclass(frozen=True, kw_only=True)
class Period(Gate):
    """Asks at every n-th decision.

    Parameters
    ----------
    every : int
        n: from one call to the next, in decisions.
    """

    every: int


@dataclass(frozen=True, kw_only=True)
class Random(Gate):
    """Asks at k of the declared decisions, chosen at random.

    Parameters
    ----------
    calls : int
        k: calls to make.
    decisions : int
        N: decisions in the run.
    """

    calls: int
    decisions: int


@dataclass(frozen=True, kw_only=True)
class RandomExact(Gate):
    """Asks as often as declared for each episode, at random steps; what an episode could not spend is carried forward.

    Parameters
    ----------
    calls_per_episode : tuple[int, ...]
        Calls to make in each episode.
    decisions_per_episode : int
        The decisions an episode is expected to have; a longer one still spends what is due.
    deficit : Literal["carried", "dropped"]
        What becomes of calls that an episode had no room for.
    """

    calls_per_episode: tuple[int, ...]
    decisions_per_episode: int
    deficit: Literal["carried", "dropped"] = "carried"


@dataclass(frozen=True, kw_only=True)
class Schedule(Gate):
    """Asks at the first decisions of the run.

    Parameters
    ----------
    calls : int
        Calls to make in the run.
    per_episode : int
        Calls at most in one episode.
    at : Literal["anywhere", "supported", "unheld", "unknown"] | Mapping[str, int]
        At which decisions.
    """

    calls: int
    per_episode: int
    at: Literal["anywhere", "supported", "unheld", "unknown"] | Mapping[str, int] = "anywhere"


@dataclass(frozen=True, kw_only=True)
class Uncertainty(Gate):
    """Asks where the fallback's value is uncertain (ASK).

    Parameters
    ----------
    threshold : float
        Asks from this standard deviation on.
    """

    threshold: float


@dataclass(frozen=True, kw_only=True)
class CalibratedUncertainty(Gate):
    """Asks where uncertainty, calibrated to the benefit of advice, reaches the price (UCCI).

    Parameters
    ----------
    steps : tuple[tuple[float, float], ...]
        From each uncertainty on, the benefit of advice, both rising. Studies leave it out; calibration fills it in.
    """

    steps: tuple[tuple[float, float], ...] = ()


@dataclass(frozen=True, kw_only=True)
class Disagreement(Gate):
    """Asks where the value samples disagree on the best action.

    Parameters
    ----------
    threshold : float
        Asks from this share on.
    """

    threshold: float


@dataclass(frozen=True, kw_only=True)
class Novelty(Gate):
    """Asks in contexts that are new.

    Parameters
    ----------
    threshold : float
        Asks from this novelty on; 1 is a context never seen.
    """

    threshold: float


@dataclass(frozen=True, kw_only=True)
class Value(Gate):
    """Asks where perfect advice would be worth its price (VOE/Q)."""


@dataclass(frozen=True, kw_only=True)
class Rcmp(Gate):
    """Asks where the variance over all actions is high (RCMP).

    Parameters
    ----------
    threshold : float
        Asks from this variance on.
    """

    threshold: float


@dataclass(frozen=True, kw_only=True)
class Importance(Gate):
    """Asks in important states (Torrey and Taylor).

    Parameters
    ----------
    heuristic : Literal["early", "important", "mistake"]
        Early advising: every state, as long as calls are left; Importance advising: states at least this important; Mistake correcting: states at least this important where the likeliest answer differs from what would be done.
    threshold : float | None
        Asks from this difference on.
    """

    heuristic: Literal["early", "important", "mistake"]
    threshold: float | None = None


@dataclass(frozen=True, kw_only=True)
class EpistemicGap(Gate):
    """Asks where epistemic variance times gap reaches the price: the paper's deployable surrogate."""


@dataclass(frozen=True, kw_only=True)
class Predictive(Gate):
    """Asks where the lower confidence bound on the predicted value reaches the price: the paper's controller.

    Parameters
    ----------
    valuation : Literal["deployed-decision", "raw-action"]
        The action by which a response is valued.
    """

    valuation: Literal["deployed-decision", "raw-action"] = "deployed-decision"


@dataclass(frozen=True, kw_only=True)
class Amortised(Gate):
    """Asks where the value of an answer over all its expected uses reaches the price."""


@dataclass(frozen=True, kw_only=True)
class Learned(Gate):
    """Asks where the lower bound of a learned value reaches the price.

    Parameters
    ----------
    caution : float
        z: how many standard errors are taken off the value.
    first : int
        Calls that are made at random before the value counts.
    chance : float
        The chance of each decision to be one of them.
    per_episode : int | None
        Calls at most in one episode.
    """

    caution: float = 0.5
    first: int = 24
    chance: float = 0.05
    per_episode: int | None = None
