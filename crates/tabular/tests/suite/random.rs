//! Random processes, small enough for brute force.

use counsel_decision::{Action, Seed};
use counsel_tabular::{Dynamics, RewardLaw, StagePolicy, TabularMdp, TabularSpec};
use proptest::prelude::*;
use rand::RngExt;

/// A process with up to `states` states of which the last may be final.
pub(crate) fn process(states: usize, actions: usize, horizon: usize) -> impl Strategy<Value = TabularMdp> {
    (1..=states, 1..=actions, 1..=horizon, any::<(u64, bool, bool)>())
        .prop_map(|(states, actions, horizon, (seed, ends, exact))| build(states, actions, horizon, seed, ends, exact))
}

fn build(states: usize, actions: usize, horizon: usize, seed: u64, ends: bool, exact: bool) -> TabularMdp {
    let mut rng = Seed::root(seed).stream("process").rng();
    let mut row = || {
        let mut weights: Vec<f64> = (0..states).map(|_| rng.random::<f64>()).collect();
        // Some next states are impossible, as in the worlds of the crate.
        weights.iter_mut().skip(1).for_each(|weight| *weight = (*weight - 0.4).max(0.0));
        let total: f64 = weights.iter().sum();
        weights.into_iter().enumerate().map(|(next, weight)| (next, weight / total)).collect()
    };
    let transitions = (0..states * actions).map(|_| row()).collect();
    let mut rng = Seed::root(seed).stream("rewards").rng();
    TabularMdp::new(&TabularSpec {
        states,
        actions,
        horizon,
        initial: 0,
        transitions,
        rewards: (0..states * actions).map(|_| rng.random::<f64>()).collect(),
        law: if exact { RewardLaw::Exact } else { RewardLaw::Bernoulli },
        final_states: if ends && states > 1 { vec![states - 1] } else { Vec::new() },
    })
    .expect("a valid process")
}

/// A policy with random choices, softened.
pub(crate) fn policy(mdp: &TabularMdp, seed: Seed, epsilon: f64) -> StagePolicy {
    let mut rng = seed.stream("choices").rng();
    let choices: Vec<Action> =
        (0..mdp.horizon() * mdp.states()).map(|_| Action::new(rng.random_range(0..mdp.actions()))).collect();
    StagePolicy::softened(mdp.states(), mdp.actions(), &choices, epsilon).expect("a valid policy")
}
