//! Any bytes as a ledger: refused, or no line of it gives a call or money back, and neither budget is exceeded afterwards.
//!
//! Checks are digests, which no fuzzer guesses. A line that begins with `r` or `s` is made into a whole reservation or settlement with the
//! numbers that follow; all others stand as they are.
#![no_main]

use std::path::Path;
use std::time::{Duration, Instant};

use counsel_advisor::Digest;
use counsel_ledger::{Charge, Ledger, Money, Note};
use libfuzzer_sys::fuzz_target;

const HEADING: &[u8] = b"{\"ledger\":\"counsel\",\"version\":1}\n";

/// A line with its check.
fn checked(open: &str) -> Vec<u8> {
    format!("{open},\"check\":\"{}\"}}\n", &Digest::of(open.as_bytes()).to_string()[..16]).into_bytes()
}

fn line(text: &[u8]) -> Vec<u8> {
    let words: Vec<u64> = String::from_utf8_lossy(text).split(' ').skip(1).filter_map(|word| word.parse().ok()).collect();
    match (text.first(), words.as_slice()) {
        (Some(b'r'), [number]) => checked(&format!("{{\"reserved\":{number}")),
        (Some(b'r'), [number, money, ..]) => {
            checked(&format!("{{\"reserved\":{number},\"money_nano\":{money},\"currency\":\"USD\""))
        }
        (Some(b's'), [number]) => checked(&format!("{{\"settled\":{number}")),
        (Some(b's'), [number, money, ..]) => checked(&format!("{{\"settled\":{number},\"money_nano\":{money}")),
        _ => [text, b"\n"].concat(),
    }
}

fuzz_target!(|bytes: &[u8]| {
    let path = Path::new("calls.ledger");
    let _ = Ledger::parse(bytes, path, 1);
    let (limit, purse) = (u64::MAX, Money::from_nano(1_000_000));
    let mut whole = HEADING.to_vec();
    let mut calls = 0;
    for text in bytes.split(|byte| *byte == b'\n').take(64) {
        whole.extend(line(text));
        let ledger = Ledger::parse(&whole, path, limit).unwrap();
        let now = ledger.spent().unwrap();
        assert!(now >= calls, "a line gave calls back");
        calls = now;
    }
    let ledger = Ledger::parse(&whole, path, calls.saturating_add(2)).unwrap().with_money(purse, "USD");
    for worst in [400_000, 400_000, 400_000] {
        let worst = Charge { money_nano: Money::from_nano(worst), currency: "USD".into() };
        let note = Note { model: "m".into(), prompt: Digest::of(b"?"), attempt: 1, worst: Some(worst) };
        let before = ledger.balance("USD");
        if ledger.reserve(&note, Instant::now() + Duration::from_secs(1)).is_ok() {
            let balance = ledger.balance("USD").unwrap();
            assert!(before.is_ok() && balance.spent.plus(balance.reserved) <= purse, "{balance:?}");
        }
    }
    assert!(ledger.spent().unwrap() <= calls.saturating_add(2));
});
