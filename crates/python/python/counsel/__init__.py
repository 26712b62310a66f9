"""Certified predictive value-of-advice gating: when is advice worth its price, and may the answer act?

The ordinary way in is a :class:`Controller`. It is handed samples of action values and what the fallback would do, and either
acts or hands out a question that is paid for:

>>> import numpy as np, counsel
>>> settings = counsel.Settings(
...     advisor="rule-v1", budget=counsel.Budget(per_run=10), execution=counsel.Certified(tolerance=2.0))
>>> controller = counsel.Controller(settings, ["left", "right"], kappa=0.01, radius=0.05)
>>> values = np.array([[0.0, 1.0], [0.2, 0.9]])      # two samples of the values of two actions
>>> turn = controller.decide(values, base=0)
>>> turn.asked
True
>>> act = controller.resume(turn, "right")
>>> act.action, act.verdict, controller.calls
(1, 'executed', 1)

Importing this package needs numpy and nothing else. :mod:`counsel.gymnasium`, :mod:`counsel.envs`, :mod:`counsel.sb3`,
:mod:`counsel.torch`, :mod:`counsel.ray` and the readers of :mod:`counsel.log` need the packages they are named after.
"""

from __future__ import annotations

from . import calibration, log, stats, studies
from ._counsel import (
    Act,
    Ask,
    Batch,
    Controller,
    Gate,
    Ledger,
    Log,
    Paid,
    Predictor,
    Radius,
    Reply,
    Reservation,
    VectorController,
    __version__,
    context_key,
)
from .errors import BudgetError, CounselError, LogError, RefusedError, SettingsError, StateError
from .log import audit, explain
from .settings import (
    Always,
    Amortised,
    Bankroll,
    Budget,
    Cache,
    CalibratedUncertainty,
    Certified,
    Disagreement,
    Dual,
    EpistemicGap,
    Execution,
    Importance,
    Improving,
    Learned,
    LowVariance,
    Never,
    Novelty,
    Period,
    Policy,
    Predictive,
    Price,
    Random,
    RandomExact,
    Rcmp,
    Reserve,
    Schedule,
    Screened,
    Settings,
    Spread,
    TokenBucket,
    Trusting,
    Uncertainty,
    Unscreened,
    Value,
)

__all__ = [
    "Act", "Always", "Amortised", "Ask", "Bankroll", "Batch", "Budget", "BudgetError", "Cache", "CalibratedUncertainty",
    "Certified", "Controller", "CounselError", "Disagreement", "Dual", "EpistemicGap", "Execution", "Gate", "Importance",
    "Improving", "Learned", "Ledger", "Log", "LogError", "LowVariance", "Never", "Novelty", "Paid", "Period", "Policy",
    "Predictive", "Predictor", "Price", "Radius", "Random", "RandomExact", "Rcmp", "RefusedError", "Reply", "Reservation",
    "Reserve", "Schedule", "Screened", "Settings", "SettingsError", "Spread", "StateError", "TokenBucket", "Trusting",
    "Uncertainty", "Unscreened", "Value", "VectorController", "__version__", "audit", "calibration", "context_key",
    "explain", "log", "stats", "studies",
]
