//! The gain book against closed forms.

use counsel_controller::Seed;
use counsel_controller::route::{Batch, BookSpec, Expert, GainBook, Layout, Request, Shrinkage, counted_words};
use rand::RngExt;

fn request(number: u64) -> Request {
    let mut rng = Seed::root(3).stream("request").index(number).rng();
    let words = (0..rng.random_range(1..12u32)).map(|_| (rng.random_range(0..64u32), rng.random_range(1..4u32)));
    let words = words.collect();
    Request { group: Some(rng.random_range(0..4)), numbers: vec![rng.random_range(-1.0..1.0)], words }
}

fn spec(drift: f64) -> BookSpec {
    let layout = Layout { groups: 3, numbers: 1, buckets: 32, ..Layout::default() };
    BookSpec { layout, drift, reward: 0.0, ..BookSpec::default() }
}

fn reward(number: u64) -> f64 {
    let request = request(number);
    0.2 * request.group.unwrap() as f64 + 0.3 * request.numbers[0] + f64::from(u8::from(request.words[0].0 > 30)) * 0.4
}

#[test]
fn tokens_and_buckets_are_those_of_the_tables() {
    assert_eq!(counted_words("the", 4096), [(1404, 1)]);
    assert_eq!(counted_words("GPT", 4096), [(2338, 1)]);
    assert_eq!(counted_words("7", 4096), [(1942, 1)]);
    assert_eq!(counted_words(" \u{e9}\t\n", 4096), []);
    let parts = ["ab", "12", "c", ".", ".", "d"].iter().flat_map(|token| counted_words(token, 4096));
    let mut parts: Vec<u32> = parts.map(|(bucket, _)| bucket).collect();
    parts.sort_unstable();
    let whole: Vec<u32> = counted_words("ab12C..\u{e9}d", 4096)
        .into_iter()
        .flat_map(|(bucket, count)| vec![bucket; count as usize])
        .collect();
    assert_eq!(whole, parts);
}

#[test]
fn words_have_unit_length_and_an_unknown_group_leaves_the_level() {
    let layout = Layout { groups: 3, numbers: 1, buckets: 32, ..Layout::default() };
    let vector = layout.encode(&Request { group: Some(7), ..request(1) }).unwrap();
    let words: f64 =
        vector.places().iter().zip(vector.values()).filter(|(place, _)| **place >= 5).map(|(_, v)| v * v).sum();
    assert!((words - 1.0).abs() < 1e-12);
    assert!(vector.places().iter().all(|place| *place == 0 || *place >= 4), "no group is set");
    assert!(layout.encode(&Request::default()).unwrap_err().to_string().contains("0 features"));
    assert!(Layout { buckets: 100, ..layout }.check().unwrap_err().to_string().contains("powers of two"));
}

/// One observation at a time and all at once give the same means: without drift, and with the mean of the targets at zero.
#[test]
fn the_recursive_and_the_batch_form_agree() {
    let spec = spec(0.0);
    let mut book = GainBook::new(spec, 1).unwrap();
    let mut batch = Batch::new(spec).unwrap();
    // Pairs with opposite targets: the batch subtracts the mean, which is then zero.
    for number in 0..60 {
        for sign in [1.0, -1.0] {
            let request = request(2 * number + u64::from(sign > 0.0));
            let target = sign * reward(number);
            book.learn(0, &book.encode(&request).unwrap(), target, Some(1.0)).unwrap();
            batch.add(&request, &[target]).unwrap();
        }
    }
    let fitted = batch.fit().unwrap();
    for number in 500..520 {
        let request = request(number);
        let recursive = book.predict(0, &book.encode(&request).unwrap()).reward;
        let once = fitted.predict(&request).unwrap()[0];
        assert!((recursive - once).abs() < 1e-10, "{recursive} and {once}");
    }
}

#[test]
fn a_corrected_reward_leaves_no_trace() {
    let learn = |book: &mut GainBook, number: u64, reward: f64| {
        let phi = book.encode(&request(number)).unwrap();
        book.learn(0, &phi, reward, Some(1.0)).unwrap()
    };
    let mut right = GainBook::new(spec(0.0), 1).unwrap();
    let mut corrected = right.clone();
    learn(&mut right, 0, 0.9);
    let lesson = learn(&mut corrected, 0, 0.1);
    for number in 1..50 {
        learn(&mut right, number, reward(number));
        learn(&mut corrected, number, reward(number));
    }
    corrected.correct(lesson, 0.9).unwrap();
    for number in 100..120 {
        let phi = right.encode(&request(number)).unwrap();
        assert!((right.predict(0, &phi).reward - corrected.predict(0, &phi).reward).abs() < 1e-10);
    }
}

#[test]
fn the_posterior_variance_falls_and_is_the_quadratic_form() {
    let mut book = GainBook::new(BookSpec { shrinkage: Shrinkage::default(), ..spec(0.0) }, 1).unwrap();
    let phi = book.encode(&request(4)).unwrap();
    let mut before = f64::INFINITY;
    for number in 0..30 {
        let known = book.encode(&request(number)).unwrap();
        book.learn(0, &known, 0.5, None).unwrap();
        // The variance of a reward changes as well; per unit of it the posterior only narrows.
        let spread = book.reward_variance(0, &phi) / (book.record_error(0).powi(2) * (book.count(0) + 1.0));
        assert!(spread <= before && spread > 0.0);
        before = spread;
    }
}

#[test]
fn the_evidence_chooses_the_simplest_model_that_is_right() {
    let by_evidence = BookSpec { expert: Expert::Evidence, ..spec(2.5e-5) };
    let learned = |target: &dyn Fn(u64) -> f64| {
        let mut book = GainBook::new(by_evidence, 1).unwrap();
        assert_eq!(book.expert(0), Expert::Level);
        for number in 0..600 {
            let phi = book.encode(&request(number)).unwrap();
            book.learn(0, &phi, target(number), None).unwrap();
        }
        assert_eq!(book.evidence(0).len(), 3);
        book.expert(0)
    };
    let noise = |number: u64| Seed::root(8).index(number).rng().random::<f64>() - 0.5;
    assert_eq!(learned(&noise), Expert::Level);
    assert_eq!(learned(&|number| request(number).group.unwrap() as f64 + noise(number)), Expert::Group);
    assert_eq!(learned(&|number| 2.0 * request(number).numbers[0] + 0.2 * noise(number)), Expert::All);
}

#[test]
fn the_level_follows_a_drift_and_stands_still_without() {
    let after = |drift: f64| {
        let mut book = GainBook::new(BookSpec { layout: Layout::default(), drift, ..spec(0.0) }, 1).unwrap();
        let phi = book.encode(&Request::default()).unwrap();
        (0..2000).for_each(|number| {
            book.learn(0, &phi, if number < 1000 { 1.0 } else { 0.0 }, None).unwrap();
        });
        book.predict(0, &phi).reward
    };
    assert!((after(0.0) - 0.5).abs() < 0.01 && after(2.5e-5) < 0.05);
}

#[test]
fn a_missing_reward_teaches_the_cost_alone() {
    let mut book = GainBook::new(spec(0.0), 2).unwrap();
    let phi = book.encode(&request(1)).unwrap();
    let before = book.predict(0, &phi).reward;
    book.learn_cost(0, &phi, 3.0).unwrap();
    assert!(book.predict(0, &phi).reward == before && book.predict(0, &phi).cost > 1.5);
    assert!(book.learn(0, &phi, f64::NAN, None).unwrap_err().to_string().contains("finite"));
    assert!(book.learn(2, &phi, 0.0, None).unwrap_err().to_string().contains("advisor is 2"));
}

/// A reward that is bent in a number is learned by its curve, and one that depends on no number by the level.
#[test]
fn a_number_with_knots_counts_by_a_curve() {
    let layout = Layout { numbers: 2, knots: 4, ..Layout::default() };
    let at = |one: f64, other: f64| Request::default().with_numbers(&[one, other]);
    let vector = layout.encode(&at(0.5, 2.0)).unwrap();
    assert_eq!(vector.places(), [0, 1, 2, 4, 5, 10]);
    assert_eq!(
        (vector.values()[3], vector.values()[5]),
        (0.5, 1.0),
        "halfway between two knots, and past the last one"
    );
    assert_eq!(layout.size(), 11);
    assert!(Layout { knots: 1, ..layout }.check().unwrap_err().to_string().contains("knots is 1"));
    let spec = BookSpec { layout, expert: Expert::Evidence, reward: 0.5, variance: 0.2, ..BookSpec::default() };
    let taught = |reward: &dyn Fn(f64) -> f64| {
        let mut book = GainBook::new(spec, 1).unwrap();
        for number in 0..600u64 {
            let mut rng = Seed::root(8).index(number).rng();
            let (one, other) = (rng.random_range(0.0..1.0), rng.random_range(0.0..1.0));
            let phi = book.encode(&at(one, other)).unwrap();
            let noise = rng.random_range(-0.1..0.1);
            book.learn(0, &phi, reward(one) + noise, None).unwrap();
        }
        book
    };
    let bent = taught(&|one| if one < 2.0 / 3.0 { 0.9 } else { 0.9 - 1.5 * (one - 2.0 / 3.0) });
    assert_eq!(bent.expert(0), Expert::All);
    for (one, expected) in [(0.1, 0.9), (0.6, 0.9), (0.9, 0.55)] {
        let found = bent.predict(0, &bent.encode(&at(one, 0.5)).unwrap()).reward;
        assert!((found - expected).abs() < 0.04, "at {one}: {found}");
    }
    let flat = taught(&|_| 0.5);
    assert_eq!(
        flat.expert(0),
        Expert::Level,
        "where nothing depends on the numbers, the simplest model foretells best"
    );
}
