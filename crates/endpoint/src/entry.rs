//! The lines of a ledger: one when an attempt is about to be sent, one when it is over.
//!
//! ```text
//! {"ledger":"counsel","version":1}
//! {"reserved":1,"limit":100,"at":"Sun, 15 Nov 2026 22:00:00 GMT","process":4711,"model":"m","prompt":"9f86d0…","attempt":1}
//! {"settled":1,"at":"Sun, 15 Nov 2026 22:00:01 GMT","outcome":"answered","status":200,"request_tokens":61,"response_tokens":2,"latency_ms":412.5}
//! ```

use counsel_advisor::Digest;
use serde::{Deserialize, Serialize};

/// The first line of every ledger.
pub(crate) const HEADING: &str = "{\"ledger\":\"counsel\",\"version\":1}\n";

/// What an attempt is made for.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Note {
    /// The model that is asked.
    pub model: String,
    /// The digest of the prompt.
    pub prompt: Digest,
    /// Which attempt at its request it is, from 1.
    pub attempt: u32,
}

/// How an attempt ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Ending {
    /// In an answer that was taken.
    Answered,
    /// In an outage.
    Outage,
}

/// How an attempt ended, and what it took.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Settlement {
    /// How it ended.
    #[serde(rename = "outcome")]
    pub ending: Ending,
    /// Why no answer came, where none came.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
    /// The status of the reply, where one came.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub status: Option<u16>,
    /// Tokens sent, where the endpoint counts them.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub request_tokens: Option<u32>,
    /// Tokens received, where the endpoint counts them.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub response_tokens: Option<u32>,
    /// How long it took.
    pub latency_ms: f64,
}

#[derive(Serialize)]
struct Reserve<'a> {
    reserved: u64,
    limit: u64,
    at: String,
    process: u32,
    #[serde(flatten)]
    note: &'a Note,
}

#[derive(Serialize)]
struct Settle<'a> {
    settled: u64,
    at: String,
    #[serde(flatten)]
    settlement: &'a Settlement,
}

/// The line of a reservation.
pub(crate) fn reserved(number: u64, limit: u64, note: &Note) -> String {
    line(&Reserve { reserved: number, limit, at: now(), process: std::process::id(), note })
}

/// The line of a settlement.
pub(crate) fn settled(number: u64, settlement: &Settlement) -> String {
    line(&Settle { settled: number, at: now(), settlement })
}

/// How many calls are spent once this line is read, given how many were before it.
///
/// Everything that is not recognisably a heading or a settlement is a call: a damaged line never gives one back.
pub(crate) fn spent_after(line: &[u8], before: u64) -> u64 {
    #[derive(Deserialize)]
    struct Number {
        reserved: u64,
    }
    let line = line.trim_ascii();
    if line.is_empty() || line.starts_with(b"{\"settled\":") || line == HEADING.trim_end().as_bytes() {
        return before;
    }
    let number = serde_json::from_slice::<Number>(line).map_or(0, |line| line.reserved);
    before.saturating_add(1).max(number)
}

fn line(entry: &impl Serialize) -> String {
    // Numbers and strings always serialise; an empty line would be read as no call, so it must not stand for one.
    let mut line = serde_json::to_string(entry).unwrap_or_else(|_| "{}".to_owned());
    line.push('\n');
    line
}

fn now() -> String {
    httpdate::fmt_http_date(std::time::SystemTime::now())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_headings_settlements_and_blanks_are_free() {
        let note = Note { model: "m".into(), prompt: Digest::of(b""), attempt: 1 };
        let settlement = Settlement {
            ending: Ending::Outage,
            reason: Some("cut".into()),
            status: None,
            request_tokens: None,
            response_tokens: None,
            latency_ms: 1.5,
        };
        let (reserved, settled) = (reserved(3, 9, &note), settled(3, &settlement));
        assert!(reserved.starts_with("{\"reserved\":3,\"limit\":9,\"at\":\""), "{reserved}");
        assert!(settled.starts_with("{\"settled\":3,\"at\":\""), "{settled}");
        for free in [HEADING, "", " \n", &settled, &settled[..20]] {
            assert_eq!(spent_after(free.as_bytes(), 2), 2, "{free}");
        }
        for spent in [&reserved, &reserved[..40], "{\"", "{}", "\u{0}", "{\"reserved\":1}"] {
            assert_eq!(spent_after(spent.as_bytes(), 2), 3, "{spent}");
        }
        // The numbers tell of lines that are missing before.
        assert_eq!(spent_after(reserved.as_bytes(), 0), 3);
        assert_eq!(spent_after(b"\xff\xfe", u64::MAX), u64::MAX);
    }
}
