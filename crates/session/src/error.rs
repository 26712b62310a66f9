//! What can go wrong while a cell is played.

/// A cell that cannot be played.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// A model that cannot be asked.
    #[error("{advisor} cannot be asked: {reason}")]
    Model {
        /// The advisor.
        advisor: String,
        /// Why not.
        reason: String,
    },
    /// A question that the transcript does not answer.
    #[error(
        "the transcript of {advisor} does not answer a question of the study; record it with `counsel advisor record \
         {advisor}`, or run the study with --live"
    )]
    Unanswered {
        /// The advisor.
        advisor: String,
    },
    /// A question that a live model left without an answer.
    #[error("{advisor} gave no answer: {reason}")]
    Lost {
        /// The advisor.
        advisor: String,
        /// Why not.
        reason: String,
    },
    /// Settings that are fine one by one, but not together.
    #[error("{reason}")]
    Settings {
        /// What is wrong, and the remedy.
        reason: &'static str,
    },
    /// A manifest whose specification or calibration cannot be read.
    #[error("a part of the manifest cannot be read: {reason}; run the study again to restore it")]
    Derivation {
        /// What is wrong.
        reason: String,
    },
    /// A question before a decision was met.
    #[error("the advisor was asked before there was a decision; this is a bug")]
    NothingPresent,
    /// A setting that cannot be used.
    #[error(transparent)]
    Refused(#[from] counsel_decision::refusal::Refusal),
    /// The controller refused something.
    #[error(transparent)]
    Controller(#[from] counsel_controller::Error),
    /// The decision engine refused something.
    #[error(transparent)]
    Decision(#[from] counsel_decision::Error),
    /// The calibration refused something.
    #[error(transparent)]
    Calibration(#[from] counsel_calibration::Error),
    /// The advisor refused something.
    #[error(transparent)]
    Advisor(#[from] counsel_advisor::Error),
    /// The deep learner refused something.
    #[error(transparent)]
    Deep(#[from] counsel_deep::Error),
    /// A world refused something. A scene turns its world's own error into this.
    #[error(transparent)]
    World(Box<dyn std::error::Error + Send + Sync>),
    /// The transcript refused something.
    #[error(transparent)]
    Transcript(#[from] counsel_transcript::Error),
    /// The log could not be written or read.
    #[error(transparent)]
    Log(#[from] counsel_log::Error),
}

impl Error {
    /// What a study hears that wants exact values where there are too many states for them.
    pub const NOT_EXACT: Self = Self::Settings {
        reason: "this world has too many states for exact values; choose labels = { paired = { blocks = 3, replicates = 1 } }",
    };

    /// What a world refuses, in its own words.
    pub fn world(error: impl std::error::Error + Send + Sync + 'static) -> Self {
        Self::World(Box::new(error))
    }
}

/// Refuses settings that do not go together.
pub fn refuse(wrong: bool, reason: &'static str) -> Result<(), Error> {
    if wrong { Err(Error::Settings { reason }) } else { Ok(()) }
}
