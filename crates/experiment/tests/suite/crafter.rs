//! Crafter in a study, on short versions of `crafter` and `crafter-foretold`.

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

/// Plays these arms of `crafter`, cut down to seconds, with these changes; the error of the first cell that cannot be played.
fn play(arms: &[&str], changes: &[&str]) -> Result<(tempfile::TempDir, Run, Library), String> {
    play_of("crafter", arms, changes)
}

/// The same of a study.
fn play_of(study: &str, arms: &[&str], changes: &[&str]) -> Result<(tempfile::TempDir, Run, Library), String> {
    let catalogue = Catalogue::embedded().unwrap();
    let short = [
        "episodes=2",
        "world.horizon=30",
        "learner.exploration.warm_up_episodes=2",
        "calibration.prefix_episodes=1",
        "calibration.calibrate=12",
    ];
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

#[test]
fn every_decision_can_be_computed_again() {
    let (_folder, run, library) = play(&["never", "always", "beta-0", "beta-conf", "expert"], &[]).unwrap();
    let keys = run.keys().unwrap();
    assert_eq!(keys.len(), 5);
    for key in keys {
        let cell = run.cell(&key).unwrap().unwrap();
        let decisions = cell.decisions().unwrap();
        assert!(!decisions.is_empty());
        assert_eq!(recompute(&cell.manifest, &decisions).unwrap(), [], "{key}");
        assert_eq!(recompute_radius(&cell.manifest, &decisions).unwrap(), [], "{key}");
        assert_eq!(rerun(&cell.manifest, &library, &WarmStarts::default()).unwrap(), None, "{key}");
    }
}

#[test]
fn calls_at_the_first_steps_are_not_rationed() {
    let arms = ["60-calls.counsel", "60-calls.counsel-early"];
    let changes = ["episodes=5", "world.horizon=60", "arms.*.budget.per_episode=12"];
    let (_folder, run, _) = play_of("crafter-foretold", &arms, &changes).unwrap();
    let asked = |arm: &str| -> Vec<(u64, bool)> {
        let key = run.keys().unwrap().into_iter().find(|key| key.arm == arm).unwrap();
        let decisions = run.cell(&key).unwrap().unwrap().decisions().unwrap();
        decisions.iter().map(|decision| (decision.record.episode, decision.record.asked())).collect()
    };
    let (own, early) = (asked(arms[0]), asked(arms[1]));
    let calls = |asked: &[(u64, bool)]| asked.iter().filter(|(_, asked)| *asked).count();
    assert!(calls(&own) > 24, "rationing begins after an episode");
    assert_eq!(calls(&own), calls(&early));
    // After the first step of an episode without a call there is no other in it.
    assert!(early.windows(2).all(|pair| pair[0].0 != pair[1].0 || pair[0].1 || !pair[1].1), "{early:?}");
}

#[test]
fn what_crafter_cannot_do_is_refused_with_the_remedy() {
    let refused = |changes: &[&str]| play(&["beta-conf"], changes).err().unwrap();
    let exact = refused(&["calibration.labels=\"exact\""]);
    assert!(exact.contains("too many states for exact values") && exact.contains("paired"), "{exact}");
    let horizon = refused(&["world.horizon=20000"]);
    assert!(horizon.contains("the horizon is 20000") && horizon.contains("1 to 10000"), "{horizon}");
    let compass = refused(&["advisor=\"compass\""]);
    assert!(compass.contains("this world has no compass"), "{compass}");
}
