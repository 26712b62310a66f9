//! A manifest notices every change, and never panics on what it is not.

use std::path::Path;
use std::sync::LazyLock;

use counsel_log::{Manifest, Run};
use proptest::prelude::*;

use crate::raw::PLAYED;

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
        ("a letter as an escape", text.replacen("\"test\"", "\"\\u0074est\"", 1)),
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
