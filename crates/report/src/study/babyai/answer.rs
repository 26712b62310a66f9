//! What became of answers, and what they took.

use counsel_decision::{Answer, ExecutionRule, Response, Verdict};
use counsel_log::Decision;

use crate::study::measure::{CellLog, executed_advice, mean, share, wrong_advice};

/// The answer of a decision, if it named an action.
fn usable(decision: &Decision) -> bool {
    decision.record.answer().is_some_and(|answer| answer.response != Response::Unusable)
}

/// The answers that named an action.
pub(super) fn usable_answers<'a>(log: &'a CellLog<'_>) -> impl Iterator<Item = &'a Decision> {
    log.asked().filter(|decision| usable(decision))
}

/// Whether the answer was tampered with.
pub(super) fn corrupted(decision: &Decision) -> bool {
    decision.hindsight.corrupted == Some(true)
}

/// Whether the answer came as it was given; nothing is known of one that has no such mark.
pub(super) fn untouched(decision: &Decision) -> bool {
    decision.hindsight.corrupted == Some(false)
}

/// Whether the answer named a best action.
pub(super) fn right(decision: &Decision) -> bool {
    decision.hindsight.advice_gap.is_some() && !wrong_advice(decision)
}

/// The share of usable answers that were executed.
pub(super) fn acceptance(log: &CellLog<'_>) -> Option<f64> {
    share(usable_answers(log), executed_advice)
}

/// The share of those usable answers that were executed.
pub(super) fn acceptance_of(log: &CellLog<'_>, of: impl Fn(&Decision) -> bool) -> Option<f64> {
    share(usable_answers(log).filter(|decision| of(decision)), executed_advice)
}

/// How many usable answers are such.
pub(super) fn count_of(log: &CellLog<'_>, of: impl Fn(&Decision) -> bool) -> f64 {
    usable_answers(log).filter(|decision| of(decision)).count() as f64
}

/// The share of usable answers that named a best action.
pub(super) fn accuracy(log: &CellLog<'_>) -> Option<f64> {
    share(usable_answers(log).filter(|decision| decision.hindsight.advice_gap.is_some()), right)
}

/// The share of these answers that the certificate-off rule executes at the very same opportunities.
pub(super) fn replayed_without_certificate(log: &CellLog<'_>, of: impl Fn(&Decision) -> bool) -> Option<f64> {
    share(usable_answers(log).filter(|decision| of(decision)), |decision| {
        let branch = decision.record.evidence.advice.none();
        decision.record.answer().is_some_and(|answer| match answer.response {
            Response::Recommends(action) => ExecutionRule::Trusting.judge(branch, action) == Verdict::Executed,
            Response::Unusable => false,
        })
    })
}

/// Tokens per call, sent and received, over the calls for which both were recorded.
pub(super) fn tokens_per_call(log: &CellLog<'_>) -> Option<f64> {
    let tokens =
        |answer: &Answer| Some(f64::from(answer.reply.request_tokens?) + f64::from(answer.reply.response_tokens?));
    mean(log.asked().map(|decision| decision.record.answer().and_then(tokens)))
}

/// Milliseconds per call, as recorded when the advisor was asked.
pub(super) fn latency_per_call(log: &CellLog<'_>) -> Option<f64> {
    mean(log.asked().map(|decision| decision.record.answer().and_then(|answer| answer.reply.latency_ms)))
}

/// The share of answers that named no action, or one that is worse than the best.
pub(super) fn wrong_or_unusable(log: &CellLog<'_>) -> Option<f64> {
    share(log.asked(), |decision| !usable(decision) || wrong_advice(decision))
}

#[cfg(test)]
mod tests {
    use super::super::specimen::{Advice, asked, cell, episode};
    use super::*;

    #[test]
    fn only_usable_answers_can_be_accepted() {
        let cell = cell(vec![
            asked(Advice::default()),
            asked(Advice { executed: false, ..Advice::default() }),
            asked(Advice { usable: false, ..Advice::default() }),
        ]);
        assert_eq!(acceptance(&cell.log()), Some(0.5));
        assert_eq!(count_of(&cell.log(), |_| true), 2.0);
    }

    #[test]
    fn tokens_are_averaged_over_the_calls_that_have_them() {
        let spent = |tokens| asked(Advice { tokens: Some(tokens), ..Advice::default() });
        let cell = cell(vec![spent((100, 2)), spent((110, 4)), asked(Advice::default())]);
        assert_eq!(tokens_per_call(&cell.log()), Some(108.0));
        assert_eq!(latency_per_call(&cell.log()), None);
    }

    #[test]
    fn without_calls_there_are_no_rates() {
        let cell = cell(episode(0, 3, 1.0));
        let log = cell.log();
        assert_eq!((acceptance(&log), tokens_per_call(&log), wrong_or_unusable(&log)), (None, None, None));
    }
}
