//! A learner as written in a study, and as it runs: it counts what it sees and plans when an episode begins. It acts when no
//! advice is taken.
//!
//! Invariant: the two kinds differ in the choices of their plan only; counts, value samples and bounds are made alike. The
//! policy is exactly what the learner proposes, and the samples value exactly that policy.

use counsel_decision::refusal::{fits, probability};
use counsel_decision::{Action, Seed, ValueBounds, ValueSamples};
use counsel_world::End;
use serde::{Deserialize, Serialize};

use super::{optimistic, psrl};
use crate::error::positive;
use crate::{BoundsSpec, Counts, Error, ModelPosterior, Outline, Plan, StagePolicy};

/// Which model the policy of a learner is greedy for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum LearnerKind {
    /// The largest upper bound.
    Optimistic,
    /// One draw of the posterior per episode.
    Psrl,
}

/// The parameters of a learner.
///
/// | Name | Default | Range |
/// |---|---|---|
/// | `kind` | none | `optimistic`, `psrl` |
/// | `samples` | 8 | 1 or more |
/// | `epsilon` | 0.0 | [0, 1] |
/// | `prior` | 1.0 | above 0 |
/// | `bounds` | see [`BoundsSpec`] | |
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct LearnerSpec {
    /// Which learner.
    pub kind: LearnerKind,
    /// K, the number of value samples.
    #[serde(default = "eight")]
    pub samples: usize,
    /// ε, the share of uniform exploration in the policy.
    #[serde(default)]
    pub epsilon: f64,
    /// α, the weight of the prior over next states.
    #[serde(default)]
    pub prior: ModelPosterior,
    /// How the bounds are made.
    #[serde(default)]
    pub bounds: BoundsSpec,
}

fn eight() -> usize {
    8
}

impl LearnerSpec {
    /// A learner with the default parameters.
    pub fn new(kind: LearnerKind) -> Self {
        let (prior, bounds) = (ModelPosterior::default(), BoundsSpec::default());
        Self { kind, samples: eight(), epsilon: 0.0, prior, bounds }
    }

    pub(crate) fn check(&self) -> Result<(), Error> {
        positive("the number of value samples", self.samples)?;
        probability("epsilon", self.epsilon)?;
        self.prior.check()?;
        self.bounds.check()
    }

    /// A learner that has seen nothing, with the plan of the episode `seed`.
    pub fn build(&self, task: &Outline, seed: Seed) -> Result<Learner, Error> {
        self.check()?;
        let sizes = [task.horizon(), task.states(), self.samples, task.actions()];
        fits("the table of value samples", &sizes, "draw fewer samples or make the world smaller")?;
        let counts = Counts::new(task);
        let plan = self.plan(task, &counts, seed);
        Ok(Learner { spec: self.clone(), task: task.clone(), counts, plan })
    }

    fn plan(&self, task: &Outline, counts: &Counts, seed: Seed) -> Plan {
        let bounds = self.bounds.table(task, counts);
        let choices = match self.kind {
            LearnerKind::Optimistic => optimistic::choices(&bounds),
            LearnerKind::Psrl => psrl::choices(self.prior, task, counts, seed),
        };
        Plan::new(self, task, counts, bounds, &choices, seed)
    }
}

/// A learner of either kind: what it was told, what it has seen, and the plan of the present episode.
#[derive(Debug, Clone, PartialEq)]
pub struct Learner {
    spec: LearnerSpec,
    task: Outline,
    counts: Counts,
    plan: Plan,
}

impl Learner {
    /// Plans for an episode whose every random number comes from `seed`.
    pub fn begin_episode(&mut self, seed: Seed) {
        self.plan = self.spec.plan(&self.task, &self.counts, seed);
    }

    /// Learns from a transition, whoever chose the action.
    pub fn observe(
        &mut self,
        state: usize,
        action: Action,
        reward: f64,
        next: usize,
        end: Option<End>,
    ) -> Result<(), Error> {
        self.task.check_end(next, end)?;
        self.counts.observe(state, action, reward, next)
    }

    /// The plan of the present episode.
    pub fn plan(&self) -> &Plan {
        &self.plan
    }

    /// What was seen so far, in the present episode too.
    pub fn counts(&self) -> &Counts {
        &self.counts
    }

    /// The base action: the policy at a uniform number `draw` in [0, 1).
    pub fn propose(&self, stage: usize, state: usize, draw: f64) -> Action {
        self.policy().draw(stage, state, draw)
    }

    /// What the learner does without advice.
    pub fn policy(&self) -> &StagePolicy {
        self.plan.policy()
    }

    /// K samples of the declared continuation value.
    pub fn samples(&self, stage: usize, state: usize) -> ValueSamples {
        self.plan.samples(stage, state)
    }

    /// Bounds on the optimal value.
    pub fn bounds(&self, stage: usize, state: usize) -> ValueBounds {
        self.plan.bounds().at(stage, state)
    }
}
