//! With much data, samples and bounds meet the exact values, and the learners play well.

use std::sync::Arc;

use counsel_decision::{Action, Seed};
use counsel_tabular::{BoundsKind, Learner, LearnerKind};
use counsel_tabular::{Chain, ComponentMdp, Dynamics, Lock, RewardLaw, TabularMdp, TabularSpec, of_policy, optimal};
use rand::RngExt;

use super::play;

/// A process with a final state.
fn ending() -> TabularMdp {
    TabularMdp::new(&TabularSpec {
        states: 3,
        actions: 2,
        horizon: 4,
        initial: 0,
        transitions: vec![
            vec![(1, 0.7), (2, 0.3)],
            vec![(0, 1.0)],
            vec![(0, 0.5), (1, 0.5)],
            vec![(2, 1.0)],
            vec![(2, 1.0)],
            vec![(2, 1.0)],
        ],
        rewards: vec![0.1, 0.3, 0.2, 0.9, 1.0, 1.0],
        law: RewardLaw::Bernoulli,
        final_states: vec![2],
    })
    .unwrap()
}

/// Shows a learner `visits` independent transitions of every state and action.
fn show(learner: &mut Learner, mdp: &TabularMdp, visits: usize, seed: Seed) {
    let mut rng = seed.rng();
    for state in (0..mdp.states()).filter(|&state| !mdp.is_final(state)) {
        for action in (0..mdp.actions()).map(Action::new) {
            for _ in 0..visits {
                let mut draw: f64 = rng.random();
                let row = mdp.next_states(state, action);
                let hit = row.iter().find(|(_, probability)| {
                    draw -= probability;
                    draw < 0.0
                });
                let next = hit.unwrap_or(&row[0]).0;
                let reward = f64::from(u8::from(rng.random::<f64>() < mdp.reward(state, action)));
                let end = mdp.is_final(next).then_some(counsel_world::End::Terminated);
                learner.observe(state, action, reward, next, end).unwrap();
            }
        }
    }
}

#[test]
fn samples_and_bounds_converge_to_exact_values() {
    let component = ComponentMdp { states: 4, actions: 2, horizon: 4, branching: 2 }.build(Seed::root(6)).unwrap();
    for mdp in [component, ending()] {
        let best = optimal(&mdp);
        for kind in [LearnerKind::Optimistic, LearnerKind::Psrl] {
            let mut spec = play::spec(kind, BoundsKind::VisitCount);
            spec.bounds.steps = 10_000_000;
            spec.epsilon = 0.2;
            let mut learner = play::learner(&spec, &mdp);
            show(&mut learner, &mdp, 500_000, Seed::root(7));
            learner.begin_episode(Seed::root(8));
            let own = of_policy(&mdp, learner.policy());
            for stage in 0..mdp.horizon() {
                for state in 0..mdp.states() {
                    let means = learner.samples(stage, state).means(None);
                    let bounds = learner.bounds(stage, state);
                    for action in (0..mdp.actions()).map(Action::new) {
                        let exact = own.q(stage, state, action);
                        assert!((means[action.index()] - exact).abs() < 0.02, "{means:?} {exact}");
                        let (low, high) = (bounds.lower()[action.index()], bounds.upper()[action.index()]);
                        let exact = best.q(stage, state, action);
                        assert!(low <= exact && exact <= high, "{low} {exact} {high}");
                        assert!(high - low < 0.2, "{low} {high}");
                    }
                }
            }
            // What exploration leaves is greedy play.
            let policy = learner.policy().probabilities(0, 0).iter().enumerate();
            let gap: f64 = policy.map(|(action, chance)| chance * best.gap(0, 0, Action::new(action))).sum();
            assert!(gap < 0.2 * mdp.horizon() as f64);
        }
    }
}

/// The expected return of an episode in which the learner follows its plan without advice.
fn expected_return(mdp: &TabularMdp, learner: &Learner) -> f64 {
    of_policy(mdp, learner.policy()).v(0, mdp.initial())
}

#[test]
fn the_lock_is_opened() {
    let mdp = Arc::new(Lock::default().build(Seed::root(9)).unwrap());
    let mut learner = play::learner(&play::spec(LearnerKind::Optimistic, BoundsKind::Deterministic), &mdp);
    play::episodes(&mut learner, &mdp, 40, 0.0, Seed::root(10));
    assert!((expected_return(&mdp, &learner) - 1.0).abs() < 1e-9, "{}", expected_return(&mdp, &learner));
}

#[test]
fn posterior_sampling_learns_the_chain() {
    let mdp = Arc::new(Chain::default().build().unwrap());
    let mut learner = play::learner(&play::spec(LearnerKind::Psrl, BoundsKind::VisitCount), &mdp);
    play::episodes(&mut learner, &mdp, 400, 0.0, Seed::root(11));
    let best = optimal(&*mdp).v(0, 0);
    assert!(expected_return(&mdp, &learner) > 0.95 * best, "{} of {best}", expected_return(&mdp, &learner));
}
