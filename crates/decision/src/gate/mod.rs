//! When to ask: one file per policy.
//!
//! Every policy turns the evidence into a score and a threshold and asks when the score reaches the threshold, so that a
//! log can say by how much. The predictive gate of the paper is [`predictive`]; the others are its baselines and
//! ablations; [`oracle`] reads true values and is a diagnostic that cannot be deployed by accident.

pub mod always;
pub mod amortised;
pub mod calibrated_uncertainty;
pub mod disagreement;
pub mod epistemic_gap;
pub mod importance;
pub mod learned;
pub mod never;
pub mod novelty;
pub mod oracle;
pub mod period;
mod policy;
pub mod predictive;
pub mod random;
pub mod random_exact;
pub mod rcmp;
pub mod schedule;
pub mod uncertainty;
pub mod value;

pub use policy::{Gate, Input, Standing};
pub(crate) use policy::{GateAtWork, Progress, Signals};
