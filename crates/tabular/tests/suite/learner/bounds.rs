//! The bounds cover the optimal values, whoever chose the actions.

use std::sync::Arc;

use counsel_decision::{Action, Seed};
use counsel_tabular::{BoundsKind, Learner, LearnerKind};
use counsel_tabular::{ComponentMdp, Dynamics, Lock, RepeatedContexts, StageValues, TabularMdp, optimal};
use proptest::prelude::*;

use super::play;

const ROUNDING: f64 = 1e-9;

/// The first stage, state and action whose optimal value is outside its bounds.
fn uncovered(learner: &Learner, best: &StageValues, mdp: &TabularMdp) -> Option<(usize, usize, usize)> {
    for stage in 0..mdp.horizon() {
        for state in 0..mdp.states() {
            let bounds = learner.bounds(stage, state);
            for action in 0..mdp.actions() {
                let value = best.q(stage, state, Action::new(action));
                let (low, high) = (bounds.lower()[action], bounds.upper()[action]);
                if value < low - ROUNDING || value > high + ROUNDING {
                    return Some((stage, state, action));
                }
            }
        }
    }
    None
}

fn kinds() -> impl Strategy<Value = LearnerKind> {
    prop_oneof![Just(LearnerKind::Optimistic), Just(LearnerKind::Psrl)]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(40))]

    #[test]
    fn visit_count_bounds_cover(
        seed in any::<u64>(), kind in kinds(), count in 0_u64..150, overridden in 0.0..=1.0,
    ) {
        let seed = Seed::root(seed);
        let world = ComponentMdp { states: 4, actions: 3, horizon: 5, branching: 2 };
        let mdp = Arc::new(world.build(seed).unwrap());
        let best = optimal(&*mdp);
        let mut learner = play::learner(&play::spec(kind, BoundsKind::VisitCount), &mdp);
        play::episodes(&mut learner, &mdp, count, overridden, seed);
        prop_assert_eq!(uncovered(&learner, &best, &mdp), None);
    }

    #[test]
    fn deterministic_bounds_cover_from_the_first_visit(
        seed in any::<u64>(), kind in kinds(), count in 0_u64..40, overridden in 0.0..=1.0,
    ) {
        let seed = Seed::root(seed);
        for mdp in [Lock::default().build(seed).unwrap(), RepeatedContexts::default().build(seed).unwrap()] {
            let mdp = Arc::new(mdp);
            let best = optimal(&*mdp);
            let mut learner = play::learner(&play::spec(kind, BoundsKind::Deterministic), &mdp);
            play::episodes(&mut learner, &mdp, count, overridden, seed);
            prop_assert_eq!(uncovered(&learner, &best, &mdp), None);
        }
    }

    /// Lemma `lem:optimistic-stability`, pointwise: the gap of the base action is at most its width.
    #[test]
    fn the_gap_of_the_base_action_is_at_most_its_width(
        seed in any::<u64>(), count in 0_u64..150, overridden in 0.0..=1.0,
    ) {
        let seed = Seed::root(seed);
        let world = ComponentMdp { states: 4, actions: 3, horizon: 5, branching: 2 };
        let mdp = Arc::new(world.build(seed).unwrap());
        let best = optimal(&*mdp);
        let mut learner = play::learner(&play::spec(LearnerKind::Optimistic, BoundsKind::VisitCount), &mdp);
        play::episodes(&mut learner, &mdp, count, overridden, seed);
        prop_assume!(uncovered(&learner, &best, &mdp).is_none());
        for stage in 0..mdp.horizon() {
            for state in 0..mdp.states() {
                let base = learner.propose(stage, state, 0.5);
                let bounds = learner.bounds(stage, state);
                prop_assert_eq!(bounds.upper()[base.index()], bounds.ceiling());
                prop_assert!(best.gap(stage, state, base) <= bounds.width(base) + ROUNDING);
            }
        }
    }
}

#[test]
fn an_action_never_seen_can_be_worth_anything() {
    let mdp = Lock::default().build(Seed::root(0)).unwrap();
    let learner = play::learner(&play::spec(LearnerKind::Optimistic, BoundsKind::VisitCount), &mdp);
    for stage in 0..16 {
        let bounds = learner.bounds(stage, 3);
        assert_eq!(bounds.lower(), [0.0; 4]);
        assert_eq!(bounds.upper(), [(16 - stage) as f64 / 16.0; 4]);
        assert_eq!(learner.propose(stage, 3, 0.9), Action(0));
    }
}

#[test]
fn deterministic_bounds_are_exact_once_everything_was_seen() {
    let mdp = Lock::default().build(Seed::root(4)).unwrap();
    let mut learner = play::learner(&play::spec(LearnerKind::Optimistic, BoundsKind::Deterministic), &mdp);
    for state in 0..8 {
        for action in (0..4).map(Action::new) {
            let next = mdp.next_states(state, action)[0].0;
            learner.observe(state, action, mdp.reward(state, action), next, None).unwrap();
        }
    }
    learner.begin_episode(Seed::root(1));
    let best = optimal(&mdp);
    for stage in 0..16 {
        for state in 0..8 {
            let bounds = learner.bounds(stage, state);
            assert_eq!(bounds.lower(), best.action_values(stage, state));
            assert_eq!(bounds.upper(), best.action_values(stage, state));
        }
    }
}
