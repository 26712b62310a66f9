//! What is drawn of a study, as data.

use super::measure::{CellLog, returns};

/// One number per episode of a cell, in order.
pub(super) type EpisodeMeasure = fn(&CellLog<'_>) -> Vec<f64>;

/// One figure of a study.
pub(super) enum Drawing {
    /// A quantity episode by episode, one line per arm: its mean over the seeds that all arms share.
    Curve { quantity: &'static str, measure: EpisodeMeasure },
    /// Two columns of the study's table against each other, one point per arm: what is paid across, what is gained up.
    Frontier { paid: &'static str, gained: &'static str },
    /// A column of the study's table against a setting by which the arms differ, such as a price; one line, one point per
    /// arm whose specification has a number at this path.
    Sweep { setting: &'static str, path: &'static [&'static str], measured: &'static str },
}

/// The studies that have figures.
pub(super) const DRAWN: [&str; 4] = ["lock", "query-count", "babyai-frontier", "babyai-persistence"];

/// What is drawn of the study with this name; nothing of one that has no figures.
pub(super) fn drawings(study: &str) -> Vec<Drawing> {
    match study {
        "lock" => super::lock::drawings(),
        "query-count" => super::query_count::drawings(),
        "babyai-frontier" => vec![Drawing::Frontier { paid: "calls per episode", gained: "return" }],
        "babyai-persistence" => vec![Drawing::Curve { quantity: "return", measure: returns }],
        _ => Vec::new(),
    }
}
