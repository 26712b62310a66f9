//! Runs on disk with the arms of a shipped study, as far as its table can tell, under the study's own account.

use counsel_log::study::Account;
use counsel_log::{Decision, Hindsight, Run, StudySheet};
use serde_json::{Value, json};

use super::measure::specimen::{Advice, asked, cell, episode};
use super::specimen::sheet;
use crate::{Content, Format, Judging, Table, Verdict, page, render, study_chapters, study_figures, study_tables};

/// So many that equal differences, whose p value rests on their signs alone, stay clear after Holm's adjustment.
const SEEDS: u64 = 10;

/// One arm: its name, the changes to its settings, at how many steps of an episode it asks, and what an episode brings.
struct Played {
    arm: String,
    spec: Value,
    asks: u64,
    gain: f64,
}

fn played(arm: &str, spec: Value, asks: u64, gain: f64) -> Played {
    Played { arm: arm.to_owned(), spec, asks, gain }
}

/// What a shipped study reads out of its runs.
fn account(study: &str) -> Account {
    let path = format!("{}/../experiment/studies/{study}.toml", env!("CARGO_MANIFEST_DIR"));
    let mut whole: toml::Table = toml::from_str(&std::fs::read_to_string(path).unwrap()).unwrap();
    let blocks = whole.remove("blocks").and_then(|blocks| blocks.as_array().cloned()).unwrap_or_default();
    let mut parts = json!({ "blocks": blocks.iter().map(|block| block["name"].as_str()).collect::<Vec<_>>() });
    for part in ["table", "families", "findings", "figures"] {
        parts[part] = whole.remove(part).map_or_else(|| json!([]), |part| serde_json::to_value(part).unwrap());
    }
    serde_json::from_value(parts).unwrap()
}

/// The decisions of a cell: each episode has four steps; every second one is rewarded, more or less by seed.
fn decisions(of: &Played, episodes: u64, seed: u64) -> Vec<Decision> {
    let mut decisions = Vec::new();
    for number in 0..episodes {
        let reward = if number % 2 == 0 { of.gain + 0.01 * (seed * (number + 1) % 7) as f64 } else { 0.0 };
        for (step, silent) in episode(number, 4, reward).into_iter().enumerate() {
            let mut decision = silent;
            if (step as u64) < of.asks {
                let turn = number + step as u64 + seed;
                let advice = Advice {
                    usable: !turn.is_multiple_of(5),
                    executed: !turn.is_multiple_of(3),
                    corrupted: Some(turn.is_multiple_of(2)),
                    gap: Some(if turn.is_multiple_of(4) { 0.1 } else { 0.0 }),
                    tokens: Some((100, 2)),
                };
                decision.record.outcome = asked(advice).record.outcome;
                decision.hindsight =
                    Hindsight { corrupted: advice.corrupted, advice_gap: advice.gap, ..decision.hindsight };
            }
            decision.record.estimate = if step == 3 { 0.2 } else { 0.0 };
            decision.hindsight.proxy_value = Some(if step == 3 { 0.15 + 0.1 * of.gain } else { 0.0 });
            decisions.push(decision);
        }
    }
    decisions
}

/// The table of a study with these arms and [`SEEDS`] seeds.
fn table(study: &str, episodes: u64, arms: &[Played]) -> Table {
    let (_folder, run) = on_disk(study, episodes, arms);
    let mut tables = study_tables(&run, None, Judging::AsItStands, &|_| {}).unwrap();
    for format in Format::ALL {
        assert!(!render(&tables, format).is_empty());
    }
    tables.remove(0)
}

/// A run with these arms and [`SEEDS`] seeds.
fn on_disk(study: &str, episodes: u64, arms: &[Played]) -> (tempfile::TempDir, Run) {
    written(StudySheet { id: study.to_owned(), ..sheet(account(study)) }, episodes, arms)
}

/// A run of the study on this sheet.
fn written(sheet: StudySheet, episodes: u64, arms: &[Played]) -> (tempfile::TempDir, Run) {
    let folder = tempfile::tempdir().unwrap();
    let run = Run::at(folder.path());
    add(&run, sheet, episodes, arms);
    (folder, run)
}

/// Adds the study on this sheet to a run.
fn add(run: &Run, mut sheet: StudySheet, episodes: u64, arms: &[Played]) {
    let study = sheet.id.clone();
    for (order, of) in arms.iter().enumerate() {
        for seed in 0..SEEDS {
            let decisions = decisions(of, episodes, seed);
            let mut manifest = cell(&decisions).manifest;
            manifest.key.study.clone_from(&study);
            of.arm.clone_into(&mut manifest.key.arm);
            manifest.key.seed = seed;
            manifest.arm_order = order;
            let advisor = json!("m/plain/generate");
            manifest.spec = json!({ "advisor": advisor, "horizon": 64, "episodes": episodes, "task": "GoToObj" });
            let changes = of.spec.as_object().unwrap().clone();
            manifest.spec.as_object_mut().unwrap().extend(changes);
            sheet.settings.insert(of.arm.clone(), manifest.spec.clone());
            run.write(manifest, &decisions).unwrap();
        }
    }
    run.write_sheet(&sheet).unwrap();
}

fn entry(table: &Table, row: usize, column: &str) -> Content {
    let at = table.columns().iter().position(|known| known.name == column);
    table.rows()[row].entries[at.unwrap_or_else(|| panic!("no column {column}"))].content.clone()
}

fn verdict<'a>(table: &'a Table, words: &str) -> &'a Verdict {
    table.verdicts.iter().find(|of| of.statement.contains(words)).unwrap_or_else(|| panic!("no verdict on {words}"))
}

fn ruling<'a>(table: &'a Table, words: &str) -> &'a str {
    &verdict(table, words).verdict
}

#[test]
fn main_compares_with_never_in_every_block() {
    let local = || json!({ "task": "GoToLocal" });
    let table = table(
        "babyai-main",
        20,
        &[
            played("obj-05-plain.never", json!({}), 0, 0.2),
            played("obj-05-plain.always", json!({}), 4, 0.1),
            played("obj-05-plain.beta-conf", json!({}), 1, 0.9),
            played("obj-05-plain.beta-form", json!({}), 0, 0.2),
            played("local-05-plain.never", local(), 0, 0.2),
            played("local-05-plain.beta-conf", local(), 1, 0.2),
            played("local-05-plain.content-free", json!({ "task": "GoToLocal", "advisor": "content-free" }), 1, 0.2),
        ],
    );
    assert_eq!(table.rows().len(), 7);
    assert_eq!(ruling(&table, "beats never-query on GoToObj"), "holds");
    assert_eq!(ruling(&table, "on GoToLocal, to within 0.05"), "holds");
    assert_eq!(ruling(&table, "always-query loses"), "holds");
    assert_eq!(ruling(&table, "at most 3 % of always-query's calls"), "not observed");
    assert_eq!(ruling(&table, "beta-form makes no call"), "observed");
    assert_eq!(ruling(&table, "the uncertainty gate does not beat"), "cannot be told");
    assert_eq!(entry(&table, 6, "advisor"), Content::Text { text: "content-free".into() });
    assert_eq!(entry(&table, 0, "return minus never"), Content::NotApplicable);
    assert_eq!(entry(&table, 2, "calls"), Content::Number { value: 20.0, decimals: 1 });
    assert_eq!(entry(&table, 2, "ms per call"), Content::NotLogged);
    assert_eq!(entry(&table, 0, "ms per call"), Content::NotApplicable);
}

#[test]
fn tolerance_has_arms_side_by_side() {
    let mut arms = Vec::new();
    for (block, tolerance, corruption) in [("e005-c000", 0.05, 0.0), ("e005-c050", 0.05, 0.5), ("e025-c050", 0.25, 0.5)]
    {
        let asks = u64::from(tolerance > 0.1);
        let on = json!({ "execution": { "certified": { "tolerance": tolerance } }, "corruption": corruption });
        let off = json!({ "execution": { "unscreened": { "tolerance": tolerance } }, "corruption": corruption });
        arms.push(played(&format!("{block}.on"), on, asks, 0.3));
        arms.push(played(&format!("{block}.off"), off, asks, 0.3));
    }
    let table = table("babyai-tolerance", 20, &arms);
    assert_eq!(table.rows().len(), 3);
    assert_eq!(entry(&table, 2, "tolerance"), Content::Text { text: "0.25".into() });
    assert_eq!(entry(&table, 0, "corrupted and executed, on"), Content::NotApplicable);
    let Content::Fraction { covered, total } = entry(&table, 2, "corrupted and executed, on") else {
        panic!("no fraction")
    };
    assert!(0 < covered && covered < total);
    assert_eq!(ruling(&table, "at a tolerance of 0.05 nothing is asked"), "observed");
    assert_eq!(ruling(&table, "every corrupted answer is executed"), "not observed");
    assert_eq!(ruling(&table, "does not raise return"), "holds");
}

#[test]
fn persistence_has_one_row_for_each_window() {
    let mut arms = Vec::new();
    for (block, spec) in [("long", json!({})), ("continued", json!({ "exploration_episodes": 60 }))] {
        for (arm, gain) in [("never", 0.2), ("beta-conf", 0.3), ("schedule", 0.3)] {
            arms.push(played(&format!("{block}.{arm}"), spec.clone(), 0, gain));
        }
    }
    let table = table("babyai-persistence", 250, &arms);
    assert_eq!(table.rows().len(), 12, "three windows of 250 episodes and what was paid, in two blocks");
    assert_eq!(entry(&table, 0, "exploration over"), Content::Text { text: "250".into() });
    assert_eq!(entry(&table, 6, "exploration over"), Content::Text { text: "60".into() });
    let Content::Interval { mean, .. } = entry(&table, 0, "beta-conf minus never") else { panic!("no interval") };
    assert!((mean - 0.05).abs() < 1e-12);
    assert_eq!(ruling(&table, "leads never-query at episode 60"), "holds");
    assert_eq!(ruling(&table, "by episode 500"), "cannot be told");
}

#[test]
fn radius_counts_what_is_covered() {
    // The label of each last step is off by 0.05 - 0.1 gain, against a radius of 0.1.
    let arms = [
        played("obj-15-plain.constant-48", json!({ "calibration": { "calibrate": 48 } }), 1, 0.9),
        played("obj-15-plain.mondrian-200", json!({ "calibration": { "calibrate": 200 } }), 1, 2.0),
        played("obj-15-plain.formal-48", json!({}), 0, 0.9),
    ];
    let table = table("babyai-radius", 20, &arms);
    assert_eq!(entry(&table, 0, "marginal, pooled"), Content::Fraction { covered: 800, total: 800 });
    assert_eq!(entry(&table, 1, "marginal, pooled"), Content::Fraction { covered: 600, total: 800 });
    assert_eq!(entry(&table, 1, "decision-relevant, pooled"), Content::Fraction { covered: 0, total: 200 });
    assert_eq!(entry(&table, 1, "worst subgroup"), Content::Number { value: 0.0, decimals: 3 });
    assert_eq!(entry(&table, 0, "n_cal"), Content::Text { text: "48".into() });
    assert_eq!(ruling(&table, "constant-48 covers 0.90 of all decisions"), "observed");
    assert_eq!(ruling(&table, "never asks"), "observed");
    assert_eq!(ruling(&table, "mondrian-200 covers trajectories"), "not observed");
}

#[test]
fn corruption_sets_gaps_against_zero() {
    let arms = [
        played("obj-15-plain.beta-conf", json!({ "corruption": 0.5 }), 2, 0.3),
        played("obj-15-plain.beta-conf-off", json!({ "corruption": 0.5 }), 2, 0.5),
        played("obj-15-plain.clean", json!({ "corruption": 0.0 }), 2, 0.3),
    ];
    let table = table("babyai-corruption", 20, &arms);
    let off = entry(&table, 0, "certificate-off rule on the same corrupted answers");
    assert_eq!(off, Content::Number { value: 1.0, decimals: 3 });
    let Content::Interval { mean, .. } = entry(&table, 0, "return minus certificate off") else {
        panic!("no interval")
    };
    assert!((mean + 0.1).abs() < 1e-12);
    assert_eq!(entry(&table, 2, "return minus certificate off"), Content::NotApplicable);
    assert_eq!(ruling(&table, "the certificate costs return"), "holds");
    assert_eq!(ruling(&table, "the certificate-off rule executes every corrupted answer"), "observed");
}

#[test]
fn heldout_has_a_row_for_each_task_and_their_mean() {
    let mut arms = Vec::new();
    for (block, task, best) in [("obj", "GoToObj", 25), ("open", "Open", 25), ("pickup", "Pickup", 50)] {
        for calls in [25, 50, 75, 100, 150] {
            let gain = if calls == best { 0.5 } else { 0.3 };
            arms.push(played(&format!("{block}-15-plain.v{calls}"), json!({ "task": task }), 0, gain));
        }
        arms.push(played(&format!("{block}-15-plain.beta-conf"), json!({ "task": task }), 0, 0.5));
    }
    let table = table("babyai-heldout", 20, &arms);
    assert_eq!(table.rows().len(), 12);
    assert_eq!(entry(&table, 3, "held-out task"), Content::Text { text: "mean over all".into() });
    let regret = |column| match entry(&table, 3, column) {
        Content::Interval { mean, .. } => mean,
        other => panic!("{other:?}"),
    };
    assert!(regret("regret of beta-conf").abs() < 1e-12);
    assert!(regret("regret of the chosen") > 0.0);
    assert_eq!(ruling(&table, "regrets less than the chosen schedule"), "holds");
    assert_eq!(ruling(&table, "mean regret against the best schedule"), "holds");
}

#[test]
fn volume_names_the_best_schedule_in_hindsight() {
    let mut arms = Vec::new();
    for (block, task, best, asks) in [("obj-05-plain", "GoToObj", 25, 1), ("open-05-plain", "Open", 75, 3)] {
        let spec = || json!({ "task": task });
        arms.push(played(&format!("{block}.never"), spec(), 0, 0.2));
        for calls in [25, 75] {
            let gain = if calls == best { 0.5 } else { 0.3 };
            arms.push(played(&format!("{block}.v{calls}"), spec(), 1, gain));
        }
        arms.push(played(&format!("{block}.beta-conf"), spec(), asks, if task == "Open" { 0.2 } else { 0.9 }));
    }
    let table = table("babyai-volume", 20, &arms);
    assert_eq!(table.rows().len(), 8);
    let named = &verdict(&table, "no less than the fixed schedule").statement;
    assert!(named.contains("holds for GoToObj against v25"), "{named}");
    assert!(named.contains("does not hold for Open against v75"), "{named}");
    assert_eq!(ruling(&table, "no single fixed volume is best everywhere, in hindsight: v25, v75"), "observed");
    assert_eq!(ruling(&table, "varies at least twofold between tasks and advisors: 20.000 to 60.000"), "observed");
    assert_eq!(ruling(&table, "on the other tasks"), "holds");
}

#[test]
fn the_frontier_is_drawn_with_one_point_for_each_arm() {
    let arms = [
        played("obj-15-plain.never", json!({}), 0, 0.2),
        played("obj-15-plain.ask", json!({}), 3, 0.1),
        played("obj-15-plain.k002", json!({ "price": 0.002 }), 2, 0.3),
    ];
    let (_folder, run) = on_disk("babyai-frontier", 20, &arms);
    let figures = study_figures(&run, None, &|_| {}).unwrap();
    assert_eq!(figures.len(), 1);
    let frontier = figures[0].as_ref().unwrap();
    assert_eq!(frontier.id(), "babyai-frontier-obj-15-plain-frontier");
    let paid: Vec<f64> = frontier.series().iter().map(|series| series.points[0].x).collect();
    assert_eq!(paid, [0.0, 3.0, 2.0]);
    let table = study_tables(&run, None, Judging::AsItStands, &|_| {}).unwrap().remove(0);
    assert_eq!(entry(&table, 1, "Pareto-efficient"), Content::Text { text: "no".into() });
    assert_eq!(entry(&table, 2, "Pareto-efficient"), Content::Text { text: "yes".into() });
}

#[test]
fn a_sweep_leaves_out_the_arm_without_a_price_and_a_curve_those_not_named() {
    let arms = [
        played("obj-15-plain.never", json!({ "price": 0.005 }), 0, 0.2),
        played("obj-15-plain.k050", json!({ "price": 0.05 }), 1, 0.3),
        played("obj-15-plain.k0", json!({ "price": 0.0 }), 3, 0.3),
    ];
    let (_folder, run) = on_disk("babyai-price", 20, &arms);
    let sweep = study_figures(&run, None, &|_| {}).unwrap().remove(0).unwrap();
    let points: Vec<(f64, f64)> = sweep.series()[0].points.iter().map(|point| (point.x, point.y)).collect();
    assert_eq!(points, [(0.0, 3.0), (0.05, 1.0)]);

    let arms = ["never", "ask", "beta-conf"].map(|arm| played(&format!("obj-05-plain.{arm}"), json!({}), 0, 0.2));
    let (_folder, run) = on_disk("babyai-main", 20, &arms);
    let curve = study_figures(&run, None, &|_| {}).unwrap().remove(0).unwrap();
    let names: Vec<&str> = curve.series().iter().map(|series| series.name.as_str()).collect();
    assert_eq!((curve.id(), names), ("babyai-main-obj-05-plain-curve", vec!["never", "beta-conf"]));
    assert_eq!(curve.series()[0].points.len(), 18, "windows of 3 of 20 episodes");
}

#[test]
fn studies_side_by_side_are_said_to_share_no_seeds() {
    let arms = ["never", "beta-conf"].map(|arm| played(&format!("obj-05-plain.{arm}"), json!({}), 0, 0.2));
    let (_folder, run) = on_disk("babyai-main", 20, &arms);
    let said = || {
        let tables = study_tables(&run, None, Judging::AsItStands, &|_| {}).unwrap();
        let page = page("run", &study_chapters(&run, None, Judging::AsItStands, &|_| {}).unwrap(), &|_| None);
        let notes = tables.iter().filter(|table| table.notes.iter().any(|note| note.contains("never across two")));
        (notes.count(), page.matches("never across two").count())
    };
    assert_eq!(said(), (0, 0));
    add(&run, StudySheet { id: "babyai-exact".to_owned(), ..sheet(account("babyai-exact")) }, 20, &arms);
    assert_eq!(said(), (2, 2));
}

#[test]
fn missing_arms_are_left_out_of_table_and_findings() {
    let arms = [
        played("obj-05-plain.beta-conf", json!({}), 2, 0.5),
        played("obj-05-plain.random-exact", json!({}), 2, 0.3),
        played("local-05-plain.beta-conf", json!({ "task": "GoToLocal" }), 2, 0.2),
    ];
    let declared = ["obj-05-plain", "local-05-plain"]
        .map(|block| ["beta-conf", "random-exact", "schedule"].map(|arm| format!("{block}.{arm}")));
    let sheet = StudySheet {
        id: "babyai-exact".to_owned(),
        arms: declared.into_iter().flatten().collect(),
        ..sheet(account("babyai-exact"))
    };
    let (_folder, run) = written(sheet, 20, &arms);
    let tables = study_tables(&run, None, Judging::AsItStands, &|_| {}).unwrap();
    insta::assert_snapshot!(render(&tables, Format::Text));
}

#[test]
fn a_figure_that_cannot_be_drawn_leaves_a_line_in_its_place() {
    let figures =
        json!([{ "reliability": { "of": "novelty" } }, { "frontier": { "paid": "calls", "gained": "return" } }]);
    let sheet = StudySheet { id: "mine".to_owned(), ..sheet(super::specimen::account(json!({ "figures": figures }))) };
    // The diagonal of the first figure has the name of this arm.
    let (_folder, run) = written(sheet, 20, &[played("as said", json!({}), 2, 0.3)]);
    let drawn = study_figures(&run, None, &|_| {}).unwrap();
    let fault = drawn[0].as_ref().unwrap_err();
    assert!(fault.starts_with("A figure of mine is not drawn") && fault.contains("as said"), "{fault}");
    assert_eq!(drawn[1].as_ref().unwrap().id(), "mine-frontier");
    let chapters = study_chapters(&run, None, Judging::AsItStands, &|_| {}).unwrap();
    let page = page("runs", &chapters, &|_| None);
    assert!(page.contains("A figure of mine is not drawn") && page.contains("<svg"), "{page}");
}
