//! What a decision is explained by: one value of an action before an answer, and one after it with the credit in it.

use counsel_decision::{AdviceModel, CacheSpec, Execution, Gate, Response};
use counsel_log::{Decision, Manifest, explain, explain_json, inequalities, named_worths};

use crate::play::{Chance, Episodes, played, settings};

/// Decisions under the rule that compares values, with and without credits.
fn decisions() -> Vec<(Manifest, Decision)> {
    let mut found = Vec::new();
    for seed in 0..40 {
        let mut chance = Chance(seed);
        let mut settings = settings(Gate::Always, Execution::Improving, &mut chance);
        settings.cache = CacheSpec::default();
        let (manifest, decisions) = played(settings, Episodes::Announced, &mut chance);
        found.extend(decisions.into_iter().map(|decision| (manifest.clone(), decision)));
    }
    found
}

#[test]
fn an_answer_that_is_credited_shows_the_value_before_and_after_and_the_credit() {
    let mut credited = 0;
    for (manifest, decision) in decisions() {
        let AdviceModel::CandidateOnly(advice) = decision.record.evidence.advice() else { continue };
        let (text, cards) = (explain(&manifest, &decision), inequalities(&manifest, &decision));
        let json: serde_json::Value = serde_json::from_str(&explain_json(&manifest, &decision)).unwrap();
        let credits: Vec<f64> = advice.credits().collect();
        if credits.is_empty() {
            assert!(!text.contains("credit") && !cards.iter().any(|card| card.contains("credit")), "{text}\n{cards:?}");
        }
        for (action, credit) in credits.iter().enumerate() {
            let before = advice.means()[action];
            let told = format!("{:.6} after the answer ({before:.6} before, credit {credit:.6})", before + credit);
            assert!(text.contains(&told), "{told}\n{text}");
            let named = &json["named"][action];
            assert_eq!(named["credit"].as_f64(), Some(*credit));
            assert_eq!(named["value_before"].as_f64(), Some(before));
            assert_eq!(named["value_after"].as_f64(), Some(before + credit));
            let advised = decision.record.answer().map(|answer| answer.response);
            if advised == Some(Response::Recommends(counsel_decision::Action::new(action))) {
                assert!(cards[0].starts_with("improvement: ") && cards[0].contains(&told), "{cards:?}");
            }
            credited += 1;
        }
    }
    assert!(credited > 50, "{credited}");
}

#[test]
fn the_value_that_decides_is_one_that_is_shown() {
    for (_, decision) in decisions() {
        for (action, worth) in named_worths(&decision.record).into_iter().enumerate() {
            let Some(worth) = worth else { continue };
            let response = Response::Recommends(counsel_decision::Action::new(action));
            let branch = decision.record.evidence.advice().given(response).unwrap();
            assert_eq!(worth.after, branch.mean(counsel_decision::Action::new(action)));
        }
    }
}

#[test]
fn columns_are_as_wide_as_the_longest_action() {
    let (mut manifest, decision) = decisions().swap_remove(0);
    manifest.words = manifest.words.iter().map(|word| format!("{word}-with-a-very-long-name")).collect();
    let text = explain(&manifest, &decision);
    let rows: Vec<&str> =
        text.lines().skip_while(|line| !line.contains("mean value")).take_while(|line| !line.is_empty()).collect();
    let ends = |row: &&str| row.find('[').unwrap_or_default();
    let places: Vec<usize> = rows.iter().filter(|row| row.contains('[')).map(ends).collect();
    assert!(!places.is_empty() && places.iter().all(|place| *place == places[0]), "{text}");
    let heading = rows[0].find("mean value").unwrap();
    assert!(heading + "mean value".len() + 3 <= places[0] + 1, "{text}");
}
