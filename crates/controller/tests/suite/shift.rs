//! The shift detector against its declared level, and its delay against the bound.

use counsel_controller::{ShiftDetector, ShiftSpec, ShiftTest};
use counsel_decision::{ContextKey, Seed};
use rand::RngExt;
use rand_chacha::ChaCha8Rng;

/// A draw from (0, 1].
fn draw(rng: &mut ChaCha8Rng) -> f64 {
    1.0 - rng.random::<f64>()
}

/// The use at which the test of one answer alarms, from 1, if it does within so many uses.
fn alarm(
    spec: ShiftSpec,
    uses: usize,
    delivers: impl Fn(usize, &mut ChaCha8Rng) -> f64,
    context: u64,
) -> Option<usize> {
    let mut rng = Seed::root(context).rng();
    let mut test = ShiftTest::new(spec);
    (1..=uses).find(|&number| {
        let delivered = delivers(number, &mut rng);
        test.observe(delivered, draw(&mut rng))
    })
}

/// The share of 10,000 contexts without a shift in which it alarms within 200 uses.
fn false_alarms(spec: ShiftSpec, delivers: impl Fn(usize, &mut ChaCha8Rng) -> f64) -> f64 {
    let contexts = 10_000;
    let alarmed = (0..contexts).filter(|&context| alarm(spec, 200, &delivers, context).is_some()).count();
    alarmed as f64 / contexts as f64
}

#[test]
fn without_a_shift_alarms_are_as_rare_as_declared() {
    let success = |_: usize, rng: &mut ChaCha8Rng| f64::from(u8::from(rng.random::<f64>() < 0.8));
    let returned = |_: usize, rng: &mut ChaCha8Rng| if rng.random::<f64>() < 0.3 { -0.81 } else { rng.random::<f64>() };
    for level in [0.05, 0.2] {
        let spec = ShiftSpec { level, ..ShiftSpec::default() };
        // Three standard errors of a share of 10,000.
        let most = level + 3.0 * (level * (1.0 - level) / 1e4).sqrt();
        for share in [false_alarms(spec, success), false_alarms(spec, returned)] {
            assert!(share <= most, "{share} of the contexts alarmed at level {level}");
            assert!(share > 0.02 * level, "a test that never alarms would be useless: {share}");
        }
    }
}

#[test]
fn an_agent_that_improves_alarms_less() {
    let spec = ShiftSpec { level: 0.2, ..ShiftSpec::default() };
    let same = false_alarms(spec, |_, rng| rng.random::<f64>());
    let better = false_alarms(spec, |number, rng| rng.random::<f64>() + 0.01 * number as f64);
    assert!(better < 0.5 * same, "{better} {same}");
}

/// The first d at which the logarithm of the bets since the shift is expected to reach the limit, if all that is delivered
/// after use n is worse than all before: the mean of -ln(draw) is 1.
fn bound(spec: ShiftSpec, n: usize) -> usize {
    let limit = (1.0 / spec.level).ln() - (spec.hazard * (1.0 - spec.hazard).powf(n as f64)).ln();
    let won = |k: usize| (1.0_f64 / 3.0).ln() + 2.0 / 3.0 * (1.0 + ((n + k) as f64 / k as f64).ln());
    let mut sum = 0.0;
    (1..10_000)
        .find(|&k| {
            sum += won(k);
            sum >= limit
        })
        .unwrap()
}

#[test]
fn the_delay_is_within_the_bound() {
    for (level, n) in [(0.05, 20), (0.05, 50), (0.05, 100), (0.01, 50), (0.2, 50)] {
        let spec = ShiftSpec { level, ..ShiftSpec::default() };
        let delivers = |number: usize, rng: &mut ChaCha8Rng| if number <= n { rng.random::<f64>() } else { -0.81 };
        let (mut delays, mut early, mut missed) = (Vec::new(), 0, 0);
        for context in 0..2_000 {
            match alarm(spec, n + 200, delivers, context) {
                Some(at) if at <= n => early += 1,
                Some(at) => delays.push((at - n) as f64),
                None => missed += 1,
            }
        }
        let (mean, bound) = (delays.iter().sum::<f64>() / delays.len() as f64, bound(spec, n) as f64);
        assert!(mean <= bound + 0.5, "mean delay {mean}, bound {bound}, level {level}, after {n} uses");
        assert!(mean >= 0.5 * bound, "the bound says something: mean delay {mean}, bound {bound}");
        // What comes after the shift soon outnumbers a short past: then the test has its chance early or never.
        assert!(missed <= if n < 50 { 200 } else { 0 }, "{missed} never alarmed, level {level}, after {n} uses");
        assert!(f64::from(early) <= (level + 0.02) * 2_000.0, "{early} alarmed before the shift");
    }
}

#[test]
fn a_lower_level_waits_longer() {
    let delays = [0.2, 0.05, 0.01].map(|level| bound(ShiftSpec { level, ..ShiftSpec::default() }, 50));
    assert!(delays.is_sorted() && delays[0] < delays[2], "{delays:?}");
}

#[test]
fn contexts_are_tested_apart_and_a_new_answer_starts_anew() {
    let (good, stale) = (ContextKey(1), ContextKey(2));
    let mut detector = ShiftDetector::new(ShiftSpec::default());
    let mut rng = Seed::root(3).rng();
    for number in 0..70 {
        detector.observe(good, 0.8, draw(&mut rng));
        detector.observe(stale, if number < 50 { 0.8 } else { -0.8 }, draw(&mut rng));
    }
    assert!(detector.is_shifted(stale) && !detector.is_shifted(good));
    detector.renew(stale);
    assert!(!detector.is_shifted(stale));
    detector.observe(stale, -0.8, draw(&mut rng));
    assert!(!detector.is_shifted(stale), "nothing better is known of the new answer");
}

#[test]
fn settings_that_detect_nothing_are_refused() {
    for (spec, message) in [
        (ShiftSpec { level: 0.0, ..ShiftSpec::default() }, "shift_detector.level is 0"),
        (ShiftSpec { level: 1.0, ..ShiftSpec::default() }, "shift_detector.level is 1"),
        (ShiftSpec { hazard: f64::NAN, ..ShiftSpec::default() }, "shift_detector.hazard is NaN"),
    ] {
        let text = spec.check().unwrap_err().to_string();
        assert!(text.starts_with(message) && text.contains("the defaults are 0.05 and 0.02"), "{text}");
    }
    ShiftSpec::default().check().unwrap();
}
