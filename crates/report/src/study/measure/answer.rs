//! What became of answers, by what they were like.

use std::collections::BTreeMap;

use super::log::CellLog;

/// What an answer was like.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum AnswerKind {
    /// It named an action.
    Usable,
    /// It named a best action.
    Right,
    /// It named an action that is worse than the best.
    Wrong,
    /// It came as it was given; nothing is known of one that has no such mark.
    Untouched,
    /// It was tampered with.
    Corrupted,
}

/// The share of the usable answers of a kind that were executed.
pub(super) fn accepted(log: &CellLog<'_>, kind: AnswerKind) -> Option<f64> {
    let answers = log.answers();
    answers.share(is(log, kind), |row| answers.executed(row))
}

/// The same share within each episode that has such answers, averaged over these episodes.
pub(super) fn accepted_by_episode(log: &CellLog<'_>, kind: AnswerKind) -> Option<f64> {
    let (answers, is, episode) = (log.answers(), is(log, kind), log.counts("episode"));
    let mut episodes: BTreeMap<u64, (f64, f64)> = BTreeMap::new();
    for &row in answers.rows.iter().filter(|row| is(**row)) {
        let (executed, all) = episodes.entry(episode[row]).or_default();
        *executed += f64::from(u8::from(answers.executed(row)));
        *all += 1.0;
    }
    let shares = episodes.values().map(|(executed, all)| executed / all);
    (!episodes.is_empty()).then(|| shares.sum::<f64>() / episodes.len() as f64)
}

/// How many usable answers are of a kind.
pub(super) fn count(log: &CellLog<'_>, kind: AnswerKind) -> f64 {
    log.answers().count(is(log, kind))
}

/// How many usable answers of a kind were executed.
pub(super) fn executed(log: &CellLog<'_>, kind: AnswerKind) -> f64 {
    let (answers, is) = (log.answers(), is(log, kind));
    answers.count(|row| is(row) && answers.executed(row))
}

/// How much more often answers of one kind are executed than those of another.
pub(super) fn gap(log: &CellLog<'_>, more: AnswerKind, less: AnswerKind) -> Option<f64> {
    Some(accepted(log, more)? - accepted(log, less)?)
}

/// Whether an answer is usable and of a kind.
fn is<'a>(log: &'a CellLog<'_>, kind: AnswerKind) -> impl Fn(usize) -> bool + 'a {
    let (answers, corrupted) = (log.answers(), log.frame.ints("corrupted"));
    move |row| {
        answers.usable(row)
            && match kind {
                AnswerKind::Usable => true,
                AnswerKind::Right => answers.right(row),
                AnswerKind::Wrong => answers.wrong(row),
                AnswerKind::Untouched => corrupted[row] == Some(0),
                AnswerKind::Corrupted => corrupted[row] == Some(1),
            }
    }
}

/// The share of all answers, usable or not, that were executed.
pub(super) fn execution_rate(log: &CellLog<'_>) -> Option<f64> {
    let answers = log.answers();
    answers.share(|_| true, |row| answers.executed(row))
}

pub(super) fn unusable(log: &CellLog<'_>) -> Option<f64> {
    let answers = log.answers();
    answers.share(|_| true, |row| !answers.usable(row))
}

/// How many decisions somebody overrode, with or without an answer.
pub(super) fn overridden(log: &CellLog<'_>) -> f64 {
    log.frame.ints("override_action").iter().flatten().count() as f64
}

/// The share of usable answers that named a best action, of those of which that is known.
pub(super) fn right_answers(log: &CellLog<'_>) -> Option<f64> {
    let answers = log.answers();
    let known = |row| answers.usable(row) && (answers.right(row) || answers.wrong(row));
    answers.share(known, |row| answers.right(row))
}

/// The share of usable answers that are what the advisor's own rule says, of those of which that is known.
pub(super) fn adherence(log: &CellLog<'_>) -> Option<f64> {
    let (answers, corrupted) = (log.answers(), log.frame.ints("corrupted"));
    answers.share(|row| answers.usable(row) && corrupted[row].is_some(), |row| corrupted[row] == Some(0))
}

/// The share of usable answers that run into an obstacle, of those of which that is known.
pub(super) fn obstacle_conflicts(log: &CellLog<'_>) -> Option<f64> {
    let (answers, obstructed) = (log.answers(), log.frame.ints("obstructed"));
    answers.share(|row| answers.usable(row) && obstructed[row].is_some(), |row| obstructed[row] == Some(1))
}

pub(super) fn wrong_and_executed(log: &CellLog<'_>) -> Option<f64> {
    let answers = log.answers();
    answers.share(|_| true, |row| answers.executed(row) && answers.wrong(row))
}

/// What wrong answers cost that were executed: their gap less that of the fallback's proposal at the same decision, per
/// episode. Nothing where the gap of one is not known.
pub(super) fn lost_to_wrong(log: &CellLog<'_>) -> Option<f64> {
    let (answers, wrong) = (log.answers(), is(log, AnswerKind::Wrong));
    let (advised, base) = (log.frame.reals("advice_gap"), log.frame.reals("base_gap"));
    let accepted = answers.rows.iter().filter(|row| answers.executed(**row));
    let known = accepted.clone().all(|row| advised[*row].is_some() && base[*row].is_some());
    let lost: f64 = accepted.filter(|row| wrong(**row)).filter_map(|row| Some(advised[*row]? - base[*row]?)).sum();
    let episodes = log.counts("episode").last().map(|last| (last + 1) as f64)?;
    known.then_some(lost / episodes)
}

pub(super) fn right_and_rejected(log: &CellLog<'_>) -> Option<f64> {
    let answers = log.answers();
    answers.share(|row| answers.right(row), |row| !answers.executed(row))
}

/// The rule without a certificate executes whatever names an action, so this is 1 wherever there is a corrupted answer.
pub(super) fn corrupted_without_certificate(log: &CellLog<'_>) -> Option<f64> {
    let answers = log.answers();
    answers.share(is(log, AnswerKind::Corrupted), |row| answers.usable(row))
}

pub(super) fn errors(log: &CellLog<'_>) -> f64 {
    let answers = log.answers();
    answers.count(|row| !answers.usable(row) || answers.wrong(row))
}

pub(super) fn error_rate(log: &CellLog<'_>) -> Option<f64> {
    let answers = log.answers();
    answers.share(|_| true, |row| !answers.usable(row) || answers.wrong(row))
}

#[cfg(test)]
mod tests {
    use super::super::specimen::{Advice, asked, cell, episode};
    use super::*;

    #[test]
    fn only_usable_answers_can_be_accepted() {
        let cell = cell(&[
            asked(Advice::default()),
            asked(Advice { executed: false, ..Advice::default() }),
            asked(Advice { usable: false, ..Advice::default() }),
        ]);
        assert_eq!(accepted(&cell.log(), AnswerKind::Usable), Some(0.5));
        assert_eq!(execution_rate(&cell.log()), Some(1.0 / 3.0));
        assert_eq!(count(&cell.log(), AnswerKind::Usable), 2.0);
    }

    #[test]
    fn an_episode_counts_once_however_many_answers_it_has() {
        let wrong = |episode, executed| {
            let mut decision = asked(Advice { executed, gap: Some(1.0), ..Advice::default() });
            decision.record.episode = episode;
            decision
        };
        let cell = cell(&[wrong(0, true), wrong(1, false), wrong(1, false), wrong(1, true), wrong(1, false)]);
        assert_eq!(accepted_by_episode(&cell.log(), AnswerKind::Wrong), Some(0.625));
        assert_eq!(accepted(&cell.log(), AnswerKind::Wrong), Some(0.4));
        assert_eq!(accepted_by_episode(&cell.log(), AnswerKind::Right), None);
    }

    #[test]
    fn without_calls_there_are_no_rates() {
        let cell = cell(&episode(0, 3, 1.0));
        let log = cell.log();
        assert_eq!((accepted(&log, AnswerKind::Usable), error_rate(&log), unusable(&log)), (None, None, None));
    }

    #[test]
    fn unusable_answers_count_as_errors() {
        let cell = cell(&[
            asked(Advice { gap: Some(0.0), ..Advice::default() }),
            asked(Advice { gap: Some(1.0), ..Advice::default() }),
            asked(Advice { usable: false, ..Advice::default() }),
            asked(Advice { gap: Some(1.0), ..Advice::default() }),
        ]);
        assert_eq!((error_rate(&cell.log()), errors(&cell.log())), (Some(0.75), 3.0));
        assert_eq!(unusable(&cell.log()), Some(0.25));
    }

    #[test]
    fn gaps_are_between_shares_of_each_kind() {
        let advice = |executed, tampered, gap| {
            asked(Advice { executed, corrupted: Some(tampered), gap: Some(gap), ..Advice::default() })
        };
        let cell = cell(&[
            advice(true, false, 0.0),
            advice(true, false, 0.0),
            advice(false, false, 0.2),
            advice(true, true, 0.2),
            advice(false, true, 0.2),
            advice(false, true, 0.2),
            advice(false, true, 0.0),
            asked(Advice { usable: false, executed: false, corrupted: Some(true), ..Advice::default() }),
        ]);
        let log = cell.log();
        assert!(
            (gap(&log, AnswerKind::Untouched, AnswerKind::Corrupted).unwrap() - (2.0 / 3.0 - 1.0 / 4.0)).abs() < 1e-12
        );
        assert!((gap(&log, AnswerKind::Right, AnswerKind::Wrong).unwrap() - (2.0 / 3.0 - 1.0 / 4.0)).abs() < 1e-12);
        assert_eq!(corrupted_without_certificate(&log), Some(1.0));
        assert_eq!(right_answers(&log), Some(3.0 / 7.0));
        assert_eq!((count(&log, AnswerKind::Corrupted), executed(&log, AnswerKind::Corrupted)), (4.0, 1.0));
    }

    #[test]
    fn a_rule_is_audited_by_what_became_of_its_answers() {
        let advice = |corrupted, obstructed| {
            let mut decision = asked(Advice { corrupted, ..Advice::default() });
            decision.hindsight.obstructed = obstructed;
            decision
        };
        let cell = cell(&[
            advice(Some(false), Some(true)),
            advice(Some(false), Some(false)),
            advice(Some(true), Some(false)),
            advice(None, None),
            asked(Advice { usable: false, corrupted: Some(false), ..Advice::default() }),
        ]);
        assert_eq!((adherence(&cell.log()), obstacle_conflicts(&cell.log())), (Some(2.0 / 3.0), Some(1.0 / 3.0)));
        let silent = super::super::specimen::cell(&episode(0, 3, 1.0));
        assert_eq!((adherence(&silent.log()), obstacle_conflicts(&silent.log())), (None, None));
    }

    #[test]
    fn wrong_answers_cost_what_they_give_away_beyond_the_fallback() {
        let advice = |episode, executed, gap, base| {
            let mut decision = asked(Advice { executed, gap: Some(gap), ..Advice::default() });
            decision.record.episode = episode;
            decision.hindsight.base_gap = Some(base);
            decision
        };
        // One is worse than the fallback, one better than it; a right one and a rejected one cost nothing.
        let decisions = [
            advice(0, true, 0.5, 0.1),
            advice(0, true, 0.2, 0.3),
            advice(1, true, 0.0, 0.4),
            advice(1, false, 0.9, 0.0),
        ];
        assert!((lost_to_wrong(&cell(&decisions).log()).unwrap() - 0.15).abs() < 1e-12);
        let unknown = asked(Advice { gap: None, ..Advice::default() });
        assert_eq!(lost_to_wrong(&cell(&[unknown]).log()), None);
        assert_eq!(lost_to_wrong(&cell(&episode(0, 3, 1.0)).log()), Some(0.0), "nobody was asked");
    }

    #[test]
    fn without_one_kind_there_is_no_gap() {
        let cell = cell(&[asked(Advice { corrupted: Some(false), gap: Some(0.0), ..Advice::default() })]);
        assert_eq!(gap(&cell.log(), AnswerKind::Untouched, AnswerKind::Corrupted), None);
        assert_eq!(gap(&cell.log(), AnswerKind::Right, AnswerKind::Wrong), None);
    }
}
