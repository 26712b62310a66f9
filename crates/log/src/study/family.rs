//! A family: paired differences that are adjusted together by Holm's method, over all blocks.
//!
//! The larger the family, the harder it is for each member to be clear. So what belongs together is declared with the
//! study, before anything runs.

use serde::{Deserialize, Serialize};

use super::Measure;

/// What is subtracted from an arm.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum Baseline {
    /// A number, as a level that coverage must reach.
    Level(f64),
    /// An arm, a pattern, or a choice such as `best of v*`.
    Arm(String),
}

/// One arm minus another, minus a number, or set against zero: `["beta-conf", "never"]`, `["constant", 0.9]`,
/// `["beta-conf"]`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(try_from = "Vec<Baseline>", into = "Vec<Baseline>")]
pub struct Pair {
    /// The arm, a pattern, or a choice.
    pub treatment: String,
    /// What is subtracted; zero where nothing is said.
    pub baseline: Baseline,
}

/// Paired differences that are adjusted together.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Family {
    /// Its name, by which findings call it.
    pub name: String,
    /// What is compared; each measure has members of its own.
    pub measures: Vec<Measure>,
    /// The pairs, in every block that has both. An arm is never compared with itself.
    pub pairs: Vec<Pair>,
    /// The blocks, by pattern; all of them where none is named.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub blocks: Vec<String>,
    /// The setting that holds the treatment's price of a call: both arms of a pair are then charged it, whatever price they
    /// saw themselves.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub charged: Option<String>,
    /// Whether each block is a member, or the mean over all blocks, seed by seed.
    #[serde(default)]
    pub over: Over,
}

/// What a member of a family is about.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, Default)]
#[serde(rename_all = "kebab-case")]
pub enum Over {
    /// One block.
    #[default]
    EachBlock,
    /// The mean over all blocks that have the pair, on the seeds that they share.
    MeanOfBlocks,
}

impl TryFrom<Vec<Baseline>> for Pair {
    type Error = String;

    fn try_from(written: Vec<Baseline>) -> Result<Self, String> {
        let mut sides = written.into_iter();
        match (sides.next(), sides.next(), sides.next()) {
            (Some(Baseline::Arm(treatment)), None, None) => Ok(Self { treatment, baseline: Baseline::Level(0.0) }),
            (Some(Baseline::Arm(treatment)), Some(baseline), None) => Ok(Self { treatment, baseline }),
            _ => Err(
                "a pair is an arm and what is subtracted from it: [\"beta-conf\", \"never\"], [\"constant\", 0.9], \
                      or [\"beta-conf\"] to set it against zero"
                    .into(),
            ),
        }
    }
}

impl From<Pair> for Vec<Baseline> {
    fn from(pair: Pair) -> Self {
        match pair.baseline {
            Baseline::Level(0.0) => vec![Baseline::Arm(pair.treatment)],
            baseline => vec![Baseline::Arm(pair.treatment), baseline],
        }
    }
}
