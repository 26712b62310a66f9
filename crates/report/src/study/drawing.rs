//! What is drawn of a study, as data.

use super::measure::{CellLog, returns};

/// One number per episode of a cell, in order.
pub(super) type EpisodeMeasure = fn(&CellLog<'_>) -> Vec<f64>;

/// One figure of a study.
pub(super) enum Drawing {
    /// A quantity episode by episode, one line per arm: its mean over the seeds that all arms share. All arms, or these.
    Curve { quantity: &'static str, measure: EpisodeMeasure, arms: &'static [&'static str] },
    /// Two columns of the study's table against each other, one point per arm: what is paid across, what is gained up.
    Frontier { paid: &'static str, gained: &'static str },
    /// A column of the study's table against a setting by which the arms differ, such as a price; one line, one point per
    /// arm whose specification has a number at this path.
    Sweep { setting: &'static str, path: &'static [&'static str], measured: &'static str },
}

/// The studies that have figures.
pub(super) const DRAWN: [&str; 8] = [
    "lock",
    "query-count",
    "babyai-main",
    "babyai-best",
    "babyai-persistence",
    "babyai-radius",
    "babyai-price",
    "babyai-frontier",
];

/// What is drawn of the study with this name, of each of its blocks; nothing of one that has no figures.
pub(super) fn drawings(study: &str) -> Vec<Drawing> {
    let curve = |arms| Drawing::Curve { quantity: "return", measure: returns, arms };
    let frontier = |paid| Drawing::Frontier { paid, gained: "return" };
    match study {
        "lock" => super::lock::drawings(),
        "query-count" => super::query_count::drawings(),
        "babyai-main" => vec![curve(&["never", "always", "beta-0", "beta-conf"]), frontier("calls")],
        "babyai-best" => vec![curve(&["never", "always", "best", "early"]), frontier("calls")],
        "babyai-persistence" => vec![curve(&[])],
        "babyai-radius" => vec![Drawing::Frontier { paid: "median radius", gained: "decision-relevant" }],
        "babyai-price" => {
            vec![Drawing::Sweep { setting: "price", path: &["kappa"], measured: "calls per episode" }]
        }
        "babyai-frontier" => vec![frontier("calls per episode")],
        _ => Vec::new(),
    }
}
