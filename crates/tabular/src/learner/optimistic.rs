//! Optimism: the base action has the largest upper bound, a ∈ argmax U_h(s, ·). Among equals it is the one with the
//! largest lower bound, so that a proven action is not left for an untried one that cannot be better; then the first.
//!
//! Invariant (Lemma `lem:optimistic-stability`): while the bounds cover Q*, the gap of the base action is at most
//! U - L of that action, whatever histories advice has led to.

use counsel_decision::Action;

use crate::BoundTable;

/// The base action of every stage and state, at `stage * states + state`.
pub(crate) fn choices(bounds: &BoundTable) -> Vec<Action> {
    bounds.rows().map(|(lower, upper)| hopeful(lower, upper)).collect()
}

fn hopeful(lower: &[f64], upper: &[f64]) -> Action {
    let better = |a: usize, b: usize| upper[a] > upper[b] || (upper[a] == upper[b] && lower[a] > lower[b]);
    Action::new((1..upper.len()).fold(0, |best, action| if better(action, best) { action } else { best }))
}
