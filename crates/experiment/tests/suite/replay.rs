//! A logged episode is shown only if its world, played again, agrees with the log.

use counsel_decision::ContextKey;
use counsel_experiment::{Catalogue, Change, Fate, Library, Observer, Plan, PlannedCell, Replay, Runner, SeedRange};
use counsel_log::{Cell, Decision, Run};
use counsel_transcript::Shelf;
use counsel_world::Sight;

struct Silent;

impl Observer for Silent {
    fn done(&self, _: &PlannedCell, _: Fate) {}
}

const SHORT: [&str; 3] = ["episodes=3", "learner.exploration.warm_up_episodes=2", "calibration.calibrate=12"];

/// Plays one arm of a study at one seed, cut down to seconds.
fn play(study: &str, arm: &str, changes: &[&str]) -> (tempfile::TempDir, Cell) {
    let catalogue = Catalogue::embedded().unwrap();
    let changes: Vec<Change> = changes.iter().map(|text| text.parse().unwrap()).collect();
    let study = &catalogue.select(&[study.into()]).unwrap()[0];
    let seeds: SeedRange = "3..3".parse().unwrap();
    let mut cells = Plan::new(study, Some(&seeds), &changes).unwrap().into_cells();
    cells.retain(|cell| cell.key.arm.starts_with(arm));
    cells.truncate(1);
    let (folder, library) = (tempfile::tempdir().unwrap(), Library::recorded(Shelf::embedded()));
    let run = Run::at(folder.path());
    Runner::new(run.clone(), &library, 1).run(&cells, &Silent).unwrap();
    let cell = run.cell(&cells[0].key).unwrap().unwrap();
    (folder, cell)
}

/// The sights of every episode; each must be shown.
fn sights(cell: &Cell) -> Vec<Sight> {
    let mut replay = Replay::of(&cell.manifest).unwrap();
    let decisions = cell.decisions().unwrap();
    let episodes = decisions.chunk_by(|one, next| one.record.episode == next.record.episode);
    episodes.flat_map(|episode| replay.episode(episode).unwrap()).collect()
}

#[test]
fn every_world_is_shown_as_it_was() {
    let deep = |study: &str, arm: &str| play(study, arm, &SHORT);
    let tabular = |study: &str, arm: &str| play(study, arm, &[]);
    let text = |study: &str, arm: &str| play(study, arm, &["episodes=3"]);
    for (_folder, cell) in [text("alfworld", "expert"), text("alfworld-language", "good.random-search")] {
        let shown = sights(&cell);
        assert_eq!(shown.len(), cell.decisions().unwrap().len(), "{}", cell.manifest.key);
        assert!(shown.iter().all(|sight| sight.words.contains("go to ")), "{}", cell.manifest.key);
    }
    for (_folder, cell) in [
        tabular("lock", "always"),
        tabular("informative", "response-conditioned"),
        tabular("query-count", "reliability-0.50"),
        deep("pixel-gates", "always"),
        deep("shift", "reserved"),
        deep("babyai-main", "obj-05-abstract.always"),
        play("crafter", "always", &[&SHORT[..], &["world.horizon=30", "calibration.prefix_episodes=1"]].concat()),
    ] {
        let shown = sights(&cell);
        assert_eq!(shown.len(), cell.decisions().unwrap().len(), "{}", cell.manifest.key);
        let is_drawn = |sight: &Sight| !sight.world.is_empty() || !sight.view.is_empty();
        assert!(shown.iter().all(|sight| is_drawn(sight) && !sight.words.is_empty()));
        let differ = shown.windows(2).filter(|pair| pair[0] != pair[1]).count();
        assert!(differ * 2 > shown.len(), "{}: {differ} of {}", cell.manifest.key, shown.len());
    }
}

#[test]
fn what_disagrees_is_not_shown_and_the_reason_is_told() {
    let (_folder, cell) = play("lock", "always", &["episodes=2"]);
    let decisions = cell.decisions().unwrap();
    let refused = |change: &dyn Fn(&mut Decision)| {
        let mut episode: Vec<Decision> =
            decisions.iter().filter(|decision| decision.record.episode == 1).cloned().collect();
        change(&mut episode[3]);
        Replay::of(&cell.manifest).unwrap().episode(&episode).unwrap_err()
    };
    let step = decisions.iter().filter(|decision| decision.record.episode == 0).count() + 3;
    let reward = refused(&|decision| decision.hindsight.reward += 1e-12);
    assert!(reward.starts_with(&format!("at step {step} the log has reward ")), "{reward}");
    let context = refused(&|decision| {
        decision.record.evidence = decision.record.evidence.clone().with_context(ContextKey(77));
    });
    assert!(context.starts_with(&format!("at step {step} the log has context 77, the replay ")), "{context}");
}

#[test]
fn a_study_without_a_world_says_so() {
    let (_folder, cell) = play("predictor", "per-context", &[]);
    let reason = Replay::of(&cell.manifest).err().unwrap();
    assert!(reason.contains("there is no world to be shown"), "{reason}");
}
