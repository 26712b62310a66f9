//! What a learner fixes when an episode begins, and keeps until the next one.
//!
//! Sample k of the declared continuation value is Q^π_h(s, a) in model k, π being the policy itself, to the horizon
//! (Eq. `eq:declared-continuation` with ℓ = H - h). Invariant: nothing seen during the episode changes the plan.

use crate::{StagePolicy, of_policy};
use counsel_decision::{Action, Seed, ValueSamples};

use crate::{BoundTable, Counts, LearnerSpec, Outline};

/// A policy, samples of its value, and bounds on the optimal value.
#[derive(Debug, Clone, PartialEq)]
pub struct Plan {
    states: usize,
    actions: usize,
    count: usize,
    policy: StagePolicy,
    samples: Vec<f64>,
    bounds: BoundTable,
}

impl Plan {
    /// The plan that plays `choices`, softened as the spec says. Model k = 1, 2, ... of the value samples comes from the
    /// seed's stream "posterior", k.
    pub(crate) fn new(
        spec: &LearnerSpec,
        task: &Outline,
        counts: &Counts,
        bounds: BoundTable,
        choices: &[Action],
        seed: Seed,
    ) -> Self {
        let (states, actions, count) = (task.states(), task.actions(), spec.samples);
        let policy = StagePolicy::softened(states, actions, choices, spec.epsilon)
            .expect("choices come from a table of the task, and epsilon passed its check");
        let mut samples = vec![0.0; task.horizon() * states * count * actions];
        for k in 0..count {
            let model = spec.prior.model(task, counts, model_seed(seed, k + 1));
            let values = of_policy(&model, &policy);
            for (row, block) in samples.chunks_exact_mut(count * actions).enumerate() {
                let values = values.action_values(row / states, row % states);
                block[k * actions..(k + 1) * actions].copy_from_slice(values);
            }
        }
        Self { states, actions, count, policy, samples, bounds }
    }

    /// What the learner does without advice.
    pub fn policy(&self) -> &StagePolicy {
        &self.policy
    }

    /// K samples of the value of that policy.
    pub fn samples(&self, stage: usize, state: usize) -> ValueSamples {
        assert!(state < self.states, "state {state} of only {} states", self.states);
        let size = self.count * self.actions;
        let from = (stage * self.states + state) * size;
        ValueSamples::new(self.actions, self.samples[from..from + size].to_vec())
            .expect("bounded rewards and a finite horizon make every value finite")
    }

    /// The bounds on the optimal value.
    pub fn bounds(&self) -> &BoundTable {
        &self.bounds
    }
}

/// Where posterior model number `k` of an episode is drawn from. Number 0 is the one posterior sampling acts on.
pub(crate) fn model_seed(seed: Seed, k: usize) -> Seed {
    seed.stream("posterior").index(k as u64)
}
