//! What can be wrong with what a caller hands in. Every message names the offending value and the remedy.

use counsel_decision::refusal::{Refusal, UnknownName};

/// An input that the advisor crate refuses.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum Error {
    /// An input that is refused in the words all crates share.
    #[error(transparent)]
    Refused(#[from] Refusal),
    /// One context with two reliabilities.
    #[error("context {key} is given two reliabilities; keep one of them")]
    RepeatedContext {
        /// The context.
        key: u64,
    },
    /// A text that is no digest.
    #[error("`{text}` is no SHA-256 digest; pass 64 hexadecimal digits")]
    Digest {
        /// The text.
        text: String,
    },
    /// A text that names no advisor.
    #[error("`{text}` names no advisor; pass model/template/decoding, as in qwen2.5-coder-0.5b/abstract/scored")]
    AdvisorName {
        /// The text.
        text: String,
    },
    /// A template file that does not say what it must.
    #[error("the template {name}is not valid: {reason}")]
    Template {
        /// Its name in quotes and a space, or nothing.
        name: String,
        /// What is wrong, and the remedy.
        reason: String,
    },
    /// No template has this name.
    #[error("there is no template {0}; the templates are {known}", known = .0.known.join(", "))]
    UnknownTemplate(UnknownName),
    /// No task has this name.
    #[error("there is no task {0}; the tasks are {known}", known = .0.known.join(", "))]
    UnknownTask(UnknownName),
    /// No decoding has this name, or the template does not have it.
    #[error("the template `{template}` has no decoding `{name}`; it has {known}")]
    UnknownDecoding {
        /// The template.
        template: String,
        /// What was asked for.
        name: String,
        /// Those that it has.
        known: &'static str,
    },
    /// A world that cannot be told, in its own words.
    #[error("{reason}")]
    World {
        /// What the world says.
        reason: String,
    },
    /// An advisor that does not answer, where nothing can be said without its answer.
    #[error(transparent)]
    Outage(#[from] crate::Outage),
}
