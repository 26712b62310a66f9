"""Radii, predictors and statistics, against their formulas."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import counsel
from counsel import calibration, stats


def opportunities(count: int = 1_200, seed: int = 0) -> tuple[Any, Any]:
    rng = np.random.default_rng(seed)
    label = rng.normal(0.0, 1.0, count)
    return label + rng.normal(0.0, 0.3, count), label


def test_a_constant_radius_is_the_score_of_the_conformal_rank() -> None:
    estimate, label = opportunities()
    splits = calibration.split(estimate, label, fit=100, calibration=99)
    assert [len(part) for part in splits] == [100, 99, 1_001]
    radius = calibration.calibrate(splits, alpha=0.1)
    scores = np.sort(np.abs(estimate - label)[100:199])
    assert calibration.conformal_rank(99, 0.1) == 90
    assert radius.at(np.zeros(2)).tolist() == [scores[89]] * 2
    assert calibration.derivation(radius)["groups"][0]["rank"] == 90
    coverage = calibration.coverage(splits, radius, price=0.1)["marginal"]
    assert coverage["of"] == 1_001 and 0.83 < coverage["count"] / coverage["of"] < 0.97


def test_too_few_opportunities_give_an_infinite_radius() -> None:
    splits = calibration.split(*opportunities(12), calibration=8)
    assert np.isinf(calibration.calibrate(splits, alpha=0.1).at([0.0])).all()
    assert np.isinf(calibration.calibrate(splits, method="infinite").at([0.0])).all()
    assert calibration.calibrate(splits, method="zero").at([0.0]).tolist() == [0.0]


def test_strata_are_those_of_the_estimate() -> None:
    estimate, label = opportunities()
    splits = calibration.split(estimate, label, calibration=600)
    radius = calibration.calibrate(splits, method="mondrian", alpha=0.2)
    own = np.abs(estimate - label)[:600]
    for side, at in ((estimate[:600] > 0, 1.0), (estimate[:600] <= 0, -1.0)):
        scores = np.sort(own[side])
        assert radius.at([at])[0] == scores[calibration.conformal_rank(len(scores), 0.2) - 1]


def test_parts_cannot_be_mixed_up() -> None:
    splits = calibration.split(*opportunities(20), fit=5, calibration=10)
    with pytest.raises(TypeError):
        counsel.CalibratedRadius._derive('{"method":"constant","alpha":0.1}', splits.calibration, splits.fit)  # type: ignore[arg-type]
    with pytest.raises(TypeError):
        calibration.coverage(splits._replace(evaluation=splits.fit), counsel.CalibratedRadius._derive('{"method":"zero"}', splits.fit, splits.calibration), price=0.0)  # type: ignore[arg-type]


def test_labels_and_terms_are_those_of_the_formulas() -> None:
    law, values = np.array([0.5, 0.3, 0.2]), np.array([1.0, 3.0])
    assert calibration.exact_value(law, [0, 1, 0], values, 0) == pytest.approx(0.5 * 1 + 0.3 * 3 + 0.2 * 1 - 1)
    assert calibration.hoeffding(1.0, 48, 0.1, 3) == pytest.approx(np.sqrt(2 * np.log(2 * 48 / 0.1) / 3))
    blocks, log = np.array([0.1, 0.3, 0.2]), np.log(4 * 5 / 0.1)
    expected = np.sqrt(2 * blocks.var(ddof=1) * log / 3) + 7 * 2 * log / (3 * 2)
    assert calibration.empirical_bernstein(blocks, 1.0, 5, 0.1) == pytest.approx(expected)


def paid(*responses: int) -> list[counsel.Paid]:
    settings = counsel.Settings(
        advisor="a", budget=counsel.Budget(per_run=len(responses)), gate=counsel.gates.Always(), execution=counsel.rules.Trusting()
    )
    controller = counsel.Controller(settings, 3, price=0.0)
    found = []
    for response in responses:
        act = controller.advise(values=np.zeros((1, 3)), base=0, ask=lambda response=response: f"a{response}" if response >= 0 else "?")
        assert act.paid is not None
        found.append(act.paid)
    return found


def test_predictors_learn_from_what_was_paid_for() -> None:
    assert np.allclose(counsel.Predictor.uniform(3).laws(contexts=[0, 1]), 0.25)
    frequency = counsel.Predictor.frequency(3, strength=1.0)
    frequency.observe(paid(0, 0, 2, -1), contexts=[0, 1, 2, 3])
    assert np.allclose(frequency.laws(contexts=[7])[0], np.array([2.25, 0.25, 1.25, 1.25]) / 5)
    own = counsel.Predictor.per_context(3, strength=1.0)
    own.observe(paid(1, 1), contexts=[5, 5])
    assert own.laws(contexts=[5, 6]).argmax(axis=1)[0] == 1 and np.allclose(own.laws(contexts=[6]), 0.25)
    feature = counsel.Predictor.feature(3, 1)
    for _ in range(20):
        feature.observe(paid(0, 2), features=[[1.0], [-1.0]])
    laws = feature.laws(features=[[1.0], [-1.0]])
    assert laws.argmax(axis=1).tolist() == [0, 2] and np.allclose(laws.sum(axis=1), 1.0)
    assert feature.calibrate_temperature(paid(0, 2), features=[[1.0], [-1.0]]) < 1.0, "it is surer than it says"
    with pytest.raises(counsel.RefusedError, match="2 paid responses came for 1"):
        feature.observe(paid(0, 1), features=[[1.0]])
    with pytest.raises(counsel.RefusedError, match="for 3 actions, but the controller has 2"):
        counsel.Controller(counsel.Settings(advisor="a", budget=counsel.Budget(per_run=1)), 2, price=0.0, predictor=feature)


def test_paired_statistics_are_those_of_the_formulas() -> None:
    polars = pytest.importorskip("polars")
    rng = np.random.default_rng(3)
    never = rng.normal(0.3, 0.1, 12)
    rows = [{"arm": "never", "seed": seed, "value": value} for seed, value in enumerate(never)]
    for arm, gain in (("gated", 0.05), ("same", 0.0)):
        rows += [{"arm": arm, "seed": seed, "value": value + gain + rng.normal(0, 0.02)} for seed, value in enumerate(never)]
    frame = polars.DataFrame(rows)
    comparison = stats.paired(frame, baseline="never")
    assert [row["arm"] for row in comparison.rows] == ["gated", "same"]
    gated = frame.filter(polars.col("arm") == "gated")["value"].to_numpy() - never
    assert comparison.rows[0]["mean_difference"] == pytest.approx(gated.mean())
    half = stats.mean_interval(gated)
    assert half is not None and comparison.rows[0]["ci95_half_width"] == pytest.approx((half[2] - half[1]) / 2)
    p = [row["p"] for row in comparison.rows]
    assert np.allclose(stats.holm(p), [row["p_holm"] for row in comparison.rows])
    assert comparison.frame()["n"].to_list() == [12, 12] and "gated" in str(comparison)
    assert comparison._repr_html_().count("<tr>") == 3
    with pytest.raises(counsel.RefusedError, match="did you mean `never`"):
        stats.paired(frame, baseline="nevr")
    with pytest.raises(counsel.RefusedError, match="no column `score`"):
        stats.paired(frame, baseline="never", value="score")
    assert stats.interquartile_mean([0.0, 1.0, 2.0, 100.0]) == 1.5
    assert stats.clopper_pearson(0, 10)[1] == 0.0
