//! Compares this crate with scipy, statsmodels, numpy and rliable.
//!
//! The answers of the Python originals lie in `fixtures/stats/expected.json`, written by `generate.py` next to it with
//! pinned versions. Deterministic quantities must agree to 1e-9; the seeded bootstrap must agree within its Monte-Carlo
//! error.

use std::sync::LazyLock;

use counsel_stats::{
    Bootstrap, PairedComparison, Pooled, Quartiles, Scores, Tail, bca_interval, bound_p_value, brier_score,
    clopper_pearson, equivalence_p_value, event_calibration_error, expected_calibration_error, holm, log_log_slope,
    log_score, mean_interval, median, quantile,
};
use serde::de::DeserializeOwned;
use serde_json::Value;

static EXPECTED: LazyLock<Value> =
    LazyLock::new(|| serde_json::from_str(include_str!("../../../../fixtures/stats/expected.json")).unwrap());

fn cases(section: &str) -> &'static [Value] {
    let cases = EXPECTED[section].as_array().unwrap();
    assert!(!cases.is_empty(), "expected.json has no cases in `{section}`; run generate.py");
    cases
}

fn read<T: DeserializeOwned>(case: &Value, key: &str) -> T {
    serde_json::from_value(case[key].clone()).unwrap_or_else(|error| panic!("{key}: {error}"))
}

/// Equality to 1e-9 relative, with room for the rounding of sums that cancel.
#[track_caller]
fn assert_close(got: f64, want: f64, case: &Value) {
    let room = 1e-9 * got.abs().max(want.abs()) + 1e-15;
    assert!((got - want).abs() <= room, "got {got:e}, the original says {want:e}, in {case}");
}

fn mean(values: &[f64]) -> f64 {
    values.iter().sum::<f64>() / values.len() as f64
}

#[test]
fn t_interval_agrees_with_scipy() {
    for case in cases("t_interval") {
        let got = mean_interval(&read::<Vec<f64>>(case, "sample"), read(case, "level")).unwrap().unwrap();
        assert_close(got.estimate, read(case, "mean"), case);
        assert_close(got.low, read(case, "low"), case);
        assert_close(got.high, read(case, "high"), case);
    }
}

#[test]
fn paired_test_agrees_with_scipy() {
    for case in cases("paired") {
        let (treatment, control): (Vec<f64>, Vec<f64>) = (read(case, "treatment"), read(case, "control"));
        let bootstrap = Bootstrap { resamples: 1, ..Bootstrap::seeded(0) };
        let got = PairedComparison::new(&treatment, &control, &bootstrap).unwrap();
        assert_close(got.mean_difference, read(case, "mean"), case);
        assert_close(got.half_width().unwrap(), read(case, "half_width"), case);
        assert_close(got.p_value.unwrap(), read(case, "p"), case);
    }
}

#[test]
fn margin_tests_agree_with_statsmodels() {
    for case in cases("margin") {
        let (differences, margin): (Vec<f64>, f64) = (read(case, "differences"), read(case, "margin"));
        let p = |bound, tail| bound_p_value(&differences, bound, tail).unwrap().unwrap();
        assert_close(p(-margin, Tail::Above), read(case, "above"), case);
        assert_close(p(margin, Tail::Below), read(case, "below"), case);
        assert_close(equivalence_p_value(&differences, margin).unwrap().unwrap(), read(case, "p"), case);
    }
}

#[test]
fn bootstrap_formulas_agree_with_scipy() {
    for case in cases("bootstrap_formula") {
        let (sample, replicates): (Vec<f64>, Vec<f64>) = (read(case, "sample"), read(case, "replicates"));
        let level: f64 = read(case, "level");
        let statistic =
            |values: &[f64]| if case["statistic"] == "mean" { mean(values) } else { median(values).unwrap() };
        let bca = bca_interval(&sample, statistic, &replicates, level).unwrap();
        let want: Option<[f64; 2]> = read(case, "bca");
        assert_eq!(bca.is_some(), want.is_some(), "{case}");
        if let (Some(got), Some([low, high])) = (bca, want) {
            assert_close(got.low, low, case);
            assert_close(got.high, high, case);
        }
    }
}

/// The whole procedure, whose random stream differs from scipy's.
///
/// An end is the quantile of `B` replicates at about 2.5 %, moved by the estimated bias. For a replicate distribution
/// near the normal with deviation `s`, the quantile has error `sqrt(0.025 * 0.975 / B) / 0.0584 s = 2.67 s / sqrt(B)`,
/// and the bias `z0` has error `1.25 / sqrt(B)` and moves the end by twice that, `2.51 s / sqrt(B)`: together at most
/// `3.7 s / sqrt(B)`, of which 20 `s / sqrt(B)` is five and a half. The rest is room for the error of the reference (a
/// fifth at 9,999 resamples, two thirds at 99,999) and for the longer tail of skewed samples. At 99,999 resamples the
/// room is 0.06 `s`, narrow enough that leaving out the bias or the acceleration fails.
#[test]
fn seeded_bootstrap_agrees_with_scipy_within_monte_carlo_error() {
    for case in cases("bootstrap_end_to_end") {
        let sample: Vec<f64> = read(case, "sample");
        let (error, low, high): (f64, f64, f64) = (read(case, "standard_error"), read(case, "low"), read(case, "high"));
        for resamples in [9_999_u32, 99_999] {
            let bootstrap = Bootstrap { resamples: resamples as usize, ..Bootstrap::seeded(20) };
            let got = bootstrap.bca(&sample, mean).unwrap().unwrap();
            let room = 20.0 * error / f64::from(resamples).sqrt();
            assert!((got.low - low).abs() <= room, "low {} against {low} +- {room} in {case}", got.low);
            assert!((got.high - high).abs() <= room, "high {} against {high} +- {room} in {case}", got.high);
        }
    }
}

#[test]
fn holm_agrees_with_statsmodels() {
    for case in cases("holm") {
        let got = holm(&read::<Vec<f64>>(case, "p")).unwrap();
        for (got, want) in got.into_iter().zip(read::<Vec<f64>>(case, "adjusted")) {
            assert_close(got, want, case);
        }
    }
}

#[test]
fn pooled_effects_agree_with_statsmodels() {
    for case in cases("pooled") {
        let (estimates, errors): (Vec<f64>, Vec<f64>) = (read(case, "estimates"), read(case, "errors"));
        let got = Pooled::of(&estimates, &errors, 0.95).unwrap();
        assert_close(got.fixed.estimate, read(case, "fixed"), case);
        assert_close(got.fixed.standard_error, read(case, "fixed_error"), case);
        assert_close(got.fixed.p_value.unwrap(), read(case, "fixed_p"), case);
        let [low, high]: [f64; 2] = read(case, "fixed_interval");
        assert_close(got.fixed.interval.unwrap().low, low, case);
        assert_close(got.fixed.interval.unwrap().high, high, case);
        assert_close(got.heterogeneity, read(case, "q"), case);
        assert_close(got.heterogeneity_p.unwrap(), read(case, "q_p"), case);
        assert_close(got.inconsistency, read(case, "i2"), case);
        assert_close(got.between.powi(2), read(case, "tau2"), case);
        assert_close(got.random.estimate, read(case, "random"), case);
        assert_close(got.random.standard_error, read(case, "random_error"), case);
        assert_close(got.random.p_value.unwrap(), read(case, "random_p"), case);
        let [low, high]: [f64; 2] = read(case, "random_interval");
        assert_close(got.random.interval.unwrap().low, low, case);
        assert_close(got.random.interval.unwrap().high, high, case);
    }
}

#[test]
fn slope_agrees_with_scipy() {
    for case in cases("slope") {
        let (x, y): (Vec<f64>, Vec<f64>) = (read(case, "x"), read(case, "y"));
        let got = log_log_slope(&x, &y).unwrap().unwrap();
        assert_eq!(got.points, read::<usize>(case, "points"));
        assert_close(got.slope, read(case, "slope"), case);
        assert_close(got.intercept, read(case, "intercept"), case);
        assert_close(got.standard_error.unwrap(), read(case, "standard_error"), case);
    }
}

#[test]
fn forecast_scores_agree_with_numpy() {
    for case in cases("forecast") {
        let (forecasts, outcomes): (Vec<Vec<f64>>, Vec<usize>) = (read(case, "forecasts"), read(case, "outcomes"));
        assert_close(brier_score(&forecasts, &outcomes).unwrap(), read(case, "brier"), case);
        assert_close(log_score(&forecasts, &outcomes).unwrap(), read(case, "log"), case);
        let error = expected_calibration_error(&forecasts, &outcomes, read(case, "bins")).unwrap();
        assert_close(error, read(case, "ece"), case);
    }
    for case in cases("event") {
        let (p, events): (Vec<f64>, Vec<bool>) = (read(case, "p"), read(case, "events"));
        assert_close(event_calibration_error(&p, &events, read(case, "bins")).unwrap(), read(case, "ece"), case);
    }
}

#[test]
fn clopper_pearson_agrees_with_statsmodels() {
    for case in cases("binomial") {
        let got = clopper_pearson(read(case, "k"), read(case, "n"), read(case, "level")).unwrap();
        assert_close(got.low, read(case, "low"), case);
        assert_close(got.high, read(case, "high"), case);
    }
}

#[test]
fn quantiles_agree_with_numpy() {
    for case in cases("quantile") {
        let sample: Vec<f64> = read(case, "sample");
        assert_close(quantile(&sample, read(case, "q")).unwrap(), read(case, "quantile"), case);
        let (got, [low, middle, high]) = (Quartiles::of(&sample).unwrap(), read::<[f64; 3]>(case, "quartiles"));
        assert_close(got.low, low, case);
        assert_close(got.median, middle, case);
        assert_close(got.high, high, case);
    }
}

#[test]
fn aggregates_agree_with_rliable() {
    for case in cases("aggregate") {
        let x = Scores::from_runs(&read::<Vec<Vec<f64>>>(case, "x")).unwrap();
        let y = Scores::from_runs(&read::<Vec<Vec<f64>>>(case, "y")).unwrap();
        assert_close(x.mean(), read(case, "mean"), case);
        assert_close(x.median().unwrap(), read(case, "median"), case);
        assert_close(x.interquartile_mean().unwrap(), read(case, "iqm"), case);
        assert_close(x.optimality_gap(1.0).unwrap(), read(case, "gap"), case);
        assert_close(x.probability_of_improvement(&y).unwrap(), read(case, "improvement"), case);
    }
}
