//! Crafter in a study, on a short version of `crafter`.

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

/// Plays these arms of the study, cut down to seconds, with these changes; the error of the first cell that cannot be played.
fn play(arms: &[&str], changes: &[&str]) -> Result<(tempfile::TempDir, Run, Library), String> {
    let catalogue = Catalogue::embedded().unwrap();
    let short = [
        "episodes=2",
        "world.horizon=30",
        "learner.exploration.warm_up_episodes=2",
        "calibration.prefix_episodes=1",
        "calibration.calibrate=12",
    ];
    let changes: Vec<Change> = short.iter().chain(changes).map(|text| text.parse().unwrap()).collect();
    let study = &catalogue.select(&["crafter".into()]).unwrap()[0];
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
fn what_crafter_cannot_do_is_refused_with_the_remedy() {
    let refused = |changes: &[&str]| play(&["beta-conf"], changes).err().unwrap();
    let exact = refused(&["calibration.labels=\"exact\""]);
    assert!(exact.contains("too many states for exact values") && exact.contains("paired"), "{exact}");
    let horizon = refused(&["world.horizon=20000"]);
    assert!(horizon.contains("the horizon is 20000") && horizon.contains("1 to 10000"), "{horizon}");
    let compass = refused(&["advisor=\"compass\""]);
    assert!(compass.contains("this world has no compass"), "{compass}");
}
