//! Why an appraisal cannot be made.

/// An appraisal that cannot be made.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// A world that refuses.
    #[error(transparent)]
    World(#[from] counsel_babyai::Error),
    /// A prompt that cannot be told.
    #[error(transparent)]
    Prompt(#[from] counsel_prompt::Error),
    /// An advisor that does not answer. An appraisal speaks of answers, so an outage ends it.
    #[error("{0}")]
    Outage(#[from] counsel_advisor::Outage),
}
