//! ALFWorld in studies, on short versions of `alfworld` and `alfworld-language`.

use counsel_experiment::{
    Catalogue, Change, Fate, Library, Observer, Plan, PlannedCell, Runner, SeedRange, WarmStarts, recompute_radius,
    rerun,
};
use counsel_log::{Run, recompute};
use counsel_transcript::Shelf;

struct Silent;

impl Observer for Silent {
    fn done(&self, _: &PlannedCell, _: Fate) {}
}

/// Plays these arms of a study, cut down to seconds, with these changes; the error of the first cell that cannot be played.
fn play(study: &str, arms: &[&str], changes: &[&str]) -> Result<(tempfile::TempDir, Run, Library), String> {
    let catalogue = Catalogue::embedded().unwrap();
    let short = ["episodes=3", "world.horizon=30", "learner.exploration.warm_up_episodes=3"];
    let changes: Vec<Change> = short.iter().chain(changes).map(|text| text.parse().unwrap()).collect();
    let study = &catalogue.select(&[study.into()]).unwrap()[0];
    let seeds: SeedRange = "3..3".parse().unwrap();
    let plan = Plan::new(study, Some(&seeds), &changes).map_err(|error| error.to_string())?;
    let mut cells = plan.into_cells();
    cells.retain(|cell| arms.contains(&cell.key.arm.as_str()));
    let (folder, library) = (tempfile::tempdir().unwrap(), Library::recorded(Shelf::embedded()));
    let run = Run::at(folder.path());
    Runner::new(run.clone(), &library, 1).run(&cells, &Silent).map_err(|error| error.to_string())?;
    Ok((folder, run, library))
}

/// Recomputes and replays every cell of a run.
fn check(run: &Run, library: &Library, cells: usize) {
    let keys = run.keys().unwrap();
    assert_eq!(keys.len(), cells);
    for key in keys {
        let cell = run.cell(&key).unwrap().unwrap();
        let decisions = cell.decisions().unwrap();
        assert!(!decisions.is_empty());
        assert_eq!(recompute(&cell.manifest, &decisions).unwrap(), [], "{key}");
        assert_eq!(recompute_radius(&cell.manifest, &decisions).unwrap(), [], "{key}");
        assert_eq!(rerun(&cell.manifest, library, &WarmStarts::default()).unwrap(), None, "{key}");
    }
}

#[test]
fn every_decision_about_commands_can_be_computed_again() {
    let arms = ["never", "always", "beta-0", "beta-conf", "random", "certified", "expert"];
    let changes = ["calibration.prefix_episodes=2", "calibration.calibrate=12"];
    let (_folder, run, library) = play("alfworld", &arms, &changes).unwrap();
    check(&run, &library, arms.len());
    let key = run.keys().unwrap().into_iter().find(|key| key.arm == "always").unwrap();
    let decisions = run.cell(&key).unwrap().unwrap().decisions().unwrap();
    let mut counts: Vec<usize> = decisions.iter().map(|decision| decision.record.evidence.actions()).collect();
    counts.dedup();
    assert!(counts.len() > 2, "the number of commands changes from step to step: {counts:?}");
    let right = decisions.iter().filter(|decision| decision.hindsight.advice_gap == Some(0.0)).count() as f64;
    assert!(right > 0.6 * decisions.len() as f64, "{right} of {}", decisions.len());
}

#[test]
fn every_decision_about_options_can_be_computed_again() {
    let blocks = ["good", "middling", "poor", "good-short"];
    let of = |arm: &str| blocks.map(|block| format!("{block}.{arm}"));
    let arms: Vec<String> = ["counsel", "paper", "always", "early-once"].iter().flat_map(|arm| of(arm)).collect();
    let mut arms: Vec<&str> = arms.iter().map(String::as_str).collect();
    arms.extend(["good.counting-search", "good.any-option", "good.experience-only"]);
    let (_folder, run, library) = play("alfworld-language", &arms, &[]).unwrap();
    check(&run, &library, arms.len());
}

#[test]
fn what_alfworld_cannot_do_is_refused_with_the_remedy() {
    let refused = |study: &str, arm: &str, change: &str| play(study, &[arm], &[change]).err().unwrap();
    let exact = refused("alfworld", "beta-conf", "calibration.labels=\"exact\"");
    assert!(exact.contains("too many states for exact values") && exact.contains("paired"), "{exact}");
    let trust = refused("alfworld", "beta-conf", "calibration.prefix_episodes=0");
    assert!(trust.contains("trust is learned in the prefix"), "{trust}");
    let heads = refused("alfworld", "beta-conf", "learner.heads=100");
    assert!(heads.contains("learner.heads is 100") && heads.contains("1 to 64"), "{heads}");
    let script = refused("alfworld-language", "good.counsel", "script=\"clever\"");
    assert!(script.contains("clever"), "{script}");
}
