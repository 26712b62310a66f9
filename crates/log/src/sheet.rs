//! What a run says of a study once for all its cells: `DIR/STUDY/study.json`.
//!
//! Tables and figures are built from the folder alone, so all that they need to know of a study besides its cells is here. The
//! sheet is sealed like a manifest. A folder holds a study with one set of settings, one source of answers and one set of
//! findings: a sheet that says otherwise is refused as long as there are cells of the old one. Arms may be added, and title,
//! table and figures may change.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use crate::seal::Sealed;
use crate::study::Account;
use crate::{AnswersFrom, Error, Manifest, Run, first_difference};

/// The name of its file.
pub(crate) const SHEET: &str = "study.json";

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
    /// How many seeds it names, from 0, where it names some.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub seeds: Option<u64>,
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
    /// Whether the sheet of a study has to be written: it is not there, or damaged, or differs in what may change. One that
    /// the cells of the study contradict is an error.
    fn lacks_sheet(&self, sheet: &StudySheet) -> Result<bool, Error> {
        let path = self.sheet_path(&sheet.id);
        if !path.exists() {
            return Ok(true);
        }
        let there = match Page::read_sealed(&path) {
            Ok(Page { sheet: there, .. }) => there,
            Err(Error::Manifest { .. }) => return Ok(true),
            Err(error) => return Err(error),
        };
        match there.contradiction(sheet) {
            Some(what) if self.holds(&sheet.id)? => Err(Error::OtherSheet { path, what }),
            _ => Ok(there != *sheet),
        }
    }

    /// Writes the sheet of a study. Nothing is written if the same one is there; one that the cells contradict is an error;
    /// one that is damaged is restored.
    pub fn write_sheet(&self, sheet: &StudySheet) -> Result<(), Error> {
        if self.lacks_sheet(sheet)? { self.put_sheet(sheet) } else { Ok(()) }
    }

    /// Those of these sheets that have to be written. One that the cells of its study contradict is an error.
    pub fn lacking_sheets<'a>(
        &self,
        sheets: impl IntoIterator<Item = &'a StudySheet>,
    ) -> Result<Vec<&'a StudySheet>, Error> {
        let lacking = |sheet| self.lacks_sheet(sheet).map(|lacks| lacks.then_some(sheet)).transpose();
        sheets.into_iter().filter_map(lacking).collect()
    }

    /// Writes a sheet that was found lacking while the folder is claimed, without looking again.
    pub fn put_sheet(&self, sheet: &StudySheet) -> Result<(), Error> {
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

    pub(crate) fn sheet_path(&self, study: &str) -> PathBuf {
        self.root().join(study).join(SHEET)
    }
}

impl StudySheet {
    /// The sheet of a study that declares no table: its arms in order, each with its settings. What is read out of it is
    /// [`Account::generic`].
    pub fn plain(
        id: impl Into<String>,
        title: impl Into<String>,
        arms: impl IntoIterator<Item = (String, Value)>,
    ) -> Self {
        let arms: Vec<(String, Value)> = arms.into_iter().collect();
        let names: Vec<String> = arms.iter().map(|(name, _)| name.clone()).collect();
        Self {
            id: id.into(),
            order: 0,
            title: title.into(),
            paper_label: String::new(),
            finding: String::new(),
            account: Account::generic(Vec::new(), Vec::new(), names.iter().map(String::as_str)),
            arms: names,
            seeds: None,
            changed: Vec::new(),
            answers: AnswersFrom::Recorded,
            settings: arms.into_iter().collect(),
        }
    }

    /// Why a cell does not belong to this study, if it does not: it has other settings, or another source of answers.
    pub fn refuses(&self, manifest: &Manifest) -> Option<String> {
        if manifest.answers != self.answers {
            return Some(format!("it has {}, its study {}", manifest.answers, self.answers));
        }
        match self.settings.get(&manifest.key.arm) {
            None => Some("its study has no such arm".to_owned()),
            Some(settings) if *settings != manifest.spec => {
                Some(format!("it has other settings than its study: {}", first_difference(&manifest.spec, settings)))
            }
            Some(_) => None,
        }
    }

    /// Why cells of this study and of the other cannot be put into one table, if they cannot.
    pub(crate) fn contradiction(&self, here: &Self) -> Option<String> {
        if self.answers != here.answers {
            return Some(format!("{} there, {} here", self.answers, here.answers));
        }
        let settings = self.settings.iter().find_map(|(arm, there)| match here.settings.get(arm) {
            None => Some(format!("other settings: the arm {arm} is not here")),
            Some(here) if here != there => Some(format!("other settings: in {arm}, {}", first_difference(there, here))),
            Some(_) => None,
        });
        let claims = |sheet: &Self| json!({ "families": sheet.account.families, "findings": sheet.account.findings });
        let (there, here) = (claims(self), claims(here));
        settings.or_else(|| (there != here).then(|| first_difference(&there, &here)))
    }
}
