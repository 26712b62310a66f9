//! Plays a run on from a decision, with the recorded advisor.
//!
//! Invariants: one run is played at a time, since it takes as long as its cell took; nothing is written, and no model is asked: a
//! question that was never answered has no answer here either.

use std::path::Path;
use std::sync::{Mutex, TryLockError};

use anyhow::{Context, Result, bail};
use counsel_experiment::{Fork, Library, Replay, WarmStarts, forked};
use counsel_log::{AnswersFrom, Cell, Change, Decision, book};
use counsel_report::{InspectedEpisode, served_fork};

use crate::advisor::Recorded;
use crate::live::library_again;

/// Advisors that answer from what was recorded, and learners that were warmed up for an earlier request.
pub(super) struct Player {
    recorded: Library,
    heard: Library,
    warm_starts: WarmStarts,
    at_work: Mutex<()>,
}

impl Player {
    pub(super) fn new(recorded: &Recorded, run: &Path) -> Self {
        Self {
            recorded: Library::recorded(recorded.open()),
            heard: library_again(recorded.open(), run),
            warm_starts: WarmStarts::default(),
            at_work: Mutex::default(),
        }
    }

    /// The episode of this step as it goes on with this change of settings, as the page asks for it.
    pub(super) fn play_on(&self, cell: &Cell, step: u64, change: &str) -> Result<String> {
        let change: Change =
            serde_json::from_str(change).with_context(|| format!("`{change}` is no change of settings"))?;
        let _alone = match self.at_work.try_lock() {
            Ok(alone) => alone,
            Err(TryLockError::Poisoned(alone)) => alone.into_inner(),
            Err(TryLockError::WouldBlock) => bail!("another run is being played on; try again when it is done"),
        };
        let logged = cell.decisions()?;
        book(&cell.manifest, &logged).map_err(anyhow::Error::msg)?;
        let library = match cell.manifest.answers {
            AnswersFrom::Recorded => &self.recorded,
            AnswersFrom::Live(_) => &self.heard,
        };
        let played = forked(&cell.manifest, &logged, library, &self.warm_starts, Fork { step, change })?;
        let at = |decision: &Decision| (decision.record.place, decision.record.episode);
        let here = logged.iter().find(|decision| decision.record.step == step).map(at);
        let decisions: Vec<Decision> = played.iter().filter(|decision| Some(at(decision)) == here).cloned().collect();
        let sights = Replay::of(&cell.manifest).and_then(|mut replay| replay.episode(&decisions));
        Ok(served_fork(&cell.manifest, &logged, &played, &InspectedEpisode { decisions, sights }))
    }
}
