//! The myopic oracle q* = 1{Δ >= c}, on the true value of the query. A diagnostic: [`crate::Engine::new`] refuses it, and
//! without a true value it is silent.

use super::{Signals, Standing};

pub(super) fn weigh(signals: &Signals<'_>) -> Standing {
    Standing { score: signals.evidence.oracle_value.unwrap_or(f64::NEG_INFINITY), threshold: signals.paced_price }
}
