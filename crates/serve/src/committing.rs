//! Group commit: lines of the journal are written and flushed together by one thread, and whoever waits for a line waits for its flush.
//!
//! Invariants: lines are written in the order in which they were appended; `written` and `synced` never run ahead of the disk; after one
//! failure nothing more is written, and whoever waits hears so: what was acknowledged stays true.

use std::fs::File;
use std::io::Write;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread::JoinHandle;

use tokio::sync::watch;

use crate::core::Kept;

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
        let reached = match kept {
            Kept::Synced => self.synced,
            Kept::Written => self.written,
        };
        reached >= line || self.failed
    }

    fn outcome(&self, line: u64, kept: Kept) -> bool {
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

#[derive(Debug)]
struct Shared {
    pending: Mutex<Pending>,
    wake: Condvar,
    progress: watch::Sender<Progress>,
    /// For those who wait without a runtime.
    moved: (Mutex<()>, Condvar),
}

/// The journal of a running server.
#[derive(Debug)]
pub(crate) struct Journal {
    shared: Arc<Shared>,
    thread: Option<JoinHandle<()>>,
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
            progress: watch::Sender::new(Progress::default()),
            moved: Default::default(),
        });
        let theirs = Arc::clone(&shared);
        let thread = std::thread::spawn(move || theirs.write(file));
        Self { shared, thread: Some(thread) }
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
        let mut progress = self.shared.progress.subscribe();
        let settled = progress.wait_for(|progress| progress.settles(line, kept)).await;
        settled.is_ok_and(|progress| progress.outcome(line, kept))
    }

    /// The same, without a runtime.
    pub(crate) fn wait(&self, line: u64, kept: Kept) -> bool {
        let (mutex, moved) = &self.shared.moved;
        let mut guard = held(mutex);
        loop {
            let progress = *self.shared.progress.borrow();
            if progress.settles(line, kept) {
                return progress.outcome(line, kept);
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
        if let Some(thread) = self.thread.take() {
            // What it could not write, it has said.
            let _ = thread.join();
        }
    }
}

impl Shared {
    fn write(&self, mut file: File) {
        let mut bytes = Vec::new();
        loop {
            let last = {
                let mut pending = held(&self.pending);
                while pending.bytes.is_empty() && !pending.closed {
                    pending = self.wake.wait(pending).unwrap_or_else(PoisonError::into_inner);
                }
                if pending.bytes.is_empty() {
                    return;
                }
                bytes.clear();
                std::mem::swap(&mut bytes, &mut pending.bytes);
                pending.appended
            };
            let written = file.write_all(&bytes).is_ok();
            self.say(|progress| if written { progress.written = last } else { progress.failed = true });
            if !written {
                return;
            }
            let synced = file.sync_data().is_ok();
            self.say(|progress| if synced { progress.synced = last } else { progress.failed = true });
            if !synced {
                return;
            }
        }
    }

    fn say(&self, change: impl FnOnce(&mut Progress)) {
        let guard = held(&self.moved.0);
        self.progress.send_modify(change);
        self.moved.1.notify_all();
        drop(guard);
    }
}
