//! `counsel explain` says the numbers of the log row, for every kind of decision.

use std::path::Path;

use counsel_log::{Decision, Manifest, Run};
use tempfile::TempDir;

use crate::support::{counsel, path, reproduce};

fn run() -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    reproduce("informative query-count --seeds 0..1", folder.path());
    reproduce(
        "components --seeds 0..0 --set episodes=5 --set calibration.calibrate=30 --set budget.per_run=6",
        folder.path(),
    );
    reproduce("correlated --seeds 0..0 --set episodes=3 --set warm_up_episodes=1", folder.path());
    folder
}

/// The first decision of the run that is of this kind, and what is said about it.
fn explained(folder: &Path, kind: impl Fn(&Manifest, &Decision) -> bool) -> (Manifest, Decision, String) {
    let run = Run::at(folder);
    for key in run.keys().unwrap() {
        let cell = run.cell(&key).unwrap().unwrap();
        if let Some(decision) = cell.decisions().unwrap().into_iter().find(|decision| kind(&cell.manifest, decision)) {
            let (cell_name, step) = (key.to_string(), decision.record.step.to_string());
            let said = counsel(&["explain", path(folder), "--cell", &cell_name, "--step", &step]);
            return (cell.manifest, decision, said.expect_success());
        }
    }
    panic!("no decision of this kind in the run");
}

/// The name of a verdict, as the log has it.
fn verdict(decision: &Decision) -> Option<String> {
    let answer = decision.record.answer()?;
    Some(serde_json::to_value(answer.verdict).unwrap().as_str().unwrap().to_owned())
}

fn is_unaffordable(decision: &Decision) -> bool {
    !decision.record.asked() && decision.record.score >= decision.record.threshold
}

/// What every explanation has to contain.
#[track_caller]
fn assert_row(manifest: &Manifest, decision: &Decision, text: &str) {
    let record = &decision.record;
    let word = |index: usize| manifest.words[index].clone();
    let mut expected = vec![
        format!(
            "{} · step {} (episode {}, step {} of it)",
            manifest.key, record.step, record.episode, record.step_in_episode
        ),
        format!("the fallback proposes {}", word(record.evidence.advice().none().base().index())),
        format!("the action would be {}", word(record.no_query.index())),
        format!("policy `{}`", manifest.settings.gate.name()),
        format!("score {:.6}, threshold {:.6}", record.score, record.threshold),
        format!(
            "paced price {:.6} = pacing {:.6} × price {:.6}",
            record.paced_price,
            record.pacing,
            record.evidence.price()
        ),
        format!("calls left before this decision: {}", record.calls_left),
        format!("it executed {} and received {}", word(record.executed.index()), decision.hindsight.reward),
    ];
    let branch = record.evidence.advice().none();
    for (index, mean) in branch.means().iter().enumerate() {
        expected.push(format!("{mean:.4}"));
        expected.push(format!("{:.4}, ", branch.bounds().lower()[index]));
        expected.push(format!("{:.4}]", branch.bounds().upper()[index]));
        expected.push(format!("{:.1} %", record.evidence.advice().law().as_slice()[index] * 100.0));
        let prospect = record.prospects[index];
        assert!(
            text.lines().any(|line| line.trim_start().starts_with(&format!("{} ", word(index)))
                && line.contains(&format!("→ {} ", word(prospect.action.index())))),
            "no line leads from {} to {}:\n{text}",
            word(index),
            word(prospect.action.index())
        );
    }
    if manifest.settings.gate.name() == "predictive" {
        expected.push(format!("estimated value of the query {:.6}", record.estimate));
        expected.push(format!("minus the radius {:.6}", record.evidence.radius().value()));
    }
    if let Some(answer) = record.answer() {
        expected.push(format!("the reply was {:?}", answer.reply.text));
    }
    if let Some(value) = decision.hindsight.exact_value {
        expected.push(format!("the query was worth {value:.6}"));
    }
    for words in expected {
        assert!(text.contains(&words), "{words:?} is missing in\n{text}");
    }
}

#[test]
fn an_answer_that_was_followed() {
    let folder = run();
    for gate in ["predictive", "epistemic-gap", "value"] {
        let (manifest, decision, text) = explained(folder.path(), |manifest, decision| {
            manifest.settings.gate.name() == gate && verdict(decision).as_deref() == Some("executed")
        });
        assert_row(&manifest, &decision, &text);
        assert!(text.contains("In short: it asked (score") && text.contains("and followed the answer"), "{text}");
    }
}

#[test]
fn an_answer_that_was_not_followed() {
    let folder = run();
    let (manifest, decision, text) =
        explained(folder.path(), |_, decision| verdict(decision).is_some_and(|verdict| verdict != "executed"));
    assert_row(&manifest, &decision, &text);
    assert!(text.contains("In short: it asked (score") && text.contains("and did not follow the answer"), "{text}");
}

#[test]
fn silence() {
    let folder = run();
    for gate in ["never", "predictive", "epistemic-gap"] {
        let (manifest, decision, text) = explained(folder.path(), |manifest, decision| {
            manifest.settings.gate.name() == gate && !decision.record.asked() && !is_unaffordable(decision)
        });
        assert_row(&manifest, &decision, &text);
        assert!(text.contains("In short: it did not ask (score") && text.contains("  it did not ask\n"), "{text}");
    }
}

#[test]
fn an_empty_budget() {
    let folder = run();
    let (manifest, decision, text) = explained(folder.path(), |_, decision| is_unaffordable(decision));
    assert_eq!(decision.record.calls_left, 0);
    assert_row(&manifest, &decision, &text);
    assert!(text.contains("but the budget was empty") && text.contains("no call was left"), "{text}");
}

#[test]
fn an_informative_advisor() {
    let folder = run();
    for asked in [true, false] {
        let (manifest, decision, text) = explained(folder.path(), |manifest, decision| {
            manifest.key.arm == "response-conditioned" && decision.record.asked() == asked
        });
        assert_row(&manifest, &decision, &text);
        assert!(text.contains("evidence about 2 models; the belief is conditioned on it"), "{text}");
    }
}

/// The same text at every call, and as a whole.
#[test]
fn one_explanation_in_full() {
    let folder = run();
    let arguments = ["explain", path(folder.path()), "--cell", "informative/response-conditioned/0", "--step", "0"];
    let text = counsel(&arguments).expect_success();
    assert_eq!(counsel(&arguments).expect_success(), text);
    insta::assert_snapshot!("informative", text);
}

#[test]
fn the_seed_may_be_written_as_in_the_folder() {
    let folder = run();
    let explain =
        |cell: &str| counsel(&["explain", path(folder.path()), "--cell", cell, "--step", "3"]).expect_success();
    assert_eq!(explain("informative/no-query/1"), explain("informative/no-query/seed-00001"));
}
