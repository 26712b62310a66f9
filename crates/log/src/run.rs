//! A run: the folder with all its cells.
//!
//! `DIR/STUDY/ARM/seed-00007.json` is a manifest, `….parquet` beside it the log. A cell exists when its manifest does.

use std::fs::{self, File, TryLockError};
use std::io::Write;
use std::path::{Path, PathBuf};

use counsel_file::{io, read, read_text, write_whole};
use serde::{Deserialize, Serialize};

use crate::file::{LOCK, LOG};
use crate::folder::{Half, file_name};
use crate::growing::pieces_of;
use crate::{Decision, Error, Frame, LogFile, Manifest, decode, digest, encode};

/// Which cell of a run.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct CellKey {
    /// The study.
    pub study: String,
    /// The arm.
    pub arm: String,
    /// The seed.
    pub seed: u64,
}

impl std::fmt::Display for CellKey {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}/{}/{}", self.study, self.arm, self.seed)
    }
}

impl CellKey {
    /// Reads `STUDY/ARM/SEED`, the form in which a key is displayed.
    pub fn parse(text: &str) -> Option<Self> {
        let mut parts = text.split('/');
        let (study, arm, seed) = (parts.next()?, parts.next()?, parts.next()?);
        let seed = seed.strip_prefix("seed-").unwrap_or(seed);
        // A number has one sign, and it is not written.
        let seed = seed.bytes().all(|digit| digit.is_ascii_digit()).then(|| seed.parse().ok())??;
        parts.next().is_none().then(|| Self { study: study.into(), arm: arm.into(), seed })
    }

    /// The path of a file of this cell, below the run's folder.
    pub(crate) fn path(&self, root: &Path, half: Half) -> PathBuf {
        root.join(&self.study).join(&self.arm).join(file_name(self.seed, half))
    }
}

/// A finished cell.
#[derive(Debug, Clone)]
pub struct Cell {
    /// Its manifest.
    pub manifest: Manifest,
    log: PathBuf,
}

impl Cell {
    /// Reads its log and checks it against the manifest's digest.
    pub fn decisions(&self) -> Result<Vec<Decision>, Error> {
        if self.grows() {
            let pieces = self.manifest.pieces.iter().map(|piece| self.piece(piece));
            return Ok(pieces.collect::<Result<Vec<_>, Error>>()?.concat());
        }
        let bytes = self.intact()?;
        decode(&self.manifest.key, bytes).map_err(|reason| Error::Log { path: self.log.clone(), reason })
    }

    /// Opens its log as columns, checked against the manifest's digest. A column is decoded when it is first asked for.
    pub fn frame(&self) -> Result<Frame, Error> {
        if self.grows() {
            return Ok(Frame::of(&self.decisions()?, &self.manifest.key));
        }
        let bytes = self.intact()?;
        Frame::open(bytes, &self.log).map_err(|reason| Error::Log { path: self.log.clone(), reason })
    }

    /// Whether its log is in pieces, of which there will be more.
    pub fn grows(&self) -> bool {
        !self.manifest.pieces.is_empty()
    }

    /// The log's bytes, if they are those that were written. A log that grows has none.
    pub fn intact(&self) -> Result<Vec<u8>, Error> {
        if self.grows() {
            return Err(Error::Grows { key: self.manifest.key.clone() });
        }
        undamaged(&self.log, &self.manifest.log)
    }

    /// The decisions of one piece of a log that grows.
    fn piece(&self, piece: &LogFile) -> Result<Vec<Decision>, Error> {
        // Of what a manifest says, only a name is taken: it leads nowhere else.
        let path = pieces_of(&self.log).join(Path::new(&piece.file).file_name().unwrap_or_default());
        decode(&self.manifest.key, undamaged(&path, piece)?).map_err(|reason| Error::Log { path, reason })
    }
}

/// The bytes of a file, if they are those that a manifest speaks of.
fn undamaged(path: &Path, said: &LogFile) -> Result<Vec<u8>, Error> {
    let bytes = read(path, LOG)?;
    let (found, expected) = (digest(&bytes), &said.sha256);
    if found != *expected {
        return Err(Error::Digest { path: path.to_path_buf(), found, expected: expected.clone() });
    }
    Ok(bytes)
}

/// The right to write into a folder.
#[derive(Debug)]
pub struct Claim(File);

impl Claim {
    /// Says which cells will be written, for whoever watches. It is forgotten when the claim ends.
    pub fn announce<'a>(&mut self, keys: impl Iterator<Item = &'a CellKey>) -> Result<(), Error> {
        let lines: Vec<String> = keys.map(ToString::to_string).collect();
        let written = self.0.set_len(0).and_then(|()| self.0.write_all(lines.join("\n").as_bytes()));
        Ok(written.map_err(io("write", Path::new(".lock")))?)
    }
}

impl Drop for Claim {
    fn drop(&mut self) {
        // A line too many says only that a cell was meant to come.
        let _ = self.0.set_len(0);
    }
}

/// A folder of cells.
#[derive(Debug, Clone)]
pub struct Run {
    root: PathBuf,
}

impl Run {
    /// The run in this folder, whether or not it exists yet.
    pub fn at(root: impl Into<PathBuf>) -> Self {
        Self { root: root.into() }
    }

    /// The folder.
    pub fn root(&self) -> &Path {
        &self.root
    }

    /// Claims the folder for one writer, until the claim is dropped or the process ends, however it ends.
    pub fn claim(&self) -> Result<Claim, Error> {
        fs::create_dir_all(&self.root).map_err(io("create", &self.root))?;
        let file = counsel_file::open_kept(&self.root.join(".lock"), LOCK, File::options().write(true))?;
        match file.try_lock() {
            Ok(()) => self.sweep().map(|()| Claim(file)),
            Err(TryLockError::WouldBlock) => Err(Error::Claimed { path: self.root.clone() }),
            Err(TryLockError::Error(cause)) => Err(io("claim", &self.root)(cause).into()),
        }
    }

    /// The cells that the writer of the folder set out to write, while it is at work; none where it did not say.
    pub fn announced(&self) -> Vec<CellKey> {
        // Whoever cannot read it sees finished cells alone.
        let text = read_text(&self.root.join(".lock"), LOCK).unwrap_or_default();
        text.lines().filter_map(CellKey::parse).collect()
    }

    /// Writes a cell: its log first, its manifest last, so that a manifest never speaks of a log that is not there.
    pub fn write(&self, mut manifest: Manifest, decisions: &[Decision]) -> Result<(), Error> {
        let log = manifest.key.path(&self.root, Half::Log);
        let bytes = encode(&manifest.key, decisions).map_err(|reason| Error::Log { path: log.clone(), reason })?;
        write_whole(&log, &bytes)?;
        manifest.log = LogFile {
            file: log.file_name().unwrap_or_default().to_string_lossy().into_owned(),
            rows: decisions.len() as u64,
            sha256: digest(&bytes),
        };
        let path = manifest.key.path(&self.root, Half::Manifest);
        manifest.write(&path)
    }

    /// Removes a cell: its manifest first, so that it never speaks of a log that is not there.
    pub fn remove(&self, key: &CellKey) -> Result<(), Error> {
        for half in [Half::Manifest, Half::Log] {
            let path = key.path(&self.root, half);
            if path.exists() {
                fs::remove_file(&path).map_err(io("remove", &path))?;
            }
        }
        Ok(())
    }

    /// Where the manifest of a cell is, once the cell is finished.
    pub fn manifest_path(&self, key: &CellKey) -> PathBuf {
        key.path(&self.root, Half::Manifest)
    }

    /// One cell, if it is finished.
    pub fn cell(&self, key: &CellKey) -> Result<Option<Cell>, Error> {
        let path = self.manifest_path(key);
        if !path.exists() {
            return Ok(None);
        }
        let manifest = Manifest::read(&path)?;
        if manifest.key != *key {
            let reason = format!("it belongs to cell {}", manifest.key);
            return Err(Error::Manifest { path, reason });
        }
        Ok(Some(Cell { manifest, log: key.path(&self.root, Half::Log) }))
    }

    /// The error of a cell that was there and is no more.
    pub(crate) fn gone(&self, key: &CellKey) -> Error {
        Error::Gone { path: key.path(&self.root, Half::Manifest) }
    }

    /// The keys of all finished cells, in order.
    pub fn keys(&self) -> Result<Vec<CellKey>, Error> {
        let keys = self.keys_with(Half::Manifest)?;
        if keys.is_empty() {
            return Err(Error::NoCells { path: self.root.clone() });
        }
        Ok(keys)
    }

    /// The keys of logs without a manifest, in order: the run was cut off there, or the manifest is gone.
    pub fn unfinished(&self) -> Result<Vec<CellKey>, Error> {
        let finished = self.keys_with(Half::Manifest)?;
        Ok(self.keys_with(Half::Log)?.into_iter().filter(|key| finished.binary_search(key).is_err()).collect())
    }

    /// Whether a study has a finished cell here.
    pub(crate) fn holds(&self, study: &str) -> Result<bool, Error> {
        Ok(self.keys_with(Half::Manifest)?.iter().any(|key| key.study == study))
    }
}
