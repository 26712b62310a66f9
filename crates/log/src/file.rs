//! Files that are written whole or not at all, and their digests.

use std::fmt::Write as _;
use std::fs::{self, File};
use std::io::Write;
use std::path::Path;

use sha2::{Digest, Sha256};

use crate::Error;

/// The SHA-256 digest of some bytes, in hexadecimal.
pub fn digest(bytes: &[u8]) -> String {
    Sha256::digest(bytes).iter().fold(String::with_capacity(64), |mut text, byte| {
        let _ = write!(text, "{byte:02x}");
        text
    })
}

/// Writes a file so that, whatever happens, it is either complete or not there: to a neighbour first, flushed to disk, then
/// renamed.
pub fn write_whole(path: &Path, bytes: &[u8]) -> Result<(), Error> {
    let io = |action| move |cause| Error::Io { action, path: path.to_path_buf(), cause };
    if let Some(folder) = path.parent() {
        fs::create_dir_all(folder).map_err(io("create the folder of"))?;
    }
    let mut name = path.file_name().unwrap_or_default().to_os_string();
    name.push(".part");
    let part = path.with_file_name(name);
    let written = File::create(&part).map_err(io("create")).and_then(|mut file| {
        file.write_all(bytes).map_err(io("write"))?;
        file.sync_all().map_err(io("flush"))
    });
    let outcome = written.and_then(|()| fs::rename(&part, path).map_err(io("rename")));
    if outcome.is_err() {
        // The first failure is the one to report.
        let _ = fs::remove_file(&part);
    }
    outcome
}

/// Reads a whole file.
pub(crate) fn read_whole(path: &Path) -> Result<Vec<u8>, Error> {
    fs::read(path).map_err(|cause| Error::Io { action: "read", path: path.to_path_buf(), cause })
}
