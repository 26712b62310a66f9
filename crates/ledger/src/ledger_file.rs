//! The file of a ledger: locked while it is used, only ever made longer.

use std::fs::{File, TryLockError};
use std::io::{Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use crate::Error;
use crate::entry::HEADING;

/// How often a locked file is tried again.
const RETRY: Duration = Duration::from_millis(1);

const LEDGER: counsel_file::Expected = counsel_file::Expected { what: "a ledger", most_bytes: 1 << 30 };

/// The file of a ledger.
#[derive(Debug)]
pub(crate) struct LedgerFile {
    file: File,
    path: PathBuf,
    /// How many bytes of it are counted.
    pub(crate) counted: u64,
}

impl LedgerFile {
    pub(crate) fn open(path: &Path) -> Result<Self, Error> {
        let file = counsel_file::open_kept(path, LEDGER, File::options().read(true).append(true));
        let file = file.map_err(|error| match error {
            counsel_file::Error::Io { action, path, cause } => Error::Io { action, path, cause },
            error => error.into(),
        })?;
        Ok(Self { file, path: path.to_owned(), counted: 0 })
    }

    fn io(&self, action: &'static str, cause: std::io::Error) -> Error {
        Error::Io { action, path: self.path.clone(), cause }
    }

    pub(crate) fn lock(&self, until: Instant) -> Result<(), Error> {
        loop {
            match self.file.try_lock() {
                Ok(()) => return Ok(()),
                Err(TryLockError::WouldBlock) if Instant::now() < until => std::thread::sleep(RETRY),
                Err(TryLockError::WouldBlock) => return Err(Error::Locked { path: self.path.clone() }),
                Err(TryLockError::Error(cause)) => return Err(self.io("lock", cause)),
            }
        }
    }

    pub(crate) fn unlock(&self) -> Result<(), Error> {
        self.file.unlock().map_err(|cause| self.io("unlock", cause))
    }

    /// Writes the heading of an empty file, or of one that a crash left with a piece of it.
    pub(crate) fn begin(&mut self) -> Result<(), Error> {
        let mut start = Vec::new();
        let read = self
            .file
            .seek(SeekFrom::Start(0))
            .and_then(|_| Read::by_ref(&mut self.file).take(HEADING.len() as u64).read_to_end(&mut start));
        read.map_err(|cause| self.io("read", cause))?;
        if start == HEADING.as_bytes() {
            return Ok(());
        }
        if !HEADING.as_bytes().starts_with(&start) {
            return Err(Error::Foreign { path: self.path.clone() });
        }
        self.append(&HEADING.as_bytes()[start.len()..])?;
        self.file.sync_all().map_err(|cause| self.io("flush", cause))?;
        self.flush_folder()
    }

    /// Makes the new name survive a power cut: without it the budget would begin anew.
    #[cfg(unix)]
    fn flush_folder(&self) -> Result<(), Error> {
        let folder = self.path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
        let flushed = File::open(folder).and_then(|folder| folder.sync_all());
        flushed.map_err(|cause| self.io("flush the folder of", cause))
    }

    #[cfg(not(unix))]
    #[expect(clippy::unused_self)]
    fn flush_folder(&self) -> Result<(), Error> {
        Ok(())
    }

    pub(crate) fn read_from(&mut self, start: u64) -> Result<Vec<u8>, Error> {
        let length = self.file.metadata().map_err(|cause| self.io("read", cause))?.len();
        if length < start {
            return Err(Error::Shortened { path: self.path.clone() });
        }
        let mut bytes = Vec::new();
        let read = self.file.seek(SeekFrom::Start(start)).and_then(|_| self.file.read_to_end(&mut bytes));
        read.map_err(|cause| self.io("read", cause))?;
        Ok(bytes)
    }

    /// Makes what was written survive a power cut.
    pub(crate) fn flush(&self) -> Result<(), Error> {
        self.file.sync_data().map_err(|cause| self.io("flush", cause))
    }

    pub(crate) fn append(&mut self, bytes: &[u8]) -> Result<(), Error> {
        self.file.write_all(bytes).map_err(|cause| self.io("write", cause))
    }
}
