//! The choice of a learner, as written in a study.

use counsel_decision::{Action, End, Seed};
use serde::{Deserialize, Serialize};

use crate::error::{in_range, positive};
use crate::{BoundsSpec, Counts, Error, Fallback, Optimistic, Plan, Posterior, Psrl, Task};

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
    pub prior: Posterior,
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
        let (prior, bounds) = (Posterior::default(), BoundsSpec::default());
        Self { kind, samples: eight(), epsilon: 0.0, prior, bounds }
    }

    pub(crate) fn check(&self) -> Result<(), Error> {
        positive("the number of value samples", self.samples)?;
        in_range((0.0..=1.0).contains(&self.epsilon), "epsilon", self.epsilon, "[0, 1]", "pass a probability")?;
        self.prior.check()?;
        self.bounds.check()
    }

    /// A learner that has seen nothing, with the plan of the episode `seed`.
    pub fn build(&self, task: &Task, seed: Seed) -> Result<Learner, Error> {
        Ok(match self.kind {
            LearnerKind::Optimistic => Learner::Optimistic(Optimistic::new(self, task, seed)?),
            LearnerKind::Psrl => Learner::Psrl(Psrl::new(self, task, seed)?),
        })
    }
}

/// Either learner.
#[derive(Debug, Clone, PartialEq)]
pub enum Learner {
    /// Greedy for the upper bounds.
    Optimistic(Optimistic),
    /// Greedy for a drawn model.
    Psrl(Psrl),
}

impl Fallback for Learner {
    fn begin_episode(&mut self, seed: Seed) {
        match self {
            Self::Optimistic(learner) => learner.begin_episode(seed),
            Self::Psrl(learner) => learner.begin_episode(seed),
        }
    }

    fn observe(
        &mut self,
        state: usize,
        action: Action,
        reward: f64,
        next: usize,
        end: Option<End>,
    ) -> Result<(), Error> {
        match self {
            Self::Optimistic(learner) => learner.observe(state, action, reward, next, end),
            Self::Psrl(learner) => learner.observe(state, action, reward, next, end),
        }
    }

    fn plan(&self) -> &Plan {
        match self {
            Self::Optimistic(learner) => learner.plan(),
            Self::Psrl(learner) => learner.plan(),
        }
    }

    fn counts(&self) -> &Counts {
        match self {
            Self::Optimistic(learner) => learner.counts(),
            Self::Psrl(learner) => learner.counts(),
        }
    }
}
