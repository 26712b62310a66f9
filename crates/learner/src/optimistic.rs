//! Optimism: the base action has the largest upper bound, a ∈ argmax U_h(s, ·), the first one where several tie.
//!
//! Invariant (Lemma `lem:optimistic-stability`): while the bounds cover Q*, the gap of the base action is at most
//! U - L of that action, whatever histories advice has led to.

use counsel_decision::{Action, End, Seed};

use crate::{Counts, Error, Fallback, LearnerSpec, Plan, Task};

/// The optimistic learner.
#[derive(Debug, Clone, PartialEq)]
pub struct Optimistic {
    spec: LearnerSpec,
    task: Task,
    counts: Counts,
    plan: Plan,
}

impl Optimistic {
    /// A learner that has seen nothing, with the plan of the episode `seed`.
    pub fn new(spec: &LearnerSpec, task: &Task, seed: Seed) -> Result<Self, Error> {
        spec.check()?;
        let counts = Counts::new(task);
        let plan = plan(spec, task, &counts, seed);
        Ok(Self { spec: spec.clone(), task: task.clone(), counts, plan })
    }
}

fn plan(spec: &LearnerSpec, task: &Task, counts: &Counts, seed: Seed) -> Plan {
    let bounds = spec.bounds.table(task, counts);
    let choices = bounds.hopeful();
    Plan::new(spec, task, counts, bounds, &choices, seed)
}

impl Fallback for Optimistic {
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
