//! Who asks a question now, of all processes and threads that record into one journal.
//!
//! A claim is a file beside the journal with the keys of some questions, locked while they are asked. The operating system drops
//! the lock however a process ends, so nobody waits for the dead. Claims are looked at and made under the lock of the journal only;
//! and since an answer is appended before its claim goes, who finds no claim finds the answer or may ask.

use std::collections::BTreeSet;
use std::fs::{self, File, OpenOptions, TryLockError};
use std::io::{ErrorKind, Read, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};

use counsel_advisor::Digest;
use counsel_file::io;

use crate::Error;

/// The claims of this process so far: no two have the same name.
static CLAIMS: AtomicU64 = AtomicU64::new(0);

/// How often a folder that goes away is made again.
const TRIES: u32 = 100;

/// Questions that nobody else asks as long as this is held.
#[derive(Debug)]
pub(crate) struct Claim {
    /// Their keys, in the order in which they were wanted.
    pub(crate) keys: Vec<Digest>,
    held: Option<(PathBuf, File)>,
}

/// Claims those of the keys that nobody else asks now. The journal at this path is locked, and answers none of them.
pub(crate) fn claim(journal: &Path, wanted: &[Digest]) -> Result<Claim, Error> {
    let folder = journal.with_extension("claims");
    let taken = taken(&folder)?;
    let keys: Vec<Digest> = wanted.iter().copied().filter(|key| !taken.contains(&key.to_string())).collect();
    if keys.is_empty() {
        return Ok(Claim { keys, held: None });
    }
    let number = CLAIMS.fetch_add(1, Ordering::Relaxed);
    let path = folder.join(format!("{}-{number}", std::process::id()));
    // Who gives the last claim back removes the folder, and waits for no lock.
    let made = (0..TRIES).find_map(|_| {
        let file =
            fs::create_dir_all(&folder).and_then(|()| OpenOptions::new().write(true).create_new(true).open(&path));
        (!matches!(&file, Err(cause) if cause.kind() == ErrorKind::NotFound)).then_some(file)
    });
    let made = made.unwrap_or_else(|| Err(ErrorKind::NotFound.into()));
    let mut file = made.map_err(io("create", &path))?;
    file.lock().map_err(io("lock", &path))?;
    let lines = keys.iter().map(ToString::to_string).collect::<Vec<_>>().join("\n");
    file.write_all(lines.as_bytes()).map_err(io("write", &path))?;
    Ok(Claim { keys, held: Some((path, file)) })
}

/// The keys that somebody asks now. What the dead left behind is removed.
fn taken(folder: &Path) -> Result<BTreeSet<String>, Error> {
    let mut taken = BTreeSet::new();
    let entries = match fs::read_dir(folder) {
        Err(cause) if cause.kind() == ErrorKind::NotFound => return Ok(taken),
        entries => entries.map_err(io("list", folder))?,
    };
    for entry in entries {
        let entry = entry.map_err(io("list", folder))?;
        // A pipe would never end, and a link may lead anywhere.
        if !entry.file_type().is_ok_and(|kind| kind.is_file()) {
            continue;
        }
        let path = entry.path();
        let mut file = match File::open(&path) {
            // It was given back meanwhile.
            Err(cause) if cause.kind() == ErrorKind::NotFound => continue,
            file => file.map_err(io("open", &path))?,
        };
        match file.try_lock() {
            Ok(()) => drop(fs::remove_file(&path)),
            Err(TryLockError::WouldBlock) => {
                let mut keys = String::new();
                file.read_to_string(&mut keys).map_err(io("read", &path))?;
                taken.extend(keys.lines().map(str::to_owned));
            }
            Err(TryLockError::Error(cause)) => return Err(io("lock", &path)(cause).into()),
        }
    }
    Ok(taken)
}

impl Drop for Claim {
    fn drop(&mut self) {
        if let Some((path, file)) = self.held.take() {
            // What cannot be removed is free once it is closed.
            let _ = fs::remove_file(&path);
            drop(file);
            // The last one takes the folder along.
            let _ = path.parent().map(fs::remove_dir);
        }
    }
}
