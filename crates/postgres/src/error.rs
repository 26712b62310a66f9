//! What keeps a database from being used. No message has a password, or a part of a URL that could hold one.

use std::path::PathBuf;

/// A database that cannot be used.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// A URL that cannot be read.
    #[error("the URL of the store: {reason}")]
    Address {
        /// What is wrong with it.
        reason: String,
    },
    /// A file of certificates that cannot be read.
    #[error("{path}: {reason}; pass sslrootcert with a file of PEM certificates")]
    Certificates {
        /// The file.
        path: PathBuf,
        /// What is wrong with it.
        reason: String,
    },
    /// The system gives no thread or socket.
    #[error("no connection can be prepared: {0}")]
    Prepare(#[from] std::io::Error),
}

/// What a fault of the client says, down to its cause.
pub(crate) fn words(error: &tokio_postgres::Error) -> String {
    if let Some(told) = error.as_db_error() {
        return told.message().to_owned();
    }
    let mut text = error.to_string();
    let mut cause = std::error::Error::source(error);
    while let Some(error) = cause {
        let said = error.to_string();
        if !text.contains(&said) {
            text = format!("{text}: {said}");
        }
        cause = error.source();
    }
    text
}
