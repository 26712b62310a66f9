//! What was changed in a study before it was run, whether its finding is judged then, and that all its cells are of one kind.
//!
//! A finding speaks of the study as it stands. Under other settings, or on answers that were not recorded, it is judged only
//! if that is asked for. Invariant: no table and no figure puts cells of two settings, or of two sources of answers, together.

use counsel_log::{AnswersFrom, Manifest, StudySheet};

use crate::Error;

/// Whether the finding of a study is judged on these runs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Judging {
    /// Only where the study was run as it stands.
    #[default]
    AsItStands,
    /// Also where it was changed.
    Anyway,
}

/// What differs from the study as it stands, in words.
pub(super) fn changes(sheet: &StudySheet) -> Vec<String> {
    let live = Some(&sheet.answers).filter(|answers| **answers != AnswersFrom::Recorded).map(ToString::to_string);
    sheet.changed.iter().cloned().chain(live).collect()
}

/// Refuses a cell that was not run as the sheet of its study says.
pub(super) fn check(sheet: &StudySheet, manifest: &Manifest) -> Result<(), Error> {
    let differs = |what| Error::OtherCell { cell: manifest.key.to_string(), what };
    sheet.refuses(manifest).map(differs).map_or(Ok(()), Err)
}
