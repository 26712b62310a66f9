//! A goal that moves in the course of a study, and the detector that finds it out.

use counsel_decision::{CacheStatus, Monitored};
use counsel_experiment::{Catalogue, Fate, Library, Observer, Plan, PlannedCell, Runner, WarmStarts, rerun};
use counsel_log::{Cell, CellKey, Decision, Run, recompute};
use counsel_transcript::Shelf;

const MOVES_AFTER: u64 = 60;

const STUDY: &str = r#"
id = "moved"
seeds = 2
scenario = "pixel"

[shared]
world = { goal_moves_after = 60 }
episodes = 100
exploration_episodes = 20
advisor = "compass"
predictor = { predictor = "feature" }
gate = { policy = "schedule", calls = 1000, per_episode = 90, at = "unheld" }
execution = "trusting"
budget = { per_run = 90, reserve = { fraction = 0.5, after_episode = 60 } }
price = 0.01
learner = { hidden = 16, feature = 8, batch = 16, exploration = { warm_up_episodes = 2 } }

[[arms]]
name = "keep"
set = { cache = { keep = ["no-effect"] } }

[[arms]]
name = "detector"
set = { cache = { keep = ["no-effect", "shift"] }, shift_detector = { level = 0.2 } }
"#;

struct Silent;

impl Observer for Silent {
    fn done(&self, _: &PlannedCell, _: Fate) {}
}

fn play() -> (tempfile::TempDir, Run, Library) {
    let study = Catalogue::parse(STUDY).unwrap();
    let cells = Plan::new(&study, None, &[]).unwrap().into_cells();
    let (folder, library) = (tempfile::tempdir().unwrap(), Library::recorded(Shelf::embedded()));
    let run = Run::at(folder.path());
    Runner::new(run.clone(), &library, 2).run(&cells, &Silent).unwrap();
    (folder, run, library)
}

fn cell(run: &Run, arm: &str, seed: u64) -> Cell {
    run.cell(&CellKey { study: "moved".into(), arm: arm.into(), seed }).unwrap().unwrap()
}

fn before(decisions: &[Decision]) -> impl Iterator<Item = &Decision> {
    decisions.iter().filter(|decision| decision.record.episode < MOVES_AFTER)
}

#[test]
fn what_stops_delivering_is_dropped_and_bought_again() {
    let (_folder, run, library) = play();
    let (mut dropped, mut renewed) = (0, 0);
    for seed in 0..2 {
        let (kept, found) = (cell(&run, "keep", seed), cell(&run, "detector", seed));
        for cell in [&kept, &found] {
            let decisions = cell.decisions().unwrap();
            assert_eq!(recompute(&cell.manifest, &decisions).unwrap(), []);
            assert_eq!(rerun(&cell.manifest, &library, &WarmStarts::default()).unwrap(), None);
            let calls = before(&decisions).filter(|decision| decision.record.asked()).count();
            assert!(calls <= 45, "half of the calls are kept for the time after the move: {calls}");
            let answers: Vec<_> = decisions.iter().filter(|decision| decision.record.asked()).collect();
            assert!(answers.iter().all(|answer| answer.hindsight.corrupted == Some(false)));
            assert!(answers.iter().all(|answer| answer.hindsight.obstructed.is_some()));
        }
        let is_shifted = |decision: &&Decision| decision.record.cache_status == CacheStatus::Shifted;
        assert_eq!(kept.decisions().unwrap().iter().filter(is_shifted).count(), 0);
        let decisions = found.decisions().unwrap();
        for flagged in decisions.iter().filter(is_shifted) {
            assert_eq!(flagged.record.evidence.monitored(), Monitored::Shifted);
            dropped += usize::from(flagged.record.episode >= MOVES_AFTER);
            let later = &decisions[decisions.partition_point(|decision| decision.record.step <= flagged.record.step)..];
            let again = |decision: &Decision| decision.record.evidence.context() == flagged.record.evidence.context();
            renewed += usize::from(later.iter().any(|decision| again(decision) && decision.record.asked()));
        }
    }
    assert!(dropped > 0 && renewed > 0, "{dropped} answers were dropped and {renewed} bought again");
}

#[test]
fn a_detector_without_answers_that_it_could_drop_is_refused() {
    let refused = |from: &str, to: &str| {
        let study = Catalogue::parse(&STUDY.replace(from, to)).unwrap();
        Plan::new(&study, None, &[]).unwrap_err().to_string()
    };
    let text = refused(r#"["no-effect", "shift"]"#, r#"["no-effect"]"#);
    assert!(text.contains(r#"set cache = { keep = ["shift"] }, or remove `shift_detector`"#), "{text}");
    let text = refused("level = 0.2", "level = 1.5");
    assert!(text.contains("shift_detector.level is 1.5"), "{text}");
    let text = refused("goal_moves_after = 60", "goal_moves_after = 60, redraw = \"each-episode\"");
    assert!(text.contains("goal_moves_after is 60"), "{text}");
    let text = refused(", after_episode = 60", "");
    assert!(text.contains("name the decision or the episode"), "{text}");
}
