//! What can be wrong with what a caller hands in. Every message names the offending value and the remedy.

/// An input that the advisor crate refuses.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum Error {
    /// An input that is refused in the words all crates share.
    #[error(transparent)]
    Refused(#[from] counsel_decision::refusal::Refusal),
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
}
