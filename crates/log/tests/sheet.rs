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
        account: Account {
            findings: vec![Finding {
                words: "it is above".into(),
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
        changed: vec!["kappa=0.1".into()],
        answers: AnswersFrom::Live("http://127.0.0.1:8080/v1".into()),
        settings: [("one".into(), json!({ "kappa": 0.1 }))].into(),
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

#[test]
fn another_sheet_is_refused_and_the_first_difference_named() {
    let folder = tempfile::tempdir().unwrap();
    let run = Run::at(folder.path());
    run.write_sheet(&sheet()).unwrap();
    let account = Account { blocks: vec!["obj".into()], ..sheet().account };
    let other = StudySheet { account, ..sheet() };
    let error = run.write_sheet(&other).unwrap_err();
    assert!(matches!(error, Error::OtherSheet { .. }), "{error:?}");
    let said = error.to_string();
    assert!(said.contains("account.blocks is [] there and [\"obj\"] here"), "{said}");
    assert_eq!(run.sheet("lock").unwrap(), sheet(), "the sheet that was there stays");
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
