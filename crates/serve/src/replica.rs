//! One of several servers that share a journal: a core that never runs ahead of it.
//!
//! To change something, it holds the journal, folds what others appended, decides, appends, and only then answers. So decisions stand in one
//! order, and every replica has the same state. Invariants: what is answered is in the journal for good; the core is the fold of the
//! first lines of the journal, unless its last lines are `unsettled`; time passes by lines alone, on the journal's own clock.

use crate::core::{Core, Handled};
use crate::journal::Extent;
use crate::shared::{Page, SharedJournal};
use crate::state::State;
use crate::{Error, Request};

/// Lines that were sent and not confirmed. The core has them already.
#[derive(Debug)]
struct Unsettled {
    /// The journal before them.
    before: Extent,
    lines: Vec<String>,
}

/// A core that follows a shared journal.
pub struct Replica {
    core: Core,
    journal: Box<dyn SharedJournal>,
    unsettled: Option<Unsettled>,
    /// How many lines the log has followed. Their changes are not told again.
    told: u64,
    /// Why it cannot go on.
    unfit: Option<String>,
}

impl std::fmt::Debug for Replica {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Self { core, journal, unsettled, .. } = self;
        write!(f, "Replica({}, {} lines, {unsettled:?})", journal.place(), core.journal.lines)
    }
}

impl Replica {
    /// Reads a journal to its end, and begins it where it is new.
    pub fn join(journal: Box<dyn SharedJournal>) -> Result<Self, Error> {
        Self::join_with(journal, |_| Ok(()))
    }

    /// The same, with a look at the changes of the log now and then.
    pub(crate) fn join_with(
        journal: Box<dyn SharedJournal>,
        mut look: impl FnMut(&mut State) -> Result<(), Error>,
    ) -> Result<Self, Error> {
        let mut replica = Self { core: Core::default(), journal, unsettled: None, told: 0, unfit: None };
        let page = replica.journal.read(1)?;
        replica.follow(page, &mut look)?;
        if replica.core.journal.lines == 0 {
            let page = replica.journal.hold(1)?;
            if page.lines.is_empty() {
                let (core, heading) = Core::begin();
                replica.journal.append(1, &[text(&heading)])?;
                replica.core = core;
            } else {
                replica.follow(page, &mut look)?;
                replica.journal.append(1, &[])?;
            }
        }
        replica.told = replica.core.journal.lines;
        Ok(replica)
    }

    /// Answers requests, in their order. Their answers may leave.
    pub fn answer(&mut self, requests: &[Request]) -> Result<Vec<Handled>, Error> {
        if let Some(reason) = &self.unfit {
            return Err(Error::Unfit { place: self.journal.place(), reason: reason.clone() });
        }
        let mut made = Vec::new();
        // A connection that broke while nobody used it is no reason to refuse.
        let tried = self.attempt(requests, &mut made).or_else(|error| match error {
            Error::Away { .. } => self.attempt(requests, &mut made),
            other => Err(other),
        });
        let reason = match tried {
            Ok(()) => return Ok(made),
            Err(error @ Error::Away { .. }) => return Err(error),
            Err(Error::Unfit { reason, .. }) => reason,
            Err(other) => other.to_string(),
        };
        // Others go on with the journal if they can.
        let _ = self.journal.append(self.core.journal.lines + 1, &[]);
        Err(Error::Unfit { place: self.journal.place(), reason: self.unfit.insert(reason).clone() })
    }

    /// Folds what others appended, and lets time pass.
    pub fn refresh(&mut self) -> Result<(), Error> {
        self.answer(&[]).map(drop)
    }

    /// All that later answers depend on, as text. Two replicas that read as many lines have the same.
    pub fn snapshot(&self) -> String {
        self.core.snapshot()
    }

    /// Whether every budget of the tree keeps within its limits.
    pub fn budgets_hold(&self) -> bool {
        self.core.budgets_hold()
    }

    /// Lets the log take what changed. While lines are unsettled it waits: they may never have happened.
    pub(crate) fn tell<T>(&mut self, take: impl FnOnce(&mut State) -> Result<T, Error>) -> Result<Option<T>, Error> {
        if self.unsettled.is_some() {
            return Ok(None);
        }
        let taken = take(&mut self.core.state)?;
        self.told = self.told.max(self.core.journal.lines);
        Ok(Some(taken))
    }

    fn attempt(&mut self, requests: &[Request], made: &mut Vec<Handled>) -> Result<(), Error> {
        // Answers that an attempt before this one made may leave if their lines were appended after all.
        if self.settle()? && !made.is_empty() {
            return Ok(());
        }
        made.clear();
        if requests.iter().all(|request| request.method == "GET") {
            let page = self.journal.read(self.last())?;
            let now = self.go_on(page)?;
            if !self.core.state.is_due(now) {
                made.extend(requests.iter().map(|request| self.core.peek(request)));
                return Ok(());
            }
        }
        let page = self.journal.hold(self.last())?;
        let now = self.go_on(page)?;
        let before = self.core.journal.clone();
        let mut lines: Vec<String> = self.core.tick(now).iter().map(|line| text(line)).collect();
        for request in requests {
            let handled = self.core.handle_between(now, request);
            lines.extend(handled.line.iter().map(|line| text(line)));
            made.push(handled);
        }
        if lines.is_empty() {
            return self.journal.append(before.lines + 1, &[]);
        }
        let Unsettled { before, lines } = self.unsettled.insert(Unsettled { before, lines });
        self.journal.append(before.lines + 1, lines)?;
        self.unsettled = None;
        Ok(())
    }

    /// Finds out what became of unsettled lines: true if they were appended. If not, the state is made again without them.
    fn settle(&mut self) -> Result<bool, Error> {
        let Some(Unsettled { before, lines }) = &self.unsettled else { return Ok(false) };
        // Whoever holds the journal knows that no append is under way.
        let mut page = self.journal.hold(before.lines)?;
        while page.more && page.lines.len() <= lines.len() {
            let next = self.journal.read(before.lines + page.lines.len() as u64)?;
            page.lines.extend(next.lines);
            page.more = next.more;
        }
        let (last, behind) = page.lines.split_first().map_or(("", &[][..]), |(last, behind)| (last, behind));
        if !before.ends_with(last) {
            return Err(self.set_back(before.lines));
        }
        let appended = behind.starts_with(lines);
        self.journal.append(before.lines + 1, &[])?;
        self.unsettled = None;
        if !appended {
            self.core = Core { replays: self.core.replays, ..Core::default() };
            let page = self.journal.read(1)?;
            self.go_on(page)?;
        }
        Ok(appended)
    }

    /// The number of the last line that was read, from 1. It is read again to see that it is the same.
    fn last(&self) -> u64 {
        self.core.journal.lines.max(1)
    }

    fn set_back(&self, line: u64) -> Error {
        let reason = format!(
            "its line {line} is not the one that this server has read, so it was set back to an earlier state; restore its lines, or start every server again to go on without them"
        );
        Error::Unfit { place: self.journal.place(), reason }
    }

    /// Folds a page of a journal that has begun, and the pages behind it; the time that the last one tells.
    fn go_on(&mut self, page: Page) -> Result<u64, Error> {
        let now = self.follow(page, |_| Ok(()))?;
        if self.core.journal.lines == 0 { Err(self.set_back(1)) } else { Ok(now) }
    }

    /// Folds a page that begins at the last line, and the pages behind it.
    fn follow(&mut self, mut page: Page, mut look: impl FnMut(&mut State) -> Result<(), Error>) -> Result<u64, Error> {
        loop {
            let mut lines = page.lines.iter();
            let before = self.core.journal.lines;
            if before > 0 && !lines.next().is_some_and(|line| self.core.journal.ends_with(line)) {
                return Err(self.set_back(before));
            }
            for line in lines {
                self.core.take(line.as_bytes())?;
                if self.core.journal.lines <= self.told {
                    self.core.state.changes.clear();
                }
            }
            look(&mut self.core.state)?;
            if !page.more {
                return Ok(page.now);
            }
            page = self.journal.read(self.last())?;
        }
    }
}

/// A line of the core as a shared journal has it, without its end.
fn text(line: &[u8]) -> String {
    String::from_utf8_lossy(line.strip_suffix(b"\n").unwrap_or(line)).into_owned()
}
