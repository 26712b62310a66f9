//! The example goes through the whole loop: it runs, resumes, is audited to the last decision, and has a table.

use std::path::Path;

use counsel_log::{Run, recompute};
use counsel_report::{Format, Judging, render, study_tables};
use own_world::{STUDY, audit, run, table};

/// A number of the table, as its CSV has it.
fn number(folder: &Path, arm: &str, column: &str) -> f64 {
    let text = render(&study_tables(&Run::at(folder), None, Judging::AsItStands, &|_| {}).unwrap(), Format::Csv);
    let mut lines = text.lines().map(|line| line.split(',').collect::<Vec<_>>());
    let heading = lines.next().unwrap();
    let place = |name: &str| heading.iter().position(|known| *known == name).unwrap();
    let row = lines.find(|line| line[place("arm")] == arm).unwrap();
    row[place(column)].parse().unwrap()
}

#[test]
fn every_decision_of_the_example_is_computed_again_and_agrees() {
    let folder = tempfile::tempdir().unwrap();
    run(folder.path(), 0..3).unwrap();
    let (decisions, agreeing) = audit(folder.path()).unwrap();
    assert_eq!((decisions, agreeing), (3 * 3 * 30 * 10, decisions));
}

#[test]
fn a_radius_is_calibrated_before_deployment() {
    let folder = tempfile::tempdir().unwrap();
    run(folder.path(), 0..3).unwrap();
    let run = Run::at(folder.path());
    for key in run.keys().unwrap().into_iter().filter(|key| key.arm == "counsel") {
        let cell = run.cell(&key).unwrap().unwrap();
        assert_eq!(cell.manifest.calibration.unwrap().opportunities, 200);
        assert!(cell.manifest.totals.calibration_calls > 0);
    }
}

#[test]
fn the_table_compares_the_arms() {
    let folder = tempfile::tempdir().unwrap();
    run(folder.path(), 0..6).unwrap();
    let text = table(folder.path()).unwrap();
    assert!(text.contains("return minus never") && text.contains("p (Holm)"), "{text}");
    let calls = |arm| number(folder.path(), arm, "calls per episode");
    assert_eq!((calls("never"), calls("always")), (0.0, 10.0));
    assert!(0.0 < calls("counsel") && calls("counsel") < 5.0, "{}", calls("counsel"));
    let cost_adjusted = |arm| number(folder.path(), arm, "cost-adjusted");
    assert!(cost_adjusted("counsel") > cost_adjusted("always"), "{text}");
}

/// Running again changes nothing; a cell that is gone comes back to the byte.
#[test]
fn the_same_seed_gives_the_same_bytes() {
    let folder = tempfile::tempdir().unwrap();
    run(folder.path(), 0..2).unwrap();
    let log = folder.path().join(STUDY).join("counsel/seed-00001.parquet");
    let before = std::fs::read(&log).unwrap();
    std::fs::remove_file(log.with_extension("json")).unwrap();
    std::fs::remove_file(&log).unwrap();
    run(folder.path(), 0..2).unwrap();
    assert_eq!(std::fs::read(&log).unwrap(), before);
}

/// The audit can fail: with another controller in the manifest the same log does not come out.
#[test]
fn a_changed_manifest_is_noticed() {
    let folder = tempfile::tempdir().unwrap();
    run(folder.path(), 0..1).unwrap();
    let run = Run::at(folder.path());
    let key = run.keys().unwrap().into_iter().find(|key| key.arm == "always").unwrap();
    let cell = run.cell(&key).unwrap().unwrap();
    let mut manifest = cell.manifest.clone();
    manifest.controller.budget = counsel_decision::BudgetSpec::per_episode(1);
    assert!(!recompute(&manifest, &cell.decisions().unwrap()).unwrap().is_empty());
}
