//! The decisions of a log on their way to the disk, which a controller and its log share.
//!
//! A thread writes what is complete, twice a second. Invariants: a row is written once, when its outcome is known or a later decision at
//! its place shows that none will come; rows that could not be written are kept and tried again; no Python code runs under a lock.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, Weak};
use std::time::Duration;

use counsel_controller::Override;
use counsel_log::{CellKey, Decision, Error, Hindsight, Journal, Manifest};
use pyo3::prelude::*;

use crate::act::locked;
use crate::deployment::Deployment;
use crate::error::{damaged, state};

/// How often what came is written.
const PAUSE: Duration = Duration::from_millis(500);
/// How many rows wait at most: then whoever adds one writes them.
const MOST: usize = 1 << 14;

/// The decisions of a log.
#[derive(Clone)]
pub(crate) struct Rows(Arc<Both>);

struct Both {
    sheaf: Mutex<Sheaf>,
    /// Taken before the sheaf where both are. None once the log is closed.
    writer: Mutex<Option<Writer>>,
}

/// The journal, with the rows that could not be written into it.
pub(crate) struct Writer {
    pub(crate) journal: Journal,
    pub(crate) failed: Vec<Decision>,
}

#[derive(Default)]
struct Sheaf {
    /// The controller, while it is there: the log does not keep it.
    controller: Weak<Mutex<Deployment>>,
    bound: bool,
    closed: bool,
    /// The decisions that are not written yet, by step.
    decisions: BTreeMap<u64, Decision>,
    /// The step of each place whose outcome is not known yet.
    waiting: BTreeMap<u64, u64>,
    count: usize,
}

impl Sheaf {
    fn complete(&mut self) -> Vec<Decision> {
        let waiting: Vec<u64> = self.waiting.values().copied().collect();
        let (kept, complete) =
            std::mem::take(&mut self.decisions).into_iter().partition(|(step, _)| waiting.contains(step));
        self.decisions = kept;
        let complete: BTreeMap<u64, Decision> = complete;
        complete.into_values().collect()
    }
}

impl Rows {
    /// The rows of a journal that holds this number of decisions already.
    pub(crate) fn of(journal: Journal, count: usize) -> Self {
        let sheaf = Mutex::new(Sheaf { count, ..Sheaf::default() });
        Self(Arc::new(Both { sheaf, writer: Mutex::new(Some(Writer { journal, failed: Vec::new() })) }))
    }

    /// Begins the log of a controller whose next decision has this step.
    pub(crate) fn begin(
        &self,
        key: &CellKey,
        head: Manifest,
        next: u64,
        controller: &Arc<Mutex<Deployment>>,
    ) -> PyResult<()> {
        let mut writer = locked(&self.0.writer);
        let mut sheaf = locked(&self.0.sheaf);
        let Some(Writer { journal, .. }) = writer.as_mut().filter(|_| !sheaf.bound) else {
            return Err(state(format!("the log {key} belongs to another controller; open one for each")));
        };
        if let Some(before) = journal.head().map_err(damaged)? {
            if (&before.settings, &before.words, before.engine_seed, &before.advisor)
                != (&head.settings, &head.words, head.engine_seed, &head.advisor)
            {
                return Err(state(format!(
                    "the log {key} is one of a controller with other settings; go on with the one that was saved beside it"
                )));
            }
            let kept = journal.decisions().map_err(damaged)?;
            let reached = kept.last().map_or(0, |decision| decision.record.step + 1);
            if reached < next {
                return Err(state(format!(
                    "the log {key} ends before step {reached}, and the controller goes on at step {next}; load an earlier checkpoint"
                )));
            }
            journal.cut(next).map_err(damaged)?;
            sheaf.count = kept.iter().filter(|decision| decision.record.step < next).count();
        } else if next > 0 {
            return Err(state(format!(
                "the controller goes on at step {next}, and the log {key} holds nothing before it, so nobody could audit it; open the log \
                 that was written before with resume=True"
            )));
        } else {
            journal.begin(head).map_err(damaged)?;
        }
        (sheaf.bound, sheaf.controller) = (true, Arc::downgrade(controller));
        drop((sheaf, writer));
        let rows = Arc::downgrade(&self.0);
        std::thread::spawn(move || {
            loop {
                std::thread::sleep(PAUSE);
                let Some(rows) = rows.upgrade().map(Rows).filter(|rows| !rows.is_closed()) else { break };
                // What could not be written is tried again, and `close` reports it.
                let _ = rows.flush();
            }
        });
        Ok(())
    }

    /// Adds a decision. What comes after the log was closed is not written.
    pub(crate) fn push(&self, decision: Decision) {
        let crowded = {
            let mut sheaf = locked(&self.0.sheaf);
            if sheaf.closed {
                return;
            }
            let (place, step) = (decision.record.place, decision.record.step);
            sheaf.waiting.insert(place, step);
            sheaf.decisions.insert(step, decision);
            sheaf.count += 1;
            sheaf.decisions.len() >= MOST
        };
        if crowded {
            let _ = self.flush();
        }
    }

    /// Notes what became known after a decision.
    pub(crate) fn know(&self, step: u64, known: Hindsight) {
        let sheaf = &mut *locked(&self.0.sheaf);
        if let Some(decision) = sheaf.decisions.get_mut(&step) {
            decision.hindsight = known;
            if sheaf.waiting.get(&decision.record.place) == Some(&step) {
                sheaf.waiting.remove(&decision.record.place);
            }
        }
    }

    /// Notes who had the last word of a decision that waits for its outcome.
    pub(crate) fn set_override(&self, step: u64, overridden: Override) {
        if let Some(decision) = locked(&self.0.sheaf).decisions.get_mut(&step) {
            decision.record.set_override(overridden);
        }
    }

    /// Writes what is complete.
    pub(crate) fn flush(&self) -> Result<(), Error> {
        let mut writer = locked(&self.0.writer);
        let Some(Writer { journal, failed }) = writer.as_mut() else { return Ok(()) };
        failed.extend(locked(&self.0.sheaf).complete());
        if !failed.is_empty() {
            journal.append(failed)?;
            failed.clear();
        }
        Ok(())
    }

    /// Closes the rows, and hands over what is written and what is not; nothing if they were closed before.
    pub(crate) fn close(&self) -> Option<Writer> {
        let mut writer = locked(&self.0.writer).take()?;
        let mut sheaf = locked(&self.0.sheaf);
        sheaf.closed = true;
        writer.failed.extend(std::mem::take(&mut sheaf.decisions).into_values());
        Some(writer)
    }

    /// The controller, if it is there.
    pub(crate) fn controller(&self) -> Option<Arc<Mutex<Deployment>>> {
        locked(&self.0.sheaf).controller.upgrade()
    }

    pub(crate) fn is_closed(&self) -> bool {
        locked(&self.0.sheaf).closed
    }

    pub(crate) fn len(&self) -> usize {
        locked(&self.0.sheaf).count
    }
}
