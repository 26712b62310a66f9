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

/// How many episodes are played for a measurement.
const EPISODES: u64 = 20;
/// Two days.
const STEPS: usize = 600;

/// The rates of playing every episode to its end: steps per second and resets per second.
#[expect(clippy::disallowed_types, reason = "a benchmark is about the clock")]
fn rates(mut look: impl FnMut(&State)) -> (f64, f64) {
    let mut dice = Seed::root(0).rng();
    let (mut playing, mut resetting) = (0.0, 0.0);
    for seed in 0..EPISODES {
        let start = std::time::Instant::now();
        let mut state = black_box(State::begin(seed, 1, MAX_STEPS));
        look(&state);
        resetting += start.elapsed().as_secs_f64();
        let actions: Vec<Act> = (0..STEPS).map(|_| Act::ALL[dice.random_range(0..Act::ALL.len())]).collect();
        let start = std::time::Instant::now();
        for act in actions {
            black_box(black_box(&mut state).step(act));
            look(&state);
        }
        playing += start.elapsed().as_secs_f64();
    }
    (EPISODES as f64 * STEPS as f64 / playing, EPISODES as f64 / resetting)
}

/// The median of some rounds.
fn median(mut round: impl FnMut() -> (f64, f64)) -> (f64, f64) {
    const ROUNDS: usize = 9;
    let rounds: Vec<(f64, f64)> = (0..ROUNDS).map(|_| round()).collect();
    let middle = |mut numbers: Vec<f64>| {
        numbers.sort_by(f64::total_cmp);
        numbers[ROUNDS / 2]
    };
    (middle(rounds.iter().map(|round| round.0).collect()), middle(rounds.iter().map(|round| round.1).collect()))
}

fn main() {
    let mut picture = Picture::black();
    let (shown, resets) = median(|| {
        rates(|state| {
            picture.draw(state);
            black_box((&picture, state.semantic()));
        })
    });
    let (bare, _) = median(|| rates(|_| {}));
    if std::env::args().any(|argument| argument == "--json") {
        println!(r#"{{"with_picture": {shown:.0}, "without_picture": {bare:.0}, "resets": {resets:.1}}}"#);
    } else {
        println!("with picture and semantic map {shown:>12.0} steps/s");
        println!("without                       {bare:>12.0} steps/s");
        println!("                              {resets:>12.1} resets/s");
    }
}
