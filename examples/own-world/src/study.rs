//! The study: three arms on the same seeds, each cell written as a log and a manifest.

use std::error::Error;
use std::ops::Range;
use std::path::Path;

use counsel_controller::{Books, BooksSpec, Budget, Controller, Execution, Gate, Parser, Seed, Settings, recommended};
use counsel_log::{Before, CellKey, Deployed, Run, StudySheet, examine};
use serde_json::json;

use crate::signaller::WORDS;
use crate::{Day, EXITS, SignalBox, Signaller, TRAINS_PER_DAY, day};

/// The name of the study, and of its folder.
pub const STUDY: &str = "signal-box";
/// What a look at the timetable costs, in trains on time.
const PRICE: f64 = 0.05;
/// The days of a run.
const DAYS: u64 = 30;

/// The arms: the same controller without calls, as it is recommended, and one that asks before every train and obeys.
fn arms() -> [(&'static str, Settings); 3] {
    let calls = Budget::calls(DAYS * TRAINS_PER_DAY);
    [
        ("never", recommended(Budget::calls(0))),
        ("counsel", recommended(calls.clone())),
        ("always", Settings::new(Gate::Always, Execution::Trusting, calls)),
    ]
}

/// The controller of an arm. `Controller::recommended` is this with the recommended settings.
fn controller(settings: &Settings, seed: Seed) -> Result<Controller, Box<dyn Error>> {
    let spec = match settings.gate {
        // Books that foretell nothing: `always` asks before every train.
        Gate::Always => BooksSpec::by_context(),
        _ => BooksSpec::recommended(),
    };
    let books = Books::new(spec, EXITS)?;
    let controller = Controller::new(settings, Parser::new(WORDS)?, PRICE, books, seed)?;
    let radius = counsel_controller::RadiusInForce::Declared(counsel_controller::Radius::ZERO);
    Ok(controller.with_radius(radius).advised_by("timetable-1").over_episodes(DAYS * TRAINS_PER_DAY))
}

/// Runs the study into a folder. Cells that are there already stay as they are.
pub fn run(folder: &Path, seeds: Range<u64>) -> Result<(), Box<dyn Error>> {
    let arms = arms();
    let declared = |settings: &Settings| json!({ "settings": settings, "price": PRICE });
    let sheet = StudySheet::plain(
        STUDY,
        "A signal box with a timetable that costs something",
        arms.iter().map(|(name, settings)| ((*name).to_owned(), declared(settings))),
    );
    let run = Run::at(folder);
    let _claim = run.claim()?;
    run.write_sheet(&sheet)?;
    for (name, settings) in &arms {
        for number in seeds.clone() {
            let key = CellKey { study: STUDY.into(), arm: (*name).into(), seed: number };
            if run.cell(&key)?.is_none() {
                cell(&run, &sheet, key, settings)?;
            }
        }
    }
    Ok(())
}

/// One cell: all its randomness comes from its seed, so arms with the same seed meet the same trains.
fn cell(run: &Run, sheet: &StudySheet, key: CellKey, settings: &Settings) -> Result<(), Box<dyn Error>> {
    let seed = Seed::root(key.seed).stream(STUDY);
    let mut controller = controller(settings, seed.stream("controller"))?;
    let (mut world, mut signaller) = (SignalBox::new(seed.stream("world")), Signaller::default());
    let mut decisions = Vec::new();
    for number in 0..DAYS {
        let today = Day { world: &mut world, signaller: &mut signaller, timetable: seed };
        day(&mut controller, today, seed.stream("day").index(number), &mut decisions)?;
    }
    let deployed = Deployed {
        settings: settings.clone(),
        advisor: "timetable-1".into(),
        advisors: Vec::new(),
        words: WORDS.map(String::from).to_vec(),
        form: controller.engine().parser().form(),
        engine_seed: controller.seed(),
        calibration: None,
        before: Before::default(),
    };
    Ok(run.write_cell(sheet, key, &deployed, &decisions)?)
}

/// The trains on time and the looks of each arm, per run, from the logs alone.
pub fn summary(folder: &Path) -> Result<String, Box<dyn Error>> {
    let run = Run::at(folder);
    let mut lines = Vec::new();
    for (name, _) in arms() {
        let (mut runs, mut reward, mut calls) = (0.0, 0.0, 0.0);
        for key in run.keys()?.into_iter().filter(|key| key.arm == name) {
            let totals = run.cell(&key)?.ok_or("a cell is gone")?.manifest.totals;
            runs += 1.0;
            reward += totals.reward;
            calls += totals.calls as f64;
        }
        let (reward, calls) = (reward / runs, calls / runs);
        let net = reward - PRICE * calls;
        lines.push(format!("{name:<8} {reward:6.1} trains on time, {calls:5.1} looks, {net:6.1} net of their price\n"));
    }
    Ok(lines.concat())
}

/// Every decision of a folder again, from its logs: how many there are, and how many agree.
pub fn audit(folder: &Path) -> Result<(usize, usize), Box<dyn Error>> {
    let run = Run::at(folder);
    let (mut decisions, mut agreeing) = (0, 0);
    for key in run.keys()? {
        let examined = examine(&run.cell(&key)?.ok_or("a cell is gone")?, Some(&run.sheet(STUDY)?))?;
        decisions += examined.decisions;
        agreeing += examined.agreeing();
    }
    Ok((decisions, agreeing))
}
