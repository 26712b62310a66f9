//! What cells of one run share: warm-started learners, since arms that differ only in how they ask begin alike, and the calls of
//! controllers that several arms match.
//!
//! Both are functions of their keys, so nothing depends on whether they were found here or made anew.

use std::any::{Any, type_name};
use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use crate::{Error, Fork, Library};

/// Things of a kind kept at most; a learner takes a few megabytes.
const MOST: usize = 200;

/// What the cells of a run are handed.
#[derive(Clone, Copy)]
pub struct Shared<'a> {
    /// Where the answers of language models come from.
    pub library: &'a Library,
    /// What one cell computed and others need again.
    pub warm_starts: &'a WarmStarts,
    /// Where the cell goes another way than its settings say, if it does.
    pub fork: Option<Fork>,
}

/// What the cells of a run share.
#[derive(Default)]
pub struct WarmStarts {
    learners: Kept<Arc<dyn Any + Send + Sync>>,
    calls: Kept<Vec<u64>>,
}

/// Things that are kept by their key.
struct Kept<T>(Mutex<BTreeMap<String, Arc<OnceLock<T>>>>);

impl<T> Default for Kept<T> {
    fn default() -> Self {
        Self(Mutex::default())
    }
}

impl WarmStarts {
    /// The learner of this kind with this key, a copy of one made earlier or made now.
    pub fn learner<L: Clone + Send + Sync + 'static>(
        &self,
        key: &str,
        make: impl FnOnce() -> Result<L, Error>,
    ) -> Result<L, Error> {
        let key = format!("{} {key}", type_name::<L>());
        let found = self.learners.find(key, || Ok(Arc::new(make()?)))?;
        let other = || Error::Derivation { reason: "a kept learner is of another kind; this is a bug".into() };
        found.downcast_ref::<L>().cloned().ok_or_else(other)
    }

    /// The calls of each episode of the controller with this key, played earlier or now.
    pub(super) fn calls(&self, key: String, play: impl FnOnce() -> Result<Vec<u64>, Error>) -> Result<Vec<u64>, Error> {
        self.calls.find(key, play)
    }
}

impl<T: Clone> Kept<T> {
    fn find(&self, key: String, make: impl FnOnce() -> Result<T, Error>) -> Result<T, Error> {
        let place = {
            let mut kept = self.0.lock().unwrap_or_else(PoisonError::into_inner);
            if kept.len() >= MOST && !kept.contains_key(&key) {
                kept.clear();
            }
            kept.entry(key).or_default().clone()
        };
        if let Some(found) = place.get() {
            return Ok(found.clone());
        }
        let made = make()?;
        Ok(place.get_or_init(|| made).clone())
    }
}
