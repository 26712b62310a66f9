//! How a study is tabulated.

use super::claim::Claim;
use super::measure::CellLog;
use super::results::Results;

/// One number of one cell, if its log holds it.
pub(super) type Measure = fn(&CellLog<'_>) -> Option<f64>;

/// How a measure is shown over the seeds of an arm.
#[derive(Debug, Clone, Copy)]
pub(super) enum Show {
    /// The mean and its 95 % interval, with so many decimals.
    Interval(usize),
    /// The mean, with so many decimals.
    Mean(usize),
    /// On how many seeds the measure is 1.
    Holds,
    /// The median over the seeds, with so many decimals.
    Median(usize),
    /// The lowest value of a seed, with so many decimals.
    Least(usize),
    /// The mean of something that comes with an answer, with so many decimals; where answers came without it, it was not
    /// logged.
    Recorded(usize),
    /// The sum over the seeds, of the sum of the column with this heading.
    Pooled(&'static str),
    /// Not at all: other columns and claims rest on it.
    Hidden,
}

/// One measured column.
pub(super) struct Measured {
    pub(super) heading: &'static str,
    pub(super) show: Show,
    pub(super) measure: Measure,
}

/// The arm that the others are compared with, seed by seed, and on which column.
pub(super) struct Comparison {
    pub(super) baseline: &'static str,
    pub(super) heading: &'static str,
    pub(super) decimals: usize,
}

/// How a study is tabulated.
pub(super) struct Description {
    pub(super) columns: Vec<Measured>,
    pub(super) comparison: Option<Comparison>,
    /// What must be true of the results for the finding to hold.
    pub(super) claims: fn(&Results) -> Vec<Claim>,
}

/// A column with its heading, its measure, and how it is shown.
pub(super) fn column(heading: &'static str, show: Show, measure: Measure) -> Measured {
    Measured { heading, show, measure }
}

/// What is measured on every cell of the study with this name.
pub(super) fn columns(study: &str) -> Vec<Measured> {
    super::babyai::layout(study).map_or_else(|| description(study).columns, |layout| layout.columns)
}

/// How the study with this name is tabulated; an unknown one gets the measures that every study has.
pub(super) fn description(study: &str) -> Description {
    match study {
        "informative" => super::informative::description(),
        "stability" => super::stability::description(),
        "lock" => super::lock::description(),
        "lock-tolerance" => super::lock_tolerance::description(),
        "query-count" => super::query_count::description(),
        "predictor" => super::predictor::description(),
        "components" => super::components::description(),
        "variance-only" => super::variance_only::description(),
        "radius-audit" => super::radius_audit::description(),
        "correlated" => super::correlated::description(),
        "limits" => super::limits::description(),
        _ => super::plain::description(),
    }
}
