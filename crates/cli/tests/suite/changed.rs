//! A study that was changed says so wherever it is shown, its finding is not judged, and two kinds of cells are never mixed.

use std::path::Path;

use counsel_log::{AnswersFrom, Run, StudySheet};

use crate::support::{counsel, files, path, reproduce};

const CHANGE: &str = "price is 0.1 in place of 0.02 in every arm";

/// Writes another sheet in the place of the one that is there.
fn rewrite(folder: &Path, change: impl FnOnce(&mut StudySheet)) {
    let run = Run::at(folder);
    let mut sheet = run.sheet("lock").unwrap();
    change(&mut sheet);
    std::fs::remove_file(folder.join("lock/study.json")).unwrap();
    run.write_sheet(&sheet).unwrap();
}

fn lock() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    reproduce("lock --seeds 0..1", folder.path());
    folder
}

#[test]
fn what_was_changed_is_told_in_every_format_and_the_finding_is_not_judged() {
    let folder = lock();
    let tables = |more: &[&str]| counsel(&[&["tables", path(folder.path())], more].concat()).expect_success();
    let formats: [&[&str]; 6] = [
        &["--format", "text"],
        &["--format", "markdown"],
        &["--format", "latex"],
        &["--format", "csv"],
        &["--format", "json"],
        &["--tidy"],
    ];
    for format in formats {
        assert!(!tables(format).contains("price is 0.1"), "{format:?}");
    }
    assert!(tables(&[]).contains("Tested statements ("), "{}", tables(&[]));
    rewrite(folder.path(), |sheet| sheet.changed = vec![CHANGE.into()]);
    for format in formats {
        assert!(tables(format).replace("\\_", "_").contains("price is 0.1 in place of 0.02"), "{format:?}");
    }
    assert!(tables(&["--tidy"]).lines().all(|line| line.ends_with(",changed") || line.ends_with(CHANGE)));
    // Prose is broken into lines.
    let flat = |text: String| text.split_whitespace().collect::<Vec<_>>().join(" ");
    let text = flat(tables(&[]));
    assert!(text.contains("not judged here") && !text.contains("Tested statements"), "{text}");
    assert!(!text.contains("note: holds") && !text.contains("note: does not hold"), "{text}");
    let judged = flat(tables(&["--judge"]));
    assert!(judged.contains("Tested statements") && judged.contains(CHANGE), "{judged}");

    for format in ["svg", "csv"] {
        counsel(&["figures", path(folder.path()), "--format", format]).expect_success();
        let drawn = files(&folder.path().join("figures"));
        let told = |bytes: &Vec<u8>| String::from_utf8_lossy(bytes).contains(CHANGE);
        assert!(drawn.iter().filter(|(name, _)| name.ends_with(format)).all(|(_, bytes)| told(bytes)), "{format}");
    }
}

#[test]
fn a_cell_with_other_settings_or_live_answers_is_never_put_into_a_table() {
    let folder = lock();
    let refusal = || counsel(&["tables", path(folder.path())]).expect_failure();
    rewrite(folder.path(), |sheet| {
        let run = Run::at(folder.path());
        for key in run.keys().unwrap() {
            let mut settings = run.cell(&key).unwrap().unwrap().manifest.spec;
            if key.arm == "always" {
                settings["price"] = 0.1.into();
            }
            sheet.settings.insert(key.arm, settings);
        }
    });
    let text = refusal();
    assert!(text.contains("cell lock/always/0") && text.contains("price is 0.02 there and 0.1 here"), "{text}");
    assert_eq!(text.lines().count(), 1, "{text}");
    rewrite(folder.path(), |sheet| sheet.answers = AnswersFrom::Live("http://here/v1".into()));
    let text = refusal();
    assert!(text.contains("it has recorded answers, its study live answers from http://here/v1"), "{text}");
    assert!(counsel(&["figures", path(folder.path())]).expect_failure().contains("recorded answers"));
}
