//! Posterior sampling: one model is drawn per episode, and the base action is optimal in it.
//!
//! Invariant: the model acted on is number 0 of the seed's stream "posterior"; the value samples come from the others,
//! so they are independent of it given the counts. The bounds are those of the optimistic learner; the proposal is not
//! tied to them (Corollary `cor:psrl` is conditional).

use counsel_decision::{Action, Seed};
use counsel_env::optimal;

use crate::plan::model_seed;
use crate::{Counts, Posterior, Task};

/// The base action of every stage and state, at `stage * states + state`.
pub(crate) fn choices(prior: Posterior, task: &Task, counts: &Counts, seed: Seed) -> Vec<Action> {
    optimal(&prior.model(task, counts, model_seed(seed, 0))).greedy()
}
