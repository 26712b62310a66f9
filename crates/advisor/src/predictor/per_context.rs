//! How often each response has been given in the same context, with Dirichlet smoothing. A context that is new is
//! predicted uniformly: nothing is carried over from the others.

use std::collections::BTreeMap;

use counsel_decision::{ContextKey, PaidResponse, ResponseLaw};
use serde::{Deserialize, Serialize};

use super::{Frequency, Predictor};
use crate::{Context, Error};

/// The frequency of responses in each context.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct PerContext {
    fresh: Frequency,
    seen: BTreeMap<ContextKey, Frequency>,
}

impl PerContext {
    /// A predictor whose uniform prior in each context is worth `strength` responses.
    pub fn new(actions: usize, strength: f64) -> Result<Self, Error> {
        Ok(Self { fresh: Frequency::new(actions, strength)?, seen: BTreeMap::new() })
    }
}

impl Predictor for PerContext {
    fn law(&self, context: &Context) -> ResponseLaw {
        self.seen.get(&context.key).unwrap_or(&self.fresh).smoothed()
    }

    fn observe(&mut self, context: &Context, paid: PaidResponse) {
        self.seen.entry(context.key).or_insert_with(|| self.fresh.clone()).count(paid);
    }
}
