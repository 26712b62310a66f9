//! Whatever the bytes are, reading them gives decisions or a reason, never a panic.

use std::path::Path;

use counsel_log::{Manifest, decode, encode, explain, inequalities, recompute};
use proptest::prelude::*;

use crate::raw::{LOG, PLAYED, RawColumn, Values, column, empty, raw_columns, raw_log, rows};

/// Reads the bytes and, where they can be read, does with them all that the program does. The digest of a run keeps damaged
/// bytes from coming this far; a log that someone wrote does come this far.
fn use_all(bytes: Vec<u8>) -> Result<usize, String> {
    let decisions = decode(&PLAYED.0.key, bytes)?;
    let _ = recompute(&PLAYED.0, &decisions);
    decisions.iter().for_each(|decision| {
        let _ = (explain(&PLAYED.0, decision), inequalities(&PLAYED.0, decision));
    });
    let again = encode(&PLAYED.0.key, &decisions)?;
    assert_eq!(decode(&PLAYED.0.key, again)?.len(), decisions.len());
    Ok(decisions.len())
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 2_000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn random_bytes(bytes in prop::collection::vec(any::<u8>(), 0..400), framed in any::<bool>()) {
        let bytes = if framed {
            // A file that begins and ends as it should, around nonsense of the right length.
            let length = u32::try_from(bytes.len()).unwrap().to_le_bytes();
            [b"PAR1".as_slice(), &bytes, &length, b"PAR1"].concat()
        } else {
            bytes
        };
        prop_assert!(use_all(bytes).is_err());
    }

    #[test]
    fn a_log_that_is_cut_short(share in 0.0..1.0f64, framed in any::<bool>()) {
        #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a share of a length")]
        let length = (LOG.len() as f64 * share) as usize;
        let mut bytes = LOG[..length].to_vec();
        if framed {
            bytes.extend(&LOG[LOG.len() - 8..]);
        }
        prop_assert!(bytes == *LOG || use_all(bytes).is_err());
    }

    #[test]
    fn a_log_with_changed_bytes(
        changes in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 1..6),
        in_footer in any::<bool>(),
    ) {
        let mut bytes = LOG.clone();
        let footer = u32::from_le_bytes(bytes[bytes.len() - 8..bytes.len() - 4].try_into().unwrap()) as usize;
        let from = if in_footer { bytes.len() - 8 - footer } else { 0 };
        for (place, byte) in changes {
            let place = from + place.index(LOG.len() - from);
            bytes[place] = byte;
        }
        let _ = use_all(bytes);
    }

    #[test]
    fn a_log_with_bytes_moved(
        from in any::<prop::sample::Index>(), to in any::<prop::sample::Index>(), length in 1usize..200,
    ) {
        let mut bytes = LOG.clone();
        let from = from.index(bytes.len());
        let piece: Vec<u8> = bytes.drain(from..(from + length).min(LOG.len())).collect();
        let to = to.index(bytes.len());
        bytes.splice(to..to, piece);
        let _ = use_all(bytes);
    }
}

#[test]
fn a_rewritten_log_is_read() {
    assert_eq!(use_all(raw_log(&raw_columns(), 1)), Ok(PLAYED.1.len()));
}

#[test]
fn a_missing_column_is_named() {
    let columns = raw_columns();
    for gone in 0..columns.len() {
        let mut fewer = columns.clone();
        let RawColumn { name, .. } = fewer.remove(gone);
        let reason = use_all(raw_log(&fewer, 1)).unwrap_err();
        assert!(reason.contains(&name), "without {name}: {reason}");
    }
}

/// Columns without a value in any row: refused, or absent where a column may be.
#[test]
fn an_empty_column_is_no_panic() {
    let columns = raw_columns();
    for RawColumn { name, .. } in &columns {
        let mut emptied = columns.clone();
        empty(&mut emptied, name);
        let read = use_all(raw_log(&emptied, 1));
        if let Err(reason) = read {
            assert!(reason.contains("row ") || reason.contains(name.as_str()), "{name}: {reason}");
        }
    }
}

#[test]
fn a_column_of_another_type_is_named() {
    let columns = raw_columns();
    for (number, RawColumn { name, field, .. }) in columns.iter().enumerate() {
        for other in columns.iter().filter(|other| other.field != *field) {
            let mut mixed = columns.clone();
            mixed[number] = RawColumn { name: name.clone(), ..other.clone() };
            let reason = use_all(raw_log(&mixed, 1)).unwrap_err();
            assert!(reason.contains(name.as_str()), "{name} with the values of {}: {reason}", other.name);
        }
    }
}

/// A decision over no action at all.
#[test]
fn a_log_without_actions_is_refused() {
    let mut columns = raw_columns();
    let count = rows(&columns);
    ["lower_bounds", "upper_bounds", "belief", "likelihood", "fallback_after"]
        .iter()
        .for_each(|name| empty(&mut columns, name));
    for name in ["value_samples", "response_law"] {
        let column = column(&mut columns, name);
        column.values = Values::Reals(vec![1.0; count]);
        column.definitions = vec![1; count];
        column.repetitions = vec![0; count];
    }
    column(&mut columns, "base").values = Values::Ints(vec![0; count]);
    assert!(use_all(raw_log(&columns, 1)).is_err());
}

#[test]
fn numbers_and_names_out_of_range_are_refused() {
    for (name, number) in [
        ("base", -1),
        ("base", 70_000),
        ("base", 5_000),
        ("executed", -1),
        ("executed", 94),
        ("no_query", 1 << 40),
        ("no_query", 94),
        ("prospects", 94),
        ("response", -2),
        ("response", 94),
    ] {
        let mut columns = raw_columns();
        let Values::Ints(values) = &mut column(&mut columns, name).values else { panic!("{name} is not whole") };
        values[0] = number;
        assert!(use_all(raw_log(&columns, 1)).is_err(), "{name} = {number}");
    }
    for name in [
        "value_samples",
        "lower_bounds",
        "upper_bounds",
        "belief",
        "likelihood",
        "radius",
        "price",
        "expected_uses",
        "fallback_law",
        "credited_gain",
        "forecast_value",
        "forecast_error",
    ] {
        let mut columns = raw_columns();
        let Values::Reals(values) = &mut column(&mut columns, name).values else { panic!("{name} is not real") };
        values[0] = f64::NAN;
        assert!(use_all(raw_log(&columns, 1)).is_err(), "{name} is not a number");
    }
    for name in ["monitored", "cache_status", "outcome", "prospect_verdicts", "reply_source", "certificate"] {
        for text in [&b"nonsense"[..], b"", b"\xff\xfe"] {
            let mut columns = raw_columns();
            let Values::Texts(values) = &mut column(&mut columns, name).values else { panic!("{name} is no text") };
            values[0] = text.to_vec().into();
            assert!(use_all(raw_log(&columns, 1)).is_err(), "{name} = {text:?}");
        }
    }
}

/// Where there were more actions, an answer may have been kept that names none of those at hand.
#[test]
fn a_kept_answer_for_an_action_of_elsewhere_is_explained() {
    let mut columns = raw_columns();
    let Values::Ints(values) = &mut column(&mut columns, "cached").values else { panic!("an action is whole") };
    assert!(!values.is_empty(), "no decision met a kept answer");
    values.fill(94);
    assert_eq!(use_all(raw_log(&columns, 1)), Ok(PLAYED.1.len()));
}

/// A log is one row group.
#[test]
fn a_log_without_a_row_group_is_no_panic() {
    let _ = use_all(raw_log(&raw_columns(), 0));
}

/// No row may be overlooked.
#[test]
fn a_second_row_group_is_refused() {
    assert!(use_all(raw_log(&raw_columns(), 2)).is_err());
}

/// The law of informative advice follows from belief and likelihood; a logged one that does not is an altered log.
#[test]
fn every_logged_law_is_read() {
    let mut faults = Vec::new();
    for row in 0..PLAYED.1.len() {
        let mut columns = raw_columns();
        let law = column(&mut columns, "response_law");
        let starts = law.repetitions.iter().enumerate().filter(|(_, level)| **level == 0);
        let place = starts.map(|(place, _)| place).nth(row).unwrap();
        let Values::Reals(values) = &mut law.values else { panic!("a law is real") };
        values[place] = f64::NAN;
        if use_all(raw_log(&columns, 1)).is_ok() {
            faults.push(row);
        }
    }
    assert!(faults.is_empty(), "a law that is not a number was read in the rows {faults:?}");
}

/// As many prospects as verdicts: none may be overlooked, on either side.
#[test]
fn prospects_and_verdicts_belong_together() {
    for name in ["prospects", "prospect_verdicts"] {
        let mut columns = raw_columns();
        empty(&mut columns, name);
        assert!(use_all(raw_log(&columns, 1)).is_err(), "{name} are gone");
    }
}

/// The fuzzer begins with logs and manifests that are read; otherwise it would never get past the first check. With UPDATE_SEEDS
/// set, it rewrites the logs.
#[test]
fn the_seeds_of_the_fuzzer_are_read() {
    let seeds = Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../../fuzz/seeds"));
    #[expect(clippy::disallowed_methods, reason = "only a person who runs the test sets it")]
    let update = std::env::var("UPDATE_SEEDS").is_ok();
    for rows in [0, 1, 3] {
        if update {
            let log = encode(&PLAYED.0.key, &PLAYED.1[..rows]).unwrap();
            std::fs::write(seeds.join(format!("log/rows-{rows}")), [b"P".as_slice(), &log].concat()).unwrap();
        }
        let seed = std::fs::read(seeds.join(format!("log/rows-{rows}"))).unwrap();
        assert_eq!(seed[0], b'P', "the way that reads the rest as it is");
        assert_eq!(use_all(seed[1..].to_vec()), Ok(rows));
    }
    let manifest = |name: &str| std::fs::read(seeds.join("manifest").join(name)).unwrap();
    let gates = (0..10).map(|number| format!("gate-{number}"));
    for name in gates.chain(["whole".to_owned()]) {
        let read = serde_json::from_slice::<Manifest>(&manifest(&name));
        assert!(read.is_ok(), "{name}: {}", read.unwrap_err());
    }
}
