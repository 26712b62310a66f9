//! A cell that is still being written: the pieces of its log, so that a program that is killed loses only what it had not written.
//!
//! `DIR/STUDY/ARM/.seed-00007/` holds `head.json`, the manifest as far as it is known before the first decision, and the pieces
//! `000000.parquet`, `000001.parquet`, …, each with the decisions since the one before. Readers of finished cells pass it over.
//!
//! Invariants: a journal has one writer, who holds its lock; head and pieces are written whole or not at all; a step counts once.

use std::collections::BTreeMap;
use std::fs::{self, File, TryLockError};
use std::path::{Path, PathBuf};

use counsel_file::{io, listed, read, write_whole};

use crate::file::{LOCK, LOG};
use crate::folder::{Half, file_name};
use crate::{CellKey, Decision, Error, Manifest, Run, decode, encode};

const HEAD: &str = "head.json";

/// A cell that is being written.
#[derive(Debug)]
pub struct Journal {
    key: CellKey,
    folder: PathBuf,
    /// The number of the next piece.
    next: u64,
    /// Held while the journal is.
    lock: Option<File>,
}

impl Run {
    /// Opens the journal of a cell for one writer, until it is dropped or the process ends. It may hold what an earlier writer left.
    pub fn journal(&self, key: &CellKey) -> Result<Journal, Error> {
        let folder = self.journal_path(key);
        fs::create_dir_all(&folder).map_err(io("create", &folder))?;
        let lock = counsel_file::open_kept(&folder.join(".lock"), LOCK, File::options().write(true))?;
        match lock.try_lock() {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => return Err(Error::Open { key: key.clone() }),
            Err(TryLockError::Error(cause)) => return Err(io("claim", &folder)(cause).into()),
        }
        let last = pieces(&folder)?.last_key_value().map(|(number, _)| *number);
        Ok(Journal { key: key.clone(), folder, next: last.map_or(0, |last| last + 1), lock: Some(lock) })
    }

    /// The decisions of a cell that is still being written, as far as they are, in the order of their steps.
    pub fn written_so_far(&self, key: &CellKey) -> Result<Vec<Decision>, Error> {
        decisions(&self.journal_path(key), key)
    }

    fn journal_path(&self, key: &CellKey) -> PathBuf {
        let name = file_name(key.seed, Half::Log);
        let name = name.trim_end_matches(".parquet");
        self.root().join(&key.study).join(&key.arm).join(format!(".{name}"))
    }
}

impl Journal {
    /// What was said before the first decision, if it was.
    pub fn head(&self) -> Result<Option<Manifest>, Error> {
        let path = self.folder.join(HEAD);
        path.exists().then(|| Manifest::read(&path)).transpose()
    }

    /// Says what the decisions are of.
    pub fn begin(&self, head: Manifest) -> Result<(), Error> {
        head.write(&self.folder.join(HEAD))
    }

    /// Forgets what was said before the first decision.
    pub fn forget(&self) -> Result<(), Error> {
        let path = self.folder.join(HEAD);
        if path.exists() {
            fs::remove_file(&path).map_err(io("remove", &path))?;
        }
        Ok(())
    }

    /// Adds decisions as one piece.
    pub fn append(&mut self, decisions: &[Decision]) -> Result<(), Error> {
        let path = self.folder.join(format!("{:06}.parquet", self.next));
        put(&path, &self.key, decisions)?;
        self.next += 1;
        Ok(())
    }

    /// All decisions, in the order of their steps.
    pub fn decisions(&self) -> Result<Vec<Decision>, Error> {
        decisions(&self.folder, &self.key)
    }

    /// Forgets the decisions from a step on, for a writer that goes on from there. The last piece comes first, so that a cut that was
    /// interrupted can be made again.
    pub fn cut(&mut self, step: u64) -> Result<(), Error> {
        for (_, path) in pieces(&self.folder)?.into_iter().rev() {
            let all = piece(&path, &self.key)?;
            let kept: Vec<Decision> = all.iter().filter(|decision| decision.record.step < step).cloned().collect();
            if kept.is_empty() {
                fs::remove_file(&path).map_err(io("remove", &path))?;
            } else if kept.len() < all.len() {
                put(&path, &self.key, &kept)?;
            }
        }
        Ok(())
    }

    /// Removes the journal: its cell is finished, or was never begun.
    pub fn remove(mut self) -> Result<(), Error> {
        self.lock = None;
        fs::remove_dir_all(&self.folder).map_err(io("remove", &self.folder))?;
        Ok(())
    }
}

/// The pieces of a journal by number.
fn pieces(folder: &Path) -> Result<BTreeMap<u64, PathBuf>, Error> {
    let numbered = |path: PathBuf| {
        let name = path.file_name()?.to_str()?.strip_suffix(".parquet")?;
        let digits = name.bytes().all(|digit| digit.is_ascii_digit());
        digits.then(|| name.parse().ok().map(|number| (number, path.clone())))?
    };
    Ok(listed(folder)?.into_iter().filter_map(numbered).collect())
}

fn put(path: &Path, key: &CellKey, decisions: &[Decision]) -> Result<(), Error> {
    let bytes = encode(key, decisions).map_err(|reason| Error::Log { path: path.into(), reason })?;
    Ok(write_whole(path, &bytes)?)
}

fn piece(path: &Path, key: &CellKey) -> Result<Vec<Decision>, Error> {
    decode(key, read(path, LOG)?).map_err(|reason| Error::Log { path: path.into(), reason })
}

fn decisions(folder: &Path, key: &CellKey) -> Result<Vec<Decision>, Error> {
    let mut by_step = BTreeMap::new();
    for path in pieces(folder)?.values() {
        by_step.extend(piece(path, key)?.into_iter().map(|decision| (decision.record.step, decision)));
    }
    Ok(by_step.into_values().collect())
}
