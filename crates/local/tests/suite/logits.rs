//! Logits against those that `transformers` computed from the same tiny files (`fixtures/local/generate.py`).

use std::path::{Path, PathBuf};

use counsel_local::{Local, Options, Precision};
use serde::Deserialize;

/// Sums of a few hundred products of 32-bit floats, taken in another order.
const TOLERANCE: f32 = 1e-4;

#[derive(Deserialize)]
struct Expected {
    model: String,
    cases: Vec<Case>,
}

#[derive(Deserialize)]
struct Case {
    tokens: Vec<u32>,
    logits: Vec<f32>,
}

fn fixtures() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fixtures/local")
}

#[test]
fn logits_agree_with_transformers_and_do_not_depend_on_how_weights_are_kept() {
    let text = std::fs::read_to_string(fixtures().join("expected.json")).unwrap();
    let models: Vec<Expected> = serde_json::from_str(&text).unwrap();
    assert_eq!(models.len(), 3);
    for Expected { model, cases } in models {
        let open = |precision| {
            let options = Options::new("tiny").threads(1).precision(precision);
            Local::open(&fixtures().join(&model), options).unwrap()
        };
        let (mut floats, mut packed) = (open(Precision::F32), open(Precision::Quantised));
        for Case { tokens, logits } in cases {
            let ours = floats.logits(&tokens).unwrap();
            assert_eq!(ours.len(), logits.len());
            let worst = ours.iter().zip(&logits).map(|(ours, theirs)| (ours - theirs).abs()).fold(0.0, f32::max);
            assert!(worst < TOLERANCE, "{model}, {} tokens: {worst}", tokens.len());
            assert_eq!(packed.logits(&tokens).unwrap(), ours, "{model}");
        }
    }
}
