//! What can be wrong with a transcript. Every message names the file or the value, and the remedy.

use std::path::PathBuf;

use counsel_advisor::{AdvisorName, Identity};

use crate::{Missing, RecordedAdvisor};

/// A transcript that cannot be read, written or used.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// A file that cannot be read or written.
    #[error(transparent)]
    File(#[from] counsel_file::Error),
    /// A transcript without a single answer.
    #[error("{path} holds no answers; delete it and record them with `counsel advisor record`", path = path.display())]
    Empty {
        /// The file.
        path: PathBuf,
    },
    /// A packed file that is not what was written.
    #[error(
        "{path} is damaged: {reason}; restore it from the repository, or delete it and record it again", path = path.display()
    )]
    Damaged {
        /// The file.
        path: PathBuf,
        /// What is wrong.
        reason: String,
    },
    /// A file that is no transcript of this form.
    #[error("{path} is no {form}; {remedy}", path = path.display())]
    Foreign {
        /// The file.
        path: PathBuf,
        /// What it should be.
        form: &'static str,
        /// What to do.
        remedy: &'static str,
    },
    /// A journal that lost lines while it was open.
    #[error("{path} became shorter while it was open; let nothing but counsel write it, and start again", path = path.display())]
    Shortened {
        /// The file.
        path: PathBuf,
    },
    /// Answers of somebody else.
    #[error(
        "{place} belongs to {found}, not to {expected}; answers of different advisors are never mixed, choose another file",
        found = describe(found), expected = describe(expected)
    )]
    Advisor {
        /// Where they are.
        place: String,
        /// Whose they are.
        found: Box<RecordedAdvisor>,
        /// Whose they should be.
        expected: Box<RecordedAdvisor>,
    },
    /// A model that is not the one recorded.
    #[error(
        "the live model is {live}, the transcript is of {recorded}; record into another file, or load the recorded model",
        live = describe_identity(live), recorded = describe_identity(recorded)
    )]
    Identity {
        /// The live model.
        live: Box<Identity>,
        /// The recorded one.
        recorded: Box<Identity>,
    },
    /// A packed file whose name and content disagree.
    #[error("{path} holds the answers of {found}, not of {asked}; rename it or record it again", path = path.display())]
    Misplaced {
        /// The file.
        path: PathBuf,
        /// Whose answers it holds.
        found: Box<AdvisorName>,
        /// Whose were asked for.
        asked: Box<AdvisorName>,
    },
    /// A transcript that nobody recorded.
    #[error("no transcript of {asked} in {place}{nearest}; record it with `counsel advisor record {asked}`")]
    Unrecorded {
        /// Whose answers were asked for.
        asked: Box<AdvisorName>,
        /// Where they were looked for.
        place: String,
        /// A hint with the nearest transcript, or nothing.
        nearest: String,
    },
    /// Requests that a replay could not answer.
    #[error("{count} of the requests cannot be replayed; the first: {first}")]
    Missing {
        /// How many.
        count: usize,
        /// The first of them.
        first: Box<Missing>,
    },
    /// A number that a transcript cannot hold.
    #[error("the {what} {value} is no finite number, so the answer cannot be recorded; check the model")]
    Number {
        /// Of what kind.
        what: &'static str,
        /// The number.
        value: String,
    },
    /// An answer that was taken in another way.
    #[error(
        "a transcript of `{held}` answers does not hold one with decoding `{asked}`; record it as an advisor of its own"
    )]
    Decoding {
        /// How the answer was taken.
        asked: &'static str,
        /// How the transcript's answers are taken.
        held: String,
    },
    /// A text that is no day.
    #[error("`{text}` is no date; pass it as 2026-11-15")]
    Date {
        /// The text.
        text: String,
    },
}

fn describe(advisor: &RecordedAdvisor) -> String {
    let RecordedAdvisor { template, .. } = advisor;
    let identity = describe_identity(&advisor.identity);
    format!(
        "{} (template version {}, {}; {identity})",
        advisor.name(),
        template.version,
        short(&template.digest.to_string())
    )
}

/// An identity in a few words.
pub(crate) fn describe_identity(identity: &Identity) -> String {
    let Identity { model, version, engine } = identity;
    format!("{model} (version {}, engine {engine})", short(version))
}

/// The first digits of a digest; other texts as they are.
fn short(text: &str) -> &str {
    let hexadecimal = text.len() == 64 && text.bytes().all(|byte| byte.is_ascii_hexdigit());
    if hexadecimal { &text[..12] } else { text }
}
