//! What a run says of a study once for all its cells: `DIR/STUDY/study.json`.
//!
//! Tables and figures are built from the folder alone, so all that they need to know of a study besides its cells is here. The
//! sheet is sealed like a manifest, and a run has one sheet per study: a second one that says something else is refused.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::seal::Sealed;
use crate::study::Account;
use crate::{AnswersFrom, Error, Manifest, Run, first_difference};

/// One study, as its tables and figures need it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct StudySheet {
    /// The study's id, which is also its folder.
    pub id: String,
    /// Its place in the catalogue.
    pub order: usize,
    /// Its title.
    pub title: String,
    /// The label of its table in the paper.
    pub paper_label: String,
    /// What it must show, or honestly fail to show.
    pub finding: String,
    /// The names of its arms, in order.
    pub arms: Vec<String>,
    /// What is read out of it.
    pub account: Account,
    /// What was changed in its settings, in words; empty where it was run as it stands.
    pub changed: Vec<String>,
    /// Where the answers of language models come from.
    pub answers: AnswersFrom,
    /// The specification of each arm, with every default filled in. All cells of an arm have this one.
    pub settings: BTreeMap<String, Value>,
}

/// The sheet as it lies in its file.
#[derive(Serialize, Deserialize)]
struct Page {
    log_format: u32,
    #[serde(flatten)]
    sheet: StudySheet,
    seal: String,
}

impl Sealed for Page {
    fn format(&self) -> u32 {
        self.log_format
    }

    fn seal(&mut self) -> &mut String {
        &mut self.seal
    }
}

impl StudySheet {
    fn page(&self) -> Page {
        Page { log_format: Manifest::FORMAT, sheet: self.clone(), seal: String::new() }
    }

    /// The text of its file, sealed.
    pub fn to_text(&self) -> Result<String, Error> {
        self.page()
            .sealed()
            .map_err(|error| Error::Manifest { path: self.id.clone().into(), reason: error.to_string() })
    }

    /// Reads a sheet from the bytes of its file. The path is for messages.
    pub fn from_bytes(bytes: &[u8], path: &Path) -> Result<Self, Error> {
        Page::unsealed(bytes, path).map(|page| page.sheet)
    }
}

impl Run {
    /// Whether the sheet of a study has to be written: it is not there, or damaged. One that says something else is an error.
    pub fn lacks_sheet(&self, sheet: &StudySheet) -> Result<bool, Error> {
        let path = self.sheet_path(&sheet.id);
        if !path.exists() {
            return Ok(true);
        }
        match Page::read_sealed(&path) {
            Ok(Page { sheet: there, .. }) if there == *sheet => Ok(false),
            Ok(Page { sheet: there, .. }) => Err(differs(path, &there, sheet)),
            Err(Error::Manifest { .. }) => Ok(true),
            Err(error) => Err(error),
        }
    }

    /// Writes the sheet of a study. Nothing is written if the same one is there; one that says something else is an error;
    /// one that is damaged is restored.
    pub fn write_sheet(&self, sheet: &StudySheet) -> Result<(), Error> {
        if !self.lacks_sheet(sheet)? {
            return Ok(());
        }
        sheet.page().write_sealed(&self.sheet_path(&sheet.id))
    }

    /// The sheet of a study.
    pub fn sheet(&self, study: &str) -> Result<StudySheet, Error> {
        let path = self.sheet_path(study);
        if !path.exists() {
            return Err(Error::NoSheet { path });
        }
        let Page { sheet, .. } = Page::read_sealed(&path)?;
        if sheet.id != study {
            return Err(Error::Manifest { path, reason: format!("it belongs to study {}", sheet.id) });
        }
        Ok(sheet)
    }

    fn sheet_path(&self, study: &str) -> PathBuf {
        self.root().join(study).join("study.json")
    }
}

fn differs(path: PathBuf, there: &StudySheet, here: &StudySheet) -> Error {
    let value = |sheet: &StudySheet| serde_json::to_value(sheet).unwrap_or_default();
    Error::OtherSheet { path, what: first_difference(&value(there), &value(here)) }
}
