//! Steps and resets per second on one core.
//!
//! `cargo bench -p counsel-crafter` plays random actions: with what the original gives at every step, the picture and the semantic
//! map, and without. Resets are measured apart from the steps. Episodes are played past the player's death, so that night has its
//! share of them. With `--json` it writes one JSON object, which
//! `fixtures/crafter/bench.py` holds against the original in the same run.

use std::hint::black_box;

use counsel_crafter::{Act, MAX_STEPS, Picture, State};
use counsel_decision::Seed;
use rand::RngExt;

/// The seeds that are played.
const SEEDS: u64 = 3;
/// How often each is played. The fastest time counts: other programs can only make it longer.
const ROUNDS: usize = 30;
/// Two days.
const STEPS: usize = 600;

/// Steps per second and resets per second: the median over the seeds.
fn rates(mut look: impl FnMut(&State)) -> (f64, f64) {
    let (mut steps, mut resets): (Vec<f64>, Vec<f64>) = (0..SEEDS).map(|seed| rates_of(seed, &mut look)).unzip();
    let median = |rates: &mut Vec<f64>| {
        rates.sort_by(f64::total_cmp);
        rates[rates.len() / 2]
    };
    (median(&mut steps), median(&mut resets))
}

/// The same for one seed: its fastest round.
#[expect(clippy::disallowed_types, reason = "a benchmark is about the clock")]
fn rates_of(seed: u64, look: &mut impl FnMut(&State)) -> (f64, f64) {
    let mut dice = Seed::root(seed).rng();
    let actions: Vec<Act> = (0..STEPS).map(|_| Act::ALL[dice.random_range(0..Act::ALL.len())]).collect();
    let (mut playing, mut resetting) = (f64::INFINITY, f64::INFINITY);
    for _ in 0..ROUNDS {
        let start = std::time::Instant::now();
        let mut state = black_box(State::begin(seed, 1, MAX_STEPS));
        look(&state);
        resetting = start.elapsed().as_secs_f64().min(resetting);
        let start = std::time::Instant::now();
        for &act in &actions {
            black_box(black_box(&mut state).step(act));
            look(&state);
        }
        playing = start.elapsed().as_secs_f64().min(playing);
    }
    (STEPS as f64 / playing, 1.0 / resetting)
}

fn main() {
    let mut picture = Picture::black();
    let (shown, resets) = rates(|state| {
        picture.draw(state);
        black_box((&picture, state.semantic()));
    });
    let (bare, _) = rates(|_| {});
    if std::env::args().any(|argument| argument == "--json") {
        println!(r#"{{"with_picture": {shown:.0}, "without_picture": {bare:.0}, "resets": {resets:.1}}}"#);
    } else {
        println!("with picture and semantic map {shown:>12.0} steps/s");
        println!("without                       {bare:>12.0} steps/s");
        println!("                              {resets:>12.1} resets/s");
    }
}
