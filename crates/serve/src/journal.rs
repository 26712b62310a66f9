//! The journal: every change, one line each, only ever made longer.
//!
//! A line is `JSON TAB CHECK`, where the check is the digest of the line and of the check before it, so a line that was changed,
//! moved or removed shows. Invariant: a line is written whole before it is acknowledged, so what a crash tears is the last line, and was
//! never acknowledged: it is cut. Anything else that cannot be read is refused with the line's number.

use std::io::BufRead;
use std::path::Path;

use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use crate::Error;
use crate::event::{Event, KeyUse};
use crate::policy::hex;

/// The name of its file.
pub(crate) const JOURNAL: &str = "serve.journal";
/// The version of the format.
const FORMAT: u32 = 1;
/// The longest line.
const LONGEST: usize = 16 << 20;

/// The first line.
#[derive(Debug, Serialize, Deserialize)]
struct Heading {
    journal: String,
    format: u32,
    counsel: String,
}

/// One change, with when it happened and what was answered.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct Line {
    pub(crate) at: u64,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) key: Option<KeyUse>,
    pub(crate) event: Event,
    /// The digest of the answer: whoever reads the journal has to come to the same.
    pub(crate) answer: String,
}

/// The running check of a journal.
#[derive(Debug, Clone, Default)]
struct Chain(String);

impl Chain {
    fn next(&self, text: &str) -> String {
        hex(&Sha256::new().chain_update(&self.0).chain_update(text).finalize(), 8)
    }

    /// A line with its check, and its end.
    fn seal(&mut self, text: &str) -> Vec<u8> {
        self.0 = self.next(text);
        format!("{text}\t{}\n", self.0).into_bytes()
    }
}

/// The digest of an answer, as a line has it.
pub(crate) fn answered(body: &str) -> String {
    hex(&Sha256::digest(body), 8)
}

/// The first line of a new journal.
pub(crate) fn heading(extent: &mut Extent) -> Vec<u8> {
    let heading =
        Heading { journal: "counsel serve".into(), format: FORMAT, counsel: env!("CARGO_PKG_VERSION").into() };
    extent.seal(&serde_json::to_string(&heading).unwrap_or_default())
}

/// How far a journal was read or written, and what its next line has to fit.
#[derive(Debug, Clone, Default)]
pub(crate) struct Extent {
    /// The bytes of whole lines.
    pub(crate) bytes: u64,
    /// How many lines that is, with the heading.
    pub(crate) lines: u64,
    chain: Chain,
}

impl Extent {
    /// The next line, with its check and its end.
    pub(crate) fn seal(&mut self, text: &str) -> Vec<u8> {
        let line = self.chain.seal(text);
        self.bytes += line.len() as u64;
        self.lines += 1;
        line
    }

    /// Whether this text, without its end, is the last line.
    pub(crate) fn ends_with(&self, line: &str) -> bool {
        line.rsplit_once('\t').is_some_and(|(_, check)| check == self.chain.0)
    }

    /// Reads the next line, without its end. The heading holds no change.
    pub(crate) fn take(&mut self, line: &[u8]) -> Result<Option<Line>, Error> {
        let number = self.lines + 1;
        let refuse = |reason: String| Error::Line { number, reason };
        if line.len() >= LONGEST {
            return Err(refuse(format!("it is longer than {LONGEST} bytes")));
        }
        let text = std::str::from_utf8(line).map_err(|_| refuse("it is no UTF-8 text".into()))?;
        let (text, check) = text.rsplit_once('\t').ok_or_else(|| refuse("it has no check".into()))?;
        let expected = self.chain.next(text);
        if check != expected {
            return Err(refuse("its check does not fit: the line, or one before it, was changed or removed".into()));
        }
        let change = if number == 1 {
            check_heading(text).map_err(refuse)?;
            None
        } else {
            Some(serde_json::from_str(text).map_err(|error| refuse(error.to_string()))?)
        };
        *self = Self { bytes: self.bytes + line.len() as u64 + 1, lines: number, chain: Chain(expected) };
        Ok(change)
    }
}

/// Refuses the journal of another program, or of another version of this one.
fn check_heading(text: &str) -> Result<(), String> {
    let heading: Heading = serde_json::from_str(text).map_err(|_| "it is no heading of a journal")?;
    let ours = env!("CARGO_PKG_VERSION");
    if heading.format != FORMAT || heading.counsel != ours {
        return Err(format!(
            "it was written by counsel {} in format {}, this is counsel {ours} with format {FORMAT}; go on with that version, or with another --dir",
            heading.counsel, heading.format
        ));
    }
    Ok(())
}

/// Reads a journal line by line, up to its end or a line that a crash tore. `each` gets a line without its end.
pub(crate) fn read(
    source: &mut impl BufRead,
    path: &Path,
    mut each: impl FnMut(&[u8]) -> Result<(), Error>,
) -> Result<(), Error> {
    let mut bytes = Vec::new();
    loop {
        bytes.clear();
        let read = source.read_until(b'\n', &mut bytes);
        read.map_err(|cause| counsel_file::Error::Io { action: "read", path: path.into(), cause })?;
        let Some(line) = bytes.strip_suffix(b"\n") else { return Ok(()) };
        each(line)?;
    }
}
