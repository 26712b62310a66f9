//! The study: three arms on the same seeds, each cell written as a log and a manifest.

use std::error::Error;
use std::ops::Range;
use std::path::Path;

use counsel_calibration::{Alpha, RadiusSpec};
use counsel_decision::gate::predictive::Predictive;
use counsel_decision::{Budget, Execution, Gate, Seed, Settings};
use counsel_log::{CellKey, Run, StudySheet, recompute};
use counsel_session::{
    CalibrationSpec, Labelled, Learning, Opportunities, Phases, Played, recompute_radius, run_phases,
};
use serde_json::json;

use crate::scene::Duty;
use crate::world::TRAINS_PER_DAY;

/// The name of the study, and of its folder.
pub(crate) const STUDY: &str = "signal-box";
/// What a look at the timetable costs, in trains on time.
const PRICE: f64 = 0.05;
/// The days of a run.
const DAYS: u64 = 30;

/// Runs the study into a folder. Cells that are there already stay as they are.
pub(crate) fn run(folder: &Path, seeds: Range<u64>) -> Result<(), Box<dyn Error>> {
    let calibration = CalibrationSpec {
        prefix_episodes: 10,
        calibrate: 200,
        radius: RadiusSpec::Constant { alpha: Alpha::new(0.1)? },
        ..CalibrationSpec::default()
    };
    let arms = [("never", Gate::Never), ("counsel", Gate::Predictive(Predictive::default())), ("always", Gate::Always)];
    let arms = arms.map(|(name, gate)| (name, settings(gate)));
    let written = |settings: &Settings| json!({ "settings": settings, "price": PRICE, "calibration": calibration });
    let sheet = StudySheet::plain(
        STUDY,
        "A signal box with a timetable that costs something",
        arms.iter().map(|(name, settings)| ((*name).to_owned(), written(settings))),
    );
    let run = Run::at(folder);
    let _claim = run.claim()?;
    run.write_sheet(&sheet)?;
    for (name, settings) in &arms {
        for number in seeds.clone() {
            let key = CellKey { study: STUDY.into(), arm: (*name).into(), seed: number };
            if run.cell(&key)?.is_none() {
                let played = cell(settings, &calibration, number)?;
                run.write_cell(&sheet, key, &played.deployed, &played.decisions)?;
            }
        }
    }
    Ok(())
}

fn settings(gate: Gate) -> Settings {
    Settings::new(gate, Execution::Certified { tolerance: 1.0 }, Budget::calls_per_episode(TRAINS_PER_DAY))
}

/// One cell: all its randomness comes from its seed, so arms with the same seed meet the same trains.
fn cell(settings: &Settings, calibration: &CalibrationSpec, number: u64) -> Result<Played, Box<dyn Error>> {
    let seed = Seed::root(number).stream(STUDY);
    let phases = Phases {
        settings,
        calibration,
        opportunities: Opportunities::OfReplays,
        warm_up_episodes: 1,
        episodes: DAYS,
        horizon: TRAINS_PER_DAY,
        learning: Learning::Continues,
        labelled: Labelled::None,
        matched: None,
        fork: None,
    };
    Ok(run_phases(&phases, Duty::new(PRICE, seed), seed)?)
}

/// Every decision of a folder again, from its logs: how many there are, and how many agree.
pub(crate) fn audit(folder: &Path) -> Result<(usize, usize), Box<dyn Error>> {
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
