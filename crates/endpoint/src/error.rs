//! What can be wrong with settings and ledgers. Every message names the offending value, unless it is a secret, and the
//! remedy.

use std::path::PathBuf;

use crate::Shortfall;

/// Settings or a ledger that cannot be used.
#[derive(Debug, thiserror::Error)]
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
    /// A ledger that cannot be read.
    #[error(transparent)]
    File(#[from] counsel_file::Error),
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
    /// The budget is spent.
    #[error("the budget of {limit} calls is spent; raise --budget to go on")]
    Spent {
        /// The budget.
        limit: u64,
    },
    /// A key that anybody on the way could read.
    #[error(
        "the key would go to {host} in clear, over plain http; use https://, leave the key out, or pass --key-over-http"
    )]
    KeyInClear {
        /// Who it would be sent to.
        host: String,
    },
    /// Text that is no amount of money.
    #[error("`{value}` is no amount of money; pass one like 0.50, with at most 9 digits after the point")]
    Amount {
        /// The text.
        value: String,
    },
    /// A file of prices that cannot be used, or does not know the model.
    #[error("cannot use the prices in {path}: {reason}; docs/ADVISORS.md shows the form", path = path.display())]
    Prices {
        /// The file.
        path: PathBuf,
        /// What is wrong with it.
        reason: String,
    },
    /// A money budget without a price.
    #[error("the money budget needs the price of `{model}`; pass --prices FILE")]
    Unpriced {
        /// The model that is asked.
        model: String,
    },
    /// The money budget cannot cover the next attempt.
    #[error("{0}")]
    Money(Box<Shortfall>),
    /// The ledger counts in another currency.
    #[error("the ledger counts in {found}, the prices are in {expected}; use one currency, or start another ledger")]
    Currency {
        /// The ledger's.
        found: String,
        /// That of the prices.
        expected: String,
    },
    /// Nobody knows what was spent.
    #[error(
        "the ledger has a damaged line, so what was spent is unknown; start another with what is left of the money"
    )]
    Uncounted,
    /// Another process keeps the ledger to itself.
    #[error("the ledger {path} stayed locked by another process until the deadline; see what holds it", path = path.display())]
    Locked {
        /// The ledger.
        path: PathBuf,
    },
    /// The other requests of this process keep the ledger to themselves.
    #[error("the ledger was busy until the deadline; allow more time or less concurrency")]
    Busy,
    /// A file that is something else.
    #[error("{path} is no ledger; pass a file that counsel wrote, or a name that is free", path = path.display())]
    Foreign {
        /// The file.
        path: PathBuf,
    },
    /// Lines went missing while the ledger was in use.
    #[error("the ledger {path} became shorter while in use; restore it, or start another", path = path.display())]
    Shortened {
        /// The ledger.
        path: PathBuf,
    },
    /// The operating system refused.
    #[error("cannot {action} the ledger {path}: {cause}; check the path, its permissions and the free space", path = path.display())]
    Io {
        /// What was tried.
        action: &'static str,
        /// On which file.
        path: PathBuf,
        /// What it said.
        cause: std::io::Error,
    },
}
