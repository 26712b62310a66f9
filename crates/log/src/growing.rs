//! A log that grows while others read it: the cell of a server that never ends.
//!
//! `DIR/STUDY/ARM/.seed-00007/` holds the pieces `000000-1.parquet`, `000001-1.parquet`, …, of [`PIECE`] decisions each, and the
//! manifest `seed-00007.json` at its usual place lists them with their digests. A row that changes (a reward that comes late) makes
//! its piece again under the next version, and the manifest is replaced last, so a reader sees one state of the whole log. A
//! piece that was replaced stays for those who are reading it; its writer removes it later ([`Growing::replaced`]).
//!
//! Invariants: one writer; decisions are listed as far as all of them are complete, so the log is always the beginning of the run;
//! no more than the incomplete pieces are kept in memory.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use counsel_decision::Record;
use counsel_file::{io, listed, read, write_whole};

use crate::file::LOG;
use crate::folder::Half;
use crate::{CellKey, Decision, Error, LogFile, Manifest, Run, Totals, decode, digest, encode};

/// The decisions of a piece.
const PIECE: usize = 4096;

/// The writer of a cell that grows.
#[derive(Debug)]
pub struct Growing {
    run: Run,
    key: CellKey,
    folder: PathBuf,
    /// The number of the next version of a piece.
    version: u64,
    pieces: Vec<Piece>,
    /// What the totals need of each decision; none where it is not complete yet.
    briefs: Vec<Option<Brief>>,
    /// How many decisions are complete from the first one on.
    complete: usize,
    /// The pieces that were replaced.
    replaced: Vec<PathBuf>,
}

/// What the totals need of a decision.
#[derive(Debug, Clone, Copy)]
struct Brief {
    place: u64,
    episode: u64,
    asked: bool,
    reward: f64,
}

impl Brief {
    fn of(Decision { record, hindsight, .. }: &Decision) -> Self {
        let Record { place, episode, .. } = *record;
        Self { place, episode, asked: record.asked(), reward: hindsight.reward }
    }
}

/// A piece of the log.
#[derive(Debug, Default)]
struct Piece {
    /// Its rows, unless it is written and whole.
    rows: BTreeMap<u64, Decision>,
    /// The file that holds its first decisions, and whether a row of it has changed since.
    file: Option<LogFile>,
    changed: bool,
}

impl Run {
    /// The growing cell of this name, for the one writer of this folder. It begins empty, whatever an earlier writer left: that stays
    /// readable until the first [`Growing::publish`].
    pub fn growing(&self, key: &CellKey) -> Result<Growing, Error> {
        let folder = pieces_of(&key.path(self.root(), Half::Log));
        fs::create_dir_all(&folder).map_err(io("create", &folder))?;
        let replaced: Vec<PathBuf> = listed(&folder)?;
        let versions = replaced.iter().filter_map(|path| version(path.file_name()?.to_str()?));
        let version = versions.max().map_or(1, |latest| latest + 1);
        Ok(Growing {
            run: self.clone(),
            key: key.clone(),
            folder,
            version,
            pieces: Vec::new(),
            briefs: Vec::new(),
            complete: 0,
            replaced,
        })
    }
}

/// The folder with the pieces of a log that grows, by the path that the log would have.
pub(crate) fn pieces_of(log: &Path) -> PathBuf {
    let name = log.file_stem().unwrap_or_default().to_string_lossy();
    log.with_file_name(format!(".{name}"))
}

/// The version of a piece, by its name.
fn version(name: &str) -> Option<u64> {
    name.strip_suffix(".parquet")?.split_once('-')?.1.parse().ok()
}

impl Growing {
    /// Adds a complete decision, whatever the order in which they are completed.
    pub fn put(&mut self, decision: Decision) {
        let step = decision.record.step;
        let Some((piece, at)) = located(step) else { return };
        if self.pieces.len() <= piece {
            self.pieces.resize_with(piece + 1, Piece::default);
        }
        if self.briefs.len() <= at {
            self.briefs.resize(at + 1, None);
        }
        self.briefs[at] = Some(Brief::of(&decision));
        while self.briefs.get(self.complete).is_some_and(Option::is_some) {
            self.complete += 1;
        }
        let piece = &mut self.pieces[piece];
        piece.rows.insert(step, decision);
        piece.changed = true;
    }

    /// Says what followed a decision, in the place of what was said before.
    pub fn reward(&mut self, step: u64, reward: f64) -> Result<(), Error> {
        let Some((number, at)) = located(step) else { return Ok(()) };
        let Some(Some(brief)) = self.briefs.get_mut(at) else { return Ok(()) };
        brief.reward = reward;
        self.load(number)?;
        let piece = &mut self.pieces[number];
        if let Some(decision) = piece.rows.get_mut(&step) {
            decision.hindsight.reward = reward;
            piece.changed = true;
        }
        Ok(())
    }

    /// A complete decision.
    pub fn decision(&self, step: u64) -> Result<Option<Decision>, Error> {
        let Some(piece) = located(step).and_then(|(number, _)| self.pieces.get(number)) else { return Ok(None) };
        match (&piece.rows, &piece.file) {
            (rows, Some(file)) if rows.is_empty() => {
                Ok(self.read(file)?.into_iter().find(|decision| decision.record.step == step))
            }
            (rows, _) => Ok(rows.get(&step).cloned()),
        }
    }

    /// How many decisions are complete from the first one on: as many as `publish` lists.
    pub fn complete(&self) -> usize {
        self.complete
    }

    /// Writes out pieces that are whole, and forgets their rows. What readers see does not change.
    pub fn settle(&mut self) -> Result<(), Error> {
        for number in 0..self.pieces.len() {
            let Piece { rows, changed, .. } = &self.pieces[number];
            if *changed && rows.len() == PIECE {
                self.write(number, PIECE)?;
            }
            if !self.pieces[number].changed && self.pieces[number].rows.len() == PIECE {
                self.pieces[number].rows = BTreeMap::new();
            }
        }
        Ok(())
    }

    /// Lets readers see all decisions up to the first that is not complete, under this manifest. Nothing is published before the
    /// first decision.
    pub fn publish(&mut self, head: &Manifest) -> Result<(), Error> {
        self.settle()?;
        let mut listed = Vec::new();
        for number in 0..self.complete.div_ceil(PIECE) {
            let rows = (self.complete - number * PIECE).min(PIECE);
            let piece = &self.pieces[number];
            let stale = piece.changed || piece.file.as_ref().is_none_or(|file| file.rows != rows as u64);
            if stale {
                self.write(number, rows)?;
            }
            listed.extend(self.pieces[number].file.clone());
        }
        if listed.is_empty() {
            return Ok(());
        }
        let log = LogFile { file: String::new(), rows: self.complete as u64, sha256: String::new() };
        Manifest { totals: self.totals(), log, pieces: listed, ..head.clone() }
            .write(&self.run.manifest_path(&self.key))
    }

    /// The pieces that no manifest lists any more since this was last asked. Whoever reads them still may go on until they are removed.
    pub fn replaced(&mut self) -> Vec<PathBuf> {
        std::mem::take(&mut self.replaced)
    }

    /// The sums over what is listed, added in the order in which an audit adds them.
    fn totals(&self) -> Totals {
        let briefs = || self.briefs[..self.complete].iter().flatten();
        let episodes: BTreeMap<u64, u64> = briefs().map(|brief| (brief.place, brief.episode + 1)).collect();
        Totals {
            decisions: self.complete as u64,
            episodes: episodes.values().sum(),
            calls: briefs().filter(|brief| brief.asked).count() as u64,
            calibration_calls: 0,
            calibration_steps: 0,
            reward: briefs().map(|brief| brief.reward).sum(),
        }
    }

    /// Writes the first rows of a piece under a new version.
    fn write(&mut self, number: usize, rows: usize) -> Result<(), Error> {
        self.load(number)?;
        let decisions: Vec<Decision> = self.pieces[number].rows.values().take(rows).cloned().collect();
        let name = format!("{:06}-{}.parquet", number, self.version);
        self.version += 1;
        let path = self.folder.join(&name);
        let bytes = encode(&self.key, &decisions).map_err(|reason| Error::Log { path: path.clone(), reason })?;
        write_whole(&path, &bytes)?;
        let file = LogFile { file: name, rows: decisions.len() as u64, sha256: digest(&bytes) };
        let piece = &mut self.pieces[number];
        // A piece that is cut short before a decision that is still open is written again when that is complete.
        piece.changed = false;
        if let Some(old) = piece.file.replace(file) {
            self.replaced.push(self.folder.join(&old.file));
        }
        Ok(())
    }

    /// Takes the rows of a written piece back into memory.
    fn load(&mut self, number: usize) -> Result<(), Error> {
        let piece = &self.pieces[number];
        if let (true, Some(file)) = (piece.rows.is_empty(), &piece.file) {
            let rows = self.read(file)?;
            self.pieces[number].rows = rows.into_iter().map(|decision| (decision.record.step, decision)).collect();
        }
        Ok(())
    }

    fn read(&self, file: &LogFile) -> Result<Vec<Decision>, Error> {
        let path = self.folder.join(&file.file);
        decode(&self.key, read(&path, LOG)?).map_err(|reason| Error::Log { path, reason })
    }
}

/// The piece of a step, and the step as a place in memory; none where the machine cannot count so far.
fn located(step: u64) -> Option<(usize, usize)> {
    let at = usize::try_from(step).ok()?;
    Some((at / PIECE, at))
}
