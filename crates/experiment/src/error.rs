//! What can be wrong with a study, a change to it, or a run of it.

use counsel_decision::refusal::UnknownName;
use counsel_log::CellKey;
use counsel_session::Lost;

/// A study that cannot be planned or run.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// No study or group has this name.
    #[error("there is no study or group {0}; `counsel list` shows them all")]
    UnknownStudy(UnknownName),
    /// The paper has no table of this number.
    #[error("the paper has {tables} tables, and none of number {number}; `counsel list` shows which have a study")]
    NoTable {
        /// The number.
        number: usize,
        /// How many there are.
        tables: usize,
    },
    /// A table that no study makes.
    #[error("{table} of the paper ({label}) has no study; `counsel list` shows which have one")]
    TableWithoutStudy {
        /// As it was asked for.
        table: String,
        /// Its label in the paper's source.
        label: String,
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
    /// An argument that is not spelled as it should be.
    #[error("`{text}` {reason}")]
    Spelling {
        /// What was given.
        text: String,
        /// What is wrong with it, and how it is written.
        reason: &'static str,
    },
    /// An advisor for a study that asks none.
    #[error("no arm of {study} asks a language model, so --advisor has nothing to replace; leave it out")]
    NoAdvisor {
        /// The study.
        study: String,
    },
    /// Cells that were given up, because questions got no answer.
    #[error(
        "{cells} of {due} cells are unfinished, since {} question(s) got no answer: {}; finished cells and paid answers are kept, \
         and the same command goes on from them", lost.questions, lost.why
    )]
    Unfinished {
        /// How many.
        cells: usize,
        /// How many had to be run.
        due: usize,
        /// What was lost.
        lost: Box<Lost>,
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
    /// A cell could not be run.
    #[error("cell {key} failed: {cause}")]
    Cell {
        /// The cell.
        key: CellKey,
        /// Why.
        cause: Box<counsel_session::Error>,
    },
    /// A number that cannot be used.
    #[error(transparent)]
    Refused(#[from] counsel_decision::refusal::Refusal),
    /// A cell that cannot be played.
    #[error(transparent)]
    Session(Box<counsel_session::Error>),
    /// The log could not be written or read.
    #[error(transparent)]
    Log(#[from] counsel_log::Error),
}

impl From<counsel_session::Error> for Error {
    fn from(error: counsel_session::Error) -> Self {
        Self::Session(Box::new(error))
    }
}
