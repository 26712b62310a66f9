//! Runs cells in parallel and resumes where a run was cut off.
//!
//! Cells share nothing, draw from streams named after their own seed, and are written whole or not at all. So the bytes
//! depend neither on the number of threads nor on how often the run was killed.

use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

use counsel_audit::{LogFile, Manifest, Run, Versions};

use crate::{Error, PlannedCell};

/// What became of a cell.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Outcome {
    /// It was run now.
    Ran,
    /// It was there already.
    Skipped,
    /// It was there, but damaged, and was run again.
    Restored,
}

/// Is told of every finished cell.
pub trait Observer: Sync {
    /// A cell is done.
    fn done(&self, cell: &PlannedCell, outcome: Outcome);
}

/// Runs cells into a folder.
#[derive(Debug, Clone)]
pub struct Runner {
    run: Run,
    jobs: usize,
}

impl Runner {
    /// A runner with so many threads, at least one.
    pub fn new(run: Run, jobs: usize) -> Self {
        Self { run, jobs: jobs.max(1) }
    }

    /// Runs the cells that are not there yet. Stops at the first failure; what was finished stays.
    pub fn run(&self, cells: &[PlannedCell], observer: &dyn Observer) -> Result<(), Error> {
        let next = AtomicUsize::new(0);
        let failure: Mutex<Option<Error>> = Mutex::new(None);
        let work = || {
            while let Some(cell) = cells.get(next.fetch_add(1, Ordering::Relaxed)) {
                match self.run_cell(cell) {
                    Ok(outcome) => observer.done(cell, outcome),
                    Err(error) => {
                        next.store(cells.len(), Ordering::Relaxed);
                        let mut first = failure.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
                        first.get_or_insert(error);
                    }
                }
            }
        };
        std::thread::scope(|scope| {
            for _ in 0..self.jobs {
                scope.spawn(work);
            }
        });
        failure.into_inner().unwrap_or_else(std::sync::PoisonError::into_inner).map_or(Ok(()), Err)
    }

    fn run_cell(&self, cell: &PlannedCell) -> Result<Outcome, Error> {
        let outcome = match self.present(cell)? {
            Some(Outcome::Skipped) => return Ok(Outcome::Skipped),
            Some(outcome) => outcome,
            None => Outcome::Ran,
        };
        let failed = |source: Error| Error::Cell { key: cell.key.clone(), source: Box::new(source) };
        let played = cell.scenario.play(&cell.key).map_err(failed)?;
        let manifest = Manifest {
            key: cell.key.clone(),
            arm_order: cell.arm_order,
            title: cell.title.clone(),
            paper_label: cell.paper_label.clone(),
            finding: cell.finding.clone(),
            spec: cell.spec.clone(),
            versions: versions(),
            settings: played.settings,
            words: played.words,
            engine_seed: played.engine_seed,
            calibration: played.calibration,
            totals: played.totals,
            log: LogFile { file: String::new(), rows: 0, sha256: String::new() },
            seal: String::new(),
        };
        self.run.write(manifest, &played.decisions)?;
        Ok(outcome)
    }

    /// What is there of a cell: nothing, an intact one, or a damaged one that must be run again.
    fn present(&self, cell: &PlannedCell) -> Result<Option<Outcome>, Error> {
        let found = match self.run.cell(&cell.key) {
            Ok(Some(found)) => found,
            Ok(None) => return Ok(None),
            Err(counsel_audit::Error::Manifest { .. }) => return Ok(Some(Outcome::Restored)),
            Err(error) => return Err(error.into()),
        };
        let other = |what: String| Error::OtherSettings { key: cell.key.clone(), what };
        if found.manifest.spec != cell.spec {
            return Err(other(first_difference(&found.manifest.spec, &cell.spec)));
        }
        if found.manifest.versions != versions() {
            return Err(other(format!("made by counsel {}", found.manifest.versions.counsel)));
        }
        Ok(Some(if found.intact().is_ok() { Outcome::Skipped } else { Outcome::Restored }))
    }
}

fn versions() -> Versions {
    Versions { counsel: env!("CARGO_PKG_VERSION").into(), log_format: Manifest::FORMAT }
}

/// The first key whose value differs, with both values.
fn first_difference(there: &serde_json::Value, wanted: &serde_json::Value) -> String {
    if let (Some(there), Some(wanted)) = (there.as_object(), wanted.as_object()) {
        for key in there.keys().chain(wanted.keys()) {
            match (there.get(key), wanted.get(key)) {
                (Some(one), Some(other)) if one != other => {
                    let inner = first_difference(one, other);
                    let dot = if inner.starts_with("is ") { " " } else { "." };
                    return format!("{key}{dot}{inner}");
                }
                (Some(one), None) => return format!("{key} is {one} there and absent here"),
                (None, Some(other)) => return format!("{key} is absent there and {other} here"),
                _ => {}
            }
        }
    }
    format!("is {there} there and {wanted} here")
}
