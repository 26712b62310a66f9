//! Asks nothing: the fallback learner alone.

use super::Standing;

pub(super) fn weigh() -> Standing {
    Standing { score: 0.0, threshold: f64::INFINITY }
}
