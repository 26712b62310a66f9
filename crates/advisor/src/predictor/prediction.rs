//! What every predictor does: p̂(y | z), Eq. `eq:response-predictor`, updated after each paid response.

use counsel_decision::{PaidResponse, ResponseLaw};

use crate::Context;

/// A predictor of the parsed response.
pub trait Predictor {
    /// The predicted law in this context, before the query.
    fn law(&self, context: &Context) -> ResponseLaw;

    /// Learns from a response that was paid for in this context.
    fn observe(&mut self, context: &Context, paid: PaidResponse);

    /// Learns from several responses at once, in their order; the same knowledge with less work, where there is a cheaper way.
    fn observe_all(&mut self, paid: &[(Context, PaidResponse)]) {
        paid.iter().for_each(|(context, paid)| self.observe(context, *paid));
    }

    /// Whether it knows what no deployment can know.
    fn is_diagnostic(&self) -> bool {
        false
    }
}
