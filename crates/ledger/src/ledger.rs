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
//! Money is counted the same way: a reservation holds the worst case of its attempt, and a settlement puts in its place what
//! the endpoint's own count of tokens comes to, if there is one. No attempt is sent whose worst case is not covered, so what
//! is spent stays within the limit as long as no endpoint counts more tokens than were sent and asked for. A ledger with a call
//! that has no price cannot hold a money budget, since nobody knows what that call cost.
//!
//! Each process enforces the limit it was given over all calls in the file. The file has to be on a disk of the machine:
//! network file systems may not keep locks.

use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use crate::account::{Account, Balance, Shortfall, Uncounted};
use crate::entry::{HEADING, Note, Settlement, reserved, settled};
use crate::ledger_file::LedgerFile;
use crate::{Error, Money};

/// The budget of paid attempts. Clones share it.
#[derive(Debug, Clone)]
pub struct Ledger {
    book: Arc<Mutex<Book>>,
    limit: u64,
    money: Option<Purse>,
}

/// A money budget.
#[derive(Debug, Clone)]
struct Purse {
    limit: Money,
    currency: String,
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
        let mut book =
            Book { paper: Paper::File(LedgerFile::open(path.as_ref())?), account: Account::default(), under_way: 0 };
        book.locked(Instant::now() + Duration::from_secs(10), Book::begin)?;
        Ok(Self::of(book, limit))
    }

    /// A ledger that ends with this process.
    pub fn in_memory(limit: u64) -> Self {
        Self::of(Book { paper: Paper::Memory(HEADING.to_owned()), account: Account::default(), under_way: 0 }, limit)
    }

    /// A ledger that goes on from these lines and ends with this process. The path is for messages.
    pub fn parse(bytes: &[u8], path: &Path, limit: u64) -> Result<Self, Error> {
        let Some(lines) = bytes.strip_prefix(HEADING.as_bytes()) else {
            return Err(Error::Foreign { path: path.to_owned() });
        };
        let mut account = Account::default();
        lines.split(|byte| *byte == b'\n').for_each(|line| account.read(line));
        let paper = Paper::Memory(String::from_utf8_lossy(bytes).into_owned());
        Ok(Self::of(Book { paper, account, under_way: 0 }, limit))
    }

    fn of(book: Book, limit: u64) -> Self {
        Self { book: Arc::new(Mutex::new(book)), limit, money: None }
    }

    /// The same ledger with a money budget beside that of calls, over the life of the file.
    #[must_use]
    pub fn with_money(self, limit: Money, currency: impl Into<String>) -> Self {
        Self { money: Some(Purse { limit, currency: currency.into() }), ..self }
    }

    /// How many calls may be made in all.
    pub fn limit(&self) -> u64 {
        self.limit
    }

    /// How many calls are spent, by all processes together.
    pub fn spent(&self) -> Result<u64, Error> {
        self.with(Instant::now() + Duration::from_secs(10), |book| {
            book.catch_up()?;
            Ok(book.account.calls)
        })
    }

    /// What is spent and reserved of this currency, by all processes together.
    pub fn balance(&self, currency: &str) -> Result<Balance, Error> {
        self.with(Instant::now() + Duration::from_secs(10), |book| {
            book.catch_up()?;
            book.balance(currency)
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
            if book.account.calls >= self.limit {
                return Err(Error::Spent { limit: self.limit });
            }
            if let Some(purse) = &self.money {
                purse.check(book, note)?;
            }
            let number = book.account.calls + 1;
            book.append(&reserved(number, self.limit, note))?;
            book.flush()?;
            book.under_way += 1;
            Ok(Reservation { number })
        })
    }

    /// Writes down how an attempt ended. Waits for other processes until `until` at the latest.
    // It takes the reservation, so that none is used or settled twice.
    #[expect(clippy::needless_pass_by_value)]
    pub fn settle(&self, reservation: Reservation, settlement: &Settlement, until: Instant) -> Result<(), Error> {
        self.with(until, |book| {
            book.under_way = book.under_way.saturating_sub(1);
            book.catch_up()?;
            book.append(&settled(reservation.number, settlement))
        })
    }

    fn with<T>(&self, until: Instant, act: impl FnOnce(&mut Book) -> Result<T, Error>) -> Result<T, Error> {
        // A book is consistent after every step, so one that a panic left behind can be used.
        self.book.lock().unwrap_or_else(PoisonError::into_inner).locked(until, act)
    }
}

impl Purse {
    /// Refuses an attempt whose worst case is not covered.
    fn check(&self, book: &Book, note: &Note) -> Result<(), Error> {
        let balance = book.balance(&self.currency)?;
        let worst = note.worst.as_ref().filter(|worst| worst.currency == self.currency);
        let next = worst.ok_or_else(|| Error::Unpriced { model: note.model.clone() })?.money_nano;
        if balance.spent.plus(balance.reserved).plus(next) <= self.limit {
            return Ok(());
        }
        let (currency, under_way) = (self.currency.clone(), book.under_way);
        Err(Error::Money(Box::new(Shortfall { limit: self.limit, balance, next, currency, under_way })))
    }
}

/// What is written, and what the lines that were read of it add up to.
#[derive(Debug)]
struct Book {
    paper: Paper,
    account: Account,
    /// How many reservations of this process are not settled yet.
    under_way: u64,
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
        fresh.split(|byte| *byte == b'\n').for_each(|line| self.account.read(line));
        page.counted += fresh.len() as u64;
        Ok(())
    }

    fn balance(&self, currency: &str) -> Result<Balance, Error> {
        self.account.balance_in(currency).map_err(|why| match why {
            Uncounted::Damaged => Error::Uncounted,
            Uncounted::Unpriced(calls) => Error::UnpricedCalls { calls },
            Uncounted::Currency(found) => Error::Currency { found, expected: currency.to_owned() },
        })
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
        self.account.read(line.as_bytes());
        Ok(())
    }

    fn flush(&self) -> Result<(), Error> {
        match &self.paper {
            Paper::Memory(_) => Ok(()),
            Paper::File(page) => page.flush(),
        }
    }
}
