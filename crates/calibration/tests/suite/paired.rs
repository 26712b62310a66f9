//! Paired continuations on a small walk.

use counsel_calibration::{Error, PairedRollouts, exact_value};
use counsel_decision::refusal::Refusal;
use counsel_decision::{Action, ResponseLaw, Seed};
use counsel_world::{End, Environment, Transition};
use proptest::prelude::*;
use rand::RngExt;
use rand_chacha::ChaCha8Rng;

/// Action 1 pays 1 with probability .8, action 0 with probability .3; the episode ends at its horizon.
#[derive(Clone, Debug, PartialEq)]
struct Walk {
    rng: ChaCha8Rng,
    left: usize,
}

impl Environment for Walk {
    type Snapshot = Self;

    fn actions(&self) -> usize {
        2
    }

    fn reset(&mut self, seed: Seed) {
        *self = Self { rng: seed.rng(), left: 10 };
    }

    fn reseed(&mut self, seed: Seed) {
        self.rng = seed.rng();
    }

    fn step(&mut self, action: Action) -> Transition {
        let chance = if action == Action(1) { 0.8 } else { 0.3 };
        let reward = if self.rng.random::<f64>() < chance { 1.0 } else { 0.0 };
        self.left -= 1;
        Transition { reward, end: (self.left == 0).then_some(End::Truncated) }
    }

    fn snapshot(&self) -> Self {
        self.clone()
    }

    fn restore(&mut self, snapshot: &Self) {
        *self = snapshot.clone();
    }
}

fn walk() -> Walk {
    Walk { rng: Seed::root(0).rng(), left: 10 }
}

fn coin(draw: f64) -> Action {
    Action(u16::from(draw < 0.5))
}

proptest! {
    #[test]
    fn the_same_branch_twice_is_worth_exactly_nothing(seed in any::<u64>(), first in 0_u16..2) {
        let rollouts = PairedRollouts { blocks: 3, replicates: 4, window: 6, discount: 1.0 };
        let proxy = rollouts
            .proxy(&walk(), Action(first), Seed::root(seed), |_| ((), Action(first)), |(), _, _, draw| coin(draw),
                |_, _, draw| coin(draw))
            .unwrap();
        prop_assert_eq!(proxy.value, 0.0);
        prop_assert_eq!(proxy.block_means, vec![0.0; 3]);
    }

    #[test]
    fn after_different_first_actions_the_branches_share_their_luck(seed in any::<u64>()) {
        let rollouts = PairedRollouts { blocks: 2, replicates: 1, window: 6, discount: 1.0 };
        let proxy = rollouts
            .proxy(&walk(), Action(0), Seed::root(seed), |_| ((), Action(1)), |(), _, _, draw| coin(draw),
                |_, _, draw| coin(draw))
            .unwrap();
        for mean in proxy.block_means {
            prop_assert!(mean == 0.0 || mean == 1.0, "only the first reward may differ, and in favour of 1: {}", mean);
        }
    }
}

#[test]
fn what_comes_later_counts_as_the_discount_says() {
    let value = |discount| {
        let rollouts = PairedRollouts { blocks: 200, replicates: 1, window: 2, discount };
        let respond = |_| ((), Action(0));
        rollouts
            .proxy(&walk(), Action(0), Seed::root(7), respond, |(), _, _, _| Action(1), |_, _, _| Action(0))
            .unwrap()
            .value
    };
    let undiscounted = value(1.0);
    assert!(undiscounted > 0.3, "the second action is better by 0.5 in the mean: {undiscounted}");
    assert_eq!((value(0.0), value(0.5)), (0.0, 0.5 * undiscounted));
}

#[test]
fn the_proxy_is_close_to_the_exact_value() {
    let law = ResponseLaw::new(2, vec![0.25, 0.5, 0.25]).unwrap();
    let exact = exact_value(&law, &[Action(0), Action(1), Action(0)], &[0.3, 0.8], Action(0)).unwrap();
    let respond = |seed: Seed| {
        let right = seed.rng().random::<f64>() < 0.5;
        (right, Action(u16::from(right)))
    };
    let proxy = PairedRollouts { blocks: 4000, replicates: 2, window: 3, discount: 1.0 }
        .proxy(&walk(), Action(0), Seed::root(3), respond, |_, _, _, draw| coin(draw), |_, _, draw| coin(draw))
        .unwrap();
    assert_eq!(proxy.block_means.len(), 4000);
    assert!((proxy.value - exact).abs() < 0.03, "{} instead of {exact}", proxy.value);
}

#[test]
fn the_continuation_knows_the_response_and_the_window_is_kept() {
    let rollouts = PairedRollouts { blocks: 2, replicates: 2, window: 4, discount: 1.0 };
    let mut steps = Vec::new();
    let env = walk();
    rollouts
        .proxy(
            &env,
            Action(0),
            Seed::root(1),
            |_| ("go", Action(1)),
            |response, env, step, _| {
                assert_eq!((*response, env.left), ("go", 10 - step));
                steps.push(step);
                Action(1)
            },
            |_, _, _| Action(0),
        )
        .unwrap();
    assert_eq!(steps, [1, 2, 3].repeat(4));
    assert_eq!(env, walk(), "the environment itself is left alone");
}

#[test]
fn empty_rollouts_are_refused() {
    for (blocks, replicates, window) in [(0, 1, 1), (1, 0, 1), (1, 1, 0)] {
        let proxy = PairedRollouts { blocks, replicates, window, discount: 1.0 }.proxy(
            &walk(),
            Action(0),
            Seed::root(0),
            |_| ((), Action(0)),
            |(), _, _, _| Action(0),
            |_, _, _| Action(0),
        );
        assert!(matches!(proxy, Err(Error::Refused(Refusal::TooFew { .. }))));
    }
}
