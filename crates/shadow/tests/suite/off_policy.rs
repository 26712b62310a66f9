//! Off-policy intervals on logs whose truth is known, and the limits below which there is no number.

use std::fmt::Write;

use counsel_shadow::off_policy::{Refused, Visit, Weights, doubly_robust, importance, off_policy, self_normalised};
use counsel_shadow::{ShadowSettings, follow, policies};
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

use crate::log_of;

const HEADER: &str = r#"{"format":"counsel-shadow/1","words":["stay","go"],"answers_act_only":true,"predictor_frozen":true,"p_ask_drawn":true}"#;

/// Episodes of two decisions. Where the context is good, going pays with probability 0.8, elsewhere with 0.2; staying pays with
/// 0.4. The advisor says `go` with probability 0.9. An answer is followed where the agent's own values do not speak against it.
fn log(seed: u64, episodes: usize, p: impl Fn(bool) -> f64) -> String {
    let mut randomness = ChaCha8Rng::seed_from_u64(seed);
    let mut text = format!("{HEADER}\n");
    for episode in 0..episodes {
        for step in 0..2 {
            let good = randomness.random_bool(0.5);
            let (p_ask, go) = (p(good), if good { 0.8 } else { 0.2 });
            let asked = randomness.random_bool(p_ask);
            let says_go = randomness.random_bool(0.9);
            let goes = asked && says_go && go >= 0.4;
            let reward = u8::from(randomness.random_bool(if goes { go } else { 0.4 }));
            let answer =
                if asked { format!(r#","answer":"{}""#, if says_go { "go" } else { "stay" }) } else { String::new() };
            let executed = if goes { "go" } else { "stay" };
            writeln!(
                text,
                r#"{{"episode":{episode},"step":{step},"base":"stay","asked":{asked}{answer},"executed":"{executed}","reward":{reward},"price":0.05,"end":{},"values":[0.4,{go}],"law":[0.1,0.9,0.0],"p_ask":{p_ask}}}"#,
                step == 1
            )
            .unwrap();
        }
    }
    text
}

#[test]
fn intervals_cover_the_truth_in_93_of_100_logs() {
    const LOGS: u64 = 500;
    let (mut covered, mut given) = ([[0_u64; 3]; 2], [0_u64; 2]);
    for seed in 0..LOGS {
        let log = log_of(&log(seed, 600, |good| if good { 0.6 } else { 0.3 }));
        let policies = policies(&log, &ShadowSettings::default()).unwrap();
        assert_eq!(policies.all.len(), 2);
        // Never asking pays 0.4 twice. The gate asks where the context is good, and then goes 9 times in 10; its estimate there is
        // 0.36, so with a radius above 0.31, which a few calibrations give, it asks nowhere.
        let asks = policies.all[1].radius.value() <= 0.31;
        let gated = 2.0 * (0.5 * (0.9 * 0.8 + 0.1 * 0.4) + 0.5 * 0.4);
        let truths = [0.8, if asks { gated } else { 0.8 }];
        for (place, (shadowed, truth)) in policies.all.iter().zip(truths).enumerate() {
            let followed = follow(&log, shadowed).unwrap();
            // One in a thousand is refused for its mean weight.
            let Ok(found) = off_policy(&log, shadowed, &followed, policies.calibration_episodes).unwrap() else {
                continue;
            };
            given[place] += 1;
            for (count, interval) in
                covered[place].iter_mut().zip([found.importance, found.self_normalised, found.doubly_robust])
            {
                *count += u64::from((interval.low..=interval.high).contains(&truth));
            }
        }
    }
    for (place, (counts, given)) in covered.iter().zip(given).enumerate() {
        assert!(given * 100 >= LOGS * 99, "policy {place}: {given} of {LOGS}");
        assert!(counts.iter().all(|count| *count * 100 >= given * 93), "policy {place}: {counts:?} of {given}");
    }
}

#[test]
fn a_log_without_overlap_yields_no_number() {
    for p in [0.0, 1.0] {
        let log = log_of(&log(1, 300, |good| if good { p } else { 0.5 }));
        let policies = policies(&log, &ShadowSettings::default()).unwrap();
        for shadowed in &policies.all {
            let followed = follow(&log, shadowed).unwrap();
            let refused = off_policy(&log, shadowed, &followed, policies.calibration_episodes).unwrap().unwrap_err();
            assert!(matches!(refused, Refused::NoOverlap { probability, .. } if probability == p), "{refused}");
        }
    }
}

#[test]
fn few_effective_episodes_yield_no_number() {
    let log = log_of(&log(2, 60, |_| 0.5));
    let policies = policies(&log, &ShadowSettings::default()).unwrap();
    let followed = follow(&log, &policies.all[0]).unwrap();
    let refused = off_policy(&log, &policies.all[0], &followed, policies.calibration_episodes).unwrap().unwrap_err();
    assert!(matches!(refused, Refused::FewEffective { effective } if effective < 50.0), "{refused}");
}

/// Without a single failure nothing is known of how often there is one.
#[test]
fn episodes_that_all_returned_the_same_yield_no_number() {
    let log = log_of(&log(3, 600, |_| 0.5).replace("\"reward\":0", "\"reward\":1"));
    let policies = policies(&log, &ShadowSettings::default()).unwrap();
    let followed = follow(&log, &policies.all[0]).unwrap();
    let refused = off_policy(&log, &policies.all[0], &followed, policies.calibration_episodes).unwrap().unwrap_err();
    assert!(matches!(refused, Refused::OneOutcome { effective } if effective >= 50.0), "{refused}");
}

#[test]
fn one_heavy_episode_or_a_heavy_tail_is_refused() {
    let visit = |ratio| vec![Visit { reward: 1.0, ratio, expected: 0.0, value: 0.0 }];
    let mut episodes: Vec<Vec<Visit>> = (0..400).map(|_| visit(1.0)).collect();
    episodes[7] = visit(60.0);
    let refused = Weights::of(&episodes).check().unwrap_err();
    assert!(matches!(refused, Refused::OneCarries { .. } | Refused::FewEffective { .. }), "{refused}");
    let heavy: Vec<Vec<Visit>> = (1..4000).map(|i| visit((1.0 - f64::from(i) / 4000.0).powf(-0.85))).collect();
    let weights = Weights::of(&heavy);
    assert!(matches!(weights.check().unwrap_err(), Refused::HeavyTail { .. }), "{weights:?}");
}

/// Made by fixtures/shadow/make.py with Open Bandit Pipeline.
#[test]
fn on_episodes_of_one_step_the_estimates_are_those_of_open_bandit_pipeline() {
    let fixture: serde_json::Value =
        serde_json::from_str(include_str!("../../../../fixtures/shadow/obp.json")).unwrap();
    let numbers = |value: &serde_json::Value| -> Vec<f64> {
        value.as_array().unwrap().iter().map(|number| number.as_f64().unwrap()).collect()
    };
    let cases = fixture["cases"].as_array().unwrap();
    assert!(cases.len() >= 5);
    for case in cases {
        let columns = ["reward", "ratio", "expected", "value"].map(|name| numbers(&case[name]));
        let [reward, ratio, expected, value] = &columns;
        let episodes: Vec<Vec<Visit>> = (0..reward.len())
            .map(|i| vec![Visit { reward: reward[i], ratio: ratio[i], expected: expected[i], value: value[i] }])
            .collect();
        let mean = |of: Vec<f64>| of.iter().sum::<f64>() / of.len() as f64;
        for (name, found) in [
            ("ips", mean(importance(&episodes, 1.0))),
            ("snips", mean(self_normalised(&episodes, 1.0))),
            ("dr", mean(doubly_robust(&episodes, 1.0))),
        ] {
            let published = case[name].as_f64().unwrap();
            assert!((found - published).abs() < 1e-9, "{name}: {found} against {published}");
        }
    }
}
