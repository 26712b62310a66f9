//! What is declared of a controller: the choices of Algorithm 1 that a user makes, in one struct.
//!
//! Studies, the engine and the manifest of a run all use this one.

use serde::{Deserialize, Serialize};

use crate::{BankrollSpec, Budget, CacheSpec, Execution, Gate, Pacing};

/// How a controller is set up.
///
/// | Name | Default | Range |
/// |---|---|---|
/// | `gate`, `execution`, `budget` | none | see their types |
/// | `pacing`, `cache`, `bankroll` | λ = 1, off, none | see their types |
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Settings {
    /// When to ask.
    pub gate: Gate,
    /// When an answer may act.
    pub execution: Execution,
    /// What may be spent.
    pub budget: Budget,
    /// What a call costs.
    #[serde(default)]
    pub pacing: Pacing,
    /// Which answers are kept.
    #[serde(default)]
    pub cache: CacheSpec,
    /// What advice may lose before it is given up.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub bankroll: Option<BankrollSpec>,
}

impl Settings {
    /// A gate, a rule and a budget; every call counts its price, no answer is kept, and advice may lose what it likes.
    ///
    /// ```
    /// use counsel_decision::{Budget, CacheSpec, Execution, Gate, Settings};
    ///
    /// let settings = Settings::new(Gate::Amortised, Execution::Improving, Budget::calls(500));
    /// let keeping = Settings { cache: CacheSpec::Keep(vec![]), ..settings };
    /// assert_eq!(keeping.bankroll, None);
    /// ```
    pub fn new(gate: Gate, execution: Execution, budget: Budget) -> Self {
        Self { gate, execution, budget, pacing: Pacing::default(), cache: CacheSpec::Off, bankroll: None }
    }
}
