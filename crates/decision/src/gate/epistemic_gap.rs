//! The epistemic-gap surrogate of the acquisition rule: σ²(s) · gap(s) >= λ κ, with σ² the state's epistemic variance and
//! gap(s) = max_a U(s, a) - L(s, a⁰), the most that the no-query action can lose under the bounds.
//!
//! DIFFERENCE: the paper does not define gap(s); see "Gates" in docs/DIFFERENCES.md.

use super::{Signals, Standing};

pub(super) fn weigh(signals: &Signals<'_>) -> Standing {
    let branch = signals.evidence.advice.none();
    let bounds = branch.bounds();
    let gap = bounds.ceiling() - bounds.lower()[signals.no_query.index()];
    Standing { score: branch.epistemic_variance() * gap, threshold: signals.paced_price }
}
