//! Decisions of which somebody had the last word: logged, audited, explained, and counted as what was done.

use counsel_decision::{Action, Execution, Gate, Override, Verdict};
use counsel_log::{Decision, Manifest, columns, decode, encode, explain, explain_json, matters};

use crate::play::{Chance, Episodes, assert_agrees, audited, gates, key, played, settings};
use crate::raw::columns_of;

const NAMES: [&str; 3] = ["override_by", "override_action", "override_of"];

/// Decisions with several actions, every third of which somebody overrode.
fn overridden(gate: &Gate, seed: u64) -> (Manifest, Vec<Decision>) {
    let (manifest, mut decisions) = (seed..seed + 50)
        .map(|seed| {
            let mut chance = Chance(seed);
            let settings = settings(gate.clone(), Execution::Improving, &mut chance);
            played(settings, Episodes::Announced, &mut chance)
        })
        .find(|(manifest, decisions)| manifest.words.len() > 1 && decisions.len() > 6)
        .unwrap();
    for Decision { record, .. } in decisions.iter_mut().step_by(3) {
        let action = Action((record.executed.0 + 1) % u16::try_from(manifest.words.len()).unwrap());
        record.set_override(Override { by: "operator".into(), action, instead_of: record.executed });
    }
    (manifest, decisions)
}

#[test]
fn overridden_decisions_are_computed_again() {
    for (number, gate) in gates().into_iter().enumerate() {
        let (manifest, decisions) = overridden(&gate, 100 * number as u64);
        assert_agrees(&manifest, &decisions, &format!("{:?}", manifest.settings));
        assert_eq!(decode(&key(), encode(&key(), &decisions).unwrap()).unwrap(), decisions);
    }
}

#[test]
fn what_was_replaced_is_recomputed_and_what_was_executed_is_what_was_set() {
    let (manifest, decisions) = overridden(&Gate::Always, 0);
    let other = |action: &mut Action| action.0 ^= 1;
    let mut altered = decisions.clone();
    other(&mut altered[3].record.overridden.as_mut().unwrap().instead_of);
    let found = audited(&manifest, &altered);
    assert_eq!(found.iter().map(|fault| (fault.step, fault.column)).collect::<Vec<_>>(), [(3, "override_of")]);
    let mut altered = decisions.clone();
    altered[3].record.executed = altered[3].record.decided();
    assert_eq!(audited(&manifest, &altered)[0].column, "executed");
    // One that is concealed leaves an action that the controller did not choose.
    let mut altered = decisions;
    altered[3].record.overridden = None;
    assert_eq!(audited(&manifest, &altered)[0].column, "executed");
}

#[test]
fn logs_without_an_override_have_none_of_its_columns_and_half_an_override_is_refused() {
    let (_, mut decisions) = overridden(&Gate::Always, 0);
    let names = |decisions: &[Decision]| -> Vec<String> {
        let found = columns_of(&encode(&key(), decisions).unwrap()).into_iter().map(|column| column.name);
        found.filter(|name| name.starts_with("override")).collect()
    };
    assert_eq!(names(&decisions), NAMES);
    assert!(NAMES.iter().all(|name| columns().any(|column| column.name == *name)));
    let mut raw = columns_of(&encode(&key(), &decisions).unwrap());
    crate::raw::empty(&mut raw, "override_of");
    let error = decode(&key(), crate::raw::raw_log(&raw, 1)).unwrap_err();
    assert!(error.contains("override_by, override_action and override_of belong together"), "{error}");
    for Decision { record, .. } in &mut decisions {
        record.executed = record.decided();
        record.overridden = None;
    }
    assert_eq!(names(&decisions), Vec::<String>::new());
}

#[test]
fn an_explanation_says_who_had_the_last_word() {
    let played = (0..20).map(|number| overridden(&Gate::Always, 50 * number));
    let played: Vec<(Manifest, Decision)> = played
        .flat_map(|(manifest, decisions)| decisions.into_iter().map(move |decision| (manifest.clone(), decision)))
        .collect();
    let (mut followed, mut silent) = (0, 0);
    for (manifest, decision) in &played {
        let (text, record) = (explain(manifest, decision), &decision.record);
        let json: serde_json::Value = serde_json::from_str(&explain_json(manifest, decision)).unwrap();
        let Some(set) = &record.overridden else {
            assert!(!text.contains("operator") && json["columns"].get("override_by").is_none(), "{text}");
            continue;
        };
        let name = |action: Action| &manifest.words[action.index()];
        let (set_to, instead_of) = (name(set.action), name(set.instead_of));
        assert!(
            text.contains(&format!("it would have executed {instead_of}, but operator had the last word")),
            "{text}"
        );
        assert!(text.contains(&format!("  it executed {set_to} and received")), "{text}");
        assert!(
            text.contains(&format!(
                "It would have done `{instead_of}`, but operator had the last word, so it did `{set_to}`."
            )),
            "{text}"
        );
        assert!(
            text.contains(&format!("; operator set {set_to} in its place"))
                && !text.contains("and followed the answer"),
            "{text}"
        );
        assert_eq!(json["columns"]["override_of"], u64::from(set.instead_of.0));
        let executes = record.answer().is_some_and(|answer| answer.verdict == Verdict::Executed);
        followed += usize::from(executes);
        silent += usize::from(record.answer().is_none());
        if executes {
            let mut wrong = decision.clone();
            wrong.hindsight.advice_gap = Some(1.0);
            let found = matters(&wrong).map(|found| found.matters).unwrap_or_default();
            assert!(!found.iter().any(|matter| matter.name() == "wrong and executed"), "a person stood before it");
        }
    }
    assert!(followed > 5 && silent > 5, "{followed} {silent}");
}
