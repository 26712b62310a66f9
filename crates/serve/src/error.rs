//! What keeps a server from starting. Every message names the offending value and the remedy.

use std::path::PathBuf;

use crate::Problem;

/// A server that cannot start.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// A file that cannot be read or written.
    #[error(transparent)]
    File(#[from] counsel_file::Error),
    /// The log of the server.
    #[error(transparent)]
    Log(#[from] counsel_log::Error),
    /// A line of the journal that cannot be read.
    #[error("line {number} of the journal: {reason}")]
    Line {
        /// The number of the line, from 1.
        number: u64,
        /// What is wrong with it.
        reason: String,
    },
    /// A journal that another server writes.
    #[error("another server is at work in {path}; stop it, or pass another --dir")]
    Served {
        /// The folder.
        path: PathBuf,
    },
    /// A shared journal that cannot be reached now.
    #[error("the journal in {place} cannot be reached: {reason}")]
    Away {
        /// Where it is, without what opens it.
        place: String,
        /// Why.
        reason: String,
    },
    /// A shared journal that this server cannot go on with.
    #[error("this server cannot go on with the journal in {place}: {reason}")]
    Unfit {
        /// Where it is, without what opens it.
        place: String,
        /// Why not.
        reason: String,
    },
    /// A folder with a journal that is not the beginning of a shared one.
    #[error("the journal of the store does not begin with {path}; pass another --dir, or a store that is empty")]
    Own {
        /// The journal of the folder.
        path: PathBuf,
    },
    /// A folder whose journal is a shared one.
    #[error("{path} says that the journal of this folder is in a store; pass it by --store, or pass another --dir")]
    Stored {
        /// The file that says so.
        path: PathBuf,
    },
    /// A policy or a budget that cannot be declared.
    #[error("{name}: {reason}")]
    Declared {
        /// The name of the policy or budget.
        name: String,
        /// What is wrong with it.
        reason: String,
    },
    /// An address that cannot be listened on.
    #[error("cannot listen on {address}: {reason}")]
    Listen {
        /// The address.
        address: String,
        /// What is wrong with it.
        reason: String,
    },
}

impl Error {
    pub(crate) fn declared(name: &str, problem: Problem) -> Self {
        Self::Declared { name: name.to_owned(), reason: problem.detail }
    }
}
