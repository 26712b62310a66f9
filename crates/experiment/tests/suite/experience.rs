//! A controller without a simulator in a study: values from experience, a track record, a bankroll, on a short BabyAI study.

use counsel_decision::CacheStatus;
use counsel_experiment::{Catalogue, Fate, Library, Observer, Plan, PlannedCell, Runner, SeedRange, WarmStarts, rerun};
use counsel_log::{CellKey, Decision, Run, recompute};
use counsel_transcript::Shelf;

const STUDY: &str = r#"
id = "short"
group = "mine"
title = "A controller without a simulator"
seeds = 1
scenario = "babyai"

[shared]
task = "GoToObj"
advisor = "qwen2.5-coder-0.5b/abstract/scored"
predictor = { predictor = "feature" }
gate = { policy = "amortised" }
execution = "improving"
budget = { per_episode = 60 }
price = 0.005
cache = { keep = ["no-effect"] }
agent = { experienced = { acts = true, track_record = {} } }
bankroll = { start = 0.3, most = 1.0 }
calibration = { radius = { method = "zero" } }
episodes = 12

[[arms]]
name = "counsel"

[[arms]]
name = "labels"
set = { agent = { labelled = { track_record = {} } } }

[[arms]]
name = "dear"
set = { price = 50.0 }

[[arms]]
name = "experience-only"
set = { gate = { policy = "never" }, agent = { experienced = { acts = true } } }

[[arms]]
name = "beside-another"
set = { gate = { policy = "never" }, agent = { experienced = { acts = true } }, advisor = "smollm2-135m/abstract/scored" }

[[arms]]
name = "mute"
set = { advisor = "mute" }

[[arms]]
name = "scripted"
set = { gate = { policy = "never" }, agent = "learner", fallback = "rule" }

[[arms]]
name = "random-moves"
set = { gate = { policy = "never" }, agent = "learner", fallback = "random-moves" }
"#;

struct Silent;

impl Observer for Silent {
    fn done(&self, _: &PlannedCell, _: Fate) {}
}

fn played() -> (tempfile::TempDir, Run, Library) {
    let study = Catalogue::parse(STUDY).unwrap();
    let cells = Plan::new(&study, Some(&SeedRange(3..=3)), &[]).unwrap().into_cells();
    let (folder, library) = (tempfile::tempdir().unwrap(), Library::recorded(Shelf::embedded()));
    let run = Run::at(folder.path());
    Runner::new(run.clone(), &library, 2).run(&cells, &Silent).unwrap();
    (folder, run, library)
}

fn decisions(run: &Run, arm: &str) -> Vec<Decision> {
    let key = CellKey { study: "short".into(), arm: arm.into(), seed: 3 };
    run.cell(&key).unwrap().unwrap().decisions().unwrap()
}

fn calls(decisions: &[Decision]) -> usize {
    decisions.iter().filter(|decision| decision.record.asked()).count()
}

fn returned(decisions: &[Decision]) -> f64 {
    decisions.iter().map(|decision| decision.hindsight.reward).sum()
}

#[test]
fn a_controller_without_a_simulator_pays_is_audited_and_knows_when_to_be_silent() {
    let (_folder, run, library) = played();
    let warm_starts = WarmStarts::default();
    for key in run.keys().unwrap() {
        let cell = run.cell(&key).unwrap().unwrap();
        assert_eq!(recompute(&cell.manifest, &cell.decisions().unwrap()).unwrap(), [], "{key}");
        assert_eq!(rerun(&cell.manifest, &library, &warm_starts).unwrap(), None, "{key}");
    }
    let [counsel, labels, dear, alone, mute, scripted, random] =
        ["counsel", "labels", "dear", "experience-only", "mute", "scripted", "random-moves"]
            .map(|arm| decisions(&run, arm));
    let simulated = |decisions: &[Decision]| decisions.iter().filter_map(|d| d.hindsight.simulated_steps).sum::<u64>();
    assert_eq!(simulated(&counsel) + simulated(&alone), 0);
    assert!(simulated(&labels) > 0);
    // Every answer is bought once and serves again.
    let mut bought: Vec<_> = counsel.iter().filter(|d| d.record.asked()).map(|d| d.record.evidence.context()).collect();
    let count = bought.len();
    bought.sort_unstable();
    bought.dedup();
    assert!(count > 5 && bought.len() == count, "{count} calls");
    assert!(counsel.iter().any(|d| d.record.cache_status == CacheStatus::Reused));
    // At a price that no answer is worth, the run is that of the same agent without an advisor.
    assert_eq!(calls(&dear), 0);
    let actions = |decisions: &[Decision]| decisions.iter().map(|d| d.record.executed).collect::<Vec<_>>();
    assert_eq!(actions(&dear), actions(&alone));
    // Who might have been asked makes no difference to one who asks nobody.
    let advisor = |arm: &str| {
        let key = CellKey { study: "short".into(), arm: arm.into(), seed: 3 };
        run.cell(&key).unwrap().unwrap().manifest.advisor
    };
    assert_eq!(decisions(&run, "beside-another"), alone);
    assert_ne!(advisor("beside-another"), advisor("experience-only"));
    // An advisor that says nothing is asked a few times and costs little.
    assert!((1..=15).contains(&calls(&mute)), "{} calls", calls(&mute));
    assert!(returned(&counsel) > returned(&random) && returned(&scripted) > returned(&random));
}
