//! The loop runs, resumes, and is audited to the last decision.

use counsel_log::{Run, recompute};

use crate::study::{STUDY, audit, run};

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
fn the_gate_asks_now_and_then_and_saves_what_it_does_not_ask() {
    let folder = tempfile::tempdir().unwrap();
    run(folder.path(), 0..6).unwrap();
    let run = Run::at(folder.path());
    let mean = |arm: &str, of: &dyn Fn(&counsel_log::Totals) -> f64| {
        let keys = run.keys().unwrap().into_iter().filter(|key| key.arm == arm);
        keys.map(|key| of(&run.cell(&key).unwrap().unwrap().manifest.totals)).sum::<f64>() / 6.0
    };
    let calls = |arm| mean(arm, &|totals| totals.calls as f64);
    assert_eq!((calls("never"), calls("always")), (0.0, 300.0));
    assert!(0.0 < calls("counsel") && calls("counsel") < 150.0, "{}", calls("counsel"));
    let net = |arm| mean(arm, &|totals| totals.reward - 0.05 * totals.calls as f64);
    assert!(net("counsel") > net("always"));
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
    manifest.settings.budget = counsel_decision::Budget::calls_per_episode(1);
    assert!(!recompute(&manifest, &cell.decisions().unwrap()).unwrap().is_empty());
}
