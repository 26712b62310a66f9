//! What the server remembers of finished cells, so that a page that is asked for every second costs little.
//!
//! Invariants: what is remembered of a cell belongs to one manifest, known by its time and size, and to one log, known by its
//! digest; what was read is not read again. One request reads logs for [`PATIENCE`] at most; the next one goes on from there.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant, SystemTime};

use anyhow::{Result, bail};
use counsel_log::{CellKey, Error, Manifest, Run};
use counsel_report::{Glance, SeenCell, SeenStudy};

/// How long a request may read logs that nobody has read yet.
const PATIENCE: Duration = Duration::from_millis(400);

/// By what a file is known to be the same.
type Stamp = (Option<SystemTime>, u64);

/// A cell as it was when its manifest was read.
struct Remembered {
    stamp: Stamp,
    cell: SeenCell,
    /// The digest of its log.
    log: String,
}

/// What is remembered of a run.
#[derive(Default)]
pub(super) struct Known {
    cells: Mutex<BTreeMap<CellKey, Remembered>>,
    /// By the digest of their log.
    glances: Mutex<BTreeMap<String, Arc<Glance>>>,
}

fn locked<T>(of: &Mutex<T>) -> MutexGuard<'_, T> {
    of.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Known {
    /// All studies of a run, or this one, as far as they have come.
    pub(super) fn studies(&self, run: &Run, wanted: Option<&str>) -> Result<Vec<SeenStudy>> {
        let announced = run.announced();
        let keys = match run.keys() {
            Ok(keys) => keys,
            Err(Error::NoCells { .. }) if !announced.is_empty() => Vec::new(),
            Err(error) => return Err(error.into()),
        };
        let is_wanted = |key: &&CellKey| wanted.is_none_or(|wanted| wanted == key.study);
        let names: BTreeSet<&str> = keys.iter().chain(&announced).filter(is_wanted).map(|key| &*key.study).collect();
        if let (true, Some(wanted)) = (names.is_empty(), wanted) {
            let known: BTreeSet<&str> = keys.iter().map(|key| &*key.study).collect();
            bail!(
                "there is no study {wanted} in this run; it has {}",
                known.into_iter().collect::<Vec<_>>().join(", ")
            );
        }
        let begun = Instant::now();
        let mut studies: Vec<(usize, SeenStudy)> = Vec::new();
        for study in names {
            let sheet = run.sheet(study).ok();
            let own = |key: &&CellKey| key.study == study;
            // A cell whose manifest goes while it is looked at is not there.
            let cells = keys.iter().filter(own).filter_map(|key| self.cell(run, key, begun).transpose());
            let seen = SeenStudy {
                study: study.to_owned(),
                title: sheet.as_ref().map_or_else(String::new, |sheet| sheet.title.clone()),
                announced: announced.iter().filter(own).cloned().collect(),
                cells: cells.collect::<Result<_>>()?,
            };
            studies.push((sheet.map_or(usize::MAX, |sheet| sheet.order), seen));
        }
        studies.sort_by_key(|(order, _)| *order);
        Ok(studies.into_iter().map(|(_, seen)| seen).collect())
    }

    fn cell(&self, run: &Run, key: &CellKey, begun: Instant) -> Result<Option<SeenCell>> {
        let stamp = stamp(&run.manifest_path(key));
        let same = |known: &Remembered| known.stamp == stamp;
        let remembered = locked(&self.cells)
            .get(key)
            .filter(|known| same(known))
            .map(|known| (known.cell.clone(), known.log.clone()));
        let (mut seen, log) = match remembered {
            Some(known) => known,
            None => {
                let Some(cell) = run.cell(key)? else { return Ok(None) };
                let (seen, log) = (seen(&cell.manifest), cell.manifest.log.sha256.clone());
                let remembered = Remembered { stamp, cell: seen.clone(), log: log.clone() };
                locked(&self.cells).insert(key.clone(), remembered);
                (seen, log)
            }
        };
        seen.glance = locked(&self.glances).get(&log).cloned();
        if seen.glance.is_none() && begun.elapsed() < PATIENCE {
            let Some(cell) = run.cell(key)? else { return Ok(None) };
            let glance = Arc::new(Glance::of(&cell.manifest, &cell.decisions()?));
            locked(&self.glances).insert(cell.manifest.log.sha256, Arc::clone(&glance));
            seen.glance = Some(glance);
        }
        Ok(Some(seen))
    }
}

fn stamp(path: &Path) -> Stamp {
    std::fs::metadata(path).map_or((None, 0), |found| (found.modified().ok(), found.len()))
}

fn seen(manifest: &Manifest) -> SeenCell {
    let totals = &manifest.totals;
    SeenCell {
        key: manifest.key.clone(),
        arm_order: manifest.arm_order,
        mean_return: totals.reward / totals.episodes.max(1) as f64,
        calls: totals.calls,
        glance: None,
    }
}
