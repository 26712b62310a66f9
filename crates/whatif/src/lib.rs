//! Decisions made again from what was known: as they were, for an audit, or under other settings, for a what-if.
//!
//! [`again`] is the one way in which a log is put through an engine once more; `counsel audit` and the what-if of the decision
//! inspector both use it. A [`Book`] holds what a what-if needs of a cell as text, a [`Change`] says what would be different, and
//! [`Book::under`] says which decisions would come out otherwise. The program of this crate reads a change and a book and writes the
//! answer; built for WebAssembly it is a part of the inspector's page, so one implementation decides everywhere.
//!
//! The crate reads no file and has no clock: it can run wherever there is memory.

mod advice;
mod again;
mod book;
mod change;
mod given;

pub use advice::AdviceParts;
pub use again::{Moment, again};
pub use book::{Answer, Book, Flip, Sums, answer};
pub use change::Change;
pub use given::{Given, Logged};
