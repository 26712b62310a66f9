//! What came of playing a cell: the decisions, and what a reader needs to compute them again.

use counsel_decision::{Form, Seed, Settings};
use counsel_log::{Calibration, Decision, Totals};

/// A played cell.
#[derive(Debug)]
pub(crate) struct Played {
    pub(crate) settings: Settings,
    pub(crate) words: Vec<String>,
    pub(crate) form: Form,
    pub(crate) engine_seed: Seed,
    pub(crate) calibration: Option<Calibration>,
    pub(crate) totals: Totals,
    pub(crate) decisions: Vec<Decision>,
}
