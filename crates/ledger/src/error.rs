//! What can be wrong with a ledger. Every message names the offending value and the remedy.

use std::path::PathBuf;

use crate::Shortfall;

/// A ledger that cannot be used, or has nothing left.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// A ledger that cannot be read.
    #[error(transparent)]
    File(#[from] counsel_file::Error),
    /// The budget is spent.
    #[error("the budget of {limit} calls is spent; raise --budget to go on")]
    Spent {
        /// The budget.
        limit: u64,
    },
    /// Text that is no amount of money.
    #[error("`{value}` is no amount of money; pass one like 0.50, with at most 9 digits after the point")]
    Amount {
        /// The text.
        value: String,
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
    /// Calls whose cost nobody knows.
    #[error(
        "the ledger has {calls} calls that were made without prices, so what was spent is unknown; start another with what is \
         left of the money"
    )]
    UnpricedCalls {
        /// How many.
        calls: u64,
    },
    /// Another process keeps the ledger to itself.
    #[error("the ledger {path} stayed locked by another process until the deadline; see what holds it", path = path.display())]
    Locked {
        /// The ledger.
        path: PathBuf,
    },
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
