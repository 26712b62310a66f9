//! What an action is worth before any answer and once an answer names it.
//!
//! An answer may carry a credit, which the advisor's track record adds to the value of what it names, or be evidence about the
//! task. Whoever shows a value says which of the two it is, so nobody sees two values of one action.

use std::fmt::{self, Display, Formatter};

use counsel_decision::{Action, AdviceModel, Branch, Record};

/// The value of an action before an answer, and in the branch after one.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Worth {
    /// The mean value before any answer.
    pub before: f64,
    /// What the advisor's word adds to it; 0 where it carries no credit.
    pub credit: f64,
    /// The mean value by which it is judged then.
    pub after: f64,
}

impl Worth {
    /// Of an action in a branch of this advice.
    pub(crate) fn within(advice: &AdviceModel, branch: &Branch, action: Action) -> Self {
        let before = advice.none().mean(action);
        let after = branch.mean(action);
        let credit = match advice {
            AdviceModel::CandidateOnly(advice) if after != before => advice.credits().nth(action.index()),
            _ => None,
        };
        Self { before, credit: credit.unwrap_or(0.0), after }
    }

    /// Whether there is one value only.
    pub(crate) fn is_unchanged(&self) -> bool {
        self.before == self.after
    }
}

/// What each action is worth once an answer names it; nothing for one that no believed model would name.
pub fn named_worths(record: &Record) -> Vec<Option<Worth>> {
    let advice = record.evidence.advice();
    let worth = |action: Action| {
        let branch = advice.given(counsel_decision::Response::Recommends(action))?;
        Some(Worth::within(advice, branch, action))
    };
    (0..record.evidence.actions()).map(Action::new).map(worth).collect()
}

/// Six decimals: the value, and how it came about where an answer changed it.
impl Display for Worth {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let Self { before, credit, after } = self;
        match (self.is_unchanged(), *credit == 0.0) {
            (true, _) => write!(f, "{after:.6}"),
            (false, true) => write!(f, "{after:.6} after the answer ({before:.6} before)"),
            (false, false) => write!(f, "{after:.6} after the answer ({before:.6} before, credit {credit:.6})"),
        }
    }
}
