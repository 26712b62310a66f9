//! Writing: to a neighbour with a fresh name first, flushed to disk, then renamed.
//!
//! The neighbour is made here or not at all, so nothing that lies in the folder already, such as a link that points elsewhere,
//! is written through.

use std::ffi::OsString;
use std::fs::{self, File};
use std::io::{ErrorKind, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};

use crate::Error;

/// How the name of a neighbour ends.
const PART: &str = ".part";
/// More names than these are not taken by accident.
const TRIES: usize = 100;

/// Writes a file so that, whatever happens, it is either complete or not there.
pub fn write_whole(path: &Path, bytes: &[u8]) -> Result<(), Error> {
    if let Some(folder) = path.parent() {
        fs::create_dir_all(folder).map_err(io("create the folder of", path))?;
    }
    let (part, mut file) = neighbour(path).map_err(io("create", path))?;
    let written =
        file.write_all(bytes).map_err(io("write", path)).and_then(|()| file.sync_all().map_err(io("flush", path)));
    let outcome = written.and_then(|()| fs::rename(&part, path).map_err(io("rename", path)));
    if outcome.is_err() {
        // The first failure is the one to report.
        let _ = fs::remove_file(&part);
    }
    outcome
}

/// Turns what the operating system said into an error about this file.
pub fn io(action: &'static str, path: &Path) -> impl FnOnce(std::io::Error) -> Error {
    move |cause| Error::Io { action, path: path.to_path_buf(), cause }
}

/// Whether something of this name is a neighbour that was on its way to become a file whose name begins so.
pub fn is_part_of(name: &str, beginning: &str) -> bool {
    name.strip_prefix('.').unwrap_or(name).starts_with(beginning) && name.ends_with(PART)
}

/// A file that was not there before, beside this one.
fn neighbour(path: &Path) -> Result<(PathBuf, File), std::io::Error> {
    static NEXT: AtomicU64 = AtomicU64::new(0);
    let mut tries = 0;
    loop {
        let mut name = OsString::from(".");
        name.push(path.file_name().unwrap_or_default());
        name.push(format!(".{}-{}{PART}", std::process::id(), NEXT.fetch_add(1, Ordering::Relaxed)));
        let part = path.with_file_name(name);
        tries += 1;
        match File::create_new(&part) {
            Err(error) if error.kind() == ErrorKind::AlreadyExists && tries < TRIES => {}
            made => return made.map(|file| (part, file)),
        }
    }
}
