//! `counsel audit` agrees with what was done and notices every change: a damaged byte, and a decision that was altered
//! with all digests made good again.

mod support;

use std::path::{Path, PathBuf};

use counsel_log::{CellKey, Decision, Manifest, Run};
use support::{Chance, Said, assert_same_files, counsel, files, path, reproduce};
use tempfile::TempDir;

const WORDS: &str = "informative --seeds 0..0";
const CELL: &str = "informative/response-conditioned/0";

fn intact_run() -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    reproduce(WORDS, folder.path());
    folder
}

fn file(folder: &Path, extension: &str) -> PathBuf {
    folder.join(format!("informative/response-conditioned/seed-00000.{extension}"))
}

fn audit(folder: &Path) -> Said {
    counsel(&["audit", path(folder)])
}

/// Whether some line names the file or its cell.
fn names_the_cell(text: &str, file: &Path) -> bool {
    text.contains(path(file)) || text.contains(CELL)
}

#[test]
fn an_intact_run_agrees() {
    let folder = tempfile::tempdir().unwrap();
    reproduce("informative predictor query-count --seeds 0..1", folder.path());
    reproduce("components --seeds 0..0 --set episodes=3 --set calibration.calibrate=30", folder.path());
    let before = files(folder.path());
    let stdout = audit(folder.path()).expect_success();
    let rows: u64 = cells(folder.path()).iter().map(|(manifest, _)| manifest.log.rows).sum();
    assert!(stdout.contains(&format!("{rows} of {rows} decisions agree (100.0000 %) in 33 cells")), "{stdout}");
    assert_same_files(&files(folder.path()), &before);
}

fn cells(folder: &Path) -> Vec<(Manifest, Vec<Decision>)> {
    let run = Run::at(folder);
    let cell = |key: CellKey| {
        let cell = run.cell(&key).unwrap().unwrap();
        let decisions = cell.decisions().unwrap();
        (cell.manifest, decisions)
    };
    run.keys().unwrap().into_iter().map(cell).collect()
}

/// Flips some bits of one byte at each of these places, one at a time, and calls `check` on each.
fn flip_each(file: &Path, places: &[usize], chance: &mut Chance, check: impl Fn(&str)) {
    let intact = std::fs::read(file).unwrap();
    for &place in places {
        let mut damaged = intact.clone();
        let bits = u8::try_from(chance.below(255)).unwrap() + 1;
        damaged[place] ^= bits;
        std::fs::write(file, &damaged).unwrap();
        check(&format!("byte {place} of {} changed by {bits:#04x}", intact.len()));
    }
    std::fs::write(file, &intact).unwrap();
}

/// The ends of a file and one place in each of so many equal parts.
fn spread(length: usize, parts: usize, chance: &mut Chance) -> Vec<usize> {
    let part = length / parts;
    let inside = (0..parts).map(|number| number * part + chance.below(part));
    let ends = [0, 1, 2, 3, 4, length - 9, length - 8, length - 7, length - 4, length - 1];
    ends.into_iter().chain(inside).collect()
}

#[test]
fn a_damaged_log_is_found() {
    let folder = intact_run();
    let log = file(folder.path(), "parquet");
    let mut chance = Chance(3);
    let places = spread(usize::try_from(log.metadata().unwrap().len()).unwrap(), 50, &mut chance);
    flip_each(&log, &places, &mut chance, |what| {
        let said = audit(folder.path());
        assert!(names_the_cell(&said.all(), &log), "{what}: {said:#?}");
        assert!(!said.all().contains("100.0000 %) in 4 cells"), "{what}: {said:#?}");
        said.expect_failure();
    });
    audit(folder.path()).expect_success();
}

#[test]
fn a_damaged_manifest_is_found() {
    let folder = intact_run();
    let manifest = file(folder.path(), "json");
    let mut chance = Chance(4);
    let places = spread(usize::try_from(manifest.metadata().unwrap().len()).unwrap(), 50, &mut chance);
    flip_each(&manifest, &places, &mut chance, |what| {
        let said = audit(folder.path());
        assert!(names_the_cell(&said.all(), &manifest), "{what}: {said:#?}");
        said.expect_failure();
    });
    audit(folder.path()).expect_success();
}

#[test]
fn a_log_that_is_gone_or_cut_short_is_found() {
    let folder = intact_run();
    let log = file(folder.path(), "parquet");
    let intact = std::fs::read(&log).unwrap();
    for length in [0, 4, intact.len() / 2, intact.len() - 1] {
        std::fs::write(&log, &intact[..length]).unwrap();
        let said = audit(folder.path());
        assert!(names_the_cell(&said.all(), &log), "{length} bytes: {said:#?}");
        said.expect_failure();
    }
    std::fs::remove_file(&log).unwrap();
    let said = audit(folder.path());
    assert!(names_the_cell(&said.all(), &log), "{said:#?}");
    said.expect_failure();
}

#[test]
fn a_manifest_in_the_wrong_place_is_found() {
    let folder = intact_run();
    for extension in ["json", "parquet"] {
        let other = folder.path().join(format!("informative/candidate-only/seed-00000.{extension}"));
        std::fs::copy(other, file(folder.path(), extension)).unwrap();
    }
    let said = audit(folder.path());
    assert!(names_the_cell(&said.all(), &file(folder.path(), "json")), "{said:#?}");
    said.expect_failure();
}

#[test]
fn tables_are_not_built_from_a_damaged_log() {
    let folder = intact_run();
    for extension in ["parquet", "json"] {
        let file = file(folder.path(), extension);
        let mut chance = Chance(5);
        let places = spread(usize::try_from(file.metadata().unwrap().len()).unwrap(), 5, &mut chance);
        flip_each(&file, &places, &mut chance, |what| {
            for format in ["csv", "text"] {
                let said = counsel(&["tables", path(folder.path()), "--format", format]);
                assert!(said.stdout.is_empty(), "{what}: a table was shown\n{}", said.stdout);
                let refusal = said.expect_failure();
                assert!(refusal.contains(path(&file)), "{what}: {refusal}");
            }
        });
    }
}

#[test]
fn reproduce_restores_damaged_cells_and_says_so() {
    let folder = intact_run();
    let expected = files(folder.path());
    for extension in ["parquet", "json"] {
        let file = file(folder.path(), extension);
        let mut chance = Chance(6);
        let places = spread(usize::try_from(file.metadata().unwrap().len()).unwrap(), 10, &mut chance);
        flip_each(&file, &places, &mut chance, |what| {
            let said = reproduce(WORDS, folder.path());
            assert!(said.stderr.contains("1 were damaged and have been restored"), "{what}: {}", said.stderr);
            assert!(said.stderr.contains("0 cells run, 3 were there already"), "{what}: {}", said.stderr);
            assert_same_files(&files(folder.path()), &expected);
        });
    }
    std::fs::remove_file(file(folder.path(), "parquet")).unwrap();
    let said = reproduce(WORDS, folder.path());
    assert!(said.stderr.contains("1 were damaged and have been restored"), "{}", said.stderr);
    assert_same_files(&files(folder.path()), &expected);
    audit(folder.path()).expect_success();
}

/// Alters the decisions of the cell, makes all digests good again, and returns what the audit says.
fn audit_after(alter: impl Fn(&mut Vec<Decision>)) -> Said {
    let folder = intact_run();
    let run = Run::at(folder.path());
    let cell = run.cell(&CellKey::parse(CELL).unwrap()).unwrap().unwrap();
    let mut decisions = cell.decisions().unwrap();
    alter(&mut decisions);
    run.write(cell.manifest, &decisions).unwrap();
    let read = run.cell(&CellKey::parse(CELL).unwrap()).unwrap().unwrap().decisions().unwrap();
    assert_eq!(read, decisions, "the altered log is as good as any");
    audit(folder.path())
}

#[track_caller]
fn assert_disagreement(said: Said, step: u64, column: &str) {
    let line = format!("{CELL}: step {step}: {column} is logged as ");
    assert!(said.stdout.contains(&line), "no line {line:?} in {said:#?}");
    let refusal = said.expect_failure();
    assert!(refusal.contains("decisions disagree"), "{refusal}");
}

/// The step of the first decision that asked, or of the first that did not.
fn first(decisions: &[Decision], asked: bool) -> usize {
    decisions.iter().position(|decision| decision.record.asked() == asked).unwrap()
}

#[test]
fn an_unaltered_rewrite_agrees() {
    assert!(audit_after(|_| ()).expect_success().contains("100.0000 %"));
}

#[test]
fn an_altered_action_is_found() {
    let said = audit_after(|decisions| {
        let record = &mut decisions[5].record;
        record.executed.0 = 1 - record.executed.0;
    });
    assert_disagreement(said, 5, "executed");
}

#[test]
fn an_altered_number_is_found() {
    for (step, nudge) in [(0, 1.0), (7, 1e-3), (20, f64::EPSILON)] {
        let said = audit_after(|decisions| {
            let estimate = &mut decisions[step].record.estimate;
            *estimate += nudge * estimate.abs().max(1.0);
        });
        assert_disagreement(said, step as u64, "estimate");
        let said = audit_after(|decisions| decisions[step].record.price += nudge);
        assert_disagreement(said, step as u64, "price");
        let said = audit_after(|decisions| decisions[step].record.threshold -= nudge);
        assert_disagreement(said, step as u64, "threshold");
    }
}

#[test]
fn a_concealed_call_is_found() {
    let mut step = 0;
    let alter = |decisions: &mut Vec<Decision>| {
        let (asked, silent) = (first(decisions, true), first(decisions, false));
        decisions[asked].record.outcome = decisions[silent].record.outcome.clone();
    };
    let folder = intact_run();
    for (_, decisions) in cells(folder.path()).into_iter().filter(|(m, _)| m.key.to_string() == CELL) {
        step = first(&decisions, true);
    }
    assert_disagreement(audit_after(alter), step as u64, "outcome");
}

#[test]
fn an_invented_call_is_found() {
    let folder = intact_run();
    let cells = cells(folder.path());
    let (_, decisions) = cells.iter().find(|(manifest, _)| manifest.key.to_string() == CELL).unwrap();
    let (asked, silent) = (first(decisions, true), first(decisions, false));
    let said = audit_after(|decisions| decisions[silent].record.outcome = decisions[asked].record.outcome.clone());
    assert_disagreement(said, silent as u64, "outcome");
}

#[test]
fn a_swapped_pair_is_found() {
    let said = audit_after(|decisions| decisions.swap(3, 4));
    assert_disagreement(said, 3, "step");
}

/// The manifest says how many decisions and calls there were, and what they earned.
#[test]
fn a_log_without_its_last_decision_is_found() {
    let said = audit_after(|decisions| {
        decisions.pop();
    });
    assert!(said.all().contains(CELL), "{said:#?}");
    said.expect_failure();
}

#[test]
fn an_altered_reward_is_found() {
    let said = audit_after(|decisions| decisions[0].hindsight.reward += 1.0);
    assert!(said.all().contains(CELL), "{said:#?}");
    said.expect_failure();
}

/// `--show` limits what is shown, never what is counted.
#[test]
fn every_disagreement_counts() {
    let folder = intact_run();
    let run = Run::at(folder.path());
    let cell = run.cell(&CellKey::parse(CELL).unwrap()).unwrap().unwrap();
    let mut decisions = cell.decisions().unwrap();
    decisions.iter_mut().take(7).for_each(|decision| decision.record.score += 1.0);
    run.write(cell.manifest, &decisions).unwrap();
    let said = counsel(&["audit", path(folder.path()), "--show", "2"]);
    let shown = said.stdout.lines().filter(|line| line.contains("is logged as")).count();
    assert_eq!(shown, 2, "{}", said.stdout);
    assert!(said.stdout.contains("and 5 more; see them with --show 7"), "{}", said.stdout);
    assert!(said.stdout.contains("185 of 192 decisions agree"), "{}", said.stdout);
    assert!(said.expect_failure().contains("7 decisions disagree"));
}

#[test]
fn a_log_without_a_manifest_is_mentioned() {
    let folder = tempfile::tempdir().unwrap();
    reproduce("informative --seeds 0..1", folder.path());
    std::fs::remove_file(folder.path().join("informative/no-query/seed-00001.json")).unwrap();
    let said = counsel(&["audit", path(folder.path())]).expect_success();
    assert!(said.contains("1 log(s) have no manifest") && said.contains("informative/no-query/1"), "{said}");
}

#[test]
fn running_again_finds_altered_hindsight() {
    let folder = tempfile::tempdir().unwrap();
    reproduce(WORDS, folder.path());
    assert!(counsel(&["audit", path(folder.path()), "--rerun"]).expect_success().contains("100.0000 %"));
    let run = counsel_log::Run::at(folder.path());
    let cell = run.cell(&run.keys().unwrap()[0]).unwrap().unwrap();
    let mut decisions = cell.decisions().unwrap();
    decisions[0].hindsight.exact_value = Some(100.0);
    run.write(cell.manifest.clone(), &decisions).unwrap();
    counsel(&["audit", path(folder.path())]).expect_success();
    let said = counsel(&["audit", path(folder.path()), "--rerun"]);
    assert!(
        said.stdout.contains(&format!("{}: run again from its specification, its log", cell.manifest.key)),
        "{said:#?}"
    );
    assert_ne!(said.code, Some(0));
}
