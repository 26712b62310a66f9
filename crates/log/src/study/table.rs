//! What a table shows: its leading settings, its measured columns, its differences, and what its rows are.

use serde::{Deserialize, Deserializer, Serialize, Serializer};

use super::Measure;
use super::written::{Short, short};

/// A setting of the arms as a leading column.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(remote = "Self", deny_unknown_fields)]
pub struct Setting {
    /// Where it stands in an arm's settings: `task`, or `calibration.calibrate`.
    pub setting: String,
    /// The setting to take where that one is not given.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub or: Option<String>,
    /// The heading; the path where none is given.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub heading: Option<String>,
}

/// How the seeds of an arm become one entry of the table.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Show {
    /// The mean with its 95 % interval.
    Interval,
    /// The mean.
    Mean,
    /// The median.
    Median,
    /// The quartiles over the seeds: a quarter lies below the first, a quarter above the second.
    Quartiles,
    /// The lowest value of a seed.
    Least,
    /// On how many of the seeds the measure is 1.
    Holds,
    /// The sum over the seeds, out of the sum of the measure named by `of`.
    Pooled,
    /// The same as a share.
    PooledShare,
    /// Whether no other arm of the block has as much of the measure at no more of the one named by `of`.
    Efficient,
}

/// One measured column.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(remote = "Self", deny_unknown_fields)]
pub struct ColumnSpec {
    /// What is measured.
    pub measure: Measure,
    /// How it is shown; as the measure is declared where nothing is said.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub show: Option<Show>,
    /// How many decimals are shown; as the measure is declared where nothing is said.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub decimals: Option<usize>,
    /// The heading; the measure's name where none is given.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub heading: Option<String>,
    /// The second measure that the way of showing needs.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub of: Option<Measure>,
}

/// A paired difference as columns of a table with one row per arm. At most one of `minus`, `from` and `pairs` is given;
/// without any the measure itself is set against zero.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Difference {
    /// What is compared.
    pub measure: Measure,
    /// The arm that is subtracted from the row's.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub minus: Option<String>,
    /// The arm that the row's is subtracted from.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub from: Option<String>,
    /// For each arm the one that is subtracted from it.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub pairs: Vec<[String; 2]>,
    /// What the pairs have in common, for the heading: `certificate off`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub against: Option<String>,
    /// How many decimals are shown.
    #[serde(default = "Difference::decimals")]
    pub decimals: usize,
}

impl Difference {
    /// How many decimals are shown where nothing is said.
    pub(super) const DECIMALS: usize = 4;

    fn decimals() -> usize {
        Self::DECIMALS
    }
}

/// What the rows are.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Default)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub enum Rows {
    /// One per block and arm.
    #[default]
    Arms,
    /// One per block, and per measure in `each` where there are any, with these arms beside each other and the families'
    /// differences behind them.
    SideBySide {
        /// The arms, from left to right.
        arms: Vec<String>,
        /// The measures that have a row each; without any, a row has all columns of the table for each arm.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        each: Vec<Measure>,
    },
    /// Each block held out in turn: what an arm loses against the choice that is best there, beside what the choice made on
    /// the other blocks loses; and their mean over blocks.
    HeldOut {
        /// The arm that needs no choice.
        arm: String,
        /// The arms among which one is chosen.
        choices: String,
        /// By what it is chosen, and in what loss is counted.
        each: Vec<Measure>,
    },
}

/// The table of a study.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Default)]
#[serde(deny_unknown_fields)]
pub struct TableSpec {
    /// Leading columns.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub settings: Vec<Setting>,
    /// What the rows are.
    #[serde(default)]
    pub rows: Rows,
    /// The measured columns.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub columns: Vec<ColumnSpec>,
    /// The difference columns.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub differences: Vec<Difference>,
    /// What a reader has to know besides what the measures mean.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub remarks: Vec<String>,
}

impl Setting {
    /// The heading of its column.
    pub fn heading(&self) -> &str {
        self.heading.as_deref().unwrap_or(&self.setting)
    }
}

impl ColumnSpec {
    /// The heading of the column.
    pub fn heading(&self) -> String {
        self.heading.clone().unwrap_or_else(|| self.measure.to_string())
    }

    /// How it is shown, and with how many decimals.
    pub fn shown(&self) -> (Show, usize) {
        let (show, decimals) = self.measure.shown();
        (self.show.unwrap_or(show), self.decimals.unwrap_or(decimals))
    }
}

impl Short for Setting {
    const WHAT: &'static str = "a setting";

    fn named(name: &str) -> Result<Self, String> {
        Ok(Self { setting: name.to_owned(), or: None, heading: None })
    }

    fn table<'de, D: Deserializer<'de>>(table: D) -> Result<Self, D::Error> {
        Self::deserialize(table)
    }
}

impl Short for ColumnSpec {
    const WHAT: &'static str = "a measure";

    fn named(name: &str) -> Result<Self, String> {
        Ok(Self { measure: name.parse()?, show: None, decimals: None, heading: None, of: None })
    }

    fn table<'de, D: Deserializer<'de>>(table: D) -> Result<Self, D::Error> {
        Self::deserialize(table)
    }
}

impl<'de> Deserialize<'de> for Setting {
    fn deserialize<D: Deserializer<'de>>(written: D) -> Result<Self, D::Error> {
        short(written)
    }
}

impl<'de> Deserialize<'de> for ColumnSpec {
    fn deserialize<D: Deserializer<'de>>(written: D) -> Result<Self, D::Error> {
        short(written)
    }
}

impl Serialize for Setting {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        Self::serialize(self, serializer)
    }
}

impl Serialize for ColumnSpec {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        Self::serialize(self, serializer)
    }
}
