//! Files that stay open: locks, ledgers, journals, downloads. They are begun, added to and never cut by opening them.
//!
//! Invariant: what is opened is an ordinary file at that very name. A link would lead to a file of somebody else, and a pipe
//! would keep the program waiting.

use std::fs::{self, File, OpenOptions};
use std::path::Path;

use crate::read::{kind, too_large, unreadable};
use crate::{Error, Expected};

/// Opens such a file, and begins it if it is not there. `options` say whether it is read, written or appended to.
pub fn open_kept(path: &Path, expected: Expected, options: &mut OpenOptions) -> Result<File, Error> {
    let foreign = |found| Error::Foreign { path: path.into(), found: kind(found), what: expected.what };
    // For its message alone: what counts is what was opened.
    if let Ok(there) = fs::symlink_metadata(path)
        && !there.is_file()
    {
        return Err(foreign(there.file_type()));
    }
    let opened = without_following(options.create(true).truncate(false)).open(path);
    let file = opened.map_err(|cause| Error::Io { action: "open", path: path.into(), cause })?;
    let found = file.metadata().map_err(unreadable(path))?;
    if !found.is_file() {
        return Err(foreign(found.file_type()));
    }
    if found.len() > expected.most_bytes { Err(too_large(path, expected)) } else { Ok(file) }
}

#[cfg(unix)]
fn without_following(options: &mut OpenOptions) -> &mut OpenOptions {
    use std::os::unix::fs::OpenOptionsExt;
    // A pipe that came into its place since would wait for its other end.
    options.custom_flags(libc::O_NOFOLLOW | libc::O_NONBLOCK)
}

#[cfg(not(unix))]
fn without_following(options: &mut OpenOptions) -> &mut OpenOptions {
    options
}
