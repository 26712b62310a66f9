//! How a world can fail its conformance check.

/// An environment that does not do what [`Environment`](crate::Environment) promises.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[error("the environment breaks a promise in episode {episode}, step {step}: {promise}; saw {saw}")]
pub struct Nonconforming {
    /// The episode, from 0.
    pub episode: usize,
    /// The step in it, from 0.
    pub step: usize,
    /// What every environment must do.
    pub promise: &'static str,
    /// What this one did.
    pub saw: String,
}
