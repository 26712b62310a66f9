//! What is drawn of each block of a study.

use serde::{Deserialize, Serialize};

use super::Measure;

/// What foretells that an answer changes the greedy action.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum ChangeForecast {
    /// The share of value samples whose best action is not the greedy one.
    Disagreement,
    /// 1 / √(1 + visits).
    Novelty,
    /// The predicted probability that an answer names another action.
    PredictedAnswer,
}

/// One figure.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub enum FigureSpec {
    /// The return episode by episode, one line per arm: its mean over the seeds that all arms share.
    Curve {
        /// The arms, by pattern; all of them where none is named.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        arms: Vec<String>,
    },
    /// Two measures against each other, one point per arm.
    Frontier {
        /// What is paid, across.
        paid: Measure,
        /// What is gained, up.
        gained: Measure,
    },
    /// How often answers changed the greedy action against how probable that was said to be; one line per arm, over the
    /// answers of all seeds.
    Reliability {
        /// Who says it.
        of: ChangeForecast,
        /// The arms, by pattern; all of them where none is named.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        arms: Vec<String>,
    },
    /// A measure against a setting by which the arms differ; one line, one point per arm.
    Sweep {
        /// Where the setting stands in an arm's settings.
        setting: String,
        /// What it is called on the axis.
        axis: String,
        /// What is measured.
        measure: Measure,
        /// The arms, by pattern; all of them where none is named.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        arms: Vec<String>,
    },
}
