//! What matters in a decision is what its record and its labels say.

use counsel_decision::{Execution, Gate, Outcome, ReplySource, Response, Verdict};
use counsel_log::{Decision, Matter, in_words, matters};

use crate::play::{Chance, Episodes, played, settings};

fn found(decision: &Decision) -> Vec<Matter> {
    matters(decision).map_or_else(Vec::new, |found| found.matters)
}

#[test]
fn each_matter_is_found_where_it_is_and_nowhere_else() {
    let mut counts = [0; Matter::ALL.len()];
    for seed in 0..60 {
        let mut chance = Chance(seed);
        let gate = if seed % 2 == 0 { Gate::Always } else { Gate::Value };
        let settings = settings(gate, Execution::Improving, &mut chance);
        let (manifest, decisions) = played(settings, Episodes::Announced, &mut chance);
        for mut decision in decisions {
            let record = &decision.record;
            let labelled = chance.below(2) == 0;
            decision.hindsight.advice_gap = labelled.then(|| if chance.below(2) == 0 { 0.25 } else { 0.0 });
            decision.hindsight.exact_value = labelled.then(|| chance.share());
            decision.hindsight.executed_gap = Some(0.125);
            let answer = record.answer();
            let named = answer.filter(|answer| answer.response != Response::Unusable);
            let is_executed = named.is_some_and(|answer| answer.verdict == Verdict::Executed);
            let is_lost = answer.is_some_and(|answer| answer.reply.source == ReplySource::Lost);
            let (gap, value) = (decision.hindsight.advice_gap, decision.hindsight.exact_value);
            let says_other = named.is_some_and(|answer| answer.response != Response::Recommends(record.executed));
            let expected: Vec<Matter> = [
                (Matter::WrongExecuted, is_executed && gap == Some(0.25)),
                (Matter::RightRejected, named.is_some() && !is_executed && says_other && gap == Some(0.0)),
                (Matter::ChangedNothing, answer.is_some() && !is_lost && record.executed == record.no_query),
                (
                    Matter::SilentLoss,
                    record.outcome == Outcome::Silent && value.is_some_and(|value| value > record.paced_price),
                ),
                (Matter::Lost, is_lost),
                (Matter::Unaffordable, record.outcome == Outcome::Unaffordable),
            ]
            .into_iter()
            .filter_map(|(matter, is)| is.then_some(matter))
            .collect();
            assert_eq!(found(&decision), expected, "{decision:?}");
            expected.iter().for_each(|matter| counts[matter.place()] += 1);
            // What was paid or given up is what it cost.
            if let Some(told) = matters(&decision) {
                assert!(told.matters.contains(&told.dearest) && told.cost >= 0.0);
            }
            // The sentences name what was done, and say nothing that became known later.
            let words = in_words(&manifest, &decision);
            let executed = &manifest.words[record.executed.index()];
            assert!(words.contains(&format!("`{executed}`")), "{words}");
            let mut unknown = decision.clone();
            unknown.hindsight = counsel_log::Hindsight::default();
            assert_eq!(in_words(&manifest, &unknown), words);
        }
    }
    assert!(counts.iter().all(|count| *count > 3), "{counts:?}");
}
