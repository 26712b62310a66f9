//! A small run to audit, and its cell to tamper with.

use std::path::{Path, PathBuf};

use counsel_log::{CellKey, Decision, Manifest, Run};
use tempfile::TempDir;

use crate::support::{Said, counsel, path, reproduce};

pub(crate) const WORDS: &str = "informative --seeds 0..0";
pub(crate) const CELL: &str = "informative/response-conditioned/0";

pub(crate) fn intact_run() -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    reproduce(WORDS, folder.path());
    folder
}

pub(crate) fn file(folder: &Path, extension: &str) -> PathBuf {
    folder.join(format!("informative/response-conditioned/seed-00000.{extension}"))
}

pub(crate) fn audit(folder: &Path) -> Said {
    counsel(&["audit", path(folder)])
}

pub(crate) fn cells(folder: &Path) -> Vec<(Manifest, Vec<Decision>)> {
    let run = Run::at(folder);
    let cell = |key: CellKey| {
        let cell = run.cell(&key).unwrap().unwrap();
        let decisions = cell.decisions().unwrap();
        (cell.manifest, decisions)
    };
    run.keys().unwrap().into_iter().map(cell).collect()
}
