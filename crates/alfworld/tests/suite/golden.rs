//! Committed digests of drawn games and of what a stroll through them tells, byte for byte.
//!
//! A failure means that the same seed no longer gives the same game. If that is intended, every number of the studies of this
//! world changes: copy the digest of the failure into `GOLDEN` and run the studies again.

use counsel_decision::Seed;
use rand::RngExt;

/// FNV-1a with 64 bits.
fn add(digest: &mut u64, bytes: &[u8]) {
    for &byte in bytes {
        *digest = (*digest ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
    }
}

const GOLDEN: u64 = 7_363_930_022_855_623_323;

#[test]
fn the_same_seed_gives_the_same_bytes() {
    let mut digest = 0xcbf2_9ce4_8422_2325;
    for (number, recipe) in (0..).zip(super::recipes(40)) {
        add(&mut digest, recipe.problem().as_bytes());
        let mut state = recipe.game().unwrap().start();
        add(&mut digest, state.introduction().as_bytes());
        let mut rng = Seed::root(number).stream("stroll").rng();
        for _ in 0..40 {
            let all: Vec<String> = state.admissible_words().map(str::to_owned).collect();
            let words = &all[rng.random_range(0..all.len())];
            add(&mut digest, all.join("\n").as_bytes());
            add(&mut digest, state.say(words).as_bytes());
        }
    }
    assert_eq!(digest, GOLDEN, "see the head of this file");
}
