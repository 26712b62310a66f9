//! The oracle row of the predictor ablation: it is told the law of each context, by a simulation or by recorded answers.
//! It serves retrospective diagnosis and never chooses a query in a deployment.

use std::collections::BTreeMap;

use counsel_decision::{ContextKey, PaidResponse, ResponseLaw};
use serde::{Deserialize, Serialize};

use super::Predictor;
use crate::Context;

/// The predictor that is told.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Oracle {
    actions: usize,
    laws: BTreeMap<ContextKey, ResponseLaw>,
}

impl Oracle {
    /// An oracle that has been told nothing yet; until then a context is predicted uniformly.
    pub fn new(actions: usize) -> Self {
        Self { actions, laws: BTreeMap::new() }
    }

    /// Tells the law of a context, in place of an earlier one.
    pub fn reveal(&mut self, context: ContextKey, law: ResponseLaw) {
        self.laws.insert(context, law);
    }
}

impl Predictor for Oracle {
    fn law(&self, context: &Context) -> ResponseLaw {
        self.laws.get(&context.key).cloned().unwrap_or_else(|| ResponseLaw::uniform(self.actions))
    }

    fn observe(&mut self, _context: &Context, _paid: PaidResponse) {}

    fn is_diagnostic(&self) -> bool {
        true
    }
}
