//! The example goes through the whole loop: it runs, resumes, and is audited to the last decision.

use counsel_log::{Run, recompute};
use own_world::{STUDY, audit, run, summary};

#[test]
fn every_decision_of_the_example_is_computed_again_and_agrees() {
    let folder = tempfile::tempdir().unwrap();
    run(folder.path(), 0..3).unwrap();
    let (decisions, agreeing) = audit(folder.path()).unwrap();
    assert_eq!((decisions, agreeing), (3 * 3 * 30 * 10, decisions));
}

#[test]
fn the_recommended_controller_asks_about_each_track_at_most_a_few_times() {
    let folder = tempfile::tempdir().unwrap();
    run(folder.path(), 0..6).unwrap();
    let run = Run::at(folder.path());
    let totals = |arm: &str| {
        let keys = run.keys().unwrap().into_iter().filter(|key| key.arm == arm);
        keys.map(|key| run.cell(&key).unwrap().unwrap().manifest.totals).collect::<Vec<_>>()
    };
    assert!(totals("never").iter().all(|totals| totals.calls == 0));
    assert!(totals("always").iter().all(|totals| totals.calls == 300));
    assert!(totals("counsel").iter().all(|totals| (1..=24).contains(&totals.calls)), "eight tracks");
    let net = |arm: &str| totals(arm).iter().map(|totals| totals.reward - 0.05 * totals.calls as f64).sum::<f64>();
    assert!(net("counsel") > net("always"), "{}", summary(folder.path()).unwrap());
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

/// The audit can fail: with another budget in the manifest the same log does not come out.
#[test]
fn a_changed_manifest_is_noticed() {
    let folder = tempfile::tempdir().unwrap();
    run(folder.path(), 0..1).unwrap();
    let run = Run::at(folder.path());
    let key = run.keys().unwrap().into_iter().find(|key| key.arm == "always").unwrap();
    let cell = run.cell(&key).unwrap().unwrap();
    let mut manifest = cell.manifest.clone();
    manifest.settings.budget = counsel_controller::Budget::calls_per_episode(0);
    assert!(!recompute(&manifest, &cell.decisions().unwrap()).unwrap().is_empty());
}
