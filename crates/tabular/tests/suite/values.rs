//! Backward induction against enumeration of policies, expansion of trajectories, and sampled returns.

use std::sync::Arc;

use counsel_decision::{Action, Seed};
use counsel_tabular::{ComponentMdp, Dynamics, StagePolicy, TabularMdp, TabularWorld, of_policy, optimal};
use counsel_world::Environment;
use proptest::prelude::*;
use rand::RngExt;

use crate::random;

const ROUNDING: f64 = 1e-9;

/// The mean of the rewards of a policy to the horizon, by expanding every trajectory.
fn expanded(mdp: &TabularMdp, policy: &StagePolicy, stage: usize, state: usize) -> f64 {
    if stage == mdp.horizon() || mdp.is_final(state) {
        return 0.0;
    }
    let actions = (0..mdp.actions()).map(Action::new);
    let chosen = actions.zip(policy.probabilities(stage, state)).filter(|&(_, &probability)| probability > 0.0);
    chosen
        .map(|(action, &probability)| {
            let next = mdp.next_states(state, action).iter();
            let after: f64 = next.map(|&(s, p)| p * expanded(mdp, policy, stage + 1, s)).sum();
            probability * (mdp.reward(state, action) + after)
        })
        .sum()
}

/// Every deterministic policy of a process.
fn all_policies(mdp: &TabularMdp) -> impl Iterator<Item = StagePolicy> {
    let (states, actions, cells) = (mdp.states(), mdp.actions(), mdp.states() * mdp.horizon());
    let count = actions.pow(u32::try_from(cells).expect("a tiny process"));
    (0..count).map(move |mut code| {
        let choices: Vec<Action> = (0..cells)
            .map(|_| {
                let action = code % actions;
                code /= actions;
                Action::new(action)
            })
            .collect();
        StagePolicy::softened(states, actions, &choices, 0.0).expect("a valid policy")
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    #[test]
    fn optimal_is_the_best_of_all_policies(mdp in random::process(3, 2, 3)) {
        let values = optimal(&mdp);
        let best = all_policies(&mdp)
            .map(|policy| expanded(&mdp, &policy, 0, mdp.initial()))
            .fold(0.0, f64::max);
        prop_assert!((values.v(0, mdp.initial()) - best).abs() < ROUNDING);
    }

    #[test]
    fn policy_values_match_expanded_trajectories(
        mdp in random::process(3, 2, 4), seed in any::<u64>(), epsilon in 0.0..=1.0,
    ) {
        let policy = random::policy(&mdp, Seed::root(seed), epsilon);
        let values = of_policy(&mdp, &policy);
        for stage in 0..=mdp.horizon() {
            for state in 0..mdp.states() {
                let exact = expanded(&mdp, &policy, stage, state);
                prop_assert!((values.v(stage, state) - exact).abs() < ROUNDING);
            }
        }
    }

    #[test]
    fn greedy_for_optimal_values_attains_them(mdp in random::process(5, 3, 6)) {
        let best = optimal(&mdp);
        let policy = StagePolicy::softened(mdp.states(), mdp.actions(), &best.greedy(), 0.0).unwrap();
        let attained = of_policy(&mdp, &policy);
        for stage in 0..mdp.horizon() {
            for state in 0..mdp.states() {
                prop_assert!((best.v(stage, state) - attained.v(stage, state)).abs() < ROUNDING);
                let chosen = best.best_actions(stage, state, 0.0);
                prop_assert!(!chosen.is_empty());
                prop_assert!(chosen.iter().all(|&action| best.gap(stage, state, action) == 0.0));
            }
        }
    }

    /// Performance difference: the regret of a policy is the sum of its optimal gaps along its own trajectory.
    #[test]
    fn regret_is_the_sum_of_gaps(mdp in random::process(4, 3, 5), seed in any::<u64>(), epsilon in 0.0..=1.0) {
        let policy = random::policy(&mdp, Seed::root(seed), epsilon);
        let (best, own) = (optimal(&mdp), of_policy(&mdp, &policy));
        let mut reached = vec![0.0; mdp.states()];
        reached[mdp.initial()] = 1.0;
        let mut gaps = 0.0;
        for stage in 0..mdp.horizon() {
            let mut next = vec![0.0; mdp.states()];
            for state in (0..mdp.states()).filter(|&state| !mdp.is_final(state)) {
                for (action, probability) in policy.probabilities(stage, state).iter().enumerate() {
                    let (action, weight) = (Action::new(action), reached[state] * probability);
                    gaps += weight * best.gap(stage, state, action);
                    mdp.next_states(state, action).iter().for_each(|&(s, p)| next[s] += weight * p);
                }
            }
            reached = next;
        }
        let regret = best.v(0, mdp.initial()) - own.v(0, mdp.initial());
        prop_assert!((regret - gaps).abs() < ROUNDING, "{} {}", regret, gaps);
    }
}

#[test]
fn sampled_returns_have_the_exact_mean() {
    let mdp = Arc::new(ComponentMdp { states: 5, actions: 3, horizon: 6, branching: 2 }.build(Seed::root(3)).unwrap());
    let policy = random::policy(&mdp, Seed::root(4), 0.3);
    let mut world = TabularWorld::new(Arc::clone(&mdp), Seed::root(0));
    let episodes = 20_000;
    let (mut sum, mut squares) = (0.0, 0.0);
    for episode in 0..episodes {
        let seed = Seed::root(5).index(episode);
        world.reset(seed.stream("luck"));
        let mut rng = seed.stream("draws").rng();
        let mut total = 0.0;
        while world.over().is_none() {
            total += world.step(policy.draw(world.stage(), world.state(), rng.random())).reward;
        }
        sum += total;
        squares += total * total;
    }
    let mean = sum / episodes as f64;
    let error = ((squares / episodes as f64 - mean * mean) / episodes as f64).sqrt();
    let exact = of_policy(&*mdp, &policy).v(0, mdp.initial());
    assert!((mean - exact).abs() < 4.0 * error, "sampled {mean} ± {error}, exact {exact}");
}
