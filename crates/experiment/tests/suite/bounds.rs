//! Bounds that are scaled on replays of the deployment: they hold as often as declared, and the audit derives their factor again.

use counsel_calibration::BoundFactor;
use counsel_experiment::{Catalogue, Fate, Library, Observer, Plan, PlannedCell, Runner, WarmStarts, rerun};
use counsel_log::{Cell, CellKey, Run, recompute};
use counsel_session::recompute_radius;
use counsel_transcript::Shelf;
use serde_json::json;

const SEEDS: u64 = 16;

const STUDY: &str = r#"
id = "held"
seeds = 16
scenario = "controlled"

[shared]
world = { kind = "chain", length = 4, horizon = 6 }
learner = { kind = "psrl", bounds = { scale = 0.01, steps = 120 } }
advisor = { kind = "simulated", reliability = { constant = 0.8 } }
predictor = { predictor = "feature" }
gate = { policy = "predictive" }
execution = { certified = { tolerance = 2.0 } }
budget = { per_episode = 6 }
price = 0.02
episodes = 20

[shared.calibration]
prefix_episodes = 4
calibrate = 60
radius = { method = "constant", alpha = 0.1 }

[[arms]]
name = "as-made"

[[arms]]
name = "simultaneous"
set = { calibration = { value_bounds = { scaled = { alpha = 0.1, replays = 120 } } } }

[[arms]]
name = "marginal"
set = { calibration = { value_bounds = { scaled = { alpha = 0.1, promise = "marginal", replays = 120 } } } }
"#;

struct Silent;

impl Observer for Silent {
    fn done(&self, _: &PlannedCell, _: Fate) {}
}

fn cell(run: &Run, arm: &str, seed: u64) -> Cell {
    run.cell(&CellKey { study: "held".into(), arm: arm.into(), seed }).unwrap().unwrap()
}

/// The shares of actions and of decisions within bounds, and the mean width, over all seeds.
fn held(run: &Run, arm: &str) -> [f64; 3] {
    let (mut actions, mut within, mut decisions, mut all, mut width) = (0.0, 0.0, 0.0, 0.0, 0.0);
    for seed in 0..SEEDS {
        for decision in cell(run, arm, seed).decisions().unwrap() {
            let bounds = decision.record.evidence.advice().none().bounds().clone();
            let pairs = bounds.lower().iter().zip(bounds.upper());
            let holds: Vec<bool> = (decision.hindsight.optimal_values.iter().zip(pairs))
                .map(|(value, (low, high))| (low - 1e-9..=high + 1e-9).contains(value))
                .collect();
            actions += holds.len() as f64;
            within += holds.iter().filter(|holds| **holds).count() as f64;
            decisions += 1.0;
            all += f64::from(u8::from(holds.iter().all(|holds| *holds)));
            width += bounds.lower().iter().zip(bounds.upper()).map(|(low, high)| high - low).sum::<f64>();
        }
    }
    [within / actions, all / decisions, width / actions]
}

#[test]
fn scaled_bounds_hold_in_deployment_as_often_as_declared() {
    let study = Catalogue::parse(STUDY).unwrap();
    let cells = Plan::new(&study, None, &[]).unwrap().into_cells();
    let (folder, library) = (tempfile::tempdir().unwrap(), Library::recorded(Shelf::embedded()));
    let run = Run::at(folder.path());
    Runner::new(run.clone(), &library, 2).run(&cells, &Silent).unwrap();

    let [_, as_made, narrow] = held(&run, "as-made");
    assert!(as_made < 0.8, "bounds of a hundredth of the width that they need: {as_made}");
    let [_, at_once, wide] = held(&run, "simultaneous");
    assert!((0.84..0.98).contains(&at_once), "{at_once}");
    assert!(wide > narrow, "{wide} is no wider than {narrow}");
    let [of_all, _, less_wide] = held(&run, "marginal");
    assert!((0.84..0.98).contains(&of_all), "{of_all}");
    assert!(less_wide < wide, "{less_wide} is no narrower than {wide}");

    for arm in ["as-made", "simultaneous"] {
        let cell = cell(&run, arm, 3);
        let decisions = cell.decisions().unwrap();
        assert_eq!(recompute(&cell.manifest, &decisions).unwrap(), []);
        assert_eq!(recompute_radius(&cell.manifest, &decisions).unwrap(), []);
        assert_eq!(rerun(&cell.manifest, &library, &WarmStarts::default()).unwrap(), None);
    }
    let mut altered = cell(&run, "simultaneous", 3).manifest;
    let calibration = altered.calibration.as_mut().unwrap();
    let factor: BoundFactor = serde_json::from_value(calibration.bounds.clone().unwrap()).unwrap();
    assert_eq!(factor.scores.len(), 120);
    calibration.bounds.as_mut().unwrap()["lower"] = json!(0.01);
    assert!(recompute_radius(&altered, &[]).unwrap_err().to_string().contains("the logged factors of the bounds"));
}

#[test]
fn replays_that_support_no_factor_are_refused() {
    let refused = |to: &str| {
        let study =
            Catalogue::parse(&STUDY.replace("value_bounds = { scaled = { alpha = 0.1, replays = 120 } }", to)).unwrap();
        Plan::new(&study, None, &[]).unwrap_err().to_string()
    };
    let text = refused("value_bounds = { scaled = { alpha = 0.1, replays = 4, draws = 2 } }");
    assert!(text.contains("half of replays times draws must be 1 / alpha - 1 or more"), "{text}");
    assert!(refused("value_bounds = { scaled = { alpha = 0.1, replays = 0 } }").contains("replays"));
}

#[test]
fn an_agent_without_bounds_of_its_own_has_none_to_scale() {
    let arm = "set = { calibration = { value_bounds = { scaled = { alpha = 0.1, replays = 120 } } } }";
    let own = "set = { agent = { experienced = {} }, execution = \"improving\", calibration = { value_bounds = { scaled = { alpha = 0.1, replays = 120 } } } }";
    let study = Catalogue::parse(&STUDY.replace(arm, own)).unwrap();
    let cells: Vec<PlannedCell> = Plan::new(&study, None, &[]).unwrap().into_cells();
    let cells: Vec<PlannedCell> = cells.into_iter().filter(|cell| cell.key.arm == "simultaneous").take(1).collect();
    let (folder, library) = (tempfile::tempdir().unwrap(), Library::recorded(Shelf::embedded()));
    let error = Runner::new(Run::at(folder.path()), &library, 1).run(&cells, &Silent).unwrap_err().to_string();
    assert!(error.contains("this agent has none"), "{error}");
}
