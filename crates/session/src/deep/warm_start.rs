//! Warm-started learners that cells of one run share: arms that differ only in how they ask begin alike, so the warm-up
//! is played once for all of them.
//!
//! A learner is a function of its key, so nothing depends on whether it was found here or made anew.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use counsel_deep::Deep;

use crate::Error;

/// Learners kept at most; each takes a few megabytes.
const MOST: usize = 200;

/// The warm-started learners of a run.
#[derive(Default)]
pub struct WarmStarts(Mutex<BTreeMap<String, Arc<OnceLock<Deep>>>>);

impl WarmStarts {
    /// The learner with this key, a copy of one made earlier or made now.
    pub(super) fn learner(&self, key: String, make: impl FnOnce() -> Result<Deep, Error>) -> Result<Deep, Error> {
        let place = {
            let mut kept = self.0.lock().unwrap_or_else(PoisonError::into_inner);
            if kept.len() >= MOST && !kept.contains_key(&key) {
                kept.clear();
            }
            kept.entry(key).or_default().clone()
        };
        if let Some(learner) = place.get() {
            return Ok(learner.clone());
        }
        let learner = make()?;
        Ok(place.get_or_init(|| learner).clone())
    }
}
