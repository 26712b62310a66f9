//! Logs whose truth is known, thirty of each kind: a number of tier 4 covers it, bounds hold it, and what cannot be known is refused.
//!
//! A decision takes the answer of a cheap model or buys that of a strong one. Each is right with a chance that is known here. An
//! episode has one decision, or ten.

use std::fmt::Write;

use counsel_shadow::off_policy::{Refused, off_policy};
use counsel_shadow::{Exact, Policy, ShadowLog, ShadowSettings, follow, policies};
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

use crate::log_of;

/// Logs of each kind. Coverage is counted over more, since among thirty it is left to chance.
const LOGS: u64 = 30;
const COVERED_LOGS: u64 = 400;
const PRICE: f64 = 0.05;

/// How the log came about.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    Honest,
    /// Half way the strong model becomes worse, and the values do not say so.
    Drifting,
    /// The values are far surer than they should be.
    Overconfident,
    /// Both models are nearly always wrong.
    Rare,
    /// Asked with probabilities from 0.03 to 0.97, far from each other, and as said.
    Uneven,
    /// Asked where the cheap model is unsure, always; the probabilities are said to be 0.02 and 0.98.
    Clipped,
    /// Asked more often where the cheap model is unsure; the probability is said to be 0.5.
    Lying,
    /// The same, as often as is said on the whole.
    LyingWithTheRightMean,
    /// The same, and so little that no band of decisions shows it.
    LyingALittle,
    /// Asked for a reason that also makes the cheap model wrong and is not logged. The probability was estimated afterwards, and the
    /// log does not declare that it was drawn.
    Confounded,
    /// The same, with a declaration that is false.
    FalselyDeclared,
}

/// One decision and what each model would have brought.
#[derive(Debug, Clone, Copy)]
struct Chance {
    right: [f64; 2],
    said: [f64; 2],
    came: [bool; 2],
    asked: bool,
}

/// The decisions of a log, and its text.
fn made(kind: Kind, seed: u64, (episodes, steps): (usize, usize), p_ask: Option<f64>) -> (Vec<Chance>, ShadowLog) {
    let mut dice = ChaCha8Rng::seed_from_u64(seed);
    let (top, drawn) = (steps, kind != Kind::Confounded);
    let mut text = format!(
        r#"{{"format":"counsel-shadow/1","words":["cheap","strong"],"return_range":[0,{top}],"reward_range":[0,1],"max_steps":{steps},"answers_act_only":true,"predictor_frozen":true,"p_ask_drawn":{drawn}}}"#
    );
    let sure = |p: f64| {
        let odds = (p / (1.0 - p)).powf(2.5);
        odds / (1.0 + odds)
    };
    let mut chances = Vec::new();
    for episode in 0..episodes {
        for step in 0..steps {
            let ease: f64 = dice.random();
            let hidden = dice.random_bool(0.5);
            let mut right = [0.3 + 0.65 * ease, 0.75 + 0.2 * ease];
            let mut said = right;
            let unsure = ease < 0.5;
            let mut p = 0.8 - 0.6 * ease;
            let mut claimed = p;
            match kind {
                Kind::Drifting if episode * 2 >= episodes => right[1] -= 0.3,
                Kind::Honest | Kind::Drifting => {}
                Kind::Overconfident => said = right.map(sure),
                Kind::Rare => {
                    (right, said) = ([0.025, 0.05], [0.1, 0.2]);
                    (p, claimed) = (0.3, 0.3);
                }
                Kind::Uneven => {
                    p = (1.0 / (1.0 + (12.0 * ease - 6.0).exp())).clamp(0.03, 0.97);
                    claimed = p;
                }
                Kind::Clipped => (p, claimed) = if unsure { (1.0, 0.98) } else { (0.0, 0.02) },
                Kind::Lying => claimed = 0.4,
                Kind::LyingALittle => (p, claimed) = (0.65 - 0.3 * ease, 0.5),
                Kind::LyingWithTheRightMean => (p, claimed) = (if unsure { 0.7 } else { 0.3 }, 0.5),
                Kind::Confounded | Kind::FalselyDeclared => {
                    right[0] = (right[0] + if hidden { -0.25 } else { 0.25 }).clamp(0.02, 0.98);
                    (p, claimed) = (if hidden { 0.8 } else { 0.2 }, 0.5);
                }
            }
            if let Some(always) = p_ask {
                (p, claimed) = (always, always);
            }
            let asked = dice.random_bool(p);
            let came = right.map(|right| dice.random_bool(right));
            let answer = if asked { r#","answer":"strong""# } else { "" };
            let executed = if asked { "strong" } else { "cheap" };
            let (reward, end) = (u8::from(came[usize::from(asked)]), step + 1 == steps);
            write!(
                text,
                "\n{{\"episode\":{episode},\"step\":{step},\"base\":\"cheap\",\"asked\":{asked}{answer},\"executed\":\"{executed}\",\"reward\":{reward},\"price\":{PRICE},\"end\":{end},\"values\":{said:?},\"law\":[0,1,0],\"p_ask\":{claimed}}}"
            )
            .unwrap();
            chances.push(Chance { right, said, came, asked });
        }
    }
    (chances, log_of(&text))
}

/// The mean over the evaluated episodes of what a policy brings.
fn mean(
    chances: &[Chance],
    steps: usize,
    from: usize,
    asks: impl Fn(usize) -> bool,
    of: impl Fn(&Chance, usize) -> f64,
) -> f64 {
    let rows = from * steps..chances.len();
    let count = (rows.len() / steps) as f64;
    rows.map(|row| of(&chances[row], usize::from(asks(row)))).sum::<f64>() / count
}

/// What tier 4 says of never asking and of the gate, over all logs: logs with a number, intervals that cover, and the last refusal.
#[derive(Debug, Default)]
struct Tally {
    given: u64,
    /// By importance sampling, self-normalised, and doubly robust.
    covered: [u64; 3],
    refused: Option<Refused>,
}

fn tallied(logs: u64, kind: Kind, size: (usize, usize), p_ask: Option<f64>) -> [Tally; 2] {
    let mut tallies = [Tally::default(), Tally::default()];
    for seed in 0..logs {
        let (chances, log) = made(kind, seed, size, p_ask);
        let policies = policies(&log, &ShadowSettings::default()).unwrap();
        let from = policies.calibration_episodes;
        for (shadowed, tally) in policies.all.iter().zip(&mut tallies) {
            let followed = follow(&log, shadowed).unwrap();
            let asks = |row: usize| match shadowed.policy {
                Policy::Never => false,
                Policy::Gate => chances[row].said[1] - chances[row].said[0] >= PRICE,
            };
            assert!((0..chances.len()).all(|row| followed.rows[row].asks == asks(row)));
            // Bounds are about what really came.
            let real = mean(&chances, size.1, from, asks, |chance, choice| f64::from(u8::from(chance.came[choice])));
            let exact = Exact::of(&log, shadowed, &followed, from);
            let ([low, high], calls) = (exact.return_bounds(), exact.call_bounds(log.header.max_steps));
            assert!(low <= real + 1e-9 && real <= high + 1e-9, "{kind:?}: {real} is not within [{low}, {high}]");
            let called = mean(&chances, size.1, from, asks, |_, choice| choice as f64);
            let most = calls.1.unwrap();
            assert!(
                calls.0 <= called + 1e-9 && called <= most + 1e-9,
                "{kind:?}: {called} calls are not within {calls:?}"
            );
            let truth = mean(&chances, size.1, from, asks, |chance, choice| chance.right[choice]);
            match off_policy(&log, shadowed, &followed, from).unwrap() {
                Err(refused) => tally.refused = Some(refused),
                Ok(found) => {
                    tally.given += 1;
                    let intervals = [found.importance, found.self_normalised, found.doubly_robust];
                    for (covered, interval) in tally.covered.iter_mut().zip(intervals) {
                        *covered += u64::from((interval.low..=interval.high).contains(&truth));
                    }
                }
            }
        }
    }
    tallies
}

/// The numbers that are given cover the truth 93 times in 100, those of each estimator by themselves.
fn assert_covered(kind: Kind, tally: &Tally) {
    assert!(tally.covered.iter().all(|covered| covered * 100 >= tally.given * 93), "{kind:?}: {tally:?}");
}

#[test]
fn true_probabilities_give_numbers_that_cover_the_truth_whatever_the_values_say() {
    for kind in [Kind::Honest, Kind::Drifting, Kind::Overconfident] {
        for tally in tallied(COVERED_LOGS, kind, (900, 1), None) {
            assert_covered(kind, &tally);
            assert!(tally.given >= COVERED_LOGS - 4, "{kind:?}: {tally:?}");
        }
    }
}

/// Where one kind of outcome is rare, or some episodes weigh much more than others, what is summed is skewed.
#[test]
fn rare_outcomes_and_uneven_weights_are_covered_or_refused() {
    for tally in tallied(COVERED_LOGS, Kind::Rare, (600, 1), None) {
        assert_covered(Kind::Rare, &tally);
        assert!(tally.given * 10 >= COVERED_LOGS * 9, "{tally:?}");
    }
    for tally in tallied(LOGS, Kind::Uneven, (900, 1), None) {
        assert_eq!(tally.given, 0, "{tally:?}");
        assert!(matches!(tally.refused, Some(Refused::Uneven { .. } | Refused::HeavyTail { .. })), "{tally:?}");
    }
}

#[test]
fn clipped_and_false_probabilities_are_refused_with_the_reason() {
    for kind in [Kind::Clipped, Kind::Lying, Kind::LyingWithTheRightMean, Kind::LyingALittle] {
        for tally in tallied(LOGS, kind, (3000, 1), None) {
            assert_eq!(tally.given, 0, "{kind:?}: {tally:?}");
            let refused = tally.refused.unwrap();
            let by_the_claim =
                matches!(refused, Refused::OtherRate { .. } | Refused::OtherTrend { .. } | Refused::OtherMean { .. });
            assert!(by_the_claim, "{refused}");
            assert!(
                refused.to_string().starts_with("no number: ") && refused.to_string().contains("p_ask"),
                "{refused}"
            );
        }
    }
}

/// A small log has little power against a false probability, and little against the truth: a number is refused or covers.
#[test]
fn in_small_logs_false_probabilities_are_refused_by_their_weights() {
    let [never, gate] = tallied(LOGS, Kind::Clipped, (600, 1), None);
    assert_covered(Kind::Clipped, &never);
    assert_covered(Kind::Clipped, &gate);
    assert!(matches!(never.refused, Some(Refused::OtherMean { .. } | Refused::OtherRate { .. })), "{never:?}");
}

/// A reason to ask that is not in the log cannot be found in it, so a log says whether there can be one.
#[test]
fn where_chance_did_not_decide_there_is_no_number() {
    for tally in tallied(LOGS, Kind::Confounded, (3000, 1), None) {
        assert_eq!((tally.given, tally.refused), (0, Some(Refused::NotDrawn)));
    }
}

#[test]
fn what_no_test_can_see_is_said() {
    let [never, _] = tallied(LOGS, Kind::FalselyDeclared, (3000, 1), None);
    // The numbers are given, and are wrong: this is what the note is for.
    assert!(never.given > 0 && never.covered.iter().all(|covered| covered * 2 < never.given), "{never:?}");
    let (_, log) = made(Kind::FalselyDeclared, 0, (300, 1), None);
    let told = counsel_shadow::report(&log, &ShadowSettings::default()).unwrap();
    let tier = told.tables.iter().find(|table| table.id == "off-policy").unwrap();
    assert!(tier.notes.iter().any(|note| note.contains("no test can see")), "{:?}", tier.notes);
}

#[test]
fn ten_steps_give_a_number_where_the_log_mostly_does_as_the_policy_and_none_elsewhere() {
    let [never, _] = tallied(COVERED_LOGS, Kind::Honest, (240, 10), Some(0.05));
    assert_covered(Kind::Honest, &never);
    assert!(never.given >= COVERED_LOGS - 4, "{never:?}");
    for tally in tallied(LOGS, Kind::Honest, (600, 10), Some(0.5)) {
        assert_eq!(tally.given, 0, "{tally:?}");
        assert!(matches!(tally.refused, Some(Refused::FewEffective { .. } | Refused::OneCarries { .. })), "{tally:?}");
    }
}

/// The cheap model is wrong until it has seen thirty answers of the strong one. Never asking would bring 0.1 for ever.
#[test]
fn of_an_agent_that_learns_there_is_no_number() {
    for seed in 0..LOGS {
        let mut dice = ChaCha8Rng::seed_from_u64(seed);
        let mut text = String::from(
            r#"{"format":"counsel-shadow/1","words":["cheap","strong"],"return_range":[0,1],"max_steps":1,"answers_act_only":true,"agent_learns":true,"predictor_frozen":true,"p_ask_drawn":true}"#,
        );
        let mut seen = 0;
        for episode in 0..600 {
            let (asked, cheap) = (dice.random_bool(0.5), if seen < 30 { 0.1 } else { 0.9 });
            seen += u32::from(asked);
            let reward = u8::from(dice.random_bool(if asked { 0.9 } else { cheap }));
            let (executed, answer) = if asked { ("strong", r#","answer":"strong""#) } else { ("cheap", "") };
            write!(
                text,
                "\n{{\"episode\":{episode},\"step\":0,\"base\":\"cheap\",\"asked\":{asked}{answer},\"executed\":\"{executed}\",\"reward\":{reward},\"price\":0.05,\"end\":true,\"values\":[{cheap},0.9],\"law\":[0,1,0],\"p_ask\":0.5}}"
            )
            .unwrap();
        }
        let log = log_of(&text);
        let policies = policies(&log, &ShadowSettings::default()).unwrap();
        for shadowed in &policies.all {
            let followed = follow(&log, shadowed).unwrap();
            let from = policies.calibration_episodes;
            let refused = off_policy(&log, shadowed, &followed, from).unwrap().unwrap_err();
            assert!(matches!(refused, Refused::Learns { .. }), "{refused}");
            let [low, high] = Exact::of(&log, shadowed, &followed, from).return_bounds();
            assert!(low <= 0.1 && 0.9 <= high, "[{low}, {high}]");
        }
    }
}

/// What is expected of an answer follows the answers that were bought. The log buys all, also where none can improve on `cheap`; the
/// gate buys none there, and so does not see that the strong model wakes up after the episodes kept for calibration.
#[test]
fn where_a_predictor_learns_only_what_the_gates_own_run_does_is_exact() {
    fn learned(chance: f64, strong: bool) -> f64 {
        chance + 0.3 * (f64::from(u8::from(strong)) - chance)
    }
    let mut misled = 0;
    for seed in 0..LOGS {
        let mut dice = ChaCha8Rng::seed_from_u64(seed);
        let mut text = String::from(
            r#"{"format":"counsel-shadow/1","words":["cheap","strong"],"return_range":[0,1],"max_steps":1,"answers_act_only":true,"p_ask_drawn":true}"#,
        );
        let (mut met, mut chance) = (Vec::new(), 0.5);
        for episode in 0..240 {
            let (improves, strong) = (dice.random_bool(0.1), episode >= 80 && dice.random_bool(0.9));
            met.push((improves, strong));
            let values = if improves { "[0.4,0.9]" } else { "[0.9,0.4]" };
            let (word, executed) =
                (if strong { "strong" } else { "cheap" }, if strong && improves { "strong" } else { "cheap" });
            write!(
                text,
                "\n{{\"episode\":{episode},\"step\":0,\"base\":\"cheap\",\"asked\":true,\"answer\":\"{word}\",\"executed\":\"{executed}\",\"reward\":1,\"price\":0.01,\"end\":true,\"values\":{values},\"law\":[{},{chance},0],\"p_ask\":0.99}}",
                1.0 - chance
            )
            .unwrap();
            chance = learned(chance, strong);
        }
        let log = log_of(&text);
        let policies = policies(&log, &ShadowSettings { alpha: 0.5, ..ShadowSettings::default() }).unwrap();
        let (gate, from) = (&policies.all[1], policies.calibration_episodes);
        let followed = follow(&log, gate).unwrap();
        // The gate's own run: it learns from what it buys, and before that from the episodes kept for calibration.
        let mut chance = 0.5;
        let mut own = Vec::new();
        for (episode, (improves, strong)) in met.iter().enumerate() {
            let asks = episode < from || (*improves && chance * 0.5 - gate.radius.value() >= 0.01);
            chance = if asks { learned(chance, *strong) } else { chance };
            own.push(asks);
        }
        let exact = Exact::of(&log, gate, &followed, from);
        for prefix in exact.prefixes.iter().filter(|prefix| prefix.same > 0) {
            assert_eq!(followed.rows[prefix.episode].asks, own[prefix.episode], "episode {} of {seed}", prefix.episode);
        }
        misled += (from..own.len()).filter(|row| followed.rows[*row].asks != own[*row]).count();
        // The bounds still hold the gate's own calls.
        let called = own[from..].iter().filter(|asks| **asks).count() as f64 / (own.len() - from) as f64;
        let (low, high) = exact.call_bounds(log.header.max_steps);
        assert!(low <= called && called <= high.unwrap(), "{low} {called} {high:?}");
        let refused = off_policy(&log, gate, &followed, from).unwrap().unwrap_err();
        assert!(matches!(refused, Refused::Learns { .. }), "{refused}");
    }
    // By what the log expects the gate would ask where its own run does not.
    assert!(misled > 100, "{misled}");
}

#[test]
fn the_dice_of_the_tests_are_fair() {
    let (chances, _) = made(Kind::Honest, 1, (3000, 1), Some(0.5));
    let asked = chances.iter().filter(|chance| chance.asked).count();
    assert!((1400..1600).contains(&asked), "{asked}");
}
