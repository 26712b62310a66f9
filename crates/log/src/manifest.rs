//! The readable half of a cell: resolved plan, versions, seeds, totals, and the digest of the log.
//!
//! The manifest seals itself: its last field is a digest of all the others, and it must be spelled exactly as it was written,
//! so a changed byte is noticed here too.

use std::path::Path;

use counsel_decision::{Controller, Form, Seed};
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::file::{read_whole, write_whole};
use crate::{CellKey, Decision, Error, digest};

/// The programs that made a cell.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Versions {
    /// The version of counsel.
    pub counsel: String,
    /// The version of the log format.
    pub log_format: u32,
}

/// The sums that a reader wants at a glance.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Totals {
    /// Decisions made.
    pub decisions: u64,
    /// Episodes run.
    pub episodes: u64,
    /// Calls made by the controller.
    pub calls: u64,
    /// Calls made to calibrate, counted apart.
    pub calibration_calls: u64,
    /// The sum of all rewards.
    pub reward: f64,
}

impl Totals {
    /// The sums over the decisions of a cell.
    pub fn of(decisions: &[Decision], calibration_calls: u64) -> Self {
        Self {
            decisions: decisions.len() as u64,
            episodes: decisions.last().map_or(0, |last| last.record.episode + 1),
            calls: decisions.iter().filter(|decision| decision.record.asked()).count() as u64,
            calibration_calls,
            reward: decisions.iter().map(|decision| decision.hindsight.reward).sum(),
        }
    }

    /// The first of these sums that the decisions do not add up to, in words.
    pub fn difference(&self, decisions: &[Decision]) -> Option<String> {
        let found = Self::of(decisions, self.calibration_calls);
        let sums = |totals: &Self| {
            [
                ("decisions", totals.decisions.to_string()),
                ("episodes", totals.episodes.to_string()),
                ("calls", totals.calls.to_string()),
                ("reward", format!("{:?}", totals.reward)),
            ]
        };
        let different = sums(self).into_iter().zip(sums(&found)).find(|(said, found)| said != found);
        different.map(|((name, said), (_, found))| {
            format!("the total of {name} is {found} in the log, its manifest says {said}")
        })
    }
}

/// The log that belongs to a manifest.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct LogFile {
    /// Its name, beside the manifest.
    pub file: String,
    /// Its number of rows.
    pub rows: u64,
    /// Its digest.
    pub sha256: String,
}

/// How the radius came about, complete enough to compute it again.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Calibration {
    /// Opportunities with a label.
    pub opportunities: u64,
    /// The mean of |estimate - label|.
    pub mean_residual: f64,
    /// The derivation of each quantile: scores, rank, level.
    pub derivation: Value,
}

/// One cell's manifest.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Manifest {
    /// Which cell this is.
    #[serde(flatten)]
    pub key: CellKey,
    /// The place of its study in the catalogue.
    pub study_order: usize,
    /// Its place among the arms of its study.
    pub arm_order: usize,
    /// The study's title.
    pub title: String,
    /// The label of the table in the paper.
    pub paper_label: String,
    /// What the study must show, or honestly fail to show.
    pub finding: String,
    /// The specification, with every default filled in.
    pub spec: Value,
    /// The programs that made it.
    pub versions: Versions,
    /// The controller, as it was deployed.
    pub controller: Controller,
    /// Who was asked: the version of the advisor.
    pub advisor: String,
    /// The words of the parser, one per action.
    pub words: Vec<String>,
    /// The form in which the parser wants an answer; the default one is not written down.
    #[serde(default, skip_serializing_if = "Form::is_default")]
    pub form: Form,
    /// The controller's seed.
    pub engine_seed: Seed,
    /// How the radius came about, where one was calibrated.
    pub calibration: Option<Calibration>,
    /// The sums.
    pub totals: Totals,
    /// The log.
    pub log: LogFile,
    /// The digest of everything above.
    pub seal: String,
}

impl Manifest {
    /// The version of the log format that this crate writes and reads.
    pub const FORMAT: u32 = 3;

    /// Writes the manifest, sealed.
    pub fn write(mut self, path: &Path) -> Result<(), Error> {
        self.seal = String::new();
        let reason = |error: serde_json::Error| Error::Manifest { path: path.to_path_buf(), reason: error.to_string() };
        self.seal = digest(&serde_json::to_vec(&self).map_err(reason)?);
        let text = self.text().map_err(|reason| Error::Manifest { path: path.to_path_buf(), reason })?;
        write_whole(path, text.as_bytes())
    }

    /// The manifest as a person reads it.
    fn text(&self) -> Result<String, String> {
        serde_json::to_string_pretty(self).map(|text| text + "\n").map_err(|error| error.to_string())
    }

    /// Reads a manifest and checks its format and its seal.
    pub fn read(path: &Path) -> Result<Self, Error> {
        let bytes = read_whole(path)?;
        let damaged = |reason: String| Error::Manifest { path: path.to_path_buf(), reason };
        let mut manifest: Self = serde_json::from_slice(&bytes).map_err(|error| damaged(error.to_string()))?;
        let (found, expected) = (manifest.versions.log_format, Self::FORMAT);
        if found != expected {
            return Err(Error::Format { path: path.to_path_buf(), found, expected });
        }
        let seal = std::mem::take(&mut manifest.seal);
        let computed = digest(&serde_json::to_vec(&manifest).map_err(|error| damaged(error.to_string()))?);
        if seal != computed {
            return Err(damaged(format!("its seal is {seal}, its content has {computed}")));
        }
        manifest.seal = seal;
        if manifest.text().map_err(damaged)?.as_bytes() != bytes {
            return Err(damaged("it is not spelled as it was written".into()));
        }
        Ok(manifest)
    }
}
