//! Asks when an answer, over all its expected uses, is worth its price: (Δ̂ - β) + (N - 1)(Δ̄ - β) >= c.
//!
//! N is the number of episodes in which the answer is expected to serve, Δ̄ its value at each later use. Where nothing is
//! kept N is 1, and this is the paper's gate. Where an answer is held already N is 0, and another one is worth nothing.

use super::{Signals, Standing};

pub(super) fn weigh(signals: &Signals<'_>) -> Standing {
    let (radius, uses) = (signals.evidence.radius.value(), signals.evidence.expected_uses);
    let score = if uses < 1.0 {
        0.0
    } else if uses > 1.0 {
        (signals.estimate - radius) + (uses - 1.0) * (signals.reuse_value - radius)
    } else {
        signals.estimate - radius
    };
    // What is worth nothing is not bought, even if it is free.
    Standing { score, threshold: signals.paced_price.max(f64::MIN_POSITIVE) }
}
