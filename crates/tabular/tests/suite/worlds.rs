//! What each world says of itself, against its own closed form.

use std::sync::Arc;

use counsel_decision::{Action, Seed};
use counsel_tabular::{
    Chain, ComponentMdp, Dynamics, HeterogeneousContexts, LatentChain, Lock, RepeatedContexts, StagePolicy, TabularMdp,
    TabularSpec, TabularWorld, of_policy, optimal,
};
use counsel_world::{End, Environment};

const ROUNDING: f64 = 1e-12;

#[test]
fn a_chain_is_worth_walking() {
    let mdp = Chain::default().build().unwrap();
    let best = optimal(&mdp);
    assert_eq!(best.best_actions(0, 0, 0.0), [Chain::RIGHT]);
    // With one step left, only the distractor is in reach of the left end.
    assert_eq!(best.best_actions(11, 0, 0.0), [Chain::LEFT]);
    assert_eq!(best.v(11, 5), 1.0);
    let sure = optimal(&Chain { slip: 0.0, ..Chain::default() }.build().unwrap());
    assert!((sure.v(0, 0) - 7.0).abs() < ROUNDING);
}

#[test]
fn the_code_opens_the_lock() {
    let (lock, seed) = (Lock::default(), Seed::root(7));
    let (mdp, code) = (lock.build(seed).unwrap(), lock.code(seed));
    let choices = code.repeat(lock.horizon);
    let policy = StagePolicy::softened(lock.length, lock.actions, &choices, 0.0).unwrap();
    assert!((of_policy(&mdp, &policy).v(0, 0) - 1.0).abs() < ROUNDING);
    let best = optimal(&mdp);
    for (state, &secret) in code.iter().enumerate() {
        assert_eq!(best.best_actions(0, state, ROUNDING), [secret]);
        let wrong = Action::new((secret.index() + 1) % lock.actions);
        assert!((best.gap(0, state, wrong) - 1.0 / 16.0).abs() < ROUNDING);
        assert_eq!(mdp.next_states(state, secret), [((state + 1) % 8, 1.0)]);
        assert_eq!(mdp.next_states(state, wrong), [(0, 1.0)]);
    }
    assert_ne!(lock.code(Seed::root(8)), code);
    assert_eq!(mdp.reward_max(), 1.0 / 16.0);
}

#[test]
fn a_component_has_one_good_action_per_state() {
    let (params, seed) = (ComponentMdp::default(), Seed::root(2));
    let mdp = params.build(seed).unwrap();
    assert_eq!(mdp, params.build(seed).unwrap());
    for (state, good) in params.good_actions(seed).into_iter().enumerate() {
        for action in (0..4).map(Action::new) {
            let range = if action == good { 0.6..=1.0 } else { 0.0..=0.5 };
            assert!(range.contains(&mdp.reward(state, action)));
            let mut next: Vec<usize> = mdp.next_states(state, action).iter().map(|&(next, _)| next).collect();
            next.sort_unstable();
            next.dedup();
            assert_eq!(next.len(), 3);
        }
    }
}

#[test]
fn contexts_come_round_whatever_is_done() {
    let (params, seed) = (RepeatedContexts { passes: 2, ..RepeatedContexts::default() }, Seed::root(5));
    let mdp = params.build(seed).unwrap();
    let best = optimal(&mdp);
    for (context, right) in params.right_actions(seed).into_iter().enumerate() {
        assert_eq!(best.best_actions(0, context, 0.5), [right]);
        for action in (0..4).map(Action::new) {
            assert_eq!(mdp.next_states(context, action), [((context + 1) % 12, 1.0)]);
            assert_eq!(best.gap(0, context, action), f64::from(u8::from(action != right)));
        }
    }
    assert_eq!(best.v(0, 0), 24.0);
}

#[test]
fn half_of_the_contexts_are_reliable() {
    let params = HeterogeneousContexts::default();
    let built = params.build(Seed::root(1)).unwrap();
    assert_eq!(built.features.iter().filter(|feature| **feature == [1.0, 1.0]).count(), 12);
    for (feature, reliability) in built.features.iter().zip(&built.reliability) {
        assert_eq!(*reliability, if feature[1] == 1.0 { 0.9 } else { 0.1 });
    }
    assert_eq!(optimal(&built.mdp).best_actions(0, 3, 0.5), [HeterogeneousContexts::RIGHT]);
    assert_ne!(built.features, params.build(Seed::root(2)).unwrap().features);
}

/// Σ_y p(y) max_a E[Q(a) | y] - max_a E[Q(a)]: the exact pre-posterior value of one answer, in shares of right steps.
fn pre_posterior_value(accuracy: f64) -> f64 {
    let chain = LatentChain { accuracy, ..LatentChain::default() };
    let (likelihood, values) = (chain.likelihood(), LatentChain::action_values());
    let best = |weight: &dyn Fn(usize) -> f64| -> f64 {
        (0..2).map(|action| (0..2).map(|task| weight(task) * values[task][action]).sum()).fold(0.0, f64::max)
    };
    let with_answer: f64 = (0..2).map(|y| best(&|task| LatentChain::PRIOR[task] * likelihood[task][y])).sum();
    with_answer - best(&|task| LatentChain::PRIOR[task])
}

#[test]
fn an_answer_in_the_latent_chain_is_worth_three_tenths() {
    assert!((pre_posterior_value(LatentChain::default().accuracy) - 0.3).abs() < ROUNDING);
    assert!(pre_posterior_value(0.5).abs() < ROUNDING);
    // An advisor that is always wrong tells as much as one that is always right.
    assert!((pre_posterior_value(0.0) - 0.5).abs() < ROUNDING);
}

#[test]
fn the_latent_task_is_paid_for_at_the_end() {
    let mut world = LatentChain::default().build(Seed::root(0)).unwrap();
    let mut tasks = [0_u32; 2];
    for episode in 0..400 {
        world.reset(Seed::root(9).index(episode));
        tasks[world.task()] += 1;
        let right = Action::new(world.task());
        let wrong = Action::new(1 - world.task());
        let rewards: Vec<f64> = [right, wrong, right, right].map(|action| world.step(action).reward).to_vec();
        assert_eq!(rewards, [0.0, 0.0, 0.0, 0.75]);
    }
    assert!(tasks.iter().all(|&count| count > 160), "{tasks:?}");
}

#[test]
fn a_final_state_terminates_and_the_horizon_truncates() {
    let spec = TabularSpec {
        states: 2,
        actions: 2,
        horizon: 2,
        initial: 0,
        transitions: vec![vec![(0, 1.0)], vec![(1, 1.0)], vec![(1, 1.0)], vec![(1, 1.0)]],
        rewards: vec![0.0, 0.5, 1.0, 1.0],
        law: counsel_tabular::RewardLaw::Exact,
        final_states: vec![1],
    };
    let mdp = TabularMdp::new(&spec).unwrap();
    let best = optimal(&mdp);
    assert_eq!((best.v(0, 0), best.v(0, 1)), (0.5, 0.0));
    let mut world = TabularWorld::new(Arc::new(mdp), Seed::root(0));
    assert_eq!(world.step(Action(1)).end, Some(End::Terminated));
    assert_eq!(world.step(Action(1)).reward, 0.0);
    world.reset(Seed::root(0));
    assert_eq!([Action(0); 2].map(|action| world.step(action).end), [None, Some(End::Truncated)]);
    world.reset(Seed::root(0));
    // In the last step, a final state counts before the clock.
    assert_eq!([Action(0), Action(1)].map(|action| world.step(action).end), [None, Some(End::Terminated)]);
}
