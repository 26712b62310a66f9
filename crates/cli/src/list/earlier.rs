//! What was run already: the cells in a folder of runs, and in the folders in it.

use std::path::{Path, PathBuf};

use anyhow::{Result, bail};
use counsel_experiment::Study;
use counsel_file::Printable;
use counsel_log::{CellKey, Error, Run};
use serde_json::{Value, json};

/// The runs below a folder, each with its cells.
#[derive(Default)]
pub(super) struct Earlier(Vec<(Run, Vec<CellKey>)>);

/// What one run holds of a study.
pub(super) struct Part {
    folder: PathBuf,
    /// Cells of the study as it stands, out of all.
    cells: u64,
    all: u64,
    /// Cells of other seeds or arms.
    others: usize,
    changed: Vec<String>,
}

impl Earlier {
    /// The runs that exist; none if the folder does not. A run that cannot be listed is reported and skipped.
    pub(super) fn below(root: &Path) -> Self {
        let inner = std::fs::read_dir(root).into_iter().flatten().filter_map(|entry| Some(entry.ok()?.path()));
        let mut folders: Vec<PathBuf> = inner.filter(|path| path.is_dir()).collect();
        folders.sort();
        let mut found = Vec::new();
        for folder in std::iter::once(root.to_owned()).chain(folders).filter(|folder| folder.is_dir()) {
            let run = Run::at(folder);
            match run.keys() {
                Ok(keys) => found.push((run, keys)),
                Err(Error::NoCells { .. }) => {}
                Err(error) => told(&error),
            }
        }
        Self(found)
    }

    /// The same for a folder that was asked for, which must be there.
    pub(super) fn within(root: &Path) -> Result<Self> {
        if !root.is_dir() {
            bail!("there is no folder {}; --out takes the one that `counsel reproduce` wrote", root.display());
        }
        Ok(Self::below(root))
    }

    /// What each run holds of a study.
    pub(super) fn parts(&self, study: &Study) -> Vec<Part> {
        let part = |(run, keys): &(Run, Vec<CellKey>)| {
            let own: Vec<&CellKey> = keys.iter().filter(|key| key.study == study.id).collect();
            if own.is_empty() {
                return None;
            }
            let is_declared =
                |key: &&&CellKey| key.seed < study.seeds && study.arms.iter().any(|arm| arm.name == key.arm);
            let cells = own.iter().filter(is_declared).count();
            let changed = run.sheet(&study.id).map_err(|error| told(&error)).ok()?.changed;
            let all = study.arms.len() as u64 * study.seeds;
            let folder = run.root().to_owned();
            Some(Part { folder, cells: cells as u64, all, others: own.len() - cells, changed })
        };
        self.0.iter().filter_map(part).collect()
    }
}

fn told(error: &Error) {
    eprintln!("not listed: {}", Printable(error));
}

impl Part {
    pub(super) fn json(&self) -> Value {
        let Self { folder, cells, all, others, changed } = self;
        json!({ "folder": folder, "cells": cells, "of": all, "other_cells": others, "changed": changed })
    }

    pub(super) fn text(&self) -> String {
        let Self { folder, cells, all, others, changed } = self;
        let count = if cells == all { format!("all {all} cells") } else { format!("{cells} of {all} cells") };
        let others = if *others > 0 { format!(" and {others} of other seeds or arms") } else { String::new() };
        let changed = if changed.is_empty() { "" } else { ", changed" };
        format!("in {}: {count}{others}{changed}", folder.display())
    }
}
