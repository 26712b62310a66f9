//! A file on its way: a `.part` neighbour that grows, is hashed as it grows, and gets its name when it is whole and right.
//!
//! Invariant: under the final name there is either nothing or a file with the right digest. The neighbour always holds a
//! beginning of what some source delivered, so a later pull goes on where this one stops.

use std::fs::{self, File, TryLockError};
use std::io::{self, ErrorKind, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::time::Duration;

use counsel_advisor::Digest;
use counsel_file::{Expected, io};
use sha2::{Digest as _, Sha256};

use crate::{Error, Model, Progress, Stage};

const LOCK: Expected = Expected { what: "the lock of a model", most_bytes: u64::MAX };
const PART: Expected = Expected { what: "a model on its way", most_bytes: u64::MAX };
const CHUNK: usize = 1 << 20;
const LOCK_TRIES: u32 = 6;
const BETWEEN_TRIES: Duration = Duration::from_millis(50);

/// The files of one model in the folder.
pub(crate) struct Places {
    pub(crate) whole: PathBuf,
    pub(crate) part: PathBuf,
    pub(crate) lock: PathBuf,
    pub(crate) wheels: PathBuf,
    pub(crate) stamp: PathBuf,
}

impl Places {
    pub(crate) fn of(model: &Model, folder: &Path) -> Self {
        let hidden = |ending: &str| folder.join(format!(".{}.{ending}", model.file));
        Self {
            whole: folder.join(&model.file),
            part: folder.join(format!("{}.part", model.file)),
            lock: hidden("lock"),
            wheels: hidden("wheels"),
            stamp: hidden("checked"),
        }
    }

    /// Claims the model for this process, until the claim is dropped or the process ends, however it ends.
    pub(crate) fn claim(&self) -> Result<Claim, Error> {
        let file = counsel_file::open_kept(&self.lock, LOCK, File::options().write(true))?;
        for _ in 0..LOCK_TRIES {
            match file.try_lock() {
                Ok(()) => return Ok(Claim(file)),
                // A process that was just killed holds its lock for a moment longer.
                Err(TryLockError::WouldBlock) => std::thread::sleep(BETWEEN_TRIES),
                Err(TryLockError::Error(cause)) => return Err(io("lock", &self.lock)(cause).into()),
            }
        }
        Err(Error::Busy(self.whole.clone()))
    }
}

/// The right to fetch a model.
pub(crate) struct Claim(File);

impl Drop for Claim {
    fn drop(&mut self) {
        // Closing the file is not enough: a program that is just being started may hold it open for a moment longer.
        let _ = self.0.unlock();
    }
}

/// A file on its way.
pub(crate) struct Download<'a> {
    model: &'a Model,
    path: PathBuf,
    file: File,
    hash: Sha256,
    length: u64,
    /// The furthest that was told, so that a bar never runs backwards.
    told: u64,
    progress: &'a mut dyn FnMut(Progress),
}

impl<'a> Download<'a> {
    /// Opens the neighbour and reads what it holds already.
    pub(crate) fn open(model: &'a Model, path: &Path, progress: &'a mut dyn FnMut(Progress)) -> Result<Self, Error> {
        let file = counsel_file::open_kept(path, PART, File::options().read(true).write(true))?;
        let mut download =
            Self { model, path: path.to_path_buf(), file, hash: Sha256::new(), length: 0, told: 0, progress };
        let held = download.file.metadata().map_err(io("read", path))?.len();
        download.cut(held)?;
        Ok(download)
    }

    /// How many bytes there are.
    pub(crate) fn length(&self) -> u64 {
        self.length
    }

    /// Whether all bytes are there.
    pub(crate) fn is_whole(&self) -> bool {
        self.length == self.model.bytes
    }

    /// Keeps the first bytes only. A neighbour longer than the model is worth nothing.
    pub(crate) fn cut(&mut self, length: u64) -> Result<(), Error> {
        let length = if length > self.model.bytes { 0 } else { length };
        self.file.set_len(length).map_err(io("cut", &self.path))?;
        self.file.seek(SeekFrom::Start(0)).map_err(io("read", &self.path))?;
        let (total_bytes, progress) = (self.model.bytes, &mut self.progress);
        let mut tell = |done_bytes| progress(Progress { stage: Stage::Checking, done_bytes, total_bytes });
        self.hash = hash(&mut self.file, &mut tell).map_err(io("read", &self.path))?;
        self.length = self.file.stream_position().map_err(io("read", &self.path))?;
        self.told = self.length;
        Ok(())
    }

    /// Appends what a source delivers, at most up to `end`; the outer error is ours, the inner one is the source's.
    pub(crate) fn extend(&mut self, source: &mut dyn Read, end: u64) -> Result<io::Result<()>, Error> {
        let mut chunk = vec![0; CHUNK];
        while self.length < end {
            let room = usize::try_from(end - self.length).unwrap_or(CHUNK).min(CHUNK);
            let read = match source.read(&mut chunk[..room]) {
                Ok(0) => return Ok(Err(ErrorKind::UnexpectedEof.into())),
                Ok(read) => read,
                Err(cause) if cause.kind() == ErrorKind::Interrupted => continue,
                Err(cause) => return Ok(Err(cause)),
            };
            self.file.write_all(&chunk[..read]).map_err(|cause| self.full_or(cause))?;
            self.hash.update(&chunk[..read]);
            self.length += read as u64;
            self.tell(self.length);
        }
        Ok(Ok(()))
    }

    /// Tells that so many bytes have arrived, here or on their way to here.
    pub(crate) fn tell(&mut self, done_bytes: u64) {
        if done_bytes > self.told {
            self.told = done_bytes;
            let total_bytes = self.model.bytes;
            (self.progress)(Progress { stage: Stage::Fetching, done_bytes, total_bytes });
        }
    }

    /// Gives the file its name if it is the known one, and deletes it if it is not.
    pub(crate) fn finish(mut self, whole: &Path, place: &str, other: &'static str) -> Result<(), Error> {
        let found = Digest::from_bytes(self.hash.finalize_reset().into());
        if found != self.model.sha256 {
            fs::remove_file(&self.path).map_err(io("delete", &self.path))?;
            let (name, found, expected) = (self.model.name.clone(), Box::new(found), Box::new(self.model.sha256));
            return Err(Error::Digest { name, place: place.to_owned(), found, expected, other });
        }
        self.file.sync_all().map_err(io("flush", &self.path))?;
        fs::rename(&self.path, whole).map_err(io("rename", &self.path))?;
        // Not every system can flush a folder; the name then reaches the disk a little later.
        if let Some(folder) = whole.parent().and_then(|folder| File::open(folder).ok()) {
            let _ = folder.sync_all();
        }
        Ok(())
    }

    fn full_or(&self, cause: io::Error) -> Error {
        match cause.kind() {
            ErrorKind::StorageFull | ErrorKind::QuotaExceeded => {
                Error::DiskFull { path: self.path.clone(), needed: self.model.bytes }
            }
            _ => io("write", &self.path)(cause).into(),
        }
    }
}

impl Drop for Download<'_> {
    fn drop(&mut self) {
        // A neighbour without a byte helps nobody.
        if self.length == 0 {
            let _ = fs::remove_file(&self.path);
        }
    }
}

/// Hashes the rest of a file, and tells how many bytes it has read.
pub(crate) fn hash(file: &mut File, tell: &mut dyn FnMut(u64)) -> io::Result<Sha256> {
    let (mut hash, mut chunk, mut done) = (Sha256::new(), vec![0; CHUNK], 0);
    loop {
        match file.read(&mut chunk) {
            Ok(0) => return Ok(hash),
            Ok(read) => {
                hash.update(&chunk[..read]);
                done += read as u64;
                tell(done);
            }
            Err(cause) if cause.kind() == ErrorKind::Interrupted => {}
            Err(cause) => return Err(cause),
        }
    }
}
