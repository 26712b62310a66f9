//! Every world keeps the promises of `Environment`, and the kit catches worlds that do not.

use std::sync::Arc;

use counsel_decision::{Action, Seed};
use counsel_tabular::{
    Chain, ComponentMdp, Dynamics, HeterogeneousContexts, LatentChain, Lock, RepeatedContexts, RewardLaw, TabularMdp,
    TabularSpec, TabularWorld,
};
use counsel_world::{End, Environment, Nonconforming, Promise, Transition, check_environment};
use proptest::prelude::*;

use crate::random;

fn check(mdp: TabularMdp) -> Result<(), Nonconforming> {
    let promise = Promise { horizon: mdp.horizon(), rewards: 0.0..=mdp.reward_max() };
    let mut world = TabularWorld::new(Arc::new(mdp), Seed::root(0));
    check_environment(&mut world, &promise, 5, Seed::root(1))
}

#[test]
fn every_world_conforms() {
    let seed = Seed::root(11);
    check(Chain::default().build().unwrap()).unwrap();
    check(Lock::default().build(seed).unwrap()).unwrap();
    check(ComponentMdp::default().build(seed).unwrap()).unwrap();
    check(RepeatedContexts::default().build(seed).unwrap()).unwrap();
    let noisy = RepeatedContexts { law: RewardLaw::Bernoulli, right: 0.8, wrong: 0.2, passes: 2, ..Default::default() };
    check(noisy.build(seed).unwrap()).unwrap();
    check(HeterogeneousContexts::default().build(seed).unwrap().mdp).unwrap();
    let mut latent = LatentChain::default().build(seed).unwrap();
    check_environment(&mut latent, &Promise { horizon: 4, rewards: 0.0..=1.0 }, 20, seed).unwrap();
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn random_processes_conform(mdp in random::process(5, 3, 8)) {
        check(mdp)?;
    }

    /// Luck belongs to the stage: after different pasts, copies that stand in the same state continue alike.
    #[test]
    fn luck_is_coupled_stage_by_stage(mdp in random::process(4, 3, 8), seed in any::<u64>()) {
        let horizon = mdp.horizon();
        let last = mdp.actions() - 1;
        let mdp = Arc::new(mdp);
        let seed = Seed::root(seed);
        let mut one = TabularWorld::new(Arc::clone(&mdp), seed);
        let mut other = TabularWorld::new(mdp, seed);
        for _ in 0..horizon {
            one.step(Action::new(0));
            other.step(Action::new(last));
            if one.snapshot() == other.snapshot() {
                for _ in one.stage()..horizon {
                    prop_assert_eq!(one.step(Action::new(0)), other.step(Action::new(0)));
                }
                prop_assert_eq!(one.snapshot(), other.snapshot());
            }
        }
    }
}

/// In two states that pay alike, a coin falls alike at every stage, whatever led there.
#[test]
fn luck_does_not_depend_on_the_state() {
    let spec = TabularSpec {
        states: 2,
        actions: 2,
        horizon: 64,
        initial: 0,
        transitions: (0..4).map(|entry| vec![(entry % 2, 1.0)]).collect(),
        rewards: vec![0.5; 4],
        law: RewardLaw::Bernoulli,
        final_states: Vec::new(),
    };
    let mdp = Arc::new(TabularMdp::new(&spec).unwrap());
    let [one, other] = [0, 1].map(|action| {
        let mut world = TabularWorld::new(Arc::clone(&mdp), Seed::root(3));
        (0..64).map(|_| world.step(Action::new(action)).reward).collect::<Vec<f64>>()
    });
    assert_eq!(one, other);
    assert!(one.contains(&0.0) && one.contains(&1.0));
}

/// A world with one fault.
#[derive(Clone, Copy, PartialEq)]
enum Fault {
    RewardTooLarge,
    NoEnd,
    PaysAfterTheEnd,
    RemembersResets,
    ForgetsInSnapshot,
    HiddenLuck,
}

struct Faulty {
    fault: Fault,
    stage: usize,
    resets: usize,
    reseeds: usize,
}

impl Environment for Faulty {
    type Snapshot = usize;

    fn actions(&self) -> usize {
        2
    }

    fn reset(&mut self, _seed: Seed) {
        (self.stage, self.reseeds) = (0, 0);
        self.resets += 1;
    }

    fn reseed(&mut self, _seed: Seed) {
        self.reseeds += 1;
    }

    fn step(&mut self, _action: Action) -> Transition {
        self.stage += 1;
        let end = (self.stage >= 3 && self.fault != Fault::NoEnd).then_some(End::Truncated);
        let reward = match self.fault {
            Fault::RewardTooLarge => 2.0,
            Fault::RemembersResets => 1.0 / self.resets as f64,
            Fault::HiddenLuck => 1.0 / (1 + self.reseeds) as f64,
            _ => 1.0,
        };
        let paid = self.stage <= 3 || self.fault == Fault::PaysAfterTheEnd;
        Transition { reward: if paid { reward } else { 0.0 }, end }
    }

    fn snapshot(&self) -> usize {
        self.stage
    }

    fn restore(&mut self, snapshot: &usize) {
        self.stage = if self.fault == Fault::ForgetsInSnapshot { 0 } else { *snapshot };
    }
}

#[test]
fn the_kit_names_the_broken_promise() {
    let expected = [
        (Fault::RewardTooLarge, "rewards are finite and in the promised range"),
        (Fault::NoEnd, "an episode ends within its horizon"),
        (Fault::PaysAfterTheEnd, "steps after the end pay 0 and repeat the end"),
        (Fault::RemembersResets, "the same seed and actions give the same transitions"),
        (Fault::ForgetsInSnapshot, "a restored copy equals its snapshot"),
        (Fault::HiddenLuck, "copies reseeded alike meet the same luck"),
    ];
    for (fault, expected) in expected {
        let mut world = Faulty { fault, stage: 0, resets: 0, reseeds: 0 };
        let answer = check_environment(&mut world, &Promise { horizon: 3, rewards: 0.0..=1.0 }, 2, Seed::root(0));
        match answer {
            Err(Nonconforming { promise, .. }) => assert_eq!(promise, expected),
            other => panic!("expected {expected:?}, got {other:?}"),
        }
    }
}
