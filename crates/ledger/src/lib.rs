//! The ledger of paid attempts: a hard budget of calls and of money, over processes and crashes.
//!
//! It knows no endpoint and sends nothing. Whoever is about to make a paid call takes a [`Reservation`] first and settles it
//! afterwards; a ledger may be shared by processes and outlives them, and no crash gives a call back.

mod account;
mod entry;
mod error;
mod ledger;
mod ledger_file;
mod money;

pub use account::{Balance, Shortfall};
pub use entry::{Charge, Ending, Note, Settlement};
pub use error::Error;
pub use ledger::{Ledger, Reservation};
pub use money::Money;
