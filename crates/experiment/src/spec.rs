//! A study as written: what it compares, and the settings of each arm. Unknown keys are errors.

use serde::Deserialize;
use toml::Table;

/// One arm: a name and the settings in which it differs from the shared ones.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ArmSpec {
    /// Its name, in folders and tables.
    pub name: String,
    /// What differs from the shared settings.
    #[serde(default)]
    pub set: Table,
}

/// One study.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct StudySpec {
    /// Its name.
    pub id: String,
    /// The group it is run with.
    pub group: String,
    /// What it compares, in one line.
    pub title: String,
    /// The label of its table in the paper.
    pub paper_label: String,
    /// What it must show, or honestly fail to show.
    pub finding: String,
    /// How many seeds the paper uses, from 0.
    pub seeds: u64,
    /// What kind of world and loop it runs: `controlled`, `latent` or `placement`.
    pub scenario: String,
    /// The settings that all arms share.
    pub shared: Table,
    /// The arms, in the order of the table.
    pub arms: Vec<ArmSpec>,
    /// Its place in the catalogue, which no file says.
    #[serde(skip)]
    pub order: usize,
}
