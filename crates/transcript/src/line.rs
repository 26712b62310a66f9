//! A checked line of a journal: `{"check":"…","is":…}`, where the check is the beginning of the digest of what follows.
//!
//! Every line is JSON, so that any tool can read a journal. A line whose check fails was cut off by a crash.

use counsel_advisor::{Decoding, Digest, Utterance};
use serde::{Deserialize, Serialize};

use crate::{Date, RecordedAdvisor, RecordedAnswer, RecordedPrompt};

/// What a line says.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum JournalLine {
    /// The first line: whose answers follow.
    Advisor { format: u32, advisor: RecordedAdvisor },
    /// An answer.
    Answer { key: Digest, asked: RecordedPrompt, decoding: Decoding, utterance: Utterance, date: Date },
}

/// The version of the form.
pub(crate) const FORMAT: u32 = 1;

const BEFORE: &str = "{\"check\":\"";
const BETWEEN: &str = "\",\"is\":";
const AFTER: &str = "}";
const CHECK: usize = 16;

fn check(content: &str) -> String {
    let mut digest = Digest::of(content.as_bytes()).to_string();
    digest.truncate(CHECK);
    digest
}

impl JournalLine {
    pub(crate) fn of(key: Digest, entry: &RecordedAnswer) -> Self {
        let RecordedAnswer { asked, decoding, utterance, date } = entry.clone();
        Self::Answer { key, asked, decoding: decoding.as_ref().clone(), utterance, date }
    }

    /// The line with its end.
    pub(crate) fn write(&self) -> Result<String, serde_json::Error> {
        let content = serde_json::to_string(self)?;
        Ok(format!("{BEFORE}{}{BETWEEN}{content}{AFTER}\n", check(&content)))
    }

    /// Reads a line without its end; nothing if it is not as it was written.
    pub(crate) fn read(line: &[u8]) -> Option<Self> {
        let text = std::str::from_utf8(line).ok()?;
        let (found, rest) = text.strip_prefix(BEFORE)?.split_at_checked(CHECK)?;
        let content = rest.strip_prefix(BETWEEN)?.strip_suffix(AFTER)?;
        (found == check(content)).then(|| serde_json::from_str(content).ok())?
    }
}
