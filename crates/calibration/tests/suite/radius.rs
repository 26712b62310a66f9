//! Properties of the deployed radius.

use std::convert::Infallible;

use counsel_calibration::{
    Alpha, CalibratedRadius, Cuts, Derivation, Error, Opportunity, RadiusSpec, ScaleModel, ScaleSpec, Splits,
    conformal_quantile, conformal_rank, least_clean,
};
use counsel_decision::refusal::Refusal;
use counsel_decision::{Radius, Seed};
use proptest::prelude::*;
use rand::RngExt;
use rand_distr::{Distribution, Exp1};

fn opportunity(step: u64, error: f64, features: Vec<f64>, group: u32) -> Opportunity {
    Opportunity { estimate: 0.0, label: error, monte_carlo: 0.0, features, group, trajectory: step / 10, step }
}

fn parts(errors: &[f64], fit: usize) -> Splits<Opportunity> {
    let items =
        errors.iter().zip(0_u32..).map(|(&error, step)| opportunity(step.into(), error, vec![], step % 2)).collect();
    Splits::chronological(items, |item| item.step, Cuts { fit, calibration: errors.len() - fit }).unwrap()
}

fn radius(spec: &RadiusSpec, errors: &[f64]) -> CalibratedRadius {
    let parts = parts(errors, 0);
    CalibratedRadius::calibrate(spec, &parts.fit, &parts.calibration).unwrap()
}

fn alpha(value: f64) -> Alpha {
    Alpha::new(value).unwrap()
}

proptest! {
    #[test]
    fn the_radius_is_infinite_exactly_when_the_rank_exceeds_n(
        scores in prop::collection::vec(0.0..10.0_f64, 0..60),
        level in 0.001..0.999_f64,
    ) {
        let rank = conformal_rank(scores.len(), alpha(level));
        prop_assert!((1..=scores.len() + 1).contains(&rank));
        let quantile = conformal_quantile(&scores, alpha(level)).unwrap();
        prop_assert_eq!(quantile == Radius::INFINITE, rank > scores.len());
        if let Some(value) = quantile.finite() {
            prop_assert!(scores.iter().filter(|&&score| score <= value).count() >= rank);
            prop_assert!(scores.iter().filter(|&&score| score < value).count() < rank);
        }
    }

    #[test]
    fn a_stricter_level_never_shrinks_the_radius(
        errors in prop::collection::vec(-5.0..5.0_f64, 1..60),
        low in 0.01..0.5_f64,
        more in 0.0..0.49_f64,
    ) {
        let at = |level| radius(&RadiusSpec::Constant { alpha: alpha(level) }, &errors).at(&[], 0).value();
        prop_assert!(at(low) >= at(low + more));
    }

    #[test]
    fn bonferroni_is_no_smaller_than_constant(
        errors in prop::collection::vec(-5.0..5.0_f64, 1..200),
        level in 0.05..0.5_f64,
        evaluations in 1_u64..20,
    ) {
        let constant = radius(&RadiusSpec::Constant { alpha: alpha(level) }, &errors).at(&[], 0).value();
        let bonferroni = radius(&RadiusSpec::Bonferroni { delta_conf: level, evaluations }, &errors).at(&[], 0).value();
        prop_assert!(bonferroni >= constant);
    }

    #[test]
    fn each_mondrian_group_is_calibrated_on_its_own(errors in prop::collection::vec(-5.0..5.0_f64, 2..80)) {
        let level = alpha(0.2);
        let mondrian = radius(&RadiusSpec::Mondrian { alpha: level }, &errors);
        for (group, skipped) in [(0, 0), (1, 1)] {
            let own: Vec<f64> = errors.iter().skip(skipped).step_by(2).map(|error| error.abs()).collect();
            prop_assert_eq!(mondrian.at(&[], group), conformal_quantile(&own, level).unwrap());
        }
        prop_assert_eq!(mondrian.at(&[], 2), Radius::INFINITE);
    }

    #[test]
    fn a_logged_derivation_gives_the_same_radius(errors in prop::collection::vec(-5.0..5.0_f64, 0..40)) {
        let specs = [
            RadiusSpec::Zero,
            RadiusSpec::Infinite,
            RadiusSpec::Constant { alpha: alpha(0.1) },
            RadiusSpec::Mondrian { alpha: alpha(0.3) },
            RadiusSpec::Bonferroni { delta_conf: 0.1, evaluations: 3 },
        ];
        for spec in specs {
            let radius = radius(&spec, &errors);
            let logged = serde_json::to_string(radius.derivation()).unwrap();
            let read: Derivation = serde_json::from_str(&logged).unwrap();
            prop_assert_eq!(CalibratedRadius::from_derivation(read).unwrap(), radius);
        }
    }
}

#[test]
fn coverage_on_exchangeable_data_is_that_of_the_theorem() {
    let (n, level, repetitions) = (39, 0.1, 20_000_u64);
    let rank = conformal_rank(n, alpha(level)) as f64;
    let mut covered = 0;
    for repetition in 0..repetitions {
        let mut rng = Seed::root(1).stream("exchangeable").index(repetition).rng();
        let scores: Vec<f64> = Exp1.sample_iter(&mut rng).take(n).collect();
        let fresh: f64 = Exp1.sample(&mut rng);
        covered += u64::from(fresh <= conformal_quantile(&scores, alpha(level)).unwrap().value());
    }
    let (rate, exact) = (covered as f64 / repetitions as f64, rank / (n as f64 + 1.0));
    let noise = 4.0 * (exact * (1.0 - exact) / repetitions as f64).sqrt();
    assert!((rate - exact).abs() < noise && rate > 1.0 - level - noise, "{rate} instead of {exact}");
}

/// Errors whose size is exp(x): the scaled radius must follow, and cover on both sides.
fn heteroscedastic(repetition: u64, count: u64) -> Vec<Opportunity> {
    let mut rng = Seed::root(2).index(repetition).rng();
    (0..count)
        .map(|step| {
            let x = rng.random_range(-2.0..2.0_f64);
            opportunity(step, x.exp() * rng.random_range(0.5..1.0), vec![x, 1.0], 0)
        })
        .collect()
}

#[test]
fn the_scaled_radius_follows_the_size_of_the_error_and_covers() {
    let spec = RadiusSpec::Scaled { alpha: alpha(0.1), scale: ScaleSpec::default() };
    let (mut covered, mut of) = (0_u32, 0_u32);
    for repetition in 0..200 {
        let items = heteroscedastic(repetition, 130);
        let parts = Splits::chronological(items, |o| o.step, Cuts { fit: 40, calibration: 39 }).unwrap();
        let radius = CalibratedRadius::calibrate(&spec, &parts.fit, &parts.calibration).unwrap();
        let ratio = radius.at(&[1.0, 1.0], 0).value() / radius.at(&[-1.0, 1.0], 0).value();
        assert!((ratio.ln() - 2.0).abs() < 0.4, "the scale grows by exp(2): {ratio}");
        for item in parts.evaluation.as_slice() {
            covered += u32::from(item.error() <= radius.at(&item.features, 0).value());
            of += 1;
        }
        let read: Derivation = serde_json::from_str(&serde_json::to_string(radius.derivation()).unwrap()).unwrap();
        assert_eq!(CalibratedRadius::from_derivation(read).unwrap(), radius);
    }
    let rate = f64::from(covered) / f64::from(of);
    // 200 calibrations, each off by about sqrt(.09/40) = .047: the mean is off by about .004.
    assert!((rate - 0.9).abs() < 0.015, "{rate}");
}

#[test]
fn the_scale_stays_within_what_was_fitted() {
    let parts = Splits::chronological(heteroscedastic(7, 50), |o| o.step, Cuts { fit: 50, calibration: 0 }).unwrap();
    let model = ScaleModel::fit(ScaleSpec::default(), &parts.fit).unwrap();
    assert!(model.at(&[-1e9, 1.0]).unwrap() >= 1e-3);
    assert!(model.at(&[1e9, 1.0]).unwrap() <= 2.0_f64.exp() + 1e-3);
    assert!(model.at(&[0.0]).is_err() && model.at(&[f64::NAN, 1.0]).is_err());
    let spec = RadiusSpec::Scaled { alpha: alpha(0.1), scale: ScaleSpec::default() };
    assert!(matches!(
        CalibratedRadius::calibrate(&spec, &parts_without_fit().fit, &parts.calibration),
        Err(Error::Refused(Refusal::TooFew { .. }))
    ));
}

fn parts_without_fit() -> Splits<Opportunity> {
    parts(&[0.1, 0.2], 0)
}

#[test]
fn features_that_are_unknown_to_the_scale_model_silence_the_gate() {
    let parts = Splits::chronological(heteroscedastic(7, 80), |o| o.step, Cuts { fit: 40, calibration: 40 }).unwrap();
    let spec = RadiusSpec::Scaled { alpha: alpha(0.1), scale: ScaleSpec::default() };
    let radius = CalibratedRadius::calibrate(&spec, &parts.fit, &parts.calibration).unwrap();
    assert!(radius.at(&[0.0, 1.0], 0) < Radius::INFINITE);
    assert_eq!(radius.at(&[0.0], 0), Radius::INFINITE);
    assert_eq!(radius.at(&[f64::NAN, 1.0], 0), Radius::INFINITE);
}

#[test]
fn an_altered_log_is_refused() {
    let honest = radius(&RadiusSpec::Constant { alpha: alpha(0.5) }, &[0.1, 0.2, 0.3]).derivation().clone();
    let mut quantile = honest.clone();
    quantile.groups[0].quantile = Radius::ZERO;
    assert!(matches!(CalibratedRadius::from_derivation(quantile), Err(Error::DerivationMismatch { .. })));
    let level = Derivation { alpha: Some(alpha(0.4)), ..honest };
    assert!(matches!(CalibratedRadius::from_derivation(level), Err(Error::LevelMismatch { .. })));
}

#[test]
fn declarations_are_read_strictly() {
    let read = |text: &str| serde_json::from_str::<RadiusSpec>(text);
    assert_eq!(read(r#"{"method": "zero"}"#).unwrap(), RadiusSpec::Zero);
    assert_eq!(read(r#"{"method": "constant", "alpha": 0.1}"#).unwrap(), RadiusSpec::Constant { alpha: alpha(0.1) });
    assert!(read(r#"{"method": "scaled", "alpha": 0.1}"#).is_ok());
    assert!(read(r#"{"method": "bonferroni", "delta_conf": 0.1, "evaluations": 20}"#).is_ok());
    for bad in [
        r#"{"method": "constant", "alpha": 1.0}"#,
        r#"{"method": "constant", "alpha": 0.1, "n": 3}"#,
        r#"{"method": "scaled", "alpha": 0.1, "scale": {"flor": 1.0}}"#,
        r#"{"method": "round"}"#,
    ] {
        assert!(read(bad).is_err(), "{bad}");
    }
    assert!(RadiusSpec::Bonferroni { delta_conf: 0.1, evaluations: 0 }.alpha().is_err());
}

proptest! {
    /// A radius that takes its scores one by one is the radius of all of them.
    #[test]
    fn absorbing_scores_is_calibrating_on_all(errors in prop::collection::vec(0.0..5.0f64, 2..60), first in 0usize..30) {
        let spec = RadiusSpec::Constant { alpha: alpha(0.2) };
        let first = first.min(errors.len());
        let mut grown = radius(&spec, &errors[..first]);
        for (step, error) in errors.iter().enumerate().skip(first) {
            grown.absorb(&opportunity(step as u64, *error, Vec::new(), 0)).unwrap();
        }
        prop_assert_eq!(grown, radius(&spec, &errors));
    }
}

#[test]
fn a_one_sided_radius_covers_estimates_that_are_too_high() {
    let over =
        |step: u64, excess: f64| Opportunity { estimate: excess, label: 0.0, ..opportunity(step, 0.0, Vec::new(), 0) };
    // Nine estimates are too low by 1 and ten too high, by 0.1 to 1.0.
    let opportunities: Vec<Opportunity> =
        (0..19).map(|i| over(i, if i < 9 { -1.0 } else { (i - 8) as f64 / 10.0 })).collect();
    let splits = Splits::chronological(opportunities, |o| o.step, Cuts { fit: 0, calibration: 19 }).unwrap();
    let at =
        |spec: RadiusSpec| CalibratedRadius::calibrate(&spec, &splits.fit, &splits.calibration).unwrap().at(&[], 0);
    // Rank ceil(20 * 0.8) = 16: the seventh of the excesses above zero, and the 16th of all sizes of errors.
    assert_eq!(at(RadiusSpec::OneSided { alpha: alpha(0.2) }), Radius::new(0.7).unwrap());
    assert_eq!(at(RadiusSpec::Constant { alpha: alpha(0.2) }), Radius::new(1.0).unwrap());
}

/// The guarantee of the closed-loop radius on synthetic exchangeable episodes: one of them is dirty at a radius if any of its
/// queries, those whose estimate minus radius reaches the price, is worth less than the price. Estimates are biased and their
/// errors are shared within an episode, so nothing but exchangeability holds.
#[test]
fn a_closed_loop_radius_leaves_episodes_clean_at_its_level() {
    const PRICE: f64 = 0.05;
    let grid: Vec<f64> = (0..=20).rev().map(|step| f64::from(step) * 0.1).collect();
    let level = alpha(0.1);
    let mut rng = Seed::root(14).rng();
    let episode = |rng: &mut rand_chacha::ChaCha8Rng| -> Vec<(f64, f64)> {
        let bias = rng.random::<f64>().powi(3);
        let steps = rng.random_range(1..20);
        (0..steps)
            .map(|_| {
                let label = rng.random::<f64>() - 0.4;
                (label + bias + 0.3 * (rng.random::<f64>() - 0.3), label)
            })
            .collect()
    };
    let clean = |episode: &[(f64, f64)], radius: f64| {
        episode.iter().all(|(estimate, label)| estimate - radius < PRICE || *label >= PRICE)
    };
    let spec = RadiusSpec::ClosedLoop { alpha: level, grid: grid.clone() };
    let (mut kept, mut asked, trials) = (0_u32, 0_u32, 4_000);
    for _ in 0..trials {
        let score =
            |episode: &Vec<(f64, f64)>| least_clean(&grid, |radius| Ok::<_, Infallible>(clean(episode, radius)));
        let scores: Vec<f64> = (0..19).map(|_| score(&episode(&mut rng)).unwrap()).collect();
        let radius = CalibratedRadius::closed_loop(&spec, scores).unwrap();
        let again = serde_json::to_value(radius.derivation()).unwrap();
        assert_eq!(CalibratedRadius::from_derivation(serde_json::from_value(again).unwrap()), Ok(radius.clone()));
        let (test, radius) = (episode(&mut rng), radius.at(&[], 0).value());
        kept += u32::from(clean(&test, radius));
        asked += u32::from(test.iter().any(|(estimate, _)| estimate - radius >= PRICE));
    }
    let share = f64::from(kept) / f64::from(trials);
    // Three standard deviations of a share of 4,000 are 0.015.
    assert!(share >= 0.885, "{share}");
    assert!(asked > trials / 10, "a radius that never asks would be clean, too: {asked}");
}

#[test]
fn too_few_episodes_support_no_closed_loop_radius() {
    let spec = RadiusSpec::ClosedLoop { alpha: alpha(0.1), grid: vec![0.2, 0.1] };
    let at = |scores: Vec<f64>| CalibratedRadius::closed_loop(&spec, scores).unwrap().at(&[], 0);
    assert_eq!(at(vec![0.1; 8]), Radius::INFINITE);
    assert_eq!(at(vec![0.1; 9]), Radius::new(0.1).unwrap());
    assert_eq!(at(vec![f64::INFINITY; 9]), Radius::INFINITE, "episodes that no radius keeps clean");
    assert!(spec.check().is_ok());
    assert!(RadiusSpec::ClosedLoop { alpha: alpha(0.1), grid: vec![0.1, 0.2] }.check().is_err());
    assert!(RadiusSpec::NetValue { delta: 0.0, grid: vec![0.1], worst: 1.0 }.check().is_err());
}
