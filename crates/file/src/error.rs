//! What can be wrong with a file. Every message names the file and the remedy.

use std::path::PathBuf;

/// A file that cannot be read or written.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// The operating system refused to read.
    #[error("cannot read {path}: {cause}; check the path and its permissions", path = path.display())]
    Unreadable {
        /// Which file.
        path: PathBuf,
        /// What it said.
        cause: std::io::Error,
    },
    /// The operating system refused to write.
    #[error("cannot {action} {path}: {cause}; check the path, its permissions and the free space", path = path.display())]
    Io {
        /// What was tried.
        action: &'static str,
        /// On which file.
        path: PathBuf,
        /// What it said.
        cause: std::io::Error,
    },
    /// Something else than a file.
    #[error("{path} is {found}, and {what} is read from an ordinary file only; save it as one and pass that", path = path.display())]
    NotAFile {
        /// Where.
        path: PathBuf,
        /// What it is.
        found: &'static str,
        /// What should have been there.
        what: &'static str,
    },
    /// Something else than a file of ours, where one is to be kept.
    #[error(
        "{path} is {found}, and {what} is kept in an ordinary file only; remove it, or choose another place",
        path = path.display()
    )]
    Foreign {
        /// Where.
        path: PathBuf,
        /// What it is.
        found: &'static str,
        /// What should have been there.
        what: &'static str,
    },
    /// A file that is larger than any sensible one.
    #[error("{path} has more than {most_bytes} bytes, which {what} never has; check that it is the right file", path = path.display())]
    TooLarge {
        /// The file.
        path: PathBuf,
        /// What should have been there.
        what: &'static str,
        /// The most that is read.
        most_bytes: u64,
    },
    /// A file that is no text.
    #[error("{path} is no text in UTF-8, so it is not {what}; check that it is the right file", path = path.display())]
    NotText {
        /// The file.
        path: PathBuf,
        /// What should have been there.
        what: &'static str,
    },
}
