//! What can be wrong with settings. Every message names the offending value, unless it is a secret, and the remedy.

use std::path::PathBuf;

/// Settings or a ledger that cannot be used.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// An address that cannot be called.
    #[error("`{shown}` is no base address: {reason}; pass one like http://127.0.0.1:8080 or https://host/v1")]
    BaseUrl {
        /// The address, without what may be secret in it.
        shown: String,
        /// What is wrong with it.
        reason: &'static str,
    },
    /// A key that no header can carry.
    #[error("the key {reason}; check the environment variable it was read from")]
    Key {
        /// What is wrong with it.
        reason: &'static str,
    },
    /// A setting out of its range.
    #[error("{name} is {value}; it must be {range}")]
    Setting {
        /// The setting.
        name: &'static str,
        /// Its value.
        value: String,
        /// What it may be.
        range: &'static str,
    },
    /// The client could not be made.
    #[error("cannot set up the HTTP client: {reason}; check the system's certificates and limits")]
    Client {
        /// What it said.
        reason: String,
    },
    /// A key that anybody on the way could read.
    #[error(
        "the key would go to {host} in clear, over plain http; use https://, leave the key out, or pass --key-over-http"
    )]
    KeyInClear {
        /// Who it would be sent to.
        host: String,
    },
    /// A proxy that cannot be used.
    #[error("{variable} {reason}; name one as http://host:port, or list the endpoint's host in NO_PROXY")]
    Proxy {
        /// The variable that names it.
        variable: &'static str,
        /// What is wrong with it, without what may be secret in it.
        reason: String,
    },
    /// A file of prices that cannot be used, or does not know the model.
    #[error("cannot use the prices in {path}: {reason}; docs/ADVISORS.md shows the form", path = path.display())]
    Prices {
        /// The file.
        path: PathBuf,
        /// What is wrong with it.
        reason: String,
    },
    /// The other requests of this process keep the ledger to themselves.
    #[error("the ledger was busy until the deadline; allow more time or less concurrency")]
    Busy,
    /// A ledger that cannot be used, or has nothing left.
    #[error(transparent)]
    Ledger(#[from] counsel_ledger::Error),
}
