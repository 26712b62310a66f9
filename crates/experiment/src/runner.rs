//! Runs cells in parallel and resumes where a run was cut off.
//!
//! Cells share nothing, draw from streams named after their own seed, and are written whole or not at all. So the bytes
//! depend neither on the number of threads nor on how often the run was killed.

use std::collections::BTreeMap;

use counsel_log::{Claim, Run, StudySheet, Versions, each, first_difference};
use counsel_session::Shared;

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

    /// Claims the folder, and finds out what has to be done.
    pub fn prepare<'b>(&'b self, cells: &'b [PlannedCell]) -> Result<Prepared<'b>, Error> {
        let mut claim = self.run.claim()?;
        claim.announce(cells.iter().map(|cell| &cell.key))?;
        self.foresee(cells, Some(claim))
    }

    /// The cells that would be run. Nothing is written, not even a claim.
    pub fn missing<'b>(&'b self, cells: &'b [PlannedCell]) -> Result<Vec<&'b PlannedCell>, Error> {
        Ok(self.foresee(cells, None)?.due.into_iter().map(|(cell, _)| cell).collect())
    }

    /// Finds out what has to be done. All that is there is checked: a cell with other settings is an error, and so is an
    /// advisor that cannot be asked.
    fn foresee<'b>(&'b self, cells: &'b [PlannedCell], claim: Option<Claim>) -> Result<Prepared<'b>, Error> {
        let mut sheets: Vec<&StudySheet> = cells.iter().map(|cell| &*cell.sheet).collect();
        sheets.dedup_by_key(|sheet| &sheet.id);
        let lacking = self.run.lacking_sheets(sheets.iter().copied())?;
        let fates = cells.iter().map(|cell| Ok((cell, self.due(cell)?))).collect::<Result<Vec<_>, Error>>()?;
        let (skipped, due): (Vec<_>, Vec<_>) = fates.into_iter().partition(|(_, fate)| *fate == Fate::Skipped);
        for advisor in due.iter().flat_map(|(cell, _)| cell.scenario.models()) {
            self.library.require(&advisor)?;
        }
        Ok(Prepared { runner: self, sheets, lacking, skipped, due, _claim: claim })
    }

    /// Plays cells that are the same run once, and writes each.
    fn run_cells(&self, cells: &[(&PlannedCell, Fate)]) -> Result<(), Error> {
        let Some((first, _)) = cells.first() else { return Ok(()) };
        let failed = |cause| Error::Cell { key: first.key.clone(), cause: Box::new(cause) };
        let shared = Shared { library: self.library, warm_starts: &self.warm_starts, fork: None };
        let mut played = first.scenario.run(&first.key, shared).map_err(failed)?;
        for (cell, _) in cells {
            // One run that asks nobody is filed under the advisor that each of its cells could have asked.
            if let Some(advisor) = cell.scenario.playable.advisor() {
                played.deployed.advisor = advisor;
            }
            self.run.write_cell(&cell.sheet, cell.key.clone(), &played.deployed, &played.decisions)?;
        }
        Ok(())
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
        if found.manifest.spec != *cell.scenario.spec() {
            return Err(other(first_difference(&found.manifest.spec, cell.scenario.spec())));
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
    /// Those of them that have to be written.
    lacking: Vec<&'a StudySheet>,
    skipped: Vec<(&'a PlannedCell, Fate)>,
    due: Vec<(&'a PlannedCell, Fate)>,
    _claim: Option<Claim>,
}

impl Prepared<'_> {
    /// What is said of each study, in order.
    pub fn sheets(&self) -> &[&StudySheet] {
        &self.sheets
    }

    /// The cells that will be run, in order.
    pub fn due(&self) -> impl ExactSizeIterator<Item = &PlannedCell> {
        self.due.iter().map(|(cell, _)| *cell)
    }

    /// Runs them. It stops at the first failure; what was finished stays. A cell in which a live model leaves a question
    /// without an answer is given up, and the others go on until the library closes.
    pub fn run(self, observer: &dyn Observer) -> Result<(), Error> {
        let Runner { run, library, jobs, .. } = self.runner;
        self.skipped.iter().for_each(|(cell, fate)| observer.done(cell, *fate));
        self.lacking.iter().try_for_each(|sheet| run.put_sheet(sheet))?;
        let play = |cells: &Vec<(&PlannedCell, Fate)>| {
            let lost = match self.runner.run_cells(cells) {
                Ok(()) => 0,
                Err(Error::Cell { cause, .. }) if matches!(*cause, counsel_session::Error::Lost { .. }) => cells.len(),
                Err(error) => return Err(error),
            };
            for (cell, fate) in cells {
                observer.done(cell, if lost > 0 { Fate::Unfinished } else { *fate });
            }
            Ok(lost)
        };
        let cells = each(&same_runs(&self.due), *jobs, |_| (), play)?.into_iter().sum();
        match library.lost() {
            Some(lost) if cells > 0 => Err(Error::Unfinished { cells, due: self.due.len(), lost: Box::new(lost) }),
            _ => Ok(()),
        }
    }
}

/// The cells that are the same run under several names, together: those of an arm that asks nobody, beside several advisors.
fn same_runs<'a>(due: &[(&'a PlannedCell, Fate)]) -> Vec<Vec<(&'a PlannedCell, Fate)>> {
    let mut places: BTreeMap<(&str, u64, String), usize> = BTreeMap::new();
    let mut runs: Vec<Vec<_>> = Vec::new();
    for (cell, fate) in due {
        let key = (cell.key.study.as_str(), cell.key.seed, cell.scenario.run_key());
        let place = *places.entry(key).or_insert(runs.len());
        if place == runs.len() {
            runs.push(Vec::new());
        }
        runs[place].push((*cell, *fate));
    }
    runs
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Catalogue, Plan, SeedRange};

    #[test]
    fn an_arm_that_asks_nobody_is_one_run_beside_all_advisors_of_its_task() {
        let catalogue = Catalogue::embedded().unwrap();
        let study = catalogue.select(&["babyai-deploy".to_owned()]).unwrap().remove(0);
        let cells = Plan::new(&study, Some(&SeedRange(0..=1)), &[]).unwrap().into_cells();
        let due: Vec<_> = cells.iter().map(|cell| (cell, Fate::Ran)).collect();
        let runs = same_runs(&due);
        assert_eq!(runs.iter().map(Vec::len).sum::<usize>(), cells.len());
        let names = |run: &[(&PlannedCell, Fate)]| run.iter().map(|(cell, _)| cell.key.arm.clone()).collect::<Vec<_>>();
        let never = runs.iter().find(|run| run[0].0.key.arm == "obj-05-abstract.never").unwrap();
        let blocks = ["obj-05-abstract", "obj-15-abstract", "obj-smol-abstract", "obj-wrong", "obj-mute"];
        assert_eq!(names(never), blocks.map(|block| format!("{block}.never")));
        let is_asking = |cell: &PlannedCell| cell.key.arm.ends_with(".counsel");
        let asking = runs.iter().map(|run| run.iter().filter(|(cell, _)| is_asking(cell)).count());
        assert!(asking.clone().all(|asking| asking <= 1), "two advisors or prices are never one run");
        assert_eq!(asking.sum::<usize>(), cells.iter().filter(|cell| is_asking(cell)).count());
    }
}
