//! The potential Φ of the query-accounting proposition, measured: what the agent would still lose in one pass over all
//! contexts if it asked no more.
//!
//! Φ = Σ_z E[gap of the no-query action in context z], over the fallback's own chance, kept answers included. It is
//! non-negative by construction and zero when every context is resolved.

use counsel_decision::Action;
use counsel_session::{Controller, Error};
use counsel_tabular::Dynamics;

use super::agent::Tabular;

impl Tabular<'_> {
    /// The remaining realizable advice value, where it is measured.
    pub(super) fn potential(&self, controller: &Controller) -> Result<Option<f64>, Error> {
        if !self.spec.measure_potential {
            return Ok(None);
        }
        (0..self.world().mdp.states())
            .map(|state| self.remaining_gap(controller, state))
            .sum::<Result<f64, Error>>()
            .map(Some)
    }

    /// The expected gap of the no-query action in one context. Contexts come round in order: context z is met at stage z.
    fn remaining_gap(&self, controller: &Controller, state: usize) -> Result<f64, Error> {
        let stage = self.world().valued_stage(state);
        let mut expected = 0.0;
        for (action, probability) in self.learner.policy().probabilities(stage, state).iter().enumerate() {
            if *probability > 0.0 {
                let (_, preview) = controller.preview(&self.situation(stage, state, Action::new(action)))?;
                let no_query = preview.no_query.action;
                expected += probability * self.world().optimal.gap(stage, state, no_query);
            }
        }
        Ok(expected)
    }
}
