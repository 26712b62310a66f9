//! Snapshots: to the bit, whatever the posterior and whenever they are taken; and never from damaged bytes.

use counsel_decision::{Action, Seed};
use counsel_deep::{Deep, DeepSpec, DropoutSpec, Episode, Error, Experience, LastLayerSpec, Loss, Spread};
use counsel_world::End;
use proptest::prelude::*;
use rand::RngExt;

const INPUTS: usize = 40;
const ACTIONS: usize = 3;

fn spec(kind: u8) -> DeepSpec {
    let plain = DeepSpec { hidden: 24, feature: 10, heads: 3, batch: 8, replay: 50, polyak: 0.1, ..DeepSpec::paper() };
    match kind {
        0 => plain,
        1 => DeepSpec { prior_scale: 2.0, loss: Loss::Huber, updates_per_step: 2, ..plain },
        2 => {
            let layer = LastLayerSpec { refit_every: 7, window: 30, samples: 5, ..LastLayerSpec::default() };
            DeepSpec { posterior: Spread::LastLayer(layer), ..plain }
        }
        _ => DeepSpec { posterior: Spread::Dropout(DropoutSpec { probability: 0.3, passes: 4 }), ..plain },
    }
}

/// Shows step number `i` of an imagined world, and learns.
fn live(deep: &mut Deep, i: u64) {
    if i.is_multiple_of(11) {
        let index = usize::try_from(i / 11).unwrap();
        deep.begin_episode(Episode::Run { index, of: 100 }).unwrap();
    }
    let observation = |i: u64| -> Vec<usize> {
        let mut rng = Seed::root(99).index(i).rng();
        (0..INPUTS).filter(|_| rng.random::<f64>() < 0.2).collect()
    };
    let (state, next) = (observation(i), observation(i + 1));
    let valued = deep.values(&state).unwrap();
    let action = deep.base_action(&valued, Seed::root(5).index(i));
    let end = match i % 11 {
        10 => Some(End::Truncated),
        4 => Some(End::Terminated),
        _ => None,
    };
    let reward = if action == Action(1) { 0.5 } else { 0.0 };
    deep.observe(Experience { state: &state, action, reward, next: &next, end }).unwrap();
    deep.learn().unwrap();
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]
    #[test]
    fn a_restored_learner_goes_on_to_the_bit(kind in 0_u8..4, seed: u64, before in 0_u64..120, after in 1_u64..60) {
        let mut straight = Deep::new(spec(kind), INPUTS, ACTIONS, Seed::root(seed)).unwrap();
        (0..before).for_each(|i| live(&mut straight, i));
        let bytes = straight.snapshot();
        let mut resumed = Deep::restore(&bytes).unwrap();
        prop_assert!(resumed.snapshot() == bytes);
        for i in before..before + after {
            live(&mut straight, i);
            live(&mut resumed, i);
        }
        prop_assert!(straight.snapshot() == resumed.snapshot());
        prop_assert_eq!(straight.values(&[1, 5, 30]).unwrap(), resumed.values(&[1, 5, 30]).unwrap());
    }

    #[test]
    fn changed_bytes_are_refused(kind in 0_u8..4, place: prop::sample::Index, flip in 1_u8..) {
        let mut deep = Deep::new(spec(kind), INPUTS, ACTIONS, Seed::root(0)).unwrap();
        (0..20).for_each(|i| live(&mut deep, i));
        let mut bytes = deep.snapshot();
        let place = place.index(bytes.len());
        bytes[place] ^= flip;
        let refused = matches!(Deep::restore(&bytes), Err(Error::Damaged { .. } | Error::Version { .. }));
        prop_assert!(refused, "byte {} of {}", place, bytes.len());
        bytes[place] ^= flip;
        bytes.truncate(place);
        let refused = matches!(Deep::restore(&bytes), Err(Error::Damaged { .. }));
        prop_assert!(refused, "cut at {}", place);
    }

    #[test]
    fn bytes_with_a_valid_digest_and_any_contents_are_no_panic(kind in 0_u8..4, place: prop::sample::Index, byte: u8) {
        use sha2::Digest;
        let mut deep = Deep::new(spec(kind), INPUTS, ACTIONS, Seed::root(0)).unwrap();
        (0..20).for_each(|i| live(&mut deep, i));
        let mut bytes = deep.snapshot();
        bytes.truncate(bytes.len() - 32);
        let place = place.index(bytes.len());
        bytes[place] = byte;
        let digest = sha2::Sha256::digest(&bytes);
        bytes.extend(digest);
        if let Ok(mut deep) = Deep::restore(&bytes) {
            let _ = deep.learn();
            let _ = deep.values(&[0]);
        }
    }
}

#[test]
fn the_messages_say_what_is_wrong() {
    let mut bytes = Deep::new(spec(0), INPUTS, ACTIONS, Seed::root(0)).unwrap().snapshot();
    let message = |bytes: &[u8]| Deep::restore(bytes).unwrap_err().to_string();
    assert_eq!(
        message(b"something else"),
        "the checkpoint cannot be read: it does not begin like a checkpoint; use an undamaged copy"
    );
    assert_eq!(
        message(&bytes[..bytes.len() - 1]),
        "the checkpoint cannot be read: its digest does not match its contents; use an undamaged copy"
    );
    bytes[b"counsel deep learner\n".len()] = 9;
    assert_eq!(
        message(&bytes),
        "the checkpoint has version 9, and this program reads version 2; write it again with this program"
    );
}

/// If this fails, every number that a deep learner has part in has changed. Where that is meant, put the digest printed here
/// in its place and raise the version of the checkpoint.
#[test]
fn a_hundred_steps_have_the_same_bits_as_ever() {
    use sha2::Digest;
    let mut deep = Deep::new(spec(1), INPUTS, ACTIONS, Seed::root(7)).unwrap();
    (0..100).for_each(|i| live(&mut deep, i));
    let digest = sha2::Sha256::digest(deep.snapshot());
    let start = u64::from_be_bytes(*digest.first_chunk().unwrap());
    assert_eq!(start, 0xa64e_702a_b00d_4aaa, "the digest now begins with {start:#018x}");
}

#[test]
fn learners_on_other_threads_change_nothing() {
    let run = || {
        let mut deep = Deep::new(spec(0), INPUTS, ACTIONS, Seed::root(3)).unwrap();
        (0..80).for_each(|i| live(&mut deep, i));
        deep.snapshot()
    };
    let alone = run();
    let crowd: Vec<Vec<u8>> = std::thread::scope(|scope| {
        let threads: Vec<_> = (0..4).map(|_| scope.spawn(run)).collect();
        threads.into_iter().map(|thread| thread.join().unwrap()).collect()
    });
    assert!(crowd.iter().all(|bytes| *bytes == alone));
}
