//! What came of playing a cell: the decisions, and what a reader needs to compute them again.

use counsel_decision::{Controller, Form, Seed};
use counsel_log::{Calibration, Decision, Totals};

/// A played cell.
#[derive(Debug)]
pub(crate) struct Played {
    pub(crate) controller: Controller,
    pub(crate) advisor: String,
    pub(crate) words: Vec<String>,
    pub(crate) form: Form,
    pub(crate) engine_seed: Seed,
    pub(crate) calibration: Option<Calibration>,
    pub(crate) totals: Totals,
    pub(crate) decisions: Vec<Decision>,
}
