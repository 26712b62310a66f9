//! A run that goes another way from a decision on: before it, it is the run itself; from it on, it is the run that was played with the
//! other setting.

use counsel_experiment::{
    Catalogue, Change, Fate, Fork, Library, Observer, Plan, PlannedCell, Replay, Runner, SeedRange, WarmStarts, forked,
};
use counsel_log::{Cell, Change as Setting, Decision, Run, book};
use counsel_transcript::Shelf;

struct Silent;

impl Observer for Silent {
    fn done(&self, _: &PlannedCell, _: Fate) {}
}

fn library() -> Library {
    Library::recorded(Shelf::embedded())
}

/// One arm of a study at seed 1.
fn play(study: &str, arm: &str, changes: &[&str]) -> (tempfile::TempDir, Cell) {
    let catalogue = Catalogue::embedded().unwrap();
    let changes: Vec<Change> = changes.iter().map(|text| text.parse().unwrap()).collect();
    let study = &catalogue.select(&[study.into()]).unwrap()[0];
    let seeds: SeedRange = "1..1".parse().unwrap();
    let mut cells = Plan::new(study, Some(&seeds), &changes).unwrap().into_cells();
    cells.retain(|cell| cell.key.arm == arm);
    let (folder, library) = (tempfile::tempdir().unwrap(), library());
    let run = Run::at(folder.path());
    Runner::new(run.clone(), &library, 1).run(&cells, &Silent).unwrap();
    let cell = run.cell(&cells[0].key).unwrap().unwrap();
    (folder, cell)
}

fn fork(cell: &Cell, step: u64, change: Setting) -> Result<Vec<Decision>, String> {
    let logged = cell.decisions().unwrap();
    forked(&cell.manifest, &logged, &library(), &WarmStarts::default(), Fork { step, change })
        .map_err(|error| error.to_string())
}

fn same(one: &[Decision], other: &[Decision]) -> bool {
    one.len() == other.len()
        && one.iter().zip(other).all(|(one, other)| one.record == other.record && one.hindsight == other.hindsight)
}

const SHORT: &str = "episodes=6";

#[test]
fn without_a_change_it_is_the_run_itself() {
    let (_folder, cell) = play("lock", "controller", &[SHORT]);
    let logged = cell.decisions().unwrap();
    for step in [0, 17, logged.len() as u64 - 1] {
        assert!(same(&fork(&cell, step, Setting::default()).unwrap(), &logged), "{step}");
    }
}

/// Settings that a what-if can change, from the first decision on, against `reproduce` with that setting. Tolerance and budget are set
/// against runs without a calibration, which would depend on them as well.
#[test]
fn from_the_first_decision_on_it_is_the_run_with_the_other_setting() {
    let bare = r#"arms.controller.calibration={ radius = { method = "zero" } }"#;
    let certified = "arms.controller.execution={ certified = { tolerance = 0.25 } }";
    let zero = r#"arms.controller.calibration={ arms = "every", prefix_episodes = 10, calibrate = 150, radius = { method = "zero" } }"#;
    let cases: [(Setting, &[&str], &str); 5] = [
        (Setting { price: Some(0.25), ..Setting::default() }, &[SHORT], "arms.controller.price=0.005"),
        (Setting { price: Some(4.0), ..Setting::default() }, &[SHORT], "arms.controller.price=0.08"),
        (Setting { tolerance: Some(0.25), ..Setting::default() }, &[SHORT, bare], certified),
        (
            Setting { budget: Some(1), ..Setting::default() },
            &[SHORT, bare],
            "arms.controller.budget={ per_episode = 1 }",
        ),
        (Setting { radius: Some(0.0), ..Setting::default() }, &[SHORT], zero),
    ];
    let mut different = 0;
    for (change, settings, written) in cases {
        let (_folder, cell) = play("lock", "controller", settings);
        let (_other, other) = play("lock", "controller", &[settings, &[written]].concat());
        let (logged, other) = (cell.decisions().unwrap(), other.decisions().unwrap());
        let played = fork(&cell, 0, change).unwrap();
        let parted = played.iter().zip(&other).position(|(one, other)| one.record != other.record);
        assert!(same(&played, &other), "{written}: they part at {parted:?}");
        different += usize::from(!same(&other, &logged));
    }
    assert!(different >= 3, "the settings matter: {different}");
}

/// What was done, what came of it, and what was weighed: everything but how often a context was met before.
fn outcome(decision: &Decision) -> (usize, bool, f64, f64, f64) {
    let record = &decision.record;
    (record.executed.index(), record.asked(), decision.hindsight.reward, record.estimate, record.paced_price)
}

/// With a frozen learner and nothing kept, no episode depends on the one before. So from the beginning of an episode on, the fork must be
/// the run that had the other setting all along.
#[test]
fn from_a_later_decision_on_it_is_the_run_that_had_the_setting_all_along() {
    let frozen = [SHORT, r#"arms.controller.learning="frozen""#];
    let (_folder, cell) = play("lock", "controller", &frozen);
    let (_other, other) = play("lock", "controller", &[&frozen[..], &["arms.controller.price=0.0025"]].concat());
    let (logged, other) = (cell.decisions().unwrap(), other.decisions().unwrap());
    let start = logged.iter().position(|decision| decision.record.episode == 3).unwrap();
    let played = fork(&cell, start as u64, Setting { price: Some(0.125), ..Setting::default() }).unwrap();
    assert!(same(&played[..start], &logged[..start]), "until then it is the run");
    let later =
        |of: &[Decision]| of.iter().filter(|decision| decision.record.episode >= 3).map(outcome).collect::<Vec<_>>();
    assert_eq!(later(&played), later(&other));
    assert_ne!(later(&played), later(&logged), "the price matters");
}

/// The first decision that a what-if says leaves the log is the first at which the fork does something else, and the world is played on.
#[test]
fn it_leaves_the_log_where_the_what_if_says_so_and_its_world_can_be_shown() {
    let short = ["episodes=3", "learner.exploration.warm_up_episodes=2", "calibration.calibrate=12"];
    for (study, arm, changes, change) in [
        ("lock", "always", &[SHORT][..], Setting { budget: Some(2), ..Setting::default() }),
        ("babyai-main", "obj-05-abstract.always", &short[..], Setting { budget: Some(1), ..Setting::default() }),
    ] {
        let (_folder, cell) = play(study, arm, changes);
        let logged = cell.decisions().unwrap();
        let told = book(&cell.manifest, &logged).unwrap().under(&change).unwrap();
        let leaves = told.leaves.unwrap_or_else(|| panic!("{study}/{arm} does not leave its log"));
        let played = fork(&cell, leaves, change).unwrap();
        let at = usize::try_from(leaves).unwrap();
        assert!(same(&played[..at], &logged[..at]), "{study}/{arm}");
        let flip = told.flips.iter().find(|flip| flip.step == leaves).unwrap();
        assert_eq!(played[at].record.asked(), flip.now.asks(), "{study}/{arm} at {leaves}");
        let episode: Vec<Decision> =
            played.iter().filter(|one| one.record.episode == logged[at].record.episode).cloned().collect();
        let sights = Replay::of(&cell.manifest).unwrap().episode(&episode).unwrap();
        assert_eq!(sights.len(), episode.len(), "{study}/{arm}");
    }
}

#[test]
fn what_cannot_be_played_on_is_said() {
    let (_folder, cell) = play("lock", "controller", &["episodes=2"]);
    let said = fork(&cell, 9_999, Setting::default()).unwrap_err();
    assert!(said.contains("no step 9999; its steps are 0 to 31"), "{said}");
    let mut altered = cell.decisions().unwrap();
    altered[3].record.executed = counsel_decision::Action(3 - altered[3].record.executed.0);
    let fork = Fork { step: 20, change: Setting::default() };
    let said = forked(&cell.manifest, &altered, &library(), &WarmStarts::default(), fork).unwrap_err().to_string();
    assert!(said.contains("differs from its log at step 3"), "{said}");
}
