//! Posterior sampling: one model is drawn per episode, and the base action is optimal in it.
//!
//! Invariant: the model acted on is number 0 of the seed's stream "posterior"; the value samples come from the others,
//! so they are independent of it given the counts. The bounds are those of the optimistic learner; the proposal is not
//! tied to them (Corollary `cor:psrl` is conditional).

use counsel_decision::{Action, End, Seed};
use counsel_env::optimal;

use crate::plan::model_seed;
use crate::{Counts, Error, Fallback, LearnerSpec, Plan, Task};

/// The posterior-sampling learner.
#[derive(Debug, Clone, PartialEq)]
pub struct Psrl {
    spec: LearnerSpec,
    task: Task,
    counts: Counts,
    plan: Plan,
}

impl Psrl {
    /// A learner that has seen nothing, with the plan of the episode `seed`.
    pub fn new(spec: &LearnerSpec, task: &Task, seed: Seed) -> Result<Self, Error> {
        spec.check()?;
        let counts = Counts::new(task);
        let plan = plan(spec, task, &counts, seed);
        Ok(Self { spec: spec.clone(), task: task.clone(), counts, plan })
    }
}

fn plan(spec: &LearnerSpec, task: &Task, counts: &Counts, seed: Seed) -> Plan {
    let choices = optimal(&spec.prior.model(task, counts, model_seed(seed, 0))).greedy();
    Plan::new(spec, task, counts, spec.bounds.table(task, counts), &choices, seed)
}

impl Fallback for Psrl {
    fn begin_episode(&mut self, seed: Seed) {
        self.plan = plan(&self.spec, &self.task, &self.counts, seed);
    }

    fn observe(
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

    fn plan(&self) -> &Plan {
        &self.plan
    }

    fn counts(&self) -> &Counts {
        &self.counts
    }
}
