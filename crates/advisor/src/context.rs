//! What is known when an advisor may be asked, and what only a simulated advisor is told.
//!
//! Predictors take a [`Context`] and have no way to a [`Truth`].

use counsel_decision::{Action, ContextKey};

/// Public knowledge before a query.
#[derive(Debug, Clone, PartialEq)]
pub struct Context {
    /// The digest of what the advisor would be shown.
    pub key: ContextKey,
    /// Numbers that describe the situation, for predictors that generalise. Finite.
    pub features: Vec<f64>,
}

impl Context {
    /// A context with these features.
    pub fn new(key: ContextKey, features: Vec<f64>) -> Self {
        Self { key, features }
    }
}

/// The truth about one context.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Truth {
    /// The right action.
    pub right: Action,
}
