//! What would be different: one price, radius, tolerance, trust, bankroll or budget for another.

use counsel_decision::{BankrollSpec, Execution, Settings};
use serde::{Deserialize, Serialize};

use crate::Given;

/// A change of settings. What is left out stays as it was.
#[derive(Debug, Clone, Copy, PartialEq, Default, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Change {
    /// The price of every call, times this.
    pub price: Option<f64>,
    /// The radius of every estimate, times this; 0 takes it off, also where nothing is calibrated.
    pub radius: Option<f64>,
    /// ε of the certificate.
    pub tolerance: Option<f64>,
    /// What the advisor's word adds to the value of an action, times this.
    pub trust: Option<f64>,
    /// What advice may lose before it is given up.
    pub bankroll: Option<f64>,
    /// The calls of the run; of an episode, where only those are limited.
    pub budget: Option<u64>,
}

impl Change {
    /// The settings with this change.
    pub fn settings(&self, mut settings: Settings) -> Settings {
        if let (Some(new), Execution::Certified { tolerance } | Execution::Unscreened { tolerance }) =
            (self.tolerance, &mut settings.execution)
        {
            *tolerance = new;
        }
        if let (Some(start), Some(BankrollSpec { start: old, most })) = (self.bankroll, &mut settings.bankroll) {
            (*old, *most) = (start, most.max(start));
        }
        let budget = &mut settings.budget;
        let limited = match (&mut budget.per_run, &mut budget.per_episode) {
            (Some(calls), _) | (None, Some(calls)) => Some(calls),
            (None, None) => None,
        };
        if let (Some(new), Some(calls)) = (self.budget, limited) {
            *calls = new;
        }
        settings
    }

    /// What is given with this change.
    pub(crate) fn given(&self, mut given: Given) -> Given {
        given.price *= self.price.unwrap_or(1.0);
        given.radius = match self.radius {
            Some(0.0) => Some(0.0),
            factor => given.radius.map(|radius| radius * factor.unwrap_or(1.0)),
        };
        if let Some(factor) = self.trust {
            given.advice.credits.iter_mut().for_each(|credit| *credit *= factor);
        }
        given
    }
}
