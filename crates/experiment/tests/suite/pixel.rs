//! The pixel world in a study: its gates, its radii and its labels, on short versions of `pixel-gates`.

use counsel_decision::{Gate, Radius};
use counsel_experiment::{
    Catalogue, Change, Fate, Library, Observer, Plan, PlannedCell, Runner, SeedRange, WarmStarts, recompute_radius,
    rerun,
};
use counsel_log::{Cell, CellKey, Run, recompute};
use counsel_transcript::Shelf;

struct Silent;

impl Observer for Silent {
    fn done(&self, _: &PlannedCell, _: Fate) {}
}

/// Plays these arms of the study, cut down to seconds, with these changes.
fn play(arms: &[&str], changes: &[&str]) -> (tempfile::TempDir, Run, Library) {
    let catalogue = Catalogue::embedded().unwrap();
    let short = ["episodes=6", "learner.exploration.warm_up_episodes=4", "calibration.calibrate=20"];
    let changes: Vec<Change> = short.iter().chain(changes).map(|text| text.parse().unwrap()).collect();
    let study = &catalogue.select(&["pixel-gates".into()]).unwrap()[0];
    let seeds: SeedRange = "3..4".parse().unwrap();
    let mut cells = Plan::new(study, Some(&seeds), &changes).unwrap().into_cells();
    cells.retain(|cell| arms.contains(&cell.key.arm.as_str()));
    let (folder, library) = (tempfile::tempdir().unwrap(), Library::recorded(Shelf::embedded()));
    let run = Run::at(folder.path());
    Runner::new(run.clone(), &library, 2).run(&cells, &Silent).unwrap();
    (folder, run, library)
}

fn cell(run: &Run, arm: &str, seed: u64) -> Cell {
    run.cell(&CellKey { study: "pixel-gates".into(), arm: arm.into(), seed }).unwrap().unwrap()
}

#[test]
fn every_decision_of_every_gate_and_radius_can_be_computed_again() {
    let arms = ["ucci", "beta-conf", "beta-one-sided", "beta-online", "oracle-gate"];
    let (_folder, run, library) = play(&arms, &[]);
    for key in run.keys().unwrap() {
        let cell = run.cell(&key).unwrap().unwrap();
        let decisions = cell.decisions().unwrap();
        assert_eq!(recompute(&cell.manifest, &decisions).unwrap(), [], "{key}");
        assert_eq!(recompute_radius(&cell.manifest, &decisions).unwrap(), [], "{key}");
        assert_eq!(rerun(&cell.manifest, &library, &WarmStarts::default()).unwrap(), None, "{key}");
    }
}

#[test]
fn an_online_radius_moves_with_its_labels_and_the_audit_notices_another_one() {
    let (_folder, run, _) = play(&["beta-online", "beta-conf"], &[]);
    let radii = |arm: &str| -> Vec<Radius> {
        let mut radii: Vec<Radius> =
            cell(&run, arm, 3).decisions().unwrap().iter().map(|d| d.record.evidence.radius()).collect();
        radii.dedup();
        radii
    };
    assert_eq!(radii("beta-conf").len(), 1);
    assert!(radii("beta-online").len() > 5, "{:?}", radii("beta-online"));
    let online = cell(&run, "beta-online", 3);
    let mut decisions = online.decisions().unwrap();
    decisions[..30].iter_mut().for_each(|d| d.hindsight.exact_value = d.hindsight.exact_value.map(|label| label + 1.0));
    assert!(!recompute_radius(&online.manifest, &decisions).unwrap().is_empty());
}

#[test]
fn the_calibrated_uncertainty_gate_is_fitted_before_deployment() {
    let (_folder, run, _) = play(&["ucci"], &[]);
    let Gate::CalibratedUncertainty(gate) = cell(&run, "ucci", 3).manifest.settings.gate else { panic!() };
    assert!(!gate.steps.is_empty());
    assert!(gate.steps.windows(2).all(|pair| pair[0].0 < pair[1].0 && pair[0].1 < pair[1].1), "{:?}", gate.steps);
}

#[test]
fn without_a_declared_radius_the_gate_is_silent() {
    let (_folder, run, _) = play(&["beta-conf"], &["calibration={ prefix_episodes = 1, calibrate = 20 }"]);
    let decisions = cell(&run, "beta-conf", 3).decisions().unwrap();
    assert!(decisions.iter().all(|d| !d.record.asked() && d.record.evidence.radius() == Radius::INFINITE));
}

#[test]
fn labels_say_what_they_cost() {
    let (_folder, run, _) = play(&["never", "oracle-gate"], &[]);
    assert!(cell(&run, "never", 3).decisions().unwrap().iter().all(|d| d.hindsight.simulated_steps.is_none()));
    let oracle = cell(&run, "oracle-gate", 3).decisions().unwrap();
    let first_of_episode = |d: &&counsel_log::Decision| d.record.step_in_episode == 0;
    assert!(oracle.iter().filter(first_of_episode).all(|d| d.hindsight.simulated_steps == Some(81 * 4)));
    assert!(oracle.iter().filter(|d| !first_of_episode(d)).all(|d| d.hindsight.simulated_steps == Some(0)));
}
