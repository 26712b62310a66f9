//! A folder of journals, as [`crate::journal_name`] lays them out: one folder per model.

use std::path::Path;

use counsel_file::listed;

use crate::{Answers, Error, Journal};

/// The answers of every journal in a folder, in the order of their paths; none where there is no such folder.
pub fn journals(folder: &Path) -> Result<Vec<Answers>, Error> {
    if !folder.exists() {
        return Ok(Vec::new());
    }
    let mut paths = Vec::new();
    for model in listed(folder)?.into_iter().filter(|path| path.is_dir()) {
        paths.extend(listed(&model)?.into_iter().filter(|path| path.extension().is_some_and(|kind| kind == "jsonl")));
    }
    paths.sort();
    paths.iter().map(|path| Ok(Journal::read(path)?.0)).collect()
}
