//! What the broker remembers while it runs: replies by idempotency key, and advice by context. Both are bounded; the oldest goes first.
//!
//! Invariant: of several requests with one key, one is worked on, and the others wait for its reply. After a restart the key is known by
//! the service alone, which decides it once, so nothing is paid for twice.

use std::collections::{BTreeMap, VecDeque};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use crate::sidecar::Replied;

/// Entries of each kind.
const MOST: usize = 4096;

/// A map that forgets its oldest entry when it is full.
#[derive(Debug)]
pub(crate) struct Bounded<V> {
    entries: BTreeMap<String, V>,
    order: VecDeque<String>,
}

impl<V> Default for Bounded<V> {
    fn default() -> Self {
        Self { entries: BTreeMap::new(), order: VecDeque::new() }
    }
}

impl<V: Clone> Bounded<V> {
    pub(crate) fn get(&self, key: &str) -> Option<V> {
        self.entries.get(key).cloned()
    }

    pub(crate) fn put(&mut self, key: String, value: V) {
        if self.entries.insert(key.clone(), value).is_none() {
            self.order.push_back(key);
        }
        if self.order.len() > MOST
            && let Some(oldest) = self.order.pop_front()
        {
            self.entries.remove(&oldest);
        }
    }
}

/// A request that was seen under a key: its digest, and its reply once it is there.
#[derive(Debug, Clone)]
struct Seen {
    digest: [u8; 32],
    reply: Arc<OnceLock<Replied>>,
}

/// Replies by key.
#[derive(Debug, Default)]
pub(crate) struct Replies(Mutex<Bounded<Seen>>);

impl Replies {
    /// The reply to a request under a key: made now, or the earlier one. None where the key was used for another request.
    pub(crate) fn once(&self, key: &str, digest: [u8; 32], make: impl FnOnce() -> Replied) -> Option<Replied> {
        let seen = {
            let mut seen = self.0.lock().unwrap_or_else(PoisonError::into_inner);
            seen.get(key).unwrap_or_else(|| {
                let new = Seen { digest, reply: Arc::default() };
                seen.put(key.to_owned(), new.clone());
                new
            })
        };
        if seen.digest != digest {
            return None;
        }
        let mut was_made = false;
        let reply = seen.reply.get_or_init(|| {
            was_made = true;
            make()
        });
        Some(Replied { replayed: reply.replayed || !was_made, ..reply.clone() })
    }
}

/// The last advice of a context.
#[derive(Debug, Default)]
pub(crate) struct Advice(Mutex<Bounded<String>>);

impl Advice {
    pub(crate) fn get(&self, policy: &str, context: &str) -> Option<String> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).get(&format!("{policy}/{context}"))
    }

    pub(crate) fn put(&self, policy: &str, context: &str, text: &str) {
        let key = format!("{policy}/{context}");
        self.0.lock().unwrap_or_else(PoisonError::into_inner).put(key, text.to_owned());
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn reply(number: u64) -> Replied {
        Replied { status: 200, body: json!(number), replayed: false }
    }

    #[test]
    fn a_key_is_worked_on_once_and_belongs_to_one_request() {
        let replies = Replies::default();
        assert_eq!(replies.once("k", [0; 32], || reply(1)), Some(reply(1)));
        assert_eq!(replies.once("k", [0; 32], || reply(2)), Some(Replied { replayed: true, ..reply(1) }));
        assert_eq!(replies.once("k", [1; 32], || reply(3)), None);
    }

    #[test]
    fn requests_beside_each_other_wait_for_one_reply() {
        let (replies, made) = (Replies::default(), Mutex::new(0));
        std::thread::scope(|scope| {
            for _ in 0..8 {
                scope.spawn(|| {
                    let made_now = || {
                        std::thread::sleep(std::time::Duration::from_millis(20));
                        *made.lock().unwrap() += 1;
                        reply(7)
                    };
                    assert_eq!(replies.once("k", [0; 32], made_now).unwrap().body, json!(7));
                });
            }
        });
        assert_eq!(*made.lock().unwrap(), 1);
    }

    #[test]
    fn the_oldest_entry_goes_first() {
        let mut bounded = Bounded::default();
        for number in 0..=MOST {
            bounded.put(number.to_string(), number);
        }
        assert_eq!((bounded.get("0"), bounded.get("1"), bounded.get(&MOST.to_string())), (None, Some(1), Some(MOST)));
        assert_eq!(bounded.entries.len(), MOST);
    }
}
