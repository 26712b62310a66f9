//! `counsel audit` finds a decision that was altered with all digests made good again.

use counsel_log::{CellKey, Decision, Run};

use crate::audited::{CELL, WORDS, audit, cells, intact_run};
use crate::support::{Said, counsel, path, reproduce};

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
        let said = audit_after(|decisions| decisions[step].record.paced_price += nudge);
        assert_disagreement(said, step as u64, "paced_price");
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
