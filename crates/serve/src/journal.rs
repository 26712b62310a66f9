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
pub(crate) struct Chain(String);

impl Chain {
    fn next(&self, text: &str) -> String {
        hex(&Sha256::new().chain_update(&self.0).chain_update(text).finalize(), 8)
    }

    /// A line with its check, and its end.
    pub(crate) fn seal(&mut self, text: &str) -> Vec<u8> {
        self.0 = self.next(text);
        format!("{text}\t{}\n", self.0).into_bytes()
    }
}

/// The digest of an answer, as a line has it.
pub(crate) fn answered(body: &str) -> String {
    hex(&Sha256::digest(body), 8)
}

/// The first line of a new journal.
pub(crate) fn heading(chain: &mut Chain) -> Vec<u8> {
    let heading =
        Heading { journal: "counsel serve".into(), format: FORMAT, counsel: env!("CARGO_PKG_VERSION").into() };
    chain.seal(&serde_json::to_string(&heading).unwrap_or_default())
}

/// How far a journal can be read.
#[derive(Debug, Default)]
pub(crate) struct Extent {
    /// The bytes of whole lines.
    pub(crate) bytes: u64,
    /// How many changes they hold.
    pub(crate) lines: u64,
    pub(crate) chain: Chain,
}

/// Reads a journal line by line. `each` gets the number of a line and the line, and says what is wrong with it.
pub(crate) fn read(
    source: &mut impl BufRead,
    path: &Path,
    mut each: impl FnMut(Line) -> Result<(), String>,
) -> Result<Extent, Error> {
    let (mut extent, mut number) = (Extent::default(), 0_u64);
    let mut bytes = Vec::new();
    loop {
        bytes.clear();
        let read = source.read_until(b'\n', &mut bytes);
        read.map_err(|cause| counsel_file::Error::Io { action: "read", path: path.into(), cause })?;
        if bytes.last() != Some(&b'\n') {
            // The end, or a line that a crash tore.
            return Ok(extent);
        }
        number += 1;
        let refuse = |reason: String| Error::Line { number, reason };
        if bytes.len() > LONGEST {
            return Err(refuse(format!("it is longer than {LONGEST} bytes")));
        }
        let text = std::str::from_utf8(&bytes).map_err(|_| refuse("it is no UTF-8 text".into()))?;
        let (text, check) =
            text.trim_end_matches('\n').rsplit_once('\t').ok_or_else(|| refuse("it has no check".into()))?;
        let expected = extent.chain.next(text);
        if check != expected {
            return Err(refuse("its check does not fit: the line, or one before it, was changed or removed".into()));
        }
        if number == 1 {
            let heading: Heading =
                serde_json::from_str(text).map_err(|_| refuse("it is no heading of a journal".into()))?;
            let ours = env!("CARGO_PKG_VERSION");
            if heading.format != FORMAT || heading.counsel != ours {
                return Err(refuse(format!(
                    "it was written by counsel {} in format {}, this is counsel {ours} with format {FORMAT}; go on with that version, or with another --dir",
                    heading.counsel, heading.format
                )));
            }
        } else {
            let line = serde_json::from_str(text).map_err(|error| refuse(error.to_string()))?;
            each(line).map_err(refuse)?;
            extent.lines += 1;
        }
        extent.chain = Chain(expected);
        extent.bytes += bytes.len() as u64;
    }
}
