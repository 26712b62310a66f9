//! Why a decision may be worth a look: what went wrong in it, or what it paid for and did not need.
//!
//! Invariant: a matter that needs a label of hindsight is found only where that label was measured.

use counsel_decision::{Action, Outcome, ReplySource, Response, Verdict};

use crate::Decision;

/// A reason to look at a decision.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Matter {
    /// It followed an answer that was wrong.
    WrongExecuted,
    /// It rejected an answer that was right.
    RightRejected,
    /// It asked and did what it would have done anyway.
    ChangedNothing,
    /// It was silent where asking would have paid.
    SilentLoss,
    /// The answer never came.
    Lost,
    /// It wanted to ask and could not pay.
    Unaffordable,
}

impl Matter {
    /// All of them, in the order in which they are shown.
    pub const ALL: [Self; 6] = [
        Self::WrongExecuted,
        Self::RightRejected,
        Self::ChangedNothing,
        Self::SilentLoss,
        Self::Lost,
        Self::Unaffordable,
    ];

    /// Its place among all of them.
    pub fn place(self) -> usize {
        self as usize
    }

    /// What it is called.
    pub fn name(self) -> &'static str {
        match self {
            Self::WrongExecuted => "wrong and executed",
            Self::RightRejected => "right and rejected",
            Self::ChangedNothing => "changed nothing",
            Self::SilentLoss => "silent where it would have paid",
            Self::Lost => "lost",
            Self::Unaffordable => "unaffordable",
        }
    }
}

/// What matters in one decision.
#[derive(Debug, Clone, PartialEq)]
pub struct Found {
    /// Why, in the order of [`Matter::ALL`].
    pub matters: Vec<Matter>,
    /// The one that cost most.
    pub dearest: Matter,
    /// What that one cost, in units of return, as far as it is known.
    pub cost: f64,
}

/// What matters in a decision; absent if nothing does.
pub fn matters(decision: &Decision) -> Option<Found> {
    let found: Vec<(Matter, f64)> = Matter::ALL.into_iter().filter_map(|of| Some((of, cost(of, decision)?))).collect();
    let dearest = |best: (Matter, f64), next: &(Matter, f64)| if next.1 > best.1 { *next } else { best };
    let (dearest, cost) = found.iter().fold(*found.first()?, dearest);
    Some(Found { matters: found.into_iter().map(|(matter, _)| matter).collect(), dearest, cost })
}

/// What a matter cost in this decision, if it is found there.
fn cost(matter: Matter, Decision { record, hindsight, route }: &Decision) -> Option<f64> {
    if route.is_some() {
        return None;
    }
    let answer = record.answer();
    let price = record.paced_price;
    let is_lost = answer.is_some_and(|answer| answer.reply.source == ReplySource::Lost);
    let judged = answer.filter(|answer| matches!(answer.response, Response::Recommends(_)));
    // Beyond the price; known where the value of the query was measured.
    let missed = hindsight.exact_value.or(hindsight.proxy_value).map(|value| value - price);
    match matter {
        Matter::WrongExecuted => {
            judged.filter(|answer| answer.verdict == Verdict::Executed && record.overridden.is_none())?;
            hindsight.advice_gap.filter(|gap| *gap > 0.0)
        }
        Matter::RightRejected => {
            let advised = judged.filter(|answer| answer.verdict != Verdict::Executed)?.response;
            let is_other = advised != Response::Recommends(record.executed);
            let is_right = hindsight.advice_gap.map_or_else(|| right(advised, hindsight.right), |gap| gap <= 0.0);
            (is_other && is_right).then(|| hindsight.executed_gap.unwrap_or(0.0))
        }
        Matter::ChangedNothing => (record.asked() && !is_lost && record.decided() == record.no_query).then_some(price),
        Matter::SilentLoss => missed.filter(|missed| record.outcome == Outcome::Silent && *missed > 0.0),
        Matter::Lost => is_lost.then_some(price),
        Matter::Unaffordable => (record.outcome == Outcome::Unaffordable).then(|| missed.unwrap_or(0.0).max(0.0)),
    }
}

fn right(advised: Response, right: Option<Action>) -> bool {
    right.is_some_and(|right| advised == Response::Recommends(right))
}
