//! The potential Φ of the query-accounting proposition, measured: what the agent would still lose in one pass over all
//! contexts if it asked no more.
//!
//! Φ = Σ_z E[gap of the no-query action in context z], over the fallback's own chance, kept answers included. It is
//! non-negative by construction and zero when every context is resolved.

use counsel_advisor::Context;
use counsel_decision::Action;
use counsel_tabular::Fallback;

use super::episode::Session;
use crate::Error;

impl Session<'_> {
    /// The expected gap of the no-query action in one context. Contexts come round in order: context z is met at stage z.
    pub(super) fn remaining_gap(&self, state: usize, context: &Context) -> Result<f64, Error> {
        let (world, agent, engine) = self.parts();
        let stage = world.valued_stage(state);
        let mut expected = 0.0;
        for (action, probability) in agent.learner.policy().probabilities(stage, state).iter().enumerate() {
            if *probability > 0.0 {
                let evidence = self.evidence(stage, state, context, Action::new(action))?;
                let no_query = engine.preview(&evidence).no_query.action;
                expected += probability * world.optimal.gap(stage, state, no_query);
            }
        }
        Ok(expected)
    }
}
