//! The journal of several servers in one PostgreSQL.
//!
//! ```text
//! server ─┐
//! server ─┼─► hold: one row is locked ─► lines since the last time ─► decide ─► append and commit ─► answer
//! server ─┘
//! ```
//!
//! | part | what it is |
//! |---|---|
//! | [`Address`] | where the database is, and how it is reached: a URL whose password stays inside |
//! | [`Postgres`] | a [`SharedJournal`](counsel_serve::SharedJournal): one table of lines, and one row that is locked by whoever appends |

mod address;
mod error;
mod layout;
mod postgres;
mod tls;

pub use address::Address;
pub use error::Error;
pub use postgres::Postgres;
