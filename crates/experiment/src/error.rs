//! What can be wrong with a study, a change to it, or a run of it.

use counsel_log::CellKey;

/// A study that cannot be planned or run.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// No study or group has this name.
    #[error("there is no study or group `{name}`{nearest}; `counsel list` shows them all")]
    UnknownStudy {
        /// The name.
        name: String,
        /// A hint with the nearest name, or nothing.
        nearest: String,
    },
    /// A specification that does not say what it must.
    #[error("the specification of {study}{arm} is not valid: {reason}")]
    Spec {
        /// The study.
        study: String,
        /// The arm, or nothing.
        arm: String,
        /// What is wrong.
        reason: String,
    },
    /// A change that is not `key=value`.
    #[error("`--set {text}` is not of the form key=value; write for instance --set episodes=10")]
    Change {
        /// What was written.
        text: String,
    },
    /// Seeds that are not `A..B`.
    #[error(
        "`{text}` is not a range of seeds; write A..B with A <= B, for instance 0..19 for the twenty seeds 0 to 19"
    )]
    Seeds {
        /// What was written.
        text: String,
    },
    /// The folder holds the same cell with other settings.
    #[error(
        "the folder already holds {key} with other settings ({what}); nothing was changed: choose another --out, or remove \
         the folder {study} in it",
        study = key.study
    )]
    OtherSettings {
        /// The cell.
        key: CellKey,
        /// What differs.
        what: String,
    },
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
    /// A cell could not be run.
    #[error("cell {key} failed: {cause}")]
    Cell {
        /// The cell.
        key: CellKey,
        /// Why.
        cause: Box<Error>,
    },
    /// A setting that cannot be used.
    #[error(transparent)]
    Refused(#[from] counsel_decision::refusal::Refusal),
    /// The decision engine refused something.
    #[error(transparent)]
    Decision(#[from] counsel_decision::Error),
    /// The calibration refused something.
    #[error(transparent)]
    Calibration(#[from] counsel_calibration::Error),
    /// A tabular world or its learner refused something.
    #[error(transparent)]
    Tabular(#[from] counsel_tabular::Error),
    /// The advisor refused something.
    #[error(transparent)]
    Advisor(#[from] counsel_advisor::Error),
    /// The deep learner refused something.
    #[error(transparent)]
    Deep(#[from] counsel_deep::Error),
    /// The BabyAI world refused something.
    #[error(transparent)]
    BabyAi(#[from] counsel_babyai::Error),
    /// The prompt refused something.
    #[error(transparent)]
    Prompt(#[from] counsel_prompt::Error),
    /// The moments of an appraisal could not be had.
    #[error(transparent)]
    Appraisal(#[from] counsel_appraisal::Error),
    /// The transcript refused something.
    #[error(transparent)]
    Transcript(#[from] counsel_transcript::Error),
    /// The log could not be written or read.
    #[error(transparent)]
    Log(#[from] counsel_log::Error),
}

/// Refuses settings that do not go together.
pub(crate) fn refuse(wrong: bool, reason: &'static str) -> Result<(), Error> {
    if wrong { Err(Error::Settings { reason }) } else { Ok(()) }
}
