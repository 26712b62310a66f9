//! What can be wrong with the settings.

/// Settings by which nothing can be sent.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// A variable with a value that means nothing here. Headers may hold a secret, so their value is not shown.
    #[error("{variable}: {reason}")]
    Variable {
        /// The variable.
        variable: &'static str,
        /// What is wrong, and the remedy.
        reason: String,
    },
}
