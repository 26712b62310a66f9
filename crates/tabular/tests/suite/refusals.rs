//! What is refused, and how the message reads.

use counsel_decision::{Action, Seed};
use counsel_tabular::{
    Chain, ComponentMdp, HeterogeneousContexts, LatentChain, Lock, RepeatedContexts, RewardLaw, StagePolicy,
    TabularMdp, TabularSpec,
};

fn valid() -> TabularSpec {
    TabularSpec {
        states: 2,
        actions: 1,
        horizon: 1,
        initial: 0,
        transitions: vec![vec![(0, 0.5), (1, 0.5)], vec![(0, 1.0)]],
        rewards: vec![0.0, 1.0],
        law: RewardLaw::Exact,
        final_states: Vec::new(),
    }
}

fn refusal(change: impl FnOnce(&mut TabularSpec)) -> String {
    let mut spec = valid();
    change(&mut spec);
    TabularMdp::new(&spec).expect_err("refused").to_string()
}

#[test]
fn tables_that_are_no_process_are_refused() {
    assert!(TabularMdp::new(&valid()).is_ok());
    let text = refusal(|spec| spec.transitions[0][0].1 = 0.4);
    assert_eq!(text, "the next states of state 0 under action 0 have total probability 0.9; normalise to 1");
    let text = refusal(|spec| spec.transitions[1][0].0 = 2);
    assert_eq!(text, "a next state is 2, but there are only 2; pass an index below 2");
    let text = refusal(|spec| spec.rewards[1] = 1.5);
    assert_eq!(text, "a mean reward is 1.5, which is outside [0, 1]; rescale the rewards");
    let text = refusal(|spec| spec.rewards[1] = f64::NAN);
    assert!(text.contains("NaN"), "{text}");
    let text = refusal(|spec| spec.final_states = vec![0]);
    assert_eq!(text, "the initial state is 0, but must be no final state; start elsewhere");
    let text = refusal(|spec| spec.transitions[0].clear());
    assert!(text.contains("total probability 0"), "{text}");
    for text in [
        refusal(|spec| spec.states = 0),
        refusal(|spec| spec.actions = 0),
        refusal(|spec| spec.horizon = 0),
        refusal(|spec| spec.initial = 2),
        refusal(|spec| spec.final_states = vec![2]),
        refusal(|spec| spec.rewards = vec![0.0]),
        refusal(|spec| spec.transitions = Vec::new()),
        refusal(|spec| spec.transitions[1] = vec![(0, 2.0), (1, -1.0)]),
    ] {
        assert!(text.contains(';'), "no remedy in {text:?}");
    }
}

#[test]
fn worlds_that_cannot_be_built_are_refused() {
    let seed = Seed::root(0);
    assert!(Chain { length: 1, ..Chain::default() }.build().is_err());
    assert!(Chain { slip: 1.0, ..Chain::default() }.build().is_err());
    assert!(Lock { length: 0, ..Lock::default() }.build(seed).is_err());
    assert!(Lock { actions: 0, ..Lock::default() }.build(seed).is_err());
    assert!(Lock { horizon: 0, ..Lock::default() }.build(seed).is_err());
    assert!(ComponentMdp { branching: 11, ..ComponentMdp::default() }.build(seed).is_err());
    assert!(ComponentMdp { states: 0, branching: 0, ..ComponentMdp::default() }.build(seed).is_err());
    assert!(RepeatedContexts { contexts: 0, ..RepeatedContexts::default() }.build(seed).is_err());
    assert!(RepeatedContexts { actions: 0, ..RepeatedContexts::default() }.build(seed).is_err());
    assert!(RepeatedContexts { passes: 0, ..RepeatedContexts::default() }.build(seed).is_err());
    assert!(HeterogeneousContexts { contexts: 3, ..HeterogeneousContexts::default() }.build(seed).is_err());
    assert!(LatentChain { length: 0, ..LatentChain::default() }.build(seed).is_err());
    assert!(LatentChain { accuracy: f64::NAN, ..LatentChain::default() }.build(seed).is_err());
}

#[test]
fn policies_that_do_not_fit_are_refused() {
    assert!(StagePolicy::softened(2, 2, &[Action(0); 3], 0.0).is_err());
    assert!(StagePolicy::softened(2, 2, &[Action(2); 2], 0.0).is_err());
    assert!(StagePolicy::softened(2, 2, &[Action(0); 2], 1.1).is_err());
    assert!(StagePolicy::softened(2, 2, &[], 0.0).is_err());
}

#[test]
fn drawing_follows_the_probabilities() {
    let policy = StagePolicy::softened(1, 4, &[Action(2)], 0.4).unwrap();
    for (draw, action) in [(0.0, 0), (0.09, 0), (0.15, 1), (0.25, 2), (0.85, 2), (0.95, 3), (0.999_999_999, 3)] {
        assert_eq!(policy.draw(0, 0, draw), Action(action));
    }
    let sure = StagePolicy::softened(1, 4, &[Action(2)], 0.0).unwrap();
    assert!([0.0, 0.5, 1.0 - f64::EPSILON].iter().all(|&draw| sure.draw(0, 0, draw) == Action(2)));
}

#[test]
fn parameters_have_defaults_and_unknown_keys_are_errors() {
    assert_eq!(serde_json::from_str::<Chain>("{}").unwrap(), Chain::default());
    let lock: Lock = serde_json::from_str(r#"{"length": 3}"#).unwrap();
    assert_eq!(lock, Lock { length: 3, ..Lock::default() });
    assert!(serde_json::from_str::<Lock>(r#"{"lenght": 3}"#).is_err());
    assert!(serde_json::from_str::<RepeatedContexts>(r#"{"law": "bernoulli"}"#).is_ok());
}
