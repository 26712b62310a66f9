//! The study: three arms on the same seeds, each cell written as a log and a manifest, and the table from those logs.

use std::error::Error;
use std::ops::Range;
use std::path::Path;

use counsel_calibration::{Alpha, RadiusSpec};
use counsel_decision::gate::predictive::Predictive;
use counsel_decision::{BudgetSpec, CacheSpec, Controller, ExecutionRule, GateSpec, PriceSpec, Seed};
use counsel_log::{CellKey, Run, StudySheet, recompute};
use counsel_report::{Format, Judging, render, study_tables};
use counsel_session::{CalibrationSpec, Labelled, Learning, Opportunities, Phases, Played, play, recompute_radius};
use serde_json::json;

use crate::{Duty, TRAINS_PER_DAY};

/// The name of the study, and of its folder.
pub const STUDY: &str = "signal-box";
/// What a look at the timetable costs, in trains on time.
const KAPPA: f64 = 0.05;
/// The days of a run.
const DAYS: u64 = 30;

/// Runs the study into a folder. Cells that are there already stay as they are.
pub fn run(folder: &Path, seeds: Range<u64>) -> Result<(), Box<dyn Error>> {
    let calibration = CalibrationSpec {
        prefix_episodes: 10,
        calibrate: 200,
        radius: RadiusSpec::Constant { alpha: Alpha::new(0.1)? },
        ..CalibrationSpec::default()
    };
    let arms = [
        ("never", GateSpec::Never),
        ("counsel", GateSpec::Predictive(Predictive::default())),
        ("always", GateSpec::Always),
    ];
    let arms = arms.map(|(name, gate)| (name, controller(gate)));
    let settings =
        |controller: &Controller| json!({ "controller": controller, "kappa": KAPPA, "calibration": calibration });
    let sheet = StudySheet::plain(
        STUDY,
        "A signal box with a timetable that costs something",
        arms.iter().map(|(name, controller)| ((*name).to_owned(), settings(controller))),
    );
    let run = Run::at(folder);
    let _claim = run.claim()?;
    run.write_sheet(&sheet)?;
    for (name, controller) in &arms {
        for number in seeds.clone() {
            let key = CellKey { study: STUDY.into(), arm: (*name).into(), seed: number };
            if run.cell(&key)?.is_none() {
                cell(controller, &calibration, number)?.write(&run, &sheet, key)?;
            }
        }
    }
    Ok(())
}

fn controller(gate: GateSpec) -> Controller {
    Controller {
        gate,
        execution: ExecutionRule::Certified { tolerance: 1.0 },
        budget: BudgetSpec::per_episode(TRAINS_PER_DAY),
        price: PriceSpec::default(),
        cache: CacheSpec::Off,
        bankroll: None,
    }
}

/// One cell: all its luck comes from its seed, so arms with the same seed meet the same trains.
fn cell(controller: &Controller, calibration: &CalibrationSpec, number: u64) -> Result<Played, Box<dyn Error>> {
    let seed = Seed::root(number).stream(STUDY);
    let phases = Phases {
        controller,
        calibration,
        opportunities: Opportunities::OfReplays,
        warm_up_episodes: 1,
        episodes: DAYS,
        horizon: TRAINS_PER_DAY,
        learning: Learning::Continues,
        labelled: Labelled::None,
        matched: None,
    };
    Ok(play(&phases, Duty::new(KAPPA, seed)?, seed)?)
}

/// The table of a folder, from its logs alone.
pub fn table(folder: &Path) -> Result<String, Box<dyn Error>> {
    let tables = study_tables(&Run::at(folder), None, Judging::AsItStands, &|_| {})?;
    Ok(render(&tables, Format::Text))
}

/// Every decision of a folder again, from its logs: how many there are, and how many agree.
pub fn audit(folder: &Path) -> Result<(usize, usize), Box<dyn Error>> {
    let run = Run::at(folder);
    let (mut decisions, mut disagreeing) = (0, 0);
    for key in run.keys()? {
        let cell = run.cell(&key)?.ok_or("a cell is gone")?;
        let logged = cell.decisions()?;
        disagreeing += recompute(&cell.manifest, &logged)?.len() + recompute_radius(&cell.manifest, &logged)?.len();
        decisions += logged.len();
    }
    Ok((decisions, decisions - disagreeing.min(decisions)))
}
