//! The files of a run: their limits, and the digests by which they are known.

use std::fmt::Write as _;

use counsel_file::Expected;
use sha2::{Digest, Sha256};

/// A manifest or a sheet. The scores of a calibration are the largest part of one.
pub(crate) const MANIFEST: Expected = Expected { what: "a manifest or sheet", most_bytes: 256 << 20 };
/// The lock of a folder. While its holder is at work it has a line for every cell that will be written.
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
