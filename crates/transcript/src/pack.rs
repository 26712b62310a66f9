//! The packed form of a transcript: sealed, compressed, sorted, the same bytes for the same answers.
//!
//! Three lines of text, then one frame of Zstandard: what the file is; its heading as JSON; the seal, which is the digest of
//! everything else. `head -2 FILE` says whose answers it holds.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;

use counsel_advisor::{Decoding, Digest};
use counsel_file::{Expected, io};
use serde::{Deserialize, Serialize};

use crate::advisor::{canonical, decoding_digest, key};
use crate::body::{Cursor, Pen};
use crate::{Answers, Date, Error, RecordedAdvisor, RecordedAnswer};

const TITLE: &str = "counsel transcript 1\n";
const LEVEL: i32 = 19;
/// No transcript is larger than this when unpacked, in bytes.
const LARGEST: usize = 1 << 30;
const PACKED: Expected = Expected { what: "a packed transcript", most_bytes: 1 << 30 };

#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Heading {
    advisor: RecordedAdvisor,
    count: usize,
    /// Every decoding that occurs, in the order of the first answer that uses it.
    decodings: Vec<Decoding>,
    /// Every day on which an answer was recorded, in order.
    dates: Vec<Date>,
    /// The size of the rows before compression.
    bytes: usize,
}

impl Answers {
    /// The packed form.
    pub fn pack(&self) -> std::io::Result<Vec<u8>> {
        let mut dates: Vec<Date> = self.entries().map(|(_, entry)| entry.date).collect();
        dates.sort_unstable();
        dates.dedup();
        let (mut decodings, mut places): (Vec<Decoding>, BTreeMap<Digest, usize>) = Default::default();
        let mut pen = Pen::default();
        for (_, entry) in self.entries() {
            let at = *places.entry(decoding_digest(&entry.decoding)).or_insert_with(|| {
                decodings.push(entry.decoding.as_ref().clone());
                decodings.len() - 1
            });
            pen.number(at as u64);
            pen.asked(&entry.asked);
            pen.utterance(&entry.utterance, &entry.decoding);
            pen.number(dates.binary_search(&entry.date).unwrap_or_default() as u64);
        }
        if pen.0.len() > LARGEST {
            return Err(std::io::Error::other(format!("{} bytes are more than {LARGEST}", pen.0.len())));
        }
        let body = zstd::bulk::compress(&pen.0, LEVEL)?;
        let advisor = self.advisor().clone();
        let heading = Heading { advisor, count: self.len(), decodings, dates, bytes: pen.0.len() };
        let heading = serde_json::to_string(&heading)?;
        let seal = seal(&heading, &body);
        Ok([TITLE.as_bytes(), heading.as_bytes(), b"\n", seal.to_string().as_bytes(), b"\n", &body].concat())
    }

    /// Reads the packed form; says what is wrong with it if it is not as it was written.
    pub fn unpack(bytes: &[u8]) -> Result<Self, String> {
        let rest = bytes.strip_prefix(TITLE.as_bytes()).ok_or("it does not begin as a transcript of format 1 does")?;
        let (heading, rest) = line(rest).ok_or("it ends within its heading")?;
        let (found, body) = line(rest).ok_or("it ends within its seal")?;
        let heading = std::str::from_utf8(heading).map_err(|_| "its heading is no text")?;
        if found != seal(heading, body).to_string().as_bytes() {
            return Err("its seal does not fit its content".into());
        }
        let heading: Heading =
            serde_json::from_str(heading).map_err(|cause| format!("its heading is wrong: {cause}"))?;
        if heading.bytes > LARGEST {
            return Err(format!("it claims to hold {} bytes, more than {LARGEST}", heading.bytes));
        }
        let body =
            zstd::bulk::decompress(body, heading.bytes).map_err(|cause| format!("it cannot be unpacked: {cause}"))?;
        read(heading, &body).ok_or_else(|| "its rows make no sense".into())
    }

    /// Writes the packed form whole or not at all.
    pub fn save(&self, path: impl AsRef<Path>) -> Result<(), Error> {
        let path = path.as_ref();
        let bytes = self.pack().map_err(io("pack", path))?;
        Ok(counsel_file::write_whole(path, &bytes)?)
    }

    /// Reads a packed file.
    pub fn load(path: impl AsRef<Path>) -> Result<Self, Error> {
        let path = path.as_ref();
        let bytes = counsel_file::read(path, PACKED)?;
        if bytes.is_empty() {
            return Err(Error::Empty { path: path.to_path_buf() });
        }
        Self::unpack(&bytes).map_err(|reason| Error::Damaged { path: path.to_path_buf(), reason })
    }
}

fn seal(heading: &str, body: &[u8]) -> Digest {
    Digest::of_parts(&[TITLE.as_bytes(), heading.as_bytes(), body])
}

fn line(bytes: &[u8]) -> Option<(&[u8], &[u8])> {
    let end = bytes.iter().position(|&byte| byte == b'\n')?;
    Some((&bytes[..end], &bytes[end + 1..]))
}

/// Reads the rows; nothing unless they fill the body and lie in the order of their keys.
fn read(heading: Heading, body: &[u8]) -> Option<Answers> {
    let Heading { advisor, count, decodings, dates, bytes } = heading;
    let digest = advisor.digest();
    let decodings: Vec<(Digest, Arc<Decoding>)> =
        decodings.into_iter().map(|decoding| (decoding_digest(&decoding), Arc::new(canonical(decoding)))).collect();
    let index = |number: u64| usize::try_from(number).ok();
    let mut cursor = Cursor(body);
    let mut entries: Vec<(Digest, RecordedAnswer)> = Vec::new();
    for _ in 0..count {
        let (decoding_digest, decoding) = decodings.get(index(cursor.number()?)?)?;
        let asked = cursor.asked()?;
        let utterance = cursor.utterance(decoding)?;
        let date = *dates.get(index(cursor.number()?)?)?;
        let key = key(&digest, decoding_digest, &asked.digest());
        if entries.last().is_some_and(|(last, _)| *last >= key) {
            return None;
        }
        entries.push((key, RecordedAnswer { asked, decoding: Arc::clone(decoding), utterance, date }));
    }
    (cursor.0.is_empty() && body.len() == bytes).then(|| Answers::sorted(advisor, entries))
}
