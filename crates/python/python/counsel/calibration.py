"""From labelled opportunities to a radius, and what the radius was worth.

An opportunity is a decision at which a question could be asked: what the controller estimated before any answer, and the label
that was found afterwards. The three parts of the data are three types, so that nothing is calibrated on what it was fitted on.

>>> import numpy as np
>>> from counsel import calibration
>>> rng = np.random.default_rng(0)
>>> label = rng.random(300)
>>> splits = calibration.split(label + rng.normal(0, 0.1, 300), label, calibration=200)
>>> radius = calibration.calibrate(splits, alpha=0.1)
>>> coverage = calibration.coverage(splits, radius, price=0.2)
>>> coverage["marginal"]["of"], coverage["marginal"]["count"] >= 80
(100, True)
"""

from __future__ import annotations

import json
import warnings
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Literal, NamedTuple

import numpy as np
import numpy.typing as npt

from . import _counsel
from ._counsel import (
    CalibratedRadius,
    CalibrationSet,
    EvaluationSet,
    FitSet,
    conformal_rank,
    empirical_bernstein,
    exact_value,
    hoeffding,
    screen,
)
from .declaration import choose, plain
from .errors import RefusedError, SettingsError

__all__ = [
    "CalibratedRadius", "CalibrationSet", "EvaluationSet", "FitSet", "Splits", "calibrate", "conformal_rank", "coverage", "derivation",
    "empirical_bernstein", "exact_value", "from_log", "hoeffding", "screen", "split",
]

Column = npt.ArrayLike


class Splits(NamedTuple):
    """Opportunities in the order of time, cut in three.

    Attributes
    ----------
    fit : FitSet
        What a scale is fitted on.
    calibration : CalibrationSet
        What quantiles are taken on.
    evaluation : EvaluationSet
        What coverage is measured on.
    """

    fit: FitSet
    calibration: CalibrationSet
    evaluation: EvaluationSet


def split(
    estimate: Column,
    label: Column,
    *,
    fit: int = 0,
    calibration: int,
    monte_carlo: Column | None = None,
    features: Column | None = None,
    trajectory: Column | None = None,
    step: Column | None = None,
) -> Splits:
    """Cut opportunities in the order of time; what is left after both cuts is for evaluation.

    Parameters
    ----------
    estimate, label : array of shape (n,)
        The estimated value of each query before any answer, and what it turned out to be worth.
    fit, calibration : int
        How many opportunities are for fitting, and how many after them for calibration.
    monte_carlo : array of shape (n,), optional
        How far each label may be from the truth; 0 where it is exact.
    features : array of shape (n, f), optional
        What a scaled radius may look at: ``act.scale_features`` of each decision.
    trajectory, step : array of shape (n,), optional
        The episode and the time of each opportunity.
    """

    def array(column: Column | None) -> npt.NDArray[Any] | None:
        return None if column is None else np.asarray(column)

    return Splits(
        *_counsel.split(
            np.asarray(estimate), np.asarray(label), fit=fit, calibration=calibration, monte_carlo=array(monte_carlo),
            features=array(features), trajectory=array(trajectory), step=array(step),
        )
    )


def calibrate(
    splits: Splits,
    *,
    method: Literal["zero", "infinite", "constant", "scaled", "mondrian", "one-sided", "local", "bonferroni"] = "constant",
    alpha: float | None = None,
    edges: list[float] | None = None,
    delta_conf: float | None = None,
    evaluations: int | None = None,
    scale: dict[str, float] | None = None,
) -> CalibratedRadius:
    """Derive a radius: the scale from the fit part, the quantiles from the calibration part.

    Where there are too few opportunities for the level, the radius is infinite, and the gate is silent.

    Parameters
    ----------
    splits : Splits
        The opportunities, as :func:`split` cuts them.
    method : str
        ``constant``: one quantile for all; ``scaled``: times a model of the error's size; ``mondrian``: one per sign of the
        estimate; ``one-sided``: of how far estimates lie above labels; ``local``: that for each level of the estimate;
        ``bonferroni``: so that all evaluated opportunities are covered at once; ``zero`` and ``infinite`` need no data.
    alpha : float, optional
        How often the radius may be too small. All methods that need data take it, except ``bonferroni``.
    edges : list of float, optional
        For ``local``: the estimates at which the next level begins, ascending.
    delta_conf, evaluations : float, int, optional
        For ``bonferroni``: how often any evaluated opportunity may be missed, and how many there are at most.
    scale : dict, optional
        For ``scaled``: how the model of the error's size is fitted.
    """
    if method not in _NEEDS:
        choose("method", method, _NEEDS)
    needed, allowed = _NEEDS[method]
    given = {"alpha": alpha, "edges": edges, "delta_conf": delta_conf, "evaluations": evaluations, "scale": scale}
    for name, value in given.items():
        if value is None and name in needed:
            raise SettingsError(f"the method `{method}` needs `{name}`; pass {_MEANS[name]}")
        if value is not None and name not in needed + allowed:
            takes = ", ".join(f"`{word}`" for word in needed + allowed) or "no argument"
            raise SettingsError(f"the method `{method}` takes no `{name}`; it takes {takes}; leave `{name}` out")
    spec = {
        "method": method, "alpha": alpha, "edges": edges, "delta_conf": delta_conf, "evaluations": evaluations, "scale": scale
    }
    written = json.dumps(plain({name: value for name, value in spec.items() if value is not None}))
    radius = CalibratedRadius._derive(written, splits.fit, splits.calibration)
    if method in ("constant", "one-sided"):
        _warn_of_idle(derivation(radius))
    return radius


def _warn_of_idle(derived: dict[str, Any]) -> None:
    """Opportunities with nothing at stake, whose estimate and label are both 0, have no error, and so shrink a quantile over all."""
    scores = [score for group in derived["groups"] for score in group["scores"]]
    idle = sum(score == 0.0 for score in scores)
    if 0.5 * len(scores) < idle < len(scores):
        warnings.warn(
            f"{idle} of {len(scores)} opportunities have no error at all, as where nothing is at stake, and they shrink the radius of all others; "
            'pass method="mondrian", which gives opportunities with a positive estimate a radius of their own',
            stacklevel=3,
        )


def from_log(
    folder: str | Path,
    *,
    alpha: float = 0.1,
    method: Literal["constant", "mondrian", "one-sided"] = "mondrian",
    arms: Sequence[str] | None = None,
    calibration: int | None = None,
) -> CalibratedRadius:
    """The radius of the labelled decisions in a log: those whose ``controller.outcome`` came with a ``label``.

    Parameters
    ----------
    folder : path
        The folder of the run.
    alpha : float
        How often the radius may be too small.
    method : str
        As for :func:`calibrate`. By default opportunities with a positive estimate have a radius of their own, so that those with nothing
        at stake do not shrink it.
    arms : sequence of str, optional
        Only the logs of these arms.
    calibration : int, optional
        How many opportunities, the first ones, it is derived from; all without it.
    """
    from . import log

    rows = log.read(folder, arms=arms, backend="numpy")
    blank = np.full(len(rows["step"]), np.nan)
    label = np.asarray(rows.get("proxy_value", blank), np.float64)
    known = ~np.isnan(label)
    count = int(known.sum())
    if count == 0:
        raise RefusedError(
            f"{folder} holds {len(label)} decisions, and none has a label; pass label= to `controller.outcome` where you find out what a question "
            "was worth, or label opportunities by counsel.labels.paired"
        )
    error = np.nan_to_num(np.asarray(rows.get("proxy_radius", blank), np.float64))
    splits = split(
        np.asarray(rows["estimate"], np.float64)[known], label[known], calibration=count if calibration is None else calibration,
        monte_carlo=error[known], trajectory=np.asarray(rows["episode"])[known],
    )
    return calibrate(splits, method=method, alpha=alpha)


#: What every method needs, and what it takes beside it.
_NEEDS: dict[str, tuple[tuple[str, ...], tuple[str, ...]]] = {
    "zero": ((), ()), "infinite": ((), ()), "constant": (("alpha",), ()), "scaled": (("alpha",), ("scale",)),
    "mondrian": (("alpha",), ()), "one-sided": (("alpha",), ()), "local": (("alpha", "edges"), ()),
    "bonferroni": (("delta_conf", "evaluations"), ()),
}
_MEANS = {
    "alpha": "how often the radius may be too small, between 0 and 1",
    "edges": "the estimates at which the next level begins, ascending",
    "delta_conf": "how often any of the evaluated opportunities may be missed",
    "evaluations": "how many opportunities will be evaluated at most",
}


def derivation(radius: CalibratedRadius) -> dict[str, Any]:
    """How a radius came about, scores included: what the manifest of a log keeps, and the audit computes again."""
    found: dict[str, Any] = json.loads(radius._derivation())
    return found


def coverage(splits: Splits, radius: CalibratedRadius, *, price: float) -> dict[str, Any]:
    """What a radius was worth on the evaluation part of ``splits``, each rate with its denominator: where the gate would have asked at
    this ``price``, and where not."""
    found: dict[str, Any] = json.loads(_counsel.coverage(splits.evaluation, radius, price=price))
    return found
