//! What every learner promises: determinism, copies, a frozen plan, honest proposals, and clear refusals.

use std::sync::Arc;

use counsel_decision::{Action, Seed};
use counsel_tabular::{BoundsKind, Error, Learner, LearnerKind, LearnerSpec, Outline};
use counsel_tabular::{ComponentMdp, Dynamics, Lock, StagePolicy, TabularMdp, of_policy, optimal};
use counsel_world::End;

use super::play;

const KINDS: [LearnerKind; 2] = [LearnerKind::Optimistic, LearnerKind::Psrl];

fn world() -> Arc<TabularMdp> {
    Arc::new(ComponentMdp { states: 5, actions: 3, horizon: 6, branching: 2 }.build(Seed::root(1)).unwrap())
}

fn played(kind: LearnerKind, mdp: &Arc<TabularMdp>) -> Learner {
    let mut spec = play::spec(kind, BoundsKind::VisitCount);
    spec.epsilon = 0.25;
    let mut learner = play::learner(&spec, mdp);
    play::episodes(&mut learner, mdp, 20, 0.2, Seed::root(2));
    learner
}

#[test]
fn the_same_seed_gives_the_same_learner_and_copies_stay_equal() {
    let mdp = world();
    for kind in KINDS {
        let (mut one, mut other) = (played(kind, &mdp), played(kind, &mdp));
        assert_eq!(one, other);
        let mut copy = one.clone();
        for learner in [&mut one, &mut other, &mut copy] {
            play::episodes(learner, &mdp, 5, 0.5, Seed::root(3));
        }
        assert_eq!(one, other);
        assert_eq!(one, copy);
        one.begin_episode(Seed::root(4));
        assert_ne!(one, copy);
    }
}

#[test]
fn the_plan_is_frozen_within_an_episode() {
    let mdp = world();
    for kind in KINDS {
        let mut learner = played(kind, &mdp);
        let plan = learner.plan().clone();
        let visits = learner.counts().visits(2, Action(1));
        learner.observe(2, Action(1), 1.0, 3, None).unwrap();
        assert_eq!(learner.plan(), &plan);
        assert_eq!(learner.counts().visits(2, Action(1)), visits + 1);
        learner.begin_episode(Seed::root(5));
        assert_ne!(learner.plan(), &plan);
    }
}

#[test]
fn proposals_follow_the_policy() {
    let mdp = world();
    for kind in KINDS {
        let learner = played(kind, &mdp);
        let draws = 1200_u32;
        for state in 0..mdp.states() {
            let mut counts = [0_u32; 3];
            for draw in 0..draws {
                counts[learner.propose(1, state, f64::from(draw) / f64::from(draws)).index()] += 1;
            }
            for (count, probability) in counts.iter().zip(learner.policy().probabilities(1, state)) {
                assert!((f64::from(*count) / f64::from(draws) - probability).abs() < 0.01);
            }
        }
    }
}

#[test]
fn samples_do_not_depend_on_which_learner_asks() {
    // Unseen worlds: the first value of the last stage is a mean reward of model k, whatever the policy.
    let mdp = world();
    let [one, other] = KINDS.map(|kind| play::learner(&play::spec(kind, BoundsKind::VisitCount), &mdp));
    assert_eq!(one.samples(5, 0), other.samples(5, 0));
    assert_eq!(one.samples(5, 0).count(), 8);
}

#[test]
fn the_softened_policy_is_the_one_that_is_valued() {
    let mdp = world();
    let learner = played(LearnerKind::Optimistic, &mdp);
    let greedy: Vec<Action> = (0..6)
        .flat_map(|stage| (0..5).map(move |state| (stage, state)))
        .map(|(stage, state)| counsel_decision::argmax(learner.bounds(stage, state).upper()))
        .collect();
    assert_eq!(learner.policy(), &StagePolicy::softened(5, 3, &greedy, 0.25).unwrap());
}

#[test]
fn posterior_sampling_acts_on_one_model_and_is_valued_by_the_others() {
    let mdp = world();
    let spec = play::spec(LearnerKind::Psrl, BoundsKind::VisitCount);
    let task = Outline::of(&mdp).unwrap();
    let mut learner = play::learner(&spec, &mdp);
    play::episodes(&mut learner, &mdp, 20, 0.2, Seed::root(2));
    let seed = Seed::root(6);
    learner.begin_episode(seed);
    let model = |k| spec.prior.model(&task, learner.counts(), seed.stream("posterior").index(k));
    let greedy = optimal(&model(0)).greedy();
    assert_eq!(learner.policy(), &StagePolicy::softened(5, 3, &greedy, 0.0).unwrap());
    for (k, row) in (1..).zip(learner.samples(2, 4).rows()) {
        assert_eq!(row, of_policy(&model(k), learner.policy()).action_values(2, 4));
    }
}

#[test]
fn impossible_observations_are_refused() {
    let mdp = Lock::default().build(Seed::root(0)).unwrap();
    for kind in KINDS {
        let mut learner = play::learner(&LearnerSpec::new(kind), &mdp);
        let before = learner.clone();
        let refused = learner.observe(0, Action(0), 1.0, 0, None).unwrap_err();
        assert_eq!(refused, Error::Reward { reward: 1.0, reward_max: 1.0 / 16.0 });
        assert!(learner.observe(0, Action(0), f64::NAN, 0, None).is_err());
        assert!(learner.observe(8, Action(0), 0.0, 0, None).is_err());
        assert!(learner.observe(0, Action(4), 0.0, 0, None).is_err());
        assert!(learner.observe(0, Action(0), 0.0, 8, None).is_err());
        let refused = learner.observe(0, Action(0), 0.0, 1, Some(End::Terminated)).unwrap_err();
        assert!(refused.to_string().contains("report a horizon as truncation"), "{refused}");
        assert_eq!(learner, before);
        learner.observe(0, Action(0), 0.0, 1, Some(End::Truncated)).unwrap();
    }
}

#[test]
fn impossible_settings_are_refused() {
    let task = Outline::new(2, 2, 2, &[], 1.0).unwrap();
    let build = |change: &dyn Fn(&mut LearnerSpec)| {
        let mut spec = LearnerSpec::new(LearnerKind::Psrl);
        change(&mut spec);
        spec.build(&task, Seed::root(0))
    };
    assert!(build(&|_| ()).is_ok());
    assert!(build(&|spec| spec.samples = 0).is_err());
    assert!(build(&|spec| spec.epsilon = 1.5).is_err());
    assert!(build(&|spec| spec.prior.weight = 0.0).is_err());
    assert!(build(&|spec| spec.bounds.failure = 0.0).is_err());
    assert!(build(&|spec| spec.bounds.scale = f64::NAN).is_err());
    assert!(build(&|spec| spec.bounds.steps = 0).is_err());
    assert!(Outline::new(2, 2, 2, &[2], 1.0).is_err());
    assert!(Outline::new(2, 2, 2, &[], 0.0).is_err());
    assert!(Outline::new(2, 0, 2, &[], 1.0).is_err());
}

#[test]
fn a_spec_needs_its_kind_and_refuses_unknown_keys() {
    let spec: LearnerSpec = serde_json::from_str(r#"{"kind": "psrl"}"#).unwrap();
    assert_eq!(spec, LearnerSpec::new(LearnerKind::Psrl));
    let text = r#"{"kind": "optimistic", "prior": 2.0, "bounds": {"kind": "deterministic"}}"#;
    let spec: LearnerSpec = serde_json::from_str(text).unwrap();
    assert_eq!((spec.prior.weight, spec.bounds.kind), (2.0, BoundsKind::Deterministic));
    assert!(serde_json::from_str::<LearnerSpec>("{}").is_err());
    assert!(serde_json::from_str::<LearnerSpec>(r#"{"kind": "psrl", "sample": 4}"#).is_err());
    assert!(serde_json::from_str::<LearnerSpec>(r#"{"kind": "psrl", "bounds": {"delta": 0.1}}"#).is_err());
}
