//! Whatever the bytes are, reading them gives decisions or a reason, never a panic; and a manifest notices every change.

mod play;

use std::fmt::Write as _;
use std::path::Path;
use std::sync::{Arc, LazyLock};

use counsel_decision::GateSpec;
use counsel_log::{Decision, Manifest, Run, decode, encode, explain, recompute};
use parquet::basic::Type;
use parquet::column::reader::ColumnReader;
use parquet::data_type::{ByteArrayType, DoubleType, Int64Type};
use parquet::file::reader::{FileReader, SerializedFileReader};
use parquet::file::writer::SerializedFileWriter;
use parquet::schema::parser::parse_message_type;
use play::{Chance, Episodes, played, rules, settings};
use proptest::prelude::*;

static PLAYED: LazyLock<(Manifest, Vec<Decision>)> = LazyLock::new(|| {
    let mut chance = Chance(11);
    let settings = settings(GateSpec::Always, rules()[0], &mut chance);
    played(settings, Episodes::Announced, &mut chance)
});

static LOG: LazyLock<Vec<u8>> = LazyLock::new(|| encode(&PLAYED.0.key, &PLAYED.1).unwrap());

/// Reads the bytes and, where they can be read, does with them all that the program does. The digest of a run keeps damaged
/// bytes from coming this far; a log that someone wrote does come this far.
fn use_all(bytes: Vec<u8>) -> Result<usize, String> {
    let decisions = decode(&PLAYED.0.key, bytes)?;
    let _ = recompute(&PLAYED.0, &decisions);
    decisions.iter().for_each(|decision| {
        let _ = explain(&PLAYED.0, decision);
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

/// A column's values with their levels.
#[derive(Debug, Clone)]
enum Values {
    Ints(Vec<i64>),
    Reals(Vec<f64>),
    Texts(Vec<parquet::data_type::ByteArray>),
}

#[derive(Debug, Clone)]
struct RawColumn {
    name: String,
    field: &'static str,
    values: Values,
    definitions: Vec<i16>,
    repetitions: Vec<i16>,
}

/// The columns of a log, as they lie in it.
fn raw_columns() -> Vec<RawColumn> {
    let reader = SerializedFileReader::new(bytes::Bytes::from(LOG.clone())).unwrap();
    let group = reader.get_row_group(0).unwrap();
    let rows = usize::try_from(group.metadata().num_rows()).unwrap();
    (0..group.num_columns())
        .map(|index| {
            let descriptor = group.metadata().column(index).column_descr_ptr();
            let list = descriptor.max_rep_level() > 0;
            let (mut definitions, mut repetitions) = (Vec::new(), Vec::new());
            macro_rules! read {
                ($reader:expr, $kind:path) => {{
                    let mut values = Vec::new();
                    let mut reader = $reader;
                    reader.read_records(rows, Some(&mut definitions), Some(&mut repetitions), &mut values).unwrap();
                    $kind(values)
                }};
            }
            let values = match group.get_column_reader(index).unwrap() {
                ColumnReader::Int64ColumnReader(reader) => read!(reader, Values::Ints),
                ColumnReader::DoubleColumnReader(reader) => read!(reader, Values::Reals),
                ColumnReader::ByteArrayColumnReader(reader) => read!(reader, Values::Texts),
                _ => panic!("a column of another type"),
            };
            let field = match (descriptor.physical_type(), list) {
                (Type::INT64, false) => "optional int64",
                (Type::INT64, true) => "repeated int64",
                (Type::DOUBLE, false) => "optional double",
                (Type::DOUBLE, true) => "repeated double",
                (_, false) => "optional binary",
                (_, true) => "repeated binary",
            };
            RawColumn { name: descriptor.name().to_owned(), field, values, definitions, repetitions }
        })
        .collect()
}

/// A Parquet file with these columns in each of so many row groups.
fn raw_log(columns: &[RawColumn], groups: usize) -> Vec<u8> {
    let fields = columns.iter().fold(String::new(), |mut fields, RawColumn { name, field, .. }| {
        let logical = if field.ends_with("binary") { " (STRING)" } else { "" };
        let _ = write!(fields, "{field} {name}{logical}; ");
        fields
    });
    let schema = Arc::new(parse_message_type(&format!("message decision {{ {fields} }}")).unwrap());
    let mut writer = SerializedFileWriter::new(Vec::new(), schema, Arc::default()).unwrap();
    for _ in 0..groups {
        let mut group = writer.next_row_group().unwrap();
        for RawColumn { values, definitions, repetitions, .. } in columns {
            let mut out = group.next_column().unwrap().unwrap();
            let levels = (Some(&definitions[..]), Some(&repetitions[..]).filter(|levels| !levels.is_empty()));
            match values {
                Values::Ints(values) => out.typed::<Int64Type>().write_batch(values, levels.0, levels.1).unwrap(),
                Values::Reals(values) => out.typed::<DoubleType>().write_batch(values, levels.0, levels.1).unwrap(),
                Values::Texts(values) => out.typed::<ByteArrayType>().write_batch(values, levels.0, levels.1).unwrap(),
            };
            out.close().unwrap();
        }
        group.close().unwrap();
    }
    writer.into_inner().unwrap()
}

fn rows(columns: &[RawColumn]) -> usize {
    columns[0].definitions.len()
}

fn column<'a>(columns: &'a mut [RawColumn], name: &str) -> &'a mut RawColumn {
    columns.iter_mut().find(|column| column.name == name).unwrap()
}

/// Leaves every row of this column empty.
fn empty(columns: &mut [RawColumn], name: &str) {
    let count = rows(columns);
    let column = column(columns, name);
    match &mut column.values {
        Values::Ints(values) => values.clear(),
        Values::Reals(values) => values.clear(),
        Values::Texts(values) => values.clear(),
    }
    column.definitions = vec![0; count];
    if !column.repetitions.is_empty() {
        column.repetitions = vec![0; count];
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
    for (name, number) in
        [("base", -1), ("base", 70_000), ("base", 5_000), ("executed", -1), ("no_query", 1 << 40), ("response", -2)]
    {
        let mut columns = raw_columns();
        let Values::Ints(values) = &mut column(&mut columns, name).values else { panic!("{name} is not whole") };
        values[0] = number;
        assert!(use_all(raw_log(&columns, 1)).is_err(), "{name} = {number}");
    }
    for name in ["value_samples", "lower_bounds", "upper_bounds", "belief", "likelihood", "radius", "kappa"] {
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

fn written_manifest(folder: &Path) -> (std::path::PathBuf, Vec<u8>) {
    let (manifest, decisions) = &*PLAYED;
    Run::at(folder).write(manifest.clone(), decisions).unwrap();
    let path = folder.join("study/arm/seed-00007.json");
    let bytes = std::fs::read(&path).unwrap();
    (path, bytes)
}

/// What `Manifest::read` says about these bytes.
fn read_manifest(path: &Path, bytes: &[u8]) -> Result<Manifest, counsel_log::Error> {
    std::fs::write(path, bytes).unwrap();
    Manifest::read(path)
}

/// "A changed byte is noticed here too": every bit of the file, one at a time.
#[test]
fn every_changed_bit_of_a_manifest_is_noticed() {
    let folder = tempfile::tempdir().unwrap();
    let (path, intact) = written_manifest(folder.path());
    let mut unnoticed = Vec::new();
    for place in 0..intact.len() {
        for bit in 0..8 {
            let mut bytes = intact.clone();
            bytes[place] ^= 1 << bit;
            match read_manifest(&path, &bytes) {
                Ok(_) => {
                    let around = &bytes[place.saturating_sub(12)..(place + 12).min(bytes.len())];
                    unnoticed.push(format!("byte {place}, bit {bit}: {:?}", String::from_utf8_lossy(around)));
                }
                Err(error) => assert!(error.to_string().contains("seed-00007.json"), "{error}"),
            }
        }
    }
    assert!(unnoticed.is_empty(), "{} changes were not noticed:\n{}", unnoticed.len(), unnoticed.join("\n"));
}

/// Changes that a reader of JSON does not see, or that mean the same number.
#[test]
fn a_manifest_in_another_spelling_is_noticed() {
    let folder = tempfile::tempdir().unwrap();
    let (path, intact) = written_manifest(folder.path());
    let text = String::from_utf8(intact).unwrap();
    let mut unnoticed = Vec::new();
    for (what, other) in [
        ("white space", text.replacen("  ", "\t", 1)),
        ("a line end", text.trim_end().to_owned()),
        ("an unknown key", text.replacen('{', "{\n  \"surprise\": 1,", 1)),
        ("a key for nothing", text.replacen("  \"calibration\": null,\n", "", 1)),
        ("another name for nothing", text.replacen("\"calibration\"", "\"calibratiom\"", 1)),
        ("a number in another spelling", text.replacen("1.0", "1e0", 1)),
        ("a letter as an escape", text.replacen("\"A title\"", "\"\\u0041 title\"", 1)),
    ] {
        assert_ne!(other, text, "{what} is not in the manifest");
        if read_manifest(&path, other.as_bytes()).is_ok() {
            unnoticed.push(what);
        }
    }
    assert!(unnoticed.is_empty(), "not noticed: {unnoticed:?}");
    assert!(read_manifest(&path, text.as_bytes()).is_ok());
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 2_000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn a_mutated_manifest_is_no_panic(
        cuts in prop::collection::vec((any::<prop::sample::Index>(), 0usize..40, any::<prop::sample::Index>()), 1..4),
        bytes in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 0..4),
    ) {
        static FOLDER: LazyLock<tempfile::TempDir> = LazyLock::new(|| tempfile::tempdir().unwrap());
        static INTACT: LazyLock<(std::path::PathBuf, Vec<u8>)> = LazyLock::new(|| written_manifest(FOLDER.path()));
        let mut mutated = INTACT.1.clone();
        for (from, length, to) in cuts {
            let from = from.index(mutated.len());
            let end = (from + length).min(mutated.len());
            let piece: Vec<u8> = mutated.drain(from..end).collect();
            let to = to.index(mutated.len() + 1);
            mutated.splice(to..to, piece);
        }
        for (place, byte) in bytes {
            let place = place.index(mutated.len());
            mutated[place] = byte;
        }
        let read = read_manifest(&INTACT.0, &mutated);
        prop_assert!(read.is_err() || mutated == INTACT.1, "a mutation was not noticed");
    }

    #[test]
    fn json_that_is_no_manifest_is_no_panic(text in "[\\[\\]{}:,\"0-9a-z.eE+ -]{0,80}") {
        let folder = tempfile::tempdir().unwrap();
        prop_assert!(read_manifest(&folder.path().join("seed-00007.json"), text.as_bytes()).is_err());
    }
}

/// Every value of the manifest replaced by one of another kind.
#[test]
fn a_manifest_with_another_value_is_noticed() {
    let folder = tempfile::tempdir().unwrap();
    let (path, intact) = written_manifest(folder.path());
    let whole: serde_json::Value = serde_json::from_slice(&intact).unwrap();
    let mut pointers = vec![String::new()];
    let mut next = 0;
    while let Some(pointer) = pointers.get(next).cloned() {
        next += 1;
        match whole.pointer(&pointer).unwrap() {
            serde_json::Value::Object(map) => pointers.extend(map.keys().map(|key| format!("{pointer}/{key}"))),
            serde_json::Value::Array(list) => pointers.extend((0..list.len()).map(|at| format!("{pointer}/{at}"))),
            _ => {}
        }
    }
    for pointer in pointers {
        for other in ["null", "-1", "1e308", "\"\"", "[]", "{}", "18446744073709551616", "true"] {
            let mut changed = whole.clone();
            let other: serde_json::Value = serde_json::from_str(other).unwrap();
            if changed.pointer(&pointer) == Some(&other) {
                continue;
            }
            *changed.pointer_mut(&pointer).unwrap() = other.clone();
            let read = read_manifest(&path, &serde_json::to_vec_pretty(&changed).unwrap());
            assert!(read.is_err(), "{pointer} = {other} was not noticed");
        }
    }
}
