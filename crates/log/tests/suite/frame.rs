//! A log as columns: they say what the decisions say, only those that are asked for are read, and what cannot be read is told.

use counsel_decision::Response;
use counsel_log::{Cell, Frame, Manifest, Run, decode, digest, encode};

use crate::play::key;
use crate::raw::{PLAYED, RawColumn, raw_columns, raw_log};

/// A cell with these bytes as its log, its digest made good.
fn cell_with(folder: &tempfile::TempDir, bytes: &[u8]) -> Cell {
    let (manifest, decisions) = &*PLAYED;
    let run = Run::at(folder.path());
    run.write(manifest.clone(), decisions).unwrap();
    std::fs::write(folder.path().join("study/arm/seed-00007.parquet"), bytes).unwrap();
    let path = folder.path().join("study/arm/seed-00007.json");
    let mut resealed = Manifest::read(&path).unwrap();
    resealed.log.sha256 = digest(bytes);
    resealed.write(&path).unwrap();
    run.cell(&key()).unwrap().unwrap()
}

#[test]
fn the_columns_say_what_the_decisions_say() {
    let decisions = &PLAYED.1;
    let frame = Frame::of(decisions, &key());
    assert_eq!(frame.rows(), decisions.len());
    for (row, decision) in decisions.iter().enumerate() {
        let record = &decision.record;
        assert_eq!(frame.words("study").row(row), Some("study"));
        assert_eq!(frame.words("arm").row(row), Some("arm"));
        assert_eq!(frame.ints("seed")[row], Some(7));
        assert_eq!(frame.ints("step")[row], i64::try_from(row).ok());
        assert_eq!(frame.reals("reward")[row], Some(decision.hindsight.reward));
        assert_eq!(frame.reals("exact_value")[row], None);
        assert_eq!(frame.real_lists("lower_bounds").row(row), record.evidence.advice().none().bounds().lower());
        assert_eq!(frame.int_lists("prospects").row(row).len(), record.prospects.len());
        let verdicts: Vec<&str> = frame.word_lists("prospect_verdicts").row(row).collect();
        assert_eq!(verdicts.len(), record.prospects.len());
        assert_eq!(frame.words("outcome").row(row) == Some("asked"), record.asked());
        assert_eq!(frame.words("reply").row(row), record.answer().map(|answer| answer.reply.text.as_str()));
        let response = record.answer().map(|answer| match answer.response {
            Response::Recommends(action) => i64::from(action.0),
            Response::Unusable => -1,
        });
        assert_eq!(frame.ints("response")[row], response);
    }
    assert_eq!(frame.real_lists("lower_bounds").iter().count(), decisions.len());
    assert!(frame.fault().is_none());
}

#[test]
fn a_log_without_a_row_has_empty_columns() {
    let frame = Frame::of(&[], &key());
    assert_eq!((frame.rows(), frame.ints("step").len(), frame.words("study").rows()), (0, 0, 0));
    assert_eq!((frame.real_lists("belief").rows(), frame.word_lists("prospect_verdicts").rows()), (0, 0));
    assert!(frame.fault().is_none());
}

/// A log in which nothing but the reward can be read serves those who ask for nothing else.
#[test]
fn a_column_that_is_not_asked_for_is_not_read() {
    let folder = tempfile::tempdir().unwrap();
    let only: Vec<RawColumn> = raw_columns().into_iter().filter(|column| column.name == "reward").collect();
    let frame = cell_with(&folder, &raw_log(&only, 1)).frame().unwrap();
    let rewards: Vec<Option<f64>> = PLAYED.1.iter().map(|decision| Some(decision.hindsight.reward)).collect();
    assert_eq!(frame.reals("reward"), rewards);
    assert!(frame.fault().is_none());
}

#[test]
fn a_column_that_cannot_be_read_is_empty_and_a_fault() {
    for missing in ["price", "step", "outcome", "prospects", "belief", "prospect_verdicts"] {
        let folder = tempfile::tempdir().unwrap();
        let fewer: Vec<RawColumn> = raw_columns().into_iter().filter(|column| column.name != missing).collect();
        let frame = cell_with(&folder, &raw_log(&fewer, 1)).frame().unwrap();
        assert!(frame.reals("reward").iter().all(Option::is_some) && frame.fault().is_none());
        let rows = PLAYED.1.len();
        match missing {
            "price" => assert_eq!(frame.reals("price"), vec![None; rows]),
            "step" => assert_eq!(frame.ints("step"), vec![None; rows]),
            "outcome" => assert!(frame.words("outcome").rows() == rows && frame.words("outcome").row(0).is_none()),
            "prospects" => assert!(frame.int_lists("prospects").iter().all(<[i64]>::is_empty)),
            "belief" => assert!(frame.real_lists("belief").iter().all(<[f64]>::is_empty)),
            _ => assert_eq!(frame.word_lists("prospect_verdicts").rows(), rows),
        }
        // What is asked for later does not hide the first fault.
        let _ = frame.reals("radius");
        let fault = frame.fault().unwrap().to_string();
        assert!(fault.contains(&format!("column {missing} is missing")), "{fault}");
        assert!(fault.contains("seed-00007.parquet") && fault.contains("run the study again"), "{fault}");
    }
}

#[test]
fn a_column_of_another_type_is_a_fault() {
    let folder = tempfile::tempdir().unwrap();
    let mut columns = raw_columns();
    let other = columns.iter().find(|column| column.name == "reward").unwrap().clone();
    *columns.iter_mut().find(|column| column.name == "step").unwrap() = RawColumn { name: "step".into(), ..other };
    let frame = cell_with(&folder, &raw_log(&columns, 1)).frame().unwrap();
    assert_eq!(frame.ints("step"), vec![None; PLAYED.1.len()]);
    assert!(frame.fault().unwrap().to_string().contains("column step has an unexpected type"));
}

#[test]
#[cfg(debug_assertions)]
#[should_panic(expected = "no column is declared as rewards")]
fn a_name_that_is_not_declared_is_a_bug() {
    let _ = Frame::of(&PLAYED.1, &key()).reals("rewards");
}

#[test]
#[cfg(debug_assertions)]
#[should_panic(expected = "another type")]
fn a_column_asked_for_as_another_type_is_a_bug() {
    let _ = Frame::of(&PLAYED.1, &key()).ints("reward");
}

#[test]
fn a_damaged_log_has_no_frame() {
    let folder = tempfile::tempdir().unwrap();
    let cell = cell_with(&folder, &encode(&key(), &PLAYED.1).unwrap());
    assert!(cell.frame().is_ok());
    let log = folder.path().join("study/arm/seed-00007.parquet");
    let mut bytes = std::fs::read(&log).unwrap();
    bytes[40] ^= 1;
    std::fs::write(&log, bytes).unwrap();
    assert!(matches!(cell.frame(), Err(counsel_log::Error::Digest { .. })));
}

/// The rows say whose they are, and it must be the cell in which they are found.
#[test]
fn the_log_of_another_cell_is_refused() {
    let log = encode(&key(), &PLAYED.1).unwrap();
    assert!(decode(&key(), log.clone()).is_ok());
    for (column, other) in [
        ("study", counsel_log::CellKey { study: "other".into(), ..key() }),
        ("arm", counsel_log::CellKey { arm: "other".into(), ..key() }),
        ("seed", counsel_log::CellKey { seed: 8, ..key() }),
    ] {
        let reason = decode(&other, log.clone()).unwrap_err();
        assert!(reason.contains(&format!("column {column} is")), "{reason}");
        assert!(reason.contains("belongs to"), "{reason}");
    }
}
