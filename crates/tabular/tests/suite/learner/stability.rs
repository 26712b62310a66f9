//! Eq. `eq:optimistic-width-bound`: along any adaptive trajectory, the widths add up to at most 2 C H √(H S A T ι).

use std::sync::Arc;

use counsel_decision::Seed;
use counsel_tabular::{BoundsKind, BoundsSpec, LearnerKind, Outline};
use counsel_tabular::{ComponentMdp, Dynamics, TabularWorld};
use counsel_world::Environment;
use proptest::prelude::*;
use rand::RngExt;

use super::play;

/// 2 C H √(H S A T ι), in units of r_max.
fn limit(spec: &BoundsSpec, task: &Outline, steps: usize) -> f64 {
    let cells = (task.horizon() * task.states() * task.actions() * steps) as f64;
    2.0 * spec.scale * task.value_max(0) * (cells * spec.log_term(task)).sqrt()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(100))]

    /// Any order of visits to stages, states and actions, repeats included.
    #[test]
    fn widths_of_any_visits_add_up_slowly(
        (states, actions, horizon) in (1_usize..4, 1_usize..4, 1_usize..4),
        visits in prop::collection::vec(any::<prop::sample::Index>(), 1..400),
        scale in 0.1..3.0,
    ) {
        let task = Outline::new(states, actions, horizon, &[], 1.0).unwrap();
        let spec = BoundsSpec { scale, steps: visits.len() as u64, ..BoundsSpec::default() };
        let mut counts = vec![0_u64; states * actions * horizon];
        let mut sum = 0.0;
        for visit in &visits {
            let triple = visit.index(counts.len());
            sum += spec.width(&task, 0, counts[triple]);
            counts[triple] += 1;
        }
        let limit = limit(&spec, &task, visits.len());
        prop_assert!(sum <= limit, "{} > {}", sum, limit);
    }
}

/// The same along a learner's own trajectory, with a third of its steps taken over.
#[test]
fn widths_of_a_wrapped_learner_add_up_slowly() {
    let mdp = Arc::new(ComponentMdp::default().build(Seed::root(1)).unwrap());
    let spec = play::spec(LearnerKind::Optimistic, BoundsKind::VisitCount);
    let task = Outline::of(&mdp).unwrap();
    let mut learner = play::learner(&spec, &mdp);
    let mut world = TabularWorld::new(Arc::clone(&mdp), Seed::root(0));
    let (mut sum, mut steps) = (0.0, 0);
    for episode in 0..300 {
        let seed = Seed::root(2).index(episode);
        learner.begin_episode(seed);
        world.reset(seed);
        let mut rng = seed.stream("override").rng();
        while world.over().is_none() {
            let (stage, state) = (world.stage(), world.state());
            let base = learner.propose(stage, state, rng.random());
            let random = counsel_decision::Action::new(rng.random_range(0..mdp.actions()));
            let action = if rng.random::<f64>() < 1.0 / 3.0 { random } else { base };
            sum += spec.bounds.width(&task, stage, learner.counts().visits(state, action));
            steps += 1;
            let transition = world.step(action);
            learner.observe(state, action, transition.reward, world.state(), transition.end).unwrap();
        }
    }
    assert!(sum <= limit(&spec.bounds, &task, steps), "{sum}");
}
