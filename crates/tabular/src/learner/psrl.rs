//! ModelPosterior sampling: one model is drawn per episode, and the base action is optimal in it.
//!
//! Invariant: the model acted on is number 0 of the seed's stream "posterior"; the value samples come from the others,
//! so they are independent of it given the counts. The bounds are those of the optimistic learner; the proposal is not
//! tied to them (Corollary `cor:psrl` is conditional).

use crate::optimal;
use counsel_decision::{Action, Seed};

use crate::learner::plan::model_seed;
use crate::{Counts, ModelPosterior, Outline};

/// The base action of every stage and state, at `stage * states + state`.
pub(crate) fn choices(prior: ModelPosterior, task: &Outline, counts: &Counts, seed: Seed) -> Vec<Action> {
    optimal(&prior.model(task, counts, model_seed(seed, 0))).greedy()
}
