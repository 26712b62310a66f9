//! Crafter through the conformance kit, against episodes of the original, and as it is shown and told.

mod advice;
mod conformance;
mod golden;
mod levels;
mod picture;
mod properties;
mod rules;

use counsel_crafter::{Act, State};
use counsel_decision::Seed;
use rand::RngExt;

/// So many acts, all as likely as each other.
fn drawn(count: usize, seed: u64) -> Vec<Act> {
    let mut dice = Seed::root(seed).rng();
    (0..count).map(|_| Act::ALL[dice.random_range(0..Act::ALL.len())]).collect()
}

/// The first episode of a seed after so many random acts.
fn played(seed: u64, steps: usize) -> State {
    let mut state = State::begin(seed, 1, 10_000);
    for act in drawn(steps, seed) {
        state.step(act);
    }
    state
}
