//! Why a controller did not ask, and why answers did not act: counts in plain words, each with a remedy.

use std::collections::BTreeMap;
use std::fmt::{self, Display, Formatter};

use counsel_decision::{Engine, Gate, Input, Outcome, Record, ReplySource, Verdict, argmax};
use serde::{Deserialize, Serialize};

use crate::Guard;

/// A reason for silence, or for an answer that did not act.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
#[non_exhaustive]
pub enum Reason {
    /// The gate never asks.
    NeverAsks,
    /// The agent leads.
    AgentLeads,
    /// The gate subtracts a radius, and nothing is calibrated.
    NoRadius,
    /// An answer is held in this context, or was bought and could not be read.
    AnswerHeld,
    /// The advisor's answers were worse than what the agent knows.
    TurnedAway,
    /// The fallback is greedy and answers carry no credit, so the estimate is 0 by construction.
    GreedyFallback,
    /// The value of asking is below the price.
    BelowPrice,
    /// The budget is spent.
    BudgetSpent,
    /// The bankroll does not cover the price.
    BankrollSpent,
    /// No answer came.
    Lost,
    /// The answer could not be read.
    Unreadable,
    /// The certificate did not admit the answer.
    Uncertified,
    /// The answer seemed worse than the fallback's action.
    NotImproving,
    /// The answer named the action that would have been taken anyway.
    SameAction,
}

impl Reason {
    /// The reason for which a decision did not ask, or its answer changed nothing; none where it changed the action.
    pub(crate) fn of(record: &Record, gate: &Gate, turned_away: bool) -> Option<Self> {
        if record.asked() { Self::of_answer(record) } else { Some(Self::of_silence(record, gate, turned_away)) }
    }

    /// The reason for which a decision did not ask.
    fn of_silence(record: &Record, gate: &Gate, turned_away: bool) -> Self {
        let evidence = &record.evidence;
        let branch = evidence.advice().none();
        if matches!(record.outcome, Outcome::Unaffordable) {
            return if record.calls_left == 0 { Self::BudgetSpent } else { Self::BankrollSpent };
        }
        let reads_estimate = gate.reads(Input::Estimate);
        let greedy = branch.mean(record.no_query) >= branch.mean(argmax(branch.means()));
        if *gate == Gate::Never {
            Self::NeverAsks
        } else if evidence.lead().is_agent() {
            Self::AgentLeads
        } else if gate.reads(Input::Radius) && evidence.radius().finite().is_none() {
            Self::NoRadius
        } else if evidence.expected_uses() == 0.0 && gate.reads(Input::Reuse) {
            Self::AnswerHeld
        } else if turned_away {
            Self::TurnedAway
        } else if reads_estimate && record.estimate == 0.0 && greedy && !evidence.advice().has_credits() {
            Self::GreedyFallback
        } else {
            Self::BelowPrice
        }
    }

    /// The reason for which a bought answer changed nothing, if it changed nothing.
    fn of_answer(record: &Record) -> Option<Self> {
        let answer = record.answer()?;
        match answer.verdict {
            Verdict::Executed if record.decided() == record.no_query => Some(Self::SameAction),
            Verdict::Executed => None,
            Verdict::Unusable if answer.reply.source == ReplySource::Lost => Some(Self::Lost),
            Verdict::Unusable | Verdict::Impossible => Some(Self::Unreadable),
            Verdict::Uncertified | Verdict::TooUncertain => Some(Self::Uncertified),
            Verdict::NotImproving => Some(Self::NotImproving),
        }
    }

    /// Whether it is about an answer that was bought.
    pub fn is_about_an_answer(self) -> bool {
        matches!(self, Self::Lost | Self::Unreadable | Self::Uncertified | Self::NotImproving | Self::SameAction)
    }

    /// The reason in words.
    pub fn words(self) -> &'static str {
        match self {
            Self::NeverAsks => "the gate never asks",
            Self::AgentLeads => "your agent leads: by itself it returned more, or this is found out",
            Self::NoRadius => "the gate subtracts a radius, and none is calibrated",
            Self::AnswerHeld => "an answer is held in this context, or was bought there and could not be read",
            Self::TurnedAway => "the advisor's answers were worse than what the agent knows itself",
            Self::GreedyFallback => {
                "your fallback is greedy and answers carry no credit: by your own values no answer can be better"
            }
            Self::BelowPrice => "asking was worth less than its price",
            Self::BudgetSpent => "the budget is spent",
            Self::BankrollSpent => "advice has lost what it may lose, or the price is above what is left of that",
            Self::Lost => "no answer came",
            Self::Unreadable => "the answer could not be read",
            Self::Uncertified => "the certificate did not admit the answer",
            Self::NotImproving => "the answer seemed worse than the agent's own action",
            Self::SameAction => "the answer named the action that would have been taken anyway",
        }
    }

    /// What to do about it.
    pub fn remedy(self) -> &'static str {
        match self {
            Self::NeverAsks => "choose another gate",
            Self::AgentLeads => {
                "nothing if this is rare; else your contexts do not tell situations apart: describe them by features"
            }
            Self::NoRadius => "calibrate a radius, declare one, or use Controller::recommended, which needs none",
            Self::AnswerHeld => "nothing: this is what a kept answer is for",
            Self::TurnedAway => "try another model or prompt; it is judged again as values change",
            Self::GreedyFallback => {
                "use Controller::recommended, which credits an advisor by its track record, or propose actions by an exploring policy"
            }
            Self::BelowPrice => "nothing if the price is right; it is in units of return",
            Self::BudgetSpent => "raise the budget, or pace it",
            Self::BankrollSpent => {
                "nothing if the advisor is bad; else raise bankroll.start above the price of several calls"
            }
            Self::Lost => "look at the endpoint: each of these calls was paid for",
            Self::Unreadable => "show the model the words of the actions, and let it answer with one of them",
            Self::Uncertified => "raise the tolerance, or tighten the bounds; see the widths in the log",
            Self::NotImproving => "nothing if your values are right; else let answers act by `trusting`",
            Self::SameAction => {
                "nothing if this is rare; else the agent knows enough, and a higher price saves these calls"
            }
        }
    }
}

/// The counts of a deployment.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub(crate) struct Counts {
    decisions: u64,
    changed: u64,
    #[serde(default, skip_serializing_if = "is_none")]
    overridden: u64,
    reasons: BTreeMap<Reason, u64>,
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde passes a reference")]
fn is_none(count: &u64) -> bool {
    *count == 0
}

impl Counts {
    pub(crate) fn count(&mut self, record: &Record, gate: &Gate, turned_away: bool) {
        self.decisions += 1;
        match Reason::of(record, gate, turned_away) {
            Some(reason) => *self.reasons.entry(reason).or_default() += 1,
            None => self.changed += 1,
        }
    }

    /// Counts a decision whose action was replaced.
    pub(crate) fn count_override(&mut self) {
        self.overridden += 1;
    }

    pub(crate) fn diagnosis(&self, engine: &Engine, guard: Option<&Guard>) -> Diagnosis {
        let mut reasons: Vec<(Reason, u64)> = self.reasons.iter().map(|(reason, count)| (*reason, *count)).collect();
        // The most frequent first; equal ones in the order of their declaration.
        reasons.sort_by_key(|(reason, count)| (std::cmp::Reverse(*count), *reason));
        let calls = engine.calls_made();
        let Self { decisions, changed, overridden, .. } = *self;
        Diagnosis { decisions, calls, changed, overridden, reasons, guard: guard.cloned() }
    }
}

/// Why a controller did what it did, in counts and plain words.
///
/// ```
/// use counsel_controller::{Action, Budget, Controller, Reason, Situation, Turn};
///
/// let mut controller = Controller::recommended(0.01, Budget::calls(0), &["left", "right"])?;
/// let turn = controller.decide(Situation::of("a door").proposing(Action(0)))?;
/// assert!(matches!(turn, Turn::Act(_)));
/// let diagnosis = controller.diagnose();
/// assert_eq!((diagnosis.decisions, diagnosis.calls), (1, 0));
/// assert_eq!(diagnosis.reasons, [(Reason::BudgetSpent, 1)]);
/// println!("{diagnosis}"); // every reason in words, with a remedy
/// # Ok::<(), counsel_controller::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct Diagnosis {
    /// Complete decisions.
    pub decisions: u64,
    /// Calls that were paid for.
    pub calls: u64,
    /// Answers that changed the action.
    pub changed: u64,
    /// Decisions whose action somebody replaced by another.
    pub overridden: u64,
    /// Every reason that was met, with its count, the most frequent first.
    pub reasons: Vec<(Reason, u64)>,
    /// Who leads, and the trials so far, where the agent is guarded.
    pub guard: Option<Guard>,
}

impl Display for Diagnosis {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let Self { decisions, calls, changed, overridden, reasons, guard } = self;
        write!(f, "{decisions} decisions, {calls} calls, {changed} answers that changed the action")?;
        if *overridden > 0 {
            write!(f, ", {overridden} actions overridden")?;
        }
        for (heading, answers) in [("not asked", false), ("asked, and nothing changed", true)] {
            for (reason, count) in reasons.iter().filter(|(reason, _)| reason.is_about_an_answer() == answers) {
                write!(f, "\n  {heading}, {count}: {}; {}", reason.words(), reason.remedy())?;
            }
        }
        guard.iter().filter(|guard| guard.trials().0 > 0).try_for_each(|guard| write!(f, "\n  {guard}"))
    }
}
