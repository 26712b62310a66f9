//! The measures: one number per cell, from the columns of its log. Grouped by what they are about.

mod allocation;
mod answer;
mod certificate;
mod change;
mod coverage;
mod episode;
mod log;
mod potential;
mod predictor;
mod query;
mod registry;
mod route;
mod shift;
mod stability;
mod value;

#[cfg(test)]
#[path = "../../../tests/unit/cell.rs"]
pub(super) mod specimen;

pub(super) use change::{BINS, change_forecasts};
pub(super) use episode::returns;
pub(super) use log::{CellLog, at, median};
pub(super) use registry::measure;
