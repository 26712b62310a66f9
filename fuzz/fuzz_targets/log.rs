//! Any bytes as a log, and a right log with any entries changed: refused with a reason, or read, recomputed, explained and
//! written back to the byte.
//!
//! The first byte says which of the two. A log that is taken apart and put together again reaches far behind the checks of
//! Parquet, which damaged bytes rarely pass.
#![no_main]

#[allow(dead_code, reason = "the tests of the log use more of it")]
#[path = "../../crates/log/tests/suite/play.rs"]
mod play;
#[allow(dead_code, reason = "the tests of the log use more of it")]
#[path = "../../crates/log/tests/suite/raw.rs"]
mod raw;

use std::panic::PanicHookInfo;
use std::sync::Mutex;

use counsel_experiment::recompute_radius;
use counsel_log::{decode, encode, explain, recompute};
use libfuzzer_sys::fuzz_target;
use raw::{PLAYED, RawColumn, Values, raw_columns, raw_log};

/// Every six bytes change one entry of one column: its value, or one of its levels.
fn changed(changes: &[u8]) -> Vec<RawColumn> {
    let mut columns = raw_columns();
    for change in changes.chunks_exact(6) {
        let [which, what, place, value @ ..] = change else { continue };
        let count = columns.len();
        let RawColumn { values, definitions, repetitions, .. } = &mut columns[usize::from(*which) % count];
        let at = |length: usize| usize::from(*place) % length.max(1);
        let number = i64::from(i16::from_le_bytes([value[0], value[1]])) << (value[2] % 48);
        match what % 6 {
            // A level that says otherwise than before takes its value along, so that the two stay in step.
            0 if !definitions.is_empty() => {
                let at = at(definitions.len());
                let before = definitions[..at].iter().filter(|&&defined| defined == 1).count();
                let gone = definitions[at] == 1;
                definitions[at] = i16::from(!gone);
                match values {
                    Values::Ints(values) if gone => drop(values.remove(before)),
                    Values::Ints(values) => values.insert(before, number),
                    Values::Reals(values) if gone => drop(values.remove(before)),
                    Values::Reals(values) => values.insert(before, number as f64),
                    Values::Texts(values) if gone => drop(values.remove(before)),
                    Values::Texts(values) => values.insert(before, value.to_vec().into()),
                }
            }
            // Where a list begins moves by one entry; the number of lists stays, without which nothing is written.
            1 if repetitions.len() > 2 => {
                let at = 1 + at(repetitions.len() - 2);
                repetitions.swap(at, at + 1);
            }
            _ => match values {
                Values::Ints(values) if !values.is_empty() => {
                    let at = at(values.len());
                    values[at] = number;
                }
                Values::Reals(values) if !values.is_empty() => {
                    let at = at(values.len());
                    values[at] = match what % 6 {
                        2 => f64::from_bits(number.cast_unsigned().rotate_right(12)),
                        _ => number as f64 / 256.0,
                    };
                }
                Values::Texts(values) if !values.is_empty() => {
                    let at = at(values.len());
                    let other = values[usize::from(value[0]) % values.len()].clone();
                    values[at] = if what % 6 == 2 { value.to_vec().into() } else { other };
                }
                _ => {}
            },
        }
    }
    columns
}

/// The latest panic. Parquet's reader may panic, which the log's own reader catches: only a panic that gets past it is told.
static PANIC: Mutex<String> = Mutex::new(String::new());

fn remember(panic: &PanicHookInfo<'_>) {
    *PANIC.lock().unwrap() = panic.to_string();
}

fuzz_target!(init: std::panic::set_hook(Box::new(remember)), |bytes: &[u8]| {
    if std::panic::catch_unwind(|| read(bytes)).is_err() {
        eprintln!("{}", PANIC.lock().unwrap());
        std::process::abort();
    }
});

fn read(bytes: &[u8]) {
    let [way, bytes @ ..] = bytes else { return };
    let key = &PLAYED.0.key;
    let log = if *way == b'P' { bytes.to_vec() } else { raw_log(&changed(bytes), 1) };
    let Ok(decisions) = decode(key, log) else { return };
    let _ = recompute(&PLAYED.0, &decisions);
    let _ = recompute_radius(&PLAYED.0, &decisions);
    for decision in &decisions {
        let _ = explain(&PLAYED.0, decision);
    }
    let written = encode(key, &decisions).unwrap();
    let again = decode(key, written.clone()).unwrap();
    assert_eq!(encode(key, &again).unwrap(), written);
}
