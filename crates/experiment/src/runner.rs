//! Runs cells in parallel and resumes where a run was cut off.
//!
//! Cells share nothing, draw from streams named after their own seed, and are written whole or not at all. So the bytes
//! depend neither on the number of threads nor on how often the run was killed.

use std::fs::File;

use counsel_log::{Run, StudySheet, Versions, each, first_difference};

use crate::{Error, Library, PlannedCell, WarmStarts};

/// What became of a cell.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Fate {
    /// It was run now.
    Ran,
    /// It was there already.
    Skipped,
    /// It was there, but damaged, and was run again.
    Restored,
    /// It was given up, because a question got no answer. The next run does it.
    Unfinished,
}

/// Is told of every finished cell.
pub trait Observer: Sync {
    /// A cell is done.
    fn done(&self, cell: &PlannedCell, fate: Fate);
}

/// Runs cells into a folder.
pub struct Runner<'a> {
    run: Run,
    library: &'a Library,
    warm_starts: WarmStarts,
    jobs: usize,
}

impl<'a> Runner<'a> {
    /// A runner with so many threads, at least one, whose cells ask the advisors of this library.
    pub fn new(run: Run, library: &'a Library, jobs: usize) -> Self {
        Self { run, library, warm_starts: WarmStarts::default(), jobs: jobs.max(1) }
    }

    /// Runs the cells that are not there yet: [`Runner::prepare`] and [`Prepared::run`] in one.
    pub fn run(&self, cells: &[PlannedCell], observer: &dyn Observer) -> Result<(), Error> {
        self.prepare(cells)?.run(observer)
    }

    /// Finds out what has to be done, and claims the folder. Nothing is written yet, and all that is there is checked: a cell
    /// with other settings is an error, and so is an advisor that cannot be asked.
    pub fn prepare<'b>(&'b self, cells: &'b [PlannedCell]) -> Result<Prepared<'b>, Error> {
        let claim = self.run.claim()?;
        let mut sheets: Vec<&StudySheet> = cells.iter().map(|cell| &*cell.sheet).collect();
        sheets.dedup_by_key(|sheet| &sheet.id);
        for sheet in &sheets {
            self.run.lacks_sheet(sheet)?;
        }
        let fates = cells.iter().map(|cell| Ok((cell, self.due(cell)?))).collect::<Result<Vec<_>, Error>>()?;
        let (skipped, due): (Vec<_>, Vec<_>) = fates.into_iter().partition(|(_, fate)| *fate == Fate::Skipped);
        for advisor in due.iter().flat_map(|(cell, _)| cell.scenario.models()) {
            self.library.require(&advisor)?;
        }
        Ok(Prepared { runner: self, sheets, skipped, due, _claim: claim })
    }

    fn run_cell(&self, cell: &PlannedCell) -> Result<(), Error> {
        let failed = |cause| Error::Cell { key: cell.key.clone(), cause: Box::new(cause) };
        let played = cell.scenario.play(&cell.key, self.library, &self.warm_starts).map_err(failed)?;
        Ok(played.write(&self.run, &cell.sheet, cell.key.clone())?)
    }

    /// What has to be done for a cell: run it, nothing because it is there, or run it again because it is damaged.
    fn due(&self, cell: &PlannedCell) -> Result<Fate, Error> {
        let found = match self.run.cell(&cell.key) {
            Ok(Some(found)) => found,
            Ok(None) => return Ok(Fate::Ran),
            Err(counsel_log::Error::Manifest { .. }) => return Ok(Fate::Restored),
            Err(error) => return Err(error.into()),
        };
        let other = |what: String| Error::OtherSettings { key: cell.key.clone(), what };
        if found.manifest.spec != cell.spec {
            return Err(other(first_difference(&found.manifest.spec, &cell.spec)));
        }
        if found.manifest.answers != cell.sheet.answers {
            return Err(other(format!("{} there, {} here", found.manifest.answers, cell.sheet.answers)));
        }
        if found.manifest.versions != Versions::current() {
            return Err(other(format!("made by counsel {}", found.manifest.versions.counsel)));
        }
        Ok(if found.intact().is_ok() { Fate::Skipped } else { Fate::Restored })
    }
}

/// What has to be done in a folder, which is claimed as long as this lives.
pub struct Prepared<'a> {
    runner: &'a Runner<'a>,
    sheets: Vec<&'a StudySheet>,
    skipped: Vec<(&'a PlannedCell, Fate)>,
    due: Vec<(&'a PlannedCell, Fate)>,
    _claim: File,
}

impl Prepared<'_> {
    /// The cells that will be run, in order.
    pub fn due(&self) -> impl ExactSizeIterator<Item = &PlannedCell> {
        self.due.iter().map(|(cell, _)| *cell)
    }

    /// Runs them. It stops at the first failure; what was finished stays. A cell in which a live model leaves a question
    /// without an answer is given up, and the others go on until the library closes.
    pub fn run(self, observer: &dyn Observer) -> Result<(), Error> {
        let Runner { run, library, jobs, .. } = self.runner;
        self.skipped.iter().for_each(|(cell, fate)| observer.done(cell, *fate));
        self.sheets.iter().try_for_each(|sheet| run.write_sheet(sheet))?;
        let play = |(cell, fate): &(&PlannedCell, Fate)| {
            let fate = match self.runner.run_cell(cell) {
                Ok(()) => *fate,
                Err(Error::Cell { cause, .. }) if matches!(*cause, counsel_session::Error::Lost { .. }) => {
                    Fate::Unfinished
                }
                Err(error) => return Err(error),
            };
            observer.done(cell, fate);
            Ok(fate)
        };
        let fates = each(&self.due, *jobs, |_| (), play)?;
        let cells = fates.iter().filter(|fate| **fate == Fate::Unfinished).count();
        match library.lost() {
            Some(lost) if cells > 0 => Err(Error::Unfinished { cells, due: fates.len(), lost: Box::new(lost) }),
            _ => Ok(()),
        }
    }
}
