//! Requests under a shared journal: what waits while the journal is held is answered together the next time.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::sync::{Arc, Mutex};
use std::thread::JoinHandle;
use std::time::Duration;

use tokio::sync::oneshot;

use crate::committing::held;
use crate::core::Handled;
use crate::replica::Replica;
use crate::service::Surroundings;
use crate::state::State;
use crate::{Error, Request};

/// How long a server does not look at the journal at most, so that its log follows and what is due runs out.
const REFRESH: Duration = Duration::from_secs(1);
/// The most requests that are answered together.
const MOST: usize = 512;

/// What will be said to a request; an error where the journal could not be reached.
pub(crate) type Said = oneshot::Receiver<Handled>;

enum Message {
    Request(Request, oneshot::Sender<Handled>),
    End,
}

/// A replica at work on a thread of its own.
pub(crate) struct Batching {
    replica: Arc<Mutex<Replica>>,
    sender: Sender<Message>,
    is_away: Arc<AtomicBool>,
    thread: Option<JoinHandle<()>>,
}

impl Batching {
    pub(crate) fn new(replica: Replica, surroundings: Arc<Surroundings>) -> Self {
        let (sender, receiver) = channel();
        let (replica, is_away) = (Arc::new(Mutex::new(replica)), Arc::new(AtomicBool::new(false)));
        let (theirs, away) = (Arc::clone(&replica), Arc::clone(&is_away));
        let thread = std::thread::spawn(move || work(&receiver, &theirs, &away, &surroundings));
        Self { replica, sender, is_away, thread: Some(thread) }
    }

    /// Puts a request to the replica.
    pub(crate) fn ask(&self, request: Request) -> Said {
        let (says, said) = oneshot::channel();
        // A thread that is gone drops it, and nothing is said.
        let _ = self.sender.send(Message::Request(request, says));
        said
    }

    /// Whether the journal could not be reached the last time.
    pub(crate) fn is_away(&self) -> bool {
        self.is_away.load(Ordering::Relaxed)
    }

    /// Lets the log take what changed; nothing while that may still be undone.
    pub(crate) fn tell<T>(&self, take: impl FnOnce(&mut State) -> Result<T, Error>) -> Result<Option<T>, Error> {
        held(&self.replica).tell(take)
    }
}

impl Drop for Batching {
    fn drop(&mut self) {
        let _ = self.sender.send(Message::End);
        if let Some(thread) = self.thread.take() {
            // What it could not append, it has not acknowledged.
            let _ = thread.join();
        }
    }
}

fn work(receiver: &Receiver<Message>, replica: &Mutex<Replica>, is_away: &AtomicBool, surroundings: &Surroundings) {
    loop {
        let first = match receiver.recv_timeout(REFRESH) {
            Ok(message) => Some(message),
            Err(RecvTimeoutError::Timeout) => None,
            Err(RecvTimeoutError::Disconnected) => return,
        };
        let (mut requests, mut waiting) = (Vec::new(), Vec::new());
        for message in first.into_iter().chain(std::iter::from_fn(|| receiver.try_recv().ok())).take(MOST) {
            let Message::Request(request, says) = message else { return };
            requests.push(request);
            waiting.push(says);
        }
        match held(replica).answer(&requests) {
            Ok(handled) => {
                is_away.store(false, Ordering::Relaxed);
                for (says, handled) in waiting.into_iter().zip(handled) {
                    // A client that has gone hears nothing, and finds the answer by its key.
                    let _ = says.send(handled);
                }
            }
            Err(error) => {
                if !is_away.swap(true, Ordering::Relaxed) {
                    (surroundings.report)(&error);
                }
            }
        }
    }
}
