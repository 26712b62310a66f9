//! Group commit: one thread writes the lines of the journal as they come, another flushes what is written, and whoever waits for a line
//! waits for the one or the other. A flush holds up no write, so what need not be flushed does not wait for the disk.
//!
//! Invariants: lines are written in the order in which they were appended; `written` and `synced` never run ahead of the disk; after one
//! failure nothing more is written, and whoever waits hears so: what was acknowledged stays true. What nobody waits for is flushed
//! within [`LATEST`].

use std::fs::File;
use std::io::Write;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use tokio::sync::watch;

use crate::core::Kept;

/// How long a line may be written and not flushed.
const LATEST: Duration = Duration::from_secs(1);

/// How far the journal is on the disk.
#[derive(Debug, Clone, Copy, Default)]
struct Progress {
    written: u64,
    synced: u64,
    failed: bool,
}

impl Progress {
    /// Whether a line is kept in this way, or never will be.
    fn settles(&self, line: u64, kept: Kept) -> bool {
        self.reaches(line, kept) || self.failed
    }

    /// Whether a line is kept in this way.
    fn reaches(&self, line: u64, kept: Kept) -> bool {
        let reached = match kept {
            Kept::Synced => self.synced,
            Kept::Written => self.written,
        };
        reached >= line
    }
}

/// Lines that wait to be written.
#[derive(Debug, Default)]
struct Pending {
    bytes: Vec<u8>,
    /// The number of the last line that was appended.
    appended: u64,
    closed: bool,
}

/// What is to be flushed.
#[derive(Debug, Default)]
struct Unflushed {
    /// The last line that is written, and when the first one was that is not flushed.
    written: u64,
    since: Option<Instant>,
    /// The last line whose flush somebody waits for.
    wanted: u64,
    closed: bool,
}

#[derive(Debug)]
struct Shared {
    pending: Mutex<Pending>,
    wake: Condvar,
    unflushed: Mutex<Unflushed>,
    flush: Condvar,
    progress: watch::Sender<Progress>,
    /// For those who wait without a runtime.
    moved: (Mutex<()>, Condvar),
}

/// The journal of a running server.
#[derive(Debug)]
pub(crate) struct Journal {
    shared: Arc<Shared>,
    threads: Vec<JoinHandle<()>>,
}

/// What a mutex holds, also after a thread that held it has panicked.
pub(crate) fn held<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Journal {
    /// Writes on at the end of this file.
    pub(crate) fn new(file: File) -> Self {
        let shared = Arc::new(Shared {
            pending: Mutex::default(),
            wake: Condvar::new(),
            unflushed: Mutex::default(),
            flush: Condvar::new(),
            progress: watch::Sender::new(Progress::default()),
            moved: Default::default(),
        });
        let file = Arc::new(file);
        let (writes, flushes) = (Arc::clone(&shared), Arc::clone(&shared));
        let (written, flushed) = (Arc::clone(&file), file);
        let threads = vec![
            std::thread::spawn(move || writes.write(&written)),
            std::thread::spawn(move || flushes.flush(&flushed)),
        ];
        Self { shared, threads }
    }

    /// Appends a line; its number.
    pub(crate) fn append(&self, line: &[u8]) -> u64 {
        let mut pending = held(&self.shared.pending);
        pending.bytes.extend_from_slice(line);
        pending.appended += 1;
        self.shared.wake.notify_one();
        pending.appended
    }

    /// The number of the last line that was appended.
    pub(crate) fn appended(&self) -> u64 {
        held(&self.shared.pending).appended
    }

    /// Waits until a line is kept; false where it cannot be.
    pub(crate) async fn kept(&self, line: u64, kept: Kept) -> bool {
        self.shared.want(line, kept);
        let mut progress = self.shared.progress.subscribe();
        let settled = progress.wait_for(|progress| progress.settles(line, kept)).await;
        settled.is_ok_and(|progress| progress.reaches(line, kept))
    }

    /// The same, without a runtime.
    pub(crate) fn wait(&self, line: u64, kept: Kept) -> bool {
        self.shared.want(line, kept);
        let (mutex, moved) = &self.shared.moved;
        let mut guard = held(mutex);
        loop {
            let progress = *self.shared.progress.borrow();
            if progress.settles(line, kept) {
                return progress.reaches(line, kept);
            }
            guard = moved.wait(guard).unwrap_or_else(PoisonError::into_inner);
        }
    }

    /// Whether nothing can be written any more.
    pub(crate) fn has_failed(&self) -> bool {
        self.shared.progress.borrow().failed
    }
}

impl Drop for Journal {
    fn drop(&mut self) {
        held(&self.shared.pending).closed = true;
        self.shared.wake.notify_all();
        for thread in self.threads.drain(..) {
            // What it could not write, it has said.
            let _ = thread.join();
        }
    }
}

impl Shared {
    /// Somebody waits for this line.
    fn want(&self, line: u64, kept: Kept) {
        if kept == Kept::Synced {
            let mut unflushed = held(&self.unflushed);
            if line > unflushed.wanted {
                unflushed.wanted = line;
                self.flush.notify_one();
            }
        }
    }

    /// Writes until the journal is closed or cannot be written.
    fn write(&self, mut file: &File) {
        let mut bytes = Vec::new();
        loop {
            let last = {
                let mut pending = held(&self.pending);
                while pending.bytes.is_empty() && !pending.closed {
                    pending = self.wake.wait(pending).unwrap_or_else(PoisonError::into_inner);
                }
                if pending.bytes.is_empty() {
                    break;
                }
                bytes.clear();
                std::mem::swap(&mut bytes, &mut pending.bytes);
                pending.appended
            };
            // A flush that failed was said already: then nothing more is written.
            if self.progress.borrow().failed {
                break;
            }
            let written = file.write_all(&bytes).is_ok();
            // What was written while a flush failed is not acknowledged.
            self.say(
                |progress| if written && !progress.failed { progress.written = last } else { progress.failed = true },
            );
            if !written {
                break;
            }
            let mut unflushed = held(&self.unflushed);
            let is_wanted = unflushed.wanted > unflushed.written || unflushed.since.is_none();
            unflushed.written = last;
            unflushed.since.get_or_insert_with(Instant::now);
            if is_wanted {
                self.flush.notify_one();
            }
        }
        held(&self.unflushed).closed = true;
        self.flush.notify_one();
    }

    /// Flushes until the writer has ended or the disk cannot be flushed.
    fn flush(&self, file: &File) {
        let mut flushed = 0;
        while let Some(last) = self.next_flush(flushed) {
            let synced = file.sync_data().is_ok();
            self.say(|progress| if synced { progress.synced = last } else { progress.failed = true });
            if !synced {
                return;
            }
            flushed = last;
        }
    }

    /// Waits until there is something to flush; the last line that is written by then. None at the end.
    fn next_flush(&self, flushed: u64) -> Option<u64> {
        let mut unflushed = held(&self.unflushed);
        loop {
            let is_new = unflushed.written > flushed;
            let age = unflushed.since.map_or(Duration::ZERO, |since| since.elapsed());
            if is_new && (unflushed.wanted > flushed || unflushed.closed || age >= LATEST) {
                unflushed.since = None;
                return Some(unflushed.written);
            }
            if unflushed.closed {
                return None;
            }
            unflushed = if is_new {
                let waited = self.flush.wait_timeout(unflushed, LATEST.saturating_sub(age));
                waited.unwrap_or_else(PoisonError::into_inner).0
            } else {
                self.flush.wait(unflushed).unwrap_or_else(PoisonError::into_inner)
            };
        }
    }

    fn say(&self, change: impl FnOnce(&mut Progress)) {
        let guard = held(&self.moved.0);
        self.progress.send_modify(change);
        self.moved.1.notify_all();
        drop(guard);
    }
}
