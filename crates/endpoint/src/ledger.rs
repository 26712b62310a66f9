//! The ledger: the hard budget of paid attempts, over processes and crashes.
//!
//! An attempt may be sent only by who holds a [`Reservation`]. A reservation is a whole line in the file, flushed to the
//! disk before [`Ledger::reserve`] returns, counted and written under a lock on the file; so at no time do all processes
//! together hold more than the limit. It is settled by a second line. One that is never settled (`kill -9`, a power cut)
//! stays spent for ever.
//!
//! A crash while a line is written leaves a torn one, which the next process closes. A torn reservation was never sent,
//! since it was not yet returned; it counts as spent all the same, as does any line that cannot be read, so that damage to
//! the file can only make the budget smaller. A torn settlement belongs to a reservation that counts already. The lock
//! belongs to the open file, and the operating system drops it when a process ends in whatever way.
//!
//! Each process enforces the limit it was given over all calls in the file. The file has to be on a disk of the machine:
//! network file systems may not keep locks.

use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use crate::Error;
use crate::entry::{HEADING, Note, Settlement, reserved, settled, spent_after};
use crate::ledger_file::LedgerFile;

/// The budget of paid attempts. Clones share it.
#[derive(Debug, Clone)]
pub struct Ledger {
    book: Arc<Mutex<Book>>,
    /// Whose turn it is, among the tasks of this process.
    pub(crate) turn: Arc<tokio::sync::Mutex<()>>,
    limit: u64,
}

/// The right to send one attempt. It cannot be cloned, and is spent whether it is settled or not.
#[derive(Debug)]
#[must_use = "a reservation is spent even if nothing is sent"]
pub struct Reservation {
    number: u64,
}

impl Reservation {
    /// Which call of the ledger it is, from 1.
    pub fn number(&self) -> u64 {
        self.number
    }
}

impl Ledger {
    /// The ledger in this file, made if it is not there, with a budget of `limit` calls over the life of the file.
    pub fn open(path: impl AsRef<Path>, limit: u64) -> Result<Self, Error> {
        let mut book = Book { paper: Paper::File(LedgerFile::open(path.as_ref())?), spent: 0 };
        book.locked(Instant::now() + Duration::from_secs(10), Book::begin)?;
        Ok(Self::of(book, limit))
    }

    /// A ledger that ends with this process.
    pub fn in_memory(limit: u64) -> Self {
        Self::of(Book { paper: Paper::Memory(HEADING.to_owned()), spent: 0 }, limit)
    }

    fn of(book: Book, limit: u64) -> Self {
        Self { book: Arc::new(Mutex::new(book)), turn: Arc::default(), limit }
    }

    /// How many calls may be made in all.
    pub fn limit(&self) -> u64 {
        self.limit
    }

    /// How many calls are spent, by all processes together.
    pub fn spent(&self) -> Result<u64, Error> {
        self.with(Instant::now() + Duration::from_secs(10), |book| {
            book.catch_up()?;
            Ok(book.spent)
        })
    }

    /// The lines so far.
    pub fn lines(&self) -> Result<Vec<String>, Error> {
        self.with(Instant::now() + Duration::from_secs(10), |book| {
            let text = match &mut book.paper {
                Paper::Memory(text) => text.clone(),
                Paper::File(page) => String::from_utf8_lossy(&page.read_from(0)?).into_owned(),
            };
            Ok(text.lines().map(str::to_owned).collect())
        })
    }

    /// The right to one attempt, written down for good. Waits for other processes until `until` at the latest.
    pub fn reserve(&self, note: &Note, until: Instant) -> Result<Reservation, Error> {
        self.with(until, |book| {
            book.catch_up()?;
            if book.spent >= self.limit {
                return Err(Error::Spent { limit: self.limit });
            }
            let number = book.spent + 1;
            book.append(&reserved(number, self.limit, note))?;
            book.flush()?;
            book.spent = number;
            Ok(Reservation { number })
        })
    }

    /// Writes down how an attempt ended. Waits for other processes until `until` at the latest.
    // It takes the reservation, so that none is used or settled twice.
    #[expect(clippy::needless_pass_by_value)]
    pub fn settle(&self, reservation: Reservation, settlement: &Settlement, until: Instant) -> Result<(), Error> {
        self.with(until, |book| {
            book.catch_up()?;
            book.append(&settled(reservation.number, settlement))
        })
    }

    fn with<T>(&self, until: Instant, act: impl FnOnce(&mut Book) -> Result<T, Error>) -> Result<T, Error> {
        // A book is consistent after every step, so one that a panic left behind can be used.
        self.book.lock().unwrap_or_else(PoisonError::into_inner).locked(until, act)
    }
}

/// What is written, and the count of what was read of it.
#[derive(Debug)]
struct Book {
    paper: Paper,
    spent: u64,
}

#[derive(Debug)]
enum Paper {
    Memory(String),
    File(LedgerFile),
}

impl Book {
    /// Acts while no other process does.
    fn locked<T>(&mut self, until: Instant, act: impl FnOnce(&mut Self) -> Result<T, Error>) -> Result<T, Error> {
        if let Paper::File(page) = &self.paper {
            page.lock(until)?;
        }
        let outcome = act(self);
        if let Paper::File(page) = &self.paper {
            page.unlock()?;
        }
        outcome
    }

    /// Begins a new file, or makes sure that an old one is a ledger and counts it.
    fn begin(&mut self) -> Result<(), Error> {
        if let Paper::File(page) = &mut self.paper {
            page.begin()?;
        }
        self.catch_up()
    }

    /// Counts the lines that came since.
    fn catch_up(&mut self) -> Result<(), Error> {
        let Paper::File(page) = &mut self.paper else {
            return Ok(());
        };
        let mut fresh = page.read_from(page.counted)?;
        if fresh.last().is_some_and(|byte| *byte != b'\n') {
            page.append(b"\n")?;
            fresh.push(b'\n');
        }
        self.spent = fresh.split(|byte| *byte == b'\n').fold(self.spent, |spent, line| spent_after(line, spent));
        page.counted += fresh.len() as u64;
        Ok(())
    }

    /// Adds a line; the caller has caught up.
    fn append(&mut self, line: &str) -> Result<(), Error> {
        match &mut self.paper {
            Paper::Memory(text) => text.push_str(line),
            Paper::File(page) => {
                page.append(line.as_bytes())?;
                page.counted += line.len() as u64;
            }
        }
        Ok(())
    }

    fn flush(&self) -> Result<(), Error> {
        match &self.paper {
            Paper::Memory(_) => Ok(()),
            Paper::File(page) => page.flush(),
        }
    }
}
