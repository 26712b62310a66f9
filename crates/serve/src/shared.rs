//! A journal that several servers append to, one at a time: what a database has to offer.
//!
//! It holds the lines of [`crate::journal`], numbered from 1, in the order in which they were appended. Whoever appends has read all lines
//! before, so every server folds the same lines into the same state.

use crate::Error;

/// What is read of a shared journal.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Page {
    /// The time of the journal's keeper, in milliseconds since 1970: one clock for all servers.
    pub now: u64,
    /// Lines without their ends, from the one that was asked for.
    pub lines: Vec<String>,
    /// Whether there are more behind them.
    pub more: bool,
}

/// A journal that several servers append to.
///
/// Faults are [`Error::Away`], after which every call connects again, or [`Error::Unfit`], after which none helps.
pub trait SharedJournal: Send {
    /// Where it is, for messages; without what opens it.
    fn place(&self) -> String;

    /// Reads the lines from this number on that were appended for good.
    fn read(&mut self, from: u64) -> Result<Page, Error>;

    /// Waits until nobody else holds the journal, holds it, and reads. Nobody else appends until [`append`](Self::append), or until the
    /// connection is lost. What it reads is settled: nothing that a lost connection was about to append comes after it.
    fn hold(&mut self, from: u64) -> Result<Page, Error>;

    /// Appends these lines, the first of which has this number: all of them for good, or none. Then lets go; so it does without lines, and
    /// where nothing is held.
    /// After an error nobody knows which, until the journal is held again.
    fn append(&mut self, first: u64, lines: &[String]) -> Result<(), Error>;
}
