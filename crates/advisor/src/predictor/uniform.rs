//! Every response equally likely, whatever has been said.

use counsel_decision::{PaidResponse, ResponseLaw};
use serde::{Deserialize, Serialize};

use super::Predictor;
use crate::Context;

/// The predictor that knows nothing.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Uniform {
    actions: usize,
}

impl Uniform {
    /// A predictor over so many actions.
    pub fn new(actions: usize) -> Self {
        Self { actions }
    }
}

impl Predictor for Uniform {
    fn law(&self, _context: &Context) -> ResponseLaw {
        ResponseLaw::uniform(self.actions)
    }

    fn observe(&mut self, _context: &Context, _paid: PaidResponse) {}
}
