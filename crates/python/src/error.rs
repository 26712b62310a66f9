//! Errors of the other crates as Python exceptions. The classes are those of `counsel.errors`; the text is Rust's own sentence.
//!
//! Invariant: a refusal carries what was handed in, the offending value, what is allowed and the remedy, as far as the error
//! that it is made from has them.

use std::fmt::Display;

use counsel_decision::refusal::Refusal;
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::{PyDict, PyType};

/// One exception class of `counsel.errors`.
struct Class {
    name: &'static str,
    class: PyOnceLock<Py<PyType>>,
}

static REFUSED: Class = Class { name: "RefusedError", class: PyOnceLock::new() };
static SETTINGS: Class = Class { name: "SettingsError", class: PyOnceLock::new() };
static STATE: Class = Class { name: "StateError", class: PyOnceLock::new() };
static BUDGET: Class = Class { name: "BudgetError", class: PyOnceLock::new() };
static LOG: Class = Class { name: "LogError", class: PyOnceLock::new() };

impl Class {
    fn error(&self, text: String, details: &[(&str, String)], value: Option<f64>) -> PyErr {
        Python::attach(|py| {
            let made = || -> PyResult<PyErr> {
                let class = self.class.import(py, "counsel.errors", self.name)?;
                let named = PyDict::new(py);
                for (name, detail) in details {
                    named.set_item(name, detail)?;
                }
                if let Some(value) = value {
                    named.set_item("value", value)?;
                }
                Ok(PyErr::from_value(class.call((text,), Some(&named))?))
            };
            made().unwrap_or_else(|error| error)
        })
    }
}

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

impl Refuses for counsel_decision::Error {
    fn refusal(&self) -> Option<&Refusal> {
        if let Self::Refused(refusal) = self { Some(refusal) } else { None }
    }
}

impl Refuses for counsel_calibration::Error {
    fn refusal(&self) -> Option<&Refusal> {
        if let Self::Refused(refusal) = self { Some(refusal) } else { None }
    }
}

impl Refuses for counsel_advisor::Error {
    fn refusal(&self) -> Option<&Refusal> {
        if let Self::Refused(refusal) = self { Some(refusal) } else { None }
    }
}

impl Refuses for counsel_stats::Error {}
impl Refuses for counsel_report::Error {}
impl Refuses for String {}
impl Refuses for &str {}

/// The exception for something that was handed in and cannot be used.
pub(crate) fn refuse(error: impl Refuses) -> PyErr {
    let text = error.to_string();
    match error.refusal() {
        Some(Refusal::Range { what, value, range, remedy }) => {
            let details = details(&[("what", what), ("allowed", range), ("remedy", remedy)]);
            REFUSED.error(text, &details, Some(*value))
        }
        Some(Refusal::Shape { what, got, expected, per }) => {
            let expected = format!("{expected} entries");
            let remedy = format!("pass one entry per {per}");
            REFUSED.error(
                text,
                &details(&[("what", what), ("allowed", &expected), ("remedy", &remedy)]),
                Some(*got as f64),
            )
        }
        Some(Refusal::TooFew { what, got, least, remedy }) => {
            let least = format!("at least {least}");
            REFUSED.error(text, &details(&[("what", what), ("allowed", &least), ("remedy", remedy)]), Some(*got as f64))
        }
        Some(Refusal::TooLarge { .. } | Refusal::NoSuch { .. }) | None => REFUSED.error(text, &[], None),
    }
}

/// The exception for settings with a word or a number that cannot be used.
pub(crate) fn misset(text: impl Into<String>) -> PyErr {
    SETTINGS.error(text.into(), &[], None)
}

/// The exception for something that cannot be done now.
pub(crate) fn state(text: impl Into<String>) -> PyErr {
    STATE.error(text.into(), &[], None)
}

/// The exception for a file of a run.
pub(crate) fn damaged(error: counsel_log::Error) -> PyErr {
    LOG.error(error.to_string(), &[], None)
}

/// The exception for a ledger.
pub(crate) fn unbooked(error: counsel_ledger::Error) -> PyErr {
    match error {
        counsel_ledger::Error::Spent { limit } => {
            let text = format!("the budget of {limit} calls is spent; open the ledger with a larger limit to go on");
            BUDGET.error(text, &[], None)
        }
        other => LOG.error(other.to_string(), &[], None),
    }
}

fn details<'a>(named: &[(&'a str, &str)]) -> Vec<(&'a str, String)> {
    named.iter().map(|(name, detail)| (*name, (*detail).to_owned())).collect()
}
