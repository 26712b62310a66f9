"""Advice that is bought only where it pays: when to ask a language model, and whether its answer may act.

An environment takes advice in one line, :func:`wrap`. In a loop of your own the ordinary way in is the recommended
:class:`Controller`. It takes a context and what your agent proposes; it acts, or asks and follows, and learns from the reward:

>>> import counsel
>>> controller = counsel.Controller.recommended(price=0.01, budget=500, actions=["left", "right", "forward"])
>>> for step in range(3):
...     act = controller.advise(context=f"cell {step}", base=0, ask=lambda: "right")
...     controller.outcome(1.0 if act.action == 1 else 0.0, terminated=step == 2)
>>> controller.calls > 0
True

A cheap model, a strong one and a price, without a world, are a :class:`Cascade`; several advisors and a budget are a :class:`Router`.

Importing this package needs numpy and nothing else. :mod:`counsel.gymnasium`, :mod:`counsel.envs`, :mod:`counsel.sb3`,
:mod:`counsel.torch`, :mod:`counsel.ray` and the readers of :mod:`counsel.log` need the packages they are named after.
"""

from __future__ import annotations

from . import advisors, calibration, critics, gates, labels, log, pages, rules, stats, studies, writers
from ._counsel import (
    Act,
    Answer,
    Ask,
    Batch,
    CalibratedRadius,
    Cascade,
    Consultation,
    Controller,
    Diagnosis,
    Engine,
    Ledger,
    Log,
    Paid,
    Predictor,
    Reply,
    Reservation,
    Route,
    Router,
    VectorController,
    __version__,
    context_key,
)
from .environment import wrap
from .errors import BudgetError, CounselError, LogError, OutageError, RefusedError, SettingsError, SidecarError, StateError
from .log import audit, explain
from .pages import figures, report, shadow, view
from .settings import Bankroll, Budget, Cache, Dual, Pacing, Reserve, Settings, Spread, TokenBucket
from .sidecar import AsyncSidecar, RemoteAct, RemoteAsk, Sidecar, connect

__all__ = [
    "Act", "Answer", "Ask", "AsyncSidecar", "Bankroll", "Batch", "Budget", "BudgetError", "Cache", "CalibratedRadius", "Cascade",
    "Consultation", "Controller", "CounselError", "Diagnosis", "Dual", "Engine", "Ledger", "Log", "LogError", "OutageError", "Pacing",
    "Paid", "Predictor", "RefusedError", "RemoteAct", "RemoteAsk", "Reply", "Reservation", "Reserve", "Route", "Router", "Settings",
    "SettingsError", "Sidecar", "SidecarError", "Spread", "StateError", "TokenBucket", "VectorController", "__version__", "advisors",
    "audit", "calibration", "connect", "context_key", "critics", "explain", "figures", "gates", "labels", "log", "pages", "report",
    "rules", "shadow", "stats", "studies", "view", "wrap", "writers",
]
