//! Half-widths against crepes and MAPIE. `fixtures/calibration/generate.py` made the expected values.

use counsel_calibration::{
    Alpha, CalibratedRadius, Cuts, Opportunity, RadiusSpec, Splits, conformal_quantile, conformal_rank,
};
use serde::Deserialize;

#[derive(Deserialize)]
struct Expected {
    residuals: Vec<f64>,
    sigmas: Vec<f64>,
    groups: Vec<u32>,
    constant: Vec<Constant>,
    scaled: Vec<Scaled>,
    mondrian: Vec<Mondrian>,
}

#[derive(Deserialize, Debug)]
struct Constant {
    n: usize,
    alpha: f64,
    whole: bool,
    rank: usize,
    crepes: Option<f64>,
    mapie: Option<f64>,
}

#[derive(Deserialize, Debug)]
struct Scaled {
    n: usize,
    alpha: f64,
    whole: bool,
    sigma: f64,
    crepes: Option<f64>,
}

#[derive(Deserialize, Debug)]
struct Mondrian {
    n: usize,
    alpha: f64,
    group: u32,
    group_size: usize,
    whole: bool,
    crepes: Option<f64>,
}

fn expected() -> Expected {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../fixtures/calibration/expected.json");
    serde_json::from_str(&std::fs::read_to_string(path).expect("run fixtures/calibration/generate.py")).unwrap()
}

fn opportunities(expected: &Expected, n: usize) -> Splits<Opportunity> {
    let items = (0..n)
        .map(|i| Opportunity {
            estimate: 0.0,
            label: expected.residuals[i],
            monte_carlo: 0.0,
            features: vec![],
            group: expected.groups[i],
            trajectory: 0,
            step: i as u64,
        })
        .collect();
    Splits::chronological(items, |item| item.step, Cuts { fit: 0, calibration: n }).unwrap()
}

/// Equal to crepes, or no larger where crepes may be one rank off to the safe side.
fn agrees(ours: f64, crepes: Option<f64>, whole: bool) -> bool {
    let crepes = crepes.unwrap_or(f64::INFINITY);
    let equal = ours == crepes || (ours - crepes).abs() <= 1e-12 * crepes;
    if whole { ours <= crepes || equal } else { equal }
}

#[test]
fn constant_radii_agree_with_crepes_and_mapie() {
    let expected = expected();
    for case in &expected.constant {
        let parts = opportunities(&expected, case.n);
        let alpha = Alpha::new(case.alpha).unwrap();
        let spec = RadiusSpec::Constant { alpha };
        let ours = CalibratedRadius::calibrate(&spec, &parts.fit, &parts.calibration).unwrap().at(&[], 0).value();
        assert_eq!(conformal_rank(case.n, alpha), case.rank, "{case:?}");
        assert!(agrees(ours, case.crepes, case.whole), "{ours} {case:?}");
        if let Some(mapie) = case.mapie {
            assert_eq!(ours, mapie, "{case:?}");
        }
    }
}

#[test]
fn scaled_radii_agree_with_crepes() {
    let expected = expected();
    for case in &expected.scaled {
        let scores: Vec<f64> =
            expected.residuals[..case.n].iter().zip(&expected.sigmas).map(|(r, sigma)| r.abs() / sigma).collect();
        let ours = conformal_quantile(&scores, Alpha::new(case.alpha).unwrap()).unwrap().value() * case.sigma;
        assert!(agrees(ours, case.crepes, case.whole), "{ours} {case:?}");
    }
}

#[test]
fn mondrian_radii_agree_with_crepes() {
    let expected = expected();
    for case in &expected.mondrian {
        let parts = opportunities(&expected, case.n);
        let spec = RadiusSpec::Mondrian { alpha: Alpha::new(case.alpha).unwrap() };
        let radius = CalibratedRadius::calibrate(&spec, &parts.fit, &parts.calibration).unwrap();
        let derived = radius.derivation().groups.iter().find(|group| group.group == Some(case.group)).unwrap();
        assert_eq!(derived.n, case.group_size, "{case:?}");
        let ours = radius.at(&[], case.group).value();
        assert!(agrees(ours, case.crepes, case.whole), "{ours} {case:?}");
    }
}
