//! Cells of a run examined: every decision and every calibrated radius again, from the log alone.
//!
//! [`examine`] is what `counsel audit` says of one cell, and the same from Python. Decisions are recomputed by
//! [`counsel_log::recompute`]; radii are derived again from the scores in the manifest ([`recompute_radius`]).

mod error;
mod examine;
mod radius;

pub use error::Error;
pub use examine::{Examined, examine};
pub use radius::{absorb, opportunity, recompute_radius};
