//! The process that a budget belongs to. `fork` copies memory, and a copied budget would be spent twice, so whatever holds one
//! remembers its process and refuses to work in another.

use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;

use crate::error::state;

/// The process in which something was made.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Home {
    process: u32,
}

impl Home {
    /// This process.
    pub(crate) fn here() -> Self {
        Self { process: std::process::id() }
    }

    /// Refuses to go on in another process than the one `what` was made in.
    pub(crate) fn check(self, what: &str) -> PyResult<()> {
        let now = std::process::id();
        if now == self.process {
            return Ok(());
        }
        let made = self.process;
        Err(state(format!(
            "this {what} was made in process {made} and is used in process {now}, its fork, where its budget would be spent twice; \
             make one in each process, and share a limit over processes by a Ledger"
        )))
    }
}

/// The refusal of a copy or a pickle.
pub(crate) fn no_copy(what: &str) -> PyErr {
    PyTypeError::new_err(format!(
        "a {what} cannot be copied or pickled, because its budget would be spent twice; share the object itself, or a limit over \
         processes by a Ledger"
    ))
}
