//! The sheet of a study is written once, read again as it was, and refuses to say two things.

use counsel_log::study::{Account, Finding, Measure, OfFamily, Test};
use counsel_log::{AnswersFrom, Error, Run, StudySheet};
use serde_json::json;

fn sheet() -> StudySheet {
    StudySheet {
        id: "lock".into(),
        order: 3,
        title: "A title".into(),
        paper_label: "tab:lock".into(),
        finding: "Something holds".into(),
        arms: vec!["one".into(), "two".into()],
        seeds: Some(20),
        account: Account {
            findings: vec![Finding {
                words: "it is above".into(),
                beyond: false,
                test: Test::Above(OfFamily {
                    family: "all".into(),
                    margin: Some(1e-7),
                    blocks: Vec::new(),
                    arms: Vec::new(),
                    against: Vec::new(),
                    measures: vec![Measure::ReturnAt(60)],
                }),
            }],
            ..Account::default()
        },
        changed: vec!["price=0.1".into()],
        answers: AnswersFrom::Live("http://127.0.0.1:8080/v1".into()),
        settings: [("one".into(), json!({ "price": 0.1 }))].into(),
    }
}

#[test]
fn a_sheet_is_read_as_it_was_written() {
    let folder = tempfile::tempdir().unwrap();
    let run = Run::at(folder.path());
    run.write_sheet(&sheet()).unwrap();
    assert_eq!(run.sheet("lock").unwrap(), sheet());
}

#[test]
fn a_missing_sheet_is_named_with_its_remedy() {
    let folder = tempfile::tempdir().unwrap();
    let said = Run::at(folder.path()).sheet("lock").unwrap_err().to_string();
    assert!(said.contains("study.json") && said.contains("run the study again"), "{said}");
}

#[test]
fn the_same_sheet_is_not_written_again() {
    let folder = tempfile::tempdir().unwrap();
    let run = Run::at(folder.path());
    run.write_sheet(&sheet()).unwrap();
    let modified = || folder.path().join("lock/study.json").metadata().unwrap().modified().unwrap();
    let before = modified();
    run.write_sheet(&sheet()).unwrap();
    assert_eq!(modified(), before);
}

/// What is different in a study, and the words in which it is refused.
fn other_studies() -> [(StudySheet, &'static str); 4] {
    let findings = Vec::new();
    [
        (StudySheet { answers: AnswersFrom::Recorded, ..sheet() }, "live answers from http://127.0.0.1:8080/v1 there"),
        (
            StudySheet { settings: [("one".into(), json!({ "price": 0.2 }))].into(), ..sheet() },
            "other settings: in one, price is 0.1 there and 0.2 here",
        ),
        (StudySheet { settings: [].into(), ..sheet() }, "other settings: the arm one is not here"),
        (StudySheet { account: Account { findings, ..sheet().account }, ..sheet() }, "findings is [{"),
    ]
}

/// A folder with the sheet and a cell of the study.
fn with_a_cell() -> (tempfile::TempDir, Run) {
    let folder = tempfile::tempdir().unwrap();
    let run = Run::at(folder.path());
    run.write_sheet(&sheet()).unwrap();
    std::fs::create_dir(folder.path().join("lock/one")).unwrap();
    std::fs::write(folder.path().join("lock/one/seed-00000.json"), "{}").unwrap();
    (folder, run)
}

#[test]
fn another_study_beside_its_cells_is_refused_and_the_first_difference_named() {
    let (_folder, run) = with_a_cell();
    for (other, what) in other_studies() {
        let error = run.write_sheet(&other).unwrap_err();
        assert!(matches!(error, Error::OtherSheet { .. }), "{error:?}");
        assert!(error.to_string().contains(what), "{error}");
        assert_eq!(run.sheet("lock").unwrap(), sheet(), "the sheet that was there stays");
    }
}

#[test]
fn a_study_without_cells_may_be_run_otherwise() {
    for (other, _) in other_studies() {
        let folder = tempfile::tempdir().unwrap();
        let run = Run::at(folder.path());
        run.write_sheet(&sheet()).unwrap();
        run.write_sheet(&other).unwrap();
        assert_eq!(run.sheet("lock").unwrap(), other);
    }
}

#[test]
fn arms_may_be_added_and_the_table_may_change() {
    let (_folder, run) = with_a_cell();
    let mut wider = StudySheet { title: "Another title".into(), ..sheet() };
    wider.settings.insert("three".into(), json!({ "price": 3 }));
    run.write_sheet(&wider).unwrap();
    assert_eq!(run.sheet("lock").unwrap(), wider);
}

#[test]
fn every_changed_byte_of_a_sheet_is_noticed_and_restored() {
    let folder = tempfile::tempdir().unwrap();
    let run = Run::at(folder.path());
    run.write_sheet(&sheet()).unwrap();
    let path = folder.path().join("lock/study.json");
    let intact = std::fs::read(&path).unwrap();
    for place in 0..intact.len() {
        let mut bytes = intact.clone();
        bytes[place] ^= 1;
        std::fs::write(&path, &bytes).unwrap();
        let said = run.sheet("lock").expect_err("a changed byte was not noticed").to_string();
        assert!(said.contains("study.json"), "{said}");
    }
    run.write_sheet(&sheet()).unwrap();
    assert_eq!(std::fs::read(&path).unwrap(), intact, "a damaged sheet is written again");
}

#[test]
fn the_sheet_of_another_study_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let run = Run::at(folder.path());
    run.write_sheet(&sheet()).unwrap();
    std::fs::create_dir(folder.path().join("key")).unwrap();
    std::fs::copy(folder.path().join("lock/study.json"), folder.path().join("key/study.json")).unwrap();
    let said = run.sheet("key").unwrap_err().to_string();
    assert!(said.contains("it belongs to study lock"), "{said}");
}
