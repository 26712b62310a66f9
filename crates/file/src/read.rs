//! Reading: what something is and how large it is are asked before it is opened.

use std::fs::{self, File, FileType};
use std::io::{BufReader, Read};
use std::path::{Path, PathBuf};

use crate::{Error, io};

/// What a file should hold, and how large it may be.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Expected {
    /// What it is, with its article, as `a manifest`.
    pub what: &'static str,
    /// The most bytes that are read.
    pub most_bytes: u64,
}

/// Refuses whatever is no regular file, or too large. Opening a pipe would wait for its other end, so nothing is opened here.
pub fn check(path: &Path, expected: Expected) -> Result<(), Error> {
    let found = fs::metadata(path).map_err(unreadable(path))?;
    if !found.is_file() {
        return Err(Error::NotAFile { path: path.into(), found: kind(found.file_type()), what: expected.what });
    }
    if found.len() > expected.most_bytes { Err(too_large(path, expected)) } else { Ok(()) }
}

/// A regular file, to be read part by part: for one that is larger than what is kept of it.
pub fn open(path: &Path, expected: Expected) -> Result<BufReader<File>, Error> {
    check(path, expected)?;
    Ok(BufReader::with_capacity(1 << 16, File::open(path).map_err(unreadable(path))?))
}

/// All bytes of a regular file.
pub fn read(path: &Path, expected: Expected) -> Result<Vec<u8>, Error> {
    let file = open(path, expected)?;
    let mut bytes = Vec::new();
    // What the system says of the size is not always true: some files grow, and some have no size until they are read.
    let most = expected.most_bytes.saturating_add(1);
    file.take(most).read_to_end(&mut bytes).map_err(unreadable(path))?;
    if bytes.len() as u64 > expected.most_bytes { Err(too_large(path, expected)) } else { Ok(bytes) }
}

/// The text of a regular file.
pub fn read_text(path: &Path, expected: Expected) -> Result<String, Error> {
    let not_text = |_| Error::NotText { path: path.into(), what: expected.what };
    String::from_utf8(read(path, expected)?).map_err(not_text)
}

/// The paths of all that lies in a folder, in no order.
pub fn listed(folder: &Path) -> Result<Vec<PathBuf>, Error> {
    let paths = |entries: fs::ReadDir| entries.map(|entry| entry.map(|entry| entry.path())).collect();
    fs::read_dir(folder).and_then(paths).map_err(io("list", folder))
}

pub(crate) fn too_large(path: &Path, expected: Expected) -> Error {
    Error::TooLarge { path: path.into(), what: expected.what, most_bytes: expected.most_bytes }
}

/// The error of a part that cannot be read.
pub fn unreadable(path: &Path) -> impl FnOnce(std::io::Error) -> Error {
    move |cause| Error::Unreadable { path: path.into(), cause }
}

#[cfg(unix)]
pub(crate) fn kind(found: FileType) -> &'static str {
    use std::os::unix::fs::FileTypeExt;
    match found {
        found if found.is_dir() => "a folder",
        found if found.is_symlink() => "a symbolic link",
        found if found.is_fifo() => "a pipe",
        found if found.is_socket() => "a socket",
        found if found.is_char_device() || found.is_block_device() => "a device",
        _ => "no file",
    }
}

#[cfg(not(unix))]
pub(crate) fn kind(found: FileType) -> &'static str {
    if found.is_dir() {
        "a folder"
    } else if found.is_symlink() {
        "a symbolic link"
    } else {
        "no file"
    }
}
