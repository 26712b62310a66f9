//! Episodes in which somebody else sometimes chooses the action, as advice does.

use std::sync::Arc;

use counsel_decision::{Action, Seed};
use counsel_tabular::{BoundsKind, Learner, LearnerKind, LearnerSpec, Outline};
use counsel_tabular::{Dynamics, TabularMdp, TabularWorld};
use counsel_world::Environment;
use rand::RngExt;

/// Learner settings with bounds of one kind.
pub(crate) fn spec(kind: LearnerKind, bounds: BoundsKind) -> LearnerSpec {
    let mut spec = LearnerSpec::new(kind);
    spec.bounds.kind = bounds;
    spec
}

/// A learner for a world.
pub(crate) fn learner(spec: &LearnerSpec, mdp: &TabularMdp) -> Learner {
    spec.build(&Outline::of(mdp).expect("a valid task"), Seed::root(0)).expect("a valid learner")
}

/// Plays episodes; a step is taken over by a random action with probability `overridden`.
pub(crate) fn episodes(learner: &mut Learner, mdp: &Arc<TabularMdp>, count: u64, overridden: f64, seed: Seed) {
    let mut world = TabularWorld::new(Arc::clone(mdp), seed);
    for episode in 0..count {
        let seed = seed.index(episode);
        learner.begin_episode(seed.stream("learner"));
        world.reset(seed.stream("environment"));
        let mut rng = seed.stream("draws").rng();
        while world.over().is_none() {
            let (stage, state) = (world.stage(), world.state());
            let base = learner.propose(stage, state, rng.random());
            let taken_over = rng.random::<f64>() < overridden;
            let other = Action::new(rng.random_range(0..mdp.actions()));
            let action = if taken_over { other } else { base };
            let transition = world.step(action);
            learner.observe(state, action, transition.reward, world.state(), transition.end).expect("a valid step");
        }
    }
    learner.begin_episode(seed.stream("after"));
}
