//! Errors of the other crates as Python exceptions. The classes are those of `counsel.errors`; the text is Rust's own sentence.
//!
//! Invariant: a refusal carries what was handed in, the offending value, what is allowed and the remedy, as far as the error
//! that it is made from has them.
//!
//! Making an exception runs no Python code, so it may be made under a lock: its class is looked up when it is raised.

use std::fmt::Display;

use counsel_decision::refusal::Refusal;
use pyo3::prelude::*;

pyo3::import_exception!(counsel.errors, RefusedError);
pyo3::import_exception!(counsel.errors, SettingsError);
pyo3::import_exception!(counsel.errors, StateError);
pyo3::import_exception!(counsel.errors, BudgetError);
pyo3::import_exception!(counsel.errors, LogError);

/// An error that may be a [`Refusal`] in the words all crates share.
pub(crate) trait Refuses: Display {
    /// The refusal in it.
    fn refusal(&self) -> Option<&Refusal> {
        None
    }
}

impl Refuses for Refusal {
    fn refusal(&self) -> Option<&Refusal> {
        Some(self)
    }
}

macro_rules! may_refuse {
    ($($error:ty),+) => {
        $(impl Refuses for $error {
            fn refusal(&self) -> Option<&Refusal> {
                if let Self::Refused(refusal) = self { Some(refusal) } else { None }
            }
        })+
    };
}

may_refuse!(counsel_decision::Error, counsel_calibration::Error, counsel_advisor::Error);

impl Refuses for counsel_controller::Error {
    fn refusal(&self) -> Option<&Refusal> {
        match self {
            Self::Decision(error) => error.refusal(),
            Self::Advisor(error) => error.refusal(),
            Self::Calibration(error) => error.refusal(),
            _ => None,
        }
    }
}

impl Refuses for counsel_stats::Error {}
impl Refuses for counsel_report::Error {}
impl Refuses for String {}
impl Refuses for &str {}

/// The exception for something that was handed in and cannot be used.
pub(crate) fn refuse(error: impl Refuses) -> PyErr {
    let text = error.to_string();
    let (what, value, allowed, remedy) = match error.refusal() {
        Some(Refusal::Range { what, value, range, remedy }) => {
            (*what, *value, (*range).to_owned(), (*remedy).to_owned())
        }
        Some(Refusal::Shape { what, got, expected, per }) => {
            (*what, *got as f64, format!("{expected} entries"), format!("pass one entry per {per}"))
        }
        Some(Refusal::TooFew { what, got, least, remedy }) => {
            (*what, *got as f64, format!("at least {least}"), (*remedy).to_owned())
        }
        Some(Refusal::TooLarge { .. } | Refusal::NoSuch { .. }) | None => return RefusedError::new_err(text),
    };
    RefusedError::new_err((text, what, value, allowed, remedy))
}

/// The exception for something that a controller cannot do.
pub(crate) fn failed(error: counsel_controller::Error) -> PyErr {
    use counsel_controller::Error;
    match error {
        Error::NoDecision | Error::NotOpen { .. } => state(error.to_string()),
        Error::Checkpoint { .. } => damaged(error),
        other => refuse(other),
    }
}

/// The exception for settings with a word or a number that cannot be used.
pub(crate) fn misset(text: impl Into<String>) -> PyErr {
    SettingsError::new_err(text.into())
}

/// The exception for something that cannot be done now.
pub(crate) fn state(text: impl Into<String>) -> PyErr {
    StateError::new_err(text.into())
}

/// The exception for a file that is damaged, or cannot be read or written.
pub(crate) fn damaged(error: impl Display) -> PyErr {
    LogError::new_err(error.to_string())
}

/// The exception for a ledger.
pub(crate) fn unbooked(error: counsel_ledger::Error) -> PyErr {
    match error {
        counsel_ledger::Error::Spent { limit } => {
            let text = format!("the budget of {limit} calls is spent; open the ledger with a larger limit to go on");
            BudgetError::new_err(text)
        }
        other => damaged(other),
    }
}
