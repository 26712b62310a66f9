//! Asks where perfect advice would be worth its price (VOE/Q): the mean over samples of the best value in each sample,
//! minus the mean value of the no-query action. It predicts no response and knows no rejection.
//!
//! DIFFERENCE: the paper names this gate without a formula; see "Gates" in docs/DIFFERENCES.md.

use super::{Signals, Standing};

pub(super) fn weigh(signals: &Signals<'_>) -> Standing {
    let advice = &signals.evidence.advice;
    let best = |row: &[f64]| row.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    let informed: f64 = advice.weighted_rows().map(|(weight, row)| weight * best(row)).sum();
    let score = informed - advice.none().mean(signals.no_query);
    Standing { score, threshold: signals.paced_price }
}
