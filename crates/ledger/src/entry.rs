//! The lines of a ledger: one when an attempt is about to be sent, one when it is over.
//!
//! ```text
//! {"ledger":"counsel","version":1}
//! {"reserved":1,"limit":100,"at":"Sun, 15 Nov 2026 22:00:00 GMT","process":4711,"model":"m","prompt":"9f86d0…","attempt":1,"money_nano":98000,"currency":"USD","check":"5d41402abc4b2a76"}
//! {"settled":1,"at":"Sun, 15 Nov 2026 22:00:01 GMT","outcome":"answered","status":200,"request_tokens":61,"response_tokens":2,"latency_ms":412.5,"money_nano":10350,"check":"7d793037a0760186"}
//! ```
//!
//! `money_nano` is in billionths of the currency: at worst when reserved, as counted when settled. `check` is a digest of the
//! rest of the line. A line without one is of a time before there was any; it tells of calls and of no money.

use counsel_advisor::Digest;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use crate::Money;

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
    /// What it can cost at worst, where prices are known.
    #[serde(flatten, skip_serializing_if = "Option::is_none")]
    pub worst: Option<Charge>,
}

/// An amount in its currency.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Charge {
    /// The amount, in billionths.
    pub money_nano: Money,
    /// The currency.
    pub currency: String,
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
    /// What it cost by the endpoint's own count of tokens; without it the worst case stays reserved.
    #[serde(default, rename = "money_nano", skip_serializing_if = "Option::is_none")]
    pub cost: Option<Money>,
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

/// A line that was read.
#[derive(Debug, PartialEq)]
pub(crate) enum Entry {
    /// A heading, a blank, or the beginning of a settlement: neither costs nor gives back.
    Nothing,
    /// A whole reservation, with what it can cost at worst.
    Reserved { number: u64, worst: Option<Charge> },
    /// A whole settlement, with what the attempt cost.
    Settled { number: u64, cost: Option<Money> },
    /// Anything else, with the number that it seems to have.
    Damaged { number: u64 },
}

/// The fields of a reservation that is older than the checks.
const UNCHECKED: [&str; 7] = ["reserved", "limit", "at", "process", "model", "prompt", "attempt"];

impl Entry {
    /// Reads a line. Whatever is not recognisably a heading or a settlement is a call, so that damage never gives one back.
    pub(crate) fn read(line: &[u8]) -> Self {
        let line = line.trim_ascii();
        if line.is_empty() || line == HEADING.trim_end().as_bytes() {
            return Self::Nothing;
        }
        let fields: Map<String, Value> = serde_json::from_slice(line).unwrap_or_default();
        let checked = is_checked(line);
        let unchecked = !fields.contains_key("check");
        let money = || fields.get("money_nano").and_then(Value::as_u64).map(Money::from_nano);
        if line.starts_with(b"{\"settled\":") {
            return match fields.get("settled").and_then(Value::as_u64) {
                Some(number) if checked => Self::Settled { number, cost: money() },
                Some(number) if unchecked => Self::Settled { number, cost: None },
                // A crash leaves the beginning of a line. One that has an end has other lines in it, or is changed.
                _ if line.ends_with(b"}") => Self::Damaged { number: 0 },
                _ => Self::Nothing,
            };
        }
        let number = fields.get("reserved").and_then(Value::as_u64);
        let currency = fields.get("currency").and_then(Value::as_str);
        match (number, money(), currency) {
            (Some(number), Some(money_nano), Some(currency)) if checked => {
                Self::Reserved { number, worst: Some(Charge { money_nano, currency: currency.to_owned() }) }
            }
            (Some(number), None, None) if checked || fields.keys().all(|name| UNCHECKED.contains(&name.as_str())) => {
                Self::Reserved { number, worst: None }
            }
            _ => Self::Damaged { number: number.unwrap_or(0) },
        }
    }
}

fn line(entry: &impl Serialize) -> String {
    // Numbers and strings always serialise; an empty line would be read as no call, so it must not stand for one.
    let line = serde_json::to_string(entry).unwrap_or_else(|_| "{\"\":0}".to_owned());
    let open = line.strip_suffix('}').unwrap_or(&line);
    format!("{open},\"check\":\"{}\"}}\n", check(open.as_bytes()))
}

/// The digest of a line up to its check.
fn check(open: &[u8]) -> String {
    Digest::of(open).to_string()[..16].to_owned()
}

fn is_checked(line: &[u8]) -> bool {
    let Some(at) = line.len().checked_sub(b",\"check\":\"0123456789abcdef\"}".len()) else {
        return false;
    };
    let (open, rest) = line.split_at(at);
    rest == format!(",\"check\":\"{}\"}}", check(open)).as_bytes()
}

fn now() -> String {
    httpdate::fmt_http_date(std::time::SystemTime::now())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_read_back_as_they_were_written_and_no_changed_byte_gives_money_back() {
        let worst = Charge { money_nano: Money::from_nano(98), currency: "USD".into() };
        let note = Note { model: "m".into(), prompt: Digest::of(b""), attempt: 1, worst: Some(worst.clone()) };
        let settlement = Settlement {
            ending: Ending::Outage,
            reason: Some("cut".into()),
            status: None,
            request_tokens: None,
            response_tokens: None,
            latency_ms: 1.5,
            cost: Some(Money::from_nano(7)),
        };
        let (reserved, settled) = (reserved(3, 9, &note), settled(3, &settlement));
        assert!(reserved.starts_with("{\"reserved\":3,\"limit\":9,\"at\":\""), "{reserved}");
        assert!(settled.starts_with("{\"settled\":3,\"at\":\""), "{settled}");
        assert_eq!(Entry::read(reserved.as_bytes()), Entry::Reserved { number: 3, worst: Some(worst) });
        assert_eq!(Entry::read(settled.as_bytes()), Entry::Settled { number: 3, cost: Some(Money::from_nano(7)) });
        for (line, at) in [(&reserved, 0..reserved.len() - 1), (&settled, 11..settled.len() - 1)] {
            for at in at {
                let mut bytes = line.clone().into_bytes();
                bytes[at] ^= 1;
                let read = Entry::read(&bytes);
                let harmless =
                    matches!(read, Entry::Damaged { .. } | Entry::Nothing | Entry::Settled { cost: None, .. });
                assert!(harmless, "{at}: {read:?}");
            }
        }
    }

    #[test]
    fn lines_older_than_the_checks_tell_of_calls_and_no_money() {
        let reserved = r#"{"reserved":1,"limit":5,"at":"then","process":1,"model":"m","prompt":"00","attempt":1}"#;
        assert_eq!(Entry::read(reserved.as_bytes()), Entry::Reserved { number: 1, worst: None });
        let settled = r#"{"settled":1,"at":"then","outcome":"answered","latency_ms":1.0}"#;
        assert_eq!(Entry::read(settled.as_bytes()), Entry::Settled { number: 1, cost: None });
        let odd = reserved.replace("attempt", "attemqt");
        assert_eq!(Entry::read(odd.as_bytes()), Entry::Damaged { number: 1 });
    }
}
