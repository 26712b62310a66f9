//! The log follows the journal: rows of complete decisions go into growing cells, which every reader of runs understands.

use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::path::PathBuf;
use std::time::{Duration, Instant};

use counsel_log::{Claim, Decision, Growing, Manifest, Run, StudySheet};

use crate::Error;
use crate::deployment::sheet;
use crate::state::{LogChange, State};

/// How long a reader may take over pieces that were replaced.
const READING: Duration = Duration::from_secs(60);

/// What was taken from the state, to be written without holding it.
#[derive(Debug)]
pub(crate) struct Taken {
    changes: Vec<LogChange>,
    /// The sheet and the heads of all arms, where one is new.
    heads: Option<(StudySheet, BTreeMap<String, Manifest>)>,
}

/// The writer of the log.
#[derive(Debug)]
pub(crate) struct Follower {
    run: Run,
    arms: BTreeMap<String, Growing>,
    sheet: Option<StudySheet>,
    sheet_is_new: bool,
    heads: BTreeMap<String, Manifest>,
    /// Arms whose log changed since it was published.
    stale: BTreeSet<String>,
    /// Pieces that no manifest lists any more, and since when.
    replaced: VecDeque<(Instant, PathBuf)>,
    /// Held as long as the server writes.
    _claim: Claim,
}

impl Follower {
    pub(crate) fn new(run: Run, claim: Claim) -> Self {
        Self {
            run,
            arms: BTreeMap::new(),
            sheet: None,
            sheet_is_new: false,
            heads: BTreeMap::new(),
            stale: BTreeSet::new(),
            replaced: VecDeque::new(),
            _claim: claim,
        }
    }

    /// Puts what is new in the state into the cells.
    pub(crate) fn follow(&mut self, state: &mut State) -> Result<(), Error> {
        let taken = self.take(state)?;
        self.put(taken)
    }

    /// Takes what is new from the state.
    pub(crate) fn take(&self, state: &mut State) -> Result<Taken, Error> {
        let changes = std::mem::take(&mut state.changes);
        let is_new = |change: &LogChange| match change {
            LogChange::Row { arm, .. } => !self.heads.contains_key(arm),
            LogChange::Reward { .. } => false,
        };
        let heads = if changes.iter().any(is_new) {
            let sheet = sheet(state.deployments.values());
            let listed = |arm: &str| sheet.arms.iter().any(|listed| listed == arm);
            let arms = state.deployments.iter().filter(|(arm, _)| listed(arm));
            let heads = arms.map(|(arm, deployment)| Ok((arm.clone(), deployment.head(&sheet)?)));
            let heads = heads.collect::<Result<_, counsel_log::Error>>()?;
            Some((sheet, heads))
        } else {
            None
        };
        Ok(Taken { changes, heads })
    }

    /// Puts what was taken into the cells.
    pub(crate) fn put(&mut self, taken: Taken) -> Result<(), Error> {
        if let Some((sheet, heads)) = taken.heads {
            self.stale.extend(heads.keys().filter(|arm| self.arms.contains_key(*arm)).cloned());
            (self.sheet, self.sheet_is_new, self.heads) = (Some(sheet), true, heads);
        }
        for change in taken.changes {
            match change {
                LogChange::Row { arm, row } => {
                    if !self.arms.contains_key(&arm) {
                        let Some(head) = self.heads.get(&arm) else { continue };
                        self.arms.insert(arm.clone(), self.run.growing(&head.key)?);
                    }
                    if let Some(growing) = self.arms.get_mut(&arm) {
                        growing.put(*row);
                    }
                    self.stale.insert(arm);
                }
                LogChange::Reward { arm, step, reward } => {
                    if let Some(growing) = self.arms.get_mut(&arm) {
                        growing.reward(step, reward)?;
                    }
                    self.stale.insert(arm);
                }
            }
        }
        Ok(self.arms.values_mut().try_for_each(Growing::settle)?)
    }

    /// Lets readers see what was put.
    pub(crate) fn publish(&mut self) -> Result<(), Error> {
        if let (true, Some(sheet)) = (self.sheet_is_new, &self.sheet) {
            self.run.write_sheet(sheet)?;
            self.sheet_is_new = false;
        }
        let now = Instant::now();
        for arm in std::mem::take(&mut self.stale) {
            let (Some(growing), Some(head)) = (self.arms.get_mut(&arm), self.heads.get(&arm)) else { continue };
            growing.publish(head)?;
            self.replaced.extend(growing.replaced().into_iter().map(|path| (now, path)));
        }
        while self.replaced.front().is_some_and(|(since, _)| now.duration_since(*since) > READING) {
            if let Some((_, path)) = self.replaced.pop_front() {
                // It is in nobody's way.
                let _ = std::fs::remove_file(path);
            }
        }
        Ok(())
    }

    /// A row and the head of its log, to be explained.
    pub(crate) fn row(&self, arm: &str, step: u64) -> Result<Option<(Manifest, Decision)>, Error> {
        let (Some(growing), Some(head)) = (self.arms.get(arm), self.heads.get(arm)) else { return Ok(None) };
        Ok(growing.decision(step)?.map(|decision| (head.clone(), decision)))
    }
}
