//! The files of a run: read within limits, written whole or not at all, and known by their digests.

use std::fmt::Write as _;
use std::path::Path;

use counsel_file::Expected;
use sha2::{Digest, Sha256};

use crate::Error;

/// A manifest or a sheet. The scores of a calibration are the largest part of one.
pub(crate) const MANIFEST: Expected = Expected { what: "a manifest or sheet", most_bytes: 256 << 20 };
/// The lock of a folder. Nothing is ever in it.
pub(crate) const LOCK: Expected = Expected { what: "the lock of a run", most_bytes: u64::MAX };
/// A log. Ten million decisions take about as much.
pub(crate) const LOG: Expected = Expected { what: "a log", most_bytes: 4 << 30 };

/// The SHA-256 digest of some bytes, in hexadecimal.
pub fn digest(bytes: &[u8]) -> String {
    Sha256::digest(bytes).iter().fold(String::with_capacity(64), |mut text, byte| {
        let _ = write!(text, "{byte:02x}");
        text
    })
}

/// Writes a file so that, whatever happens, it is either complete or not there.
pub fn write_whole(path: &Path, bytes: &[u8]) -> Result<(), Error> {
    Ok(counsel_file::write_whole(path, bytes)?)
}

/// Reads a whole file.
pub(crate) fn read_whole(path: &Path, expected: Expected) -> Result<Vec<u8>, Error> {
    Ok(counsel_file::read(path, expected)?)
}
