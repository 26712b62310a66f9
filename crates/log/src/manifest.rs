//! The readable half of a cell: resolved plan, versions, seeds, totals, and the digest of the log.
//!
//! What a study says once for all its cells is in its sheet. The manifest is sealed, so a changed byte is noticed here too.

use std::path::Path;

use counsel_decision::{Form, Seed, Settings};
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::seal::Sealed;
use crate::{AnswersFrom, CellKey, Error, Totals};

/// The programs that made a cell.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Versions {
    /// The version of counsel.
    pub counsel: String,
    /// The version of the log format.
    pub log_format: u32,
}

impl Versions {
    /// Those of this program.
    pub fn current() -> Self {
        Self { counsel: env!("CARGO_PKG_VERSION").into(), log_format: Manifest::FORMAT }
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
    /// The screen of the execution rule, where it has one: level, scores of wrong answers, threshold.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub screen: Option<Value>,
    /// The factor of the bounds, where they are scaled: level, promise, scores, factor.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub bounds: Option<Value>,
}

/// One of several advisors.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct PricedAdvisor {
    /// Its version.
    pub advisor: String,
    /// The price of a call, in units of return.
    pub price: f64,
}

/// One cell's manifest.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Manifest {
    /// Which cell this is.
    #[serde(flatten)]
    pub key: CellKey,
    /// Its place among the arms of its study.
    pub arm_order: usize,
    /// The specification, with every default filled in.
    pub spec: Value,
    /// The programs that made it.
    pub versions: Versions,
    /// The controller, as it was deployed.
    pub settings: Settings,
    /// Who was asked: the version of the advisor.
    pub advisor: String,
    /// All advisors with their prices, in the order of their places, where there are several.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub advisors: Vec<PricedAdvisor>,
    /// Where the answers of language models came from.
    pub answers: AnswersFrom,
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
    /// The pieces of a log that grows, in the order of their decisions; empty where the log is one file.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub pieces: Vec<LogFile>,
    /// The digest of everything above.
    pub seal: String,
}

impl Manifest {
    /// The version of the log format that this crate writes and reads.
    pub const FORMAT: u32 = 10;

    /// Writes the manifest, sealed.
    pub fn write(self, path: &Path) -> Result<(), Error> {
        self.write_sealed(path)
    }

    /// Reads a manifest and checks its format and its seal.
    pub fn read(path: &Path) -> Result<Self, Error> {
        Self::read_sealed(path)
    }

    /// The text of its file, sealed.
    pub fn to_text(self) -> Result<String, Error> {
        let key = self.key.to_string();
        self.sealed().map_err(|error| Error::Manifest { path: key.into(), reason: error.to_string() })
    }

    /// Reads a manifest from the bytes of its file, as [`Manifest::read`] does. The path is for messages.
    pub fn from_bytes(bytes: &[u8], path: &Path) -> Result<Self, Error> {
        Self::unsealed(bytes, path)
    }
}

impl Sealed for Manifest {
    fn format(&self) -> u32 {
        self.versions.log_format
    }

    fn seal(&mut self) -> &mut String {
        &mut self.seal
    }
}
