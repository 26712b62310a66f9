//! How a controller is set up: the choices of Algorithm 1 that a user makes, in one struct.
//!
//! Studies, the engine and the manifest of a run all use this one.

use serde::{Deserialize, Serialize};

use crate::{BankrollSpec, BudgetSpec, CacheSpec, ExecutionRule, GateSpec, PriceSpec};

/// How a controller is set up.
///
/// | Name | Default | Range |
/// |---|---|---|
/// | `gate`, `execution`, `budget` | none | see their types |
/// | `price`, `cache`, `bankroll` | λ = 1, off, none | see their types |
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Controller {
    /// When to ask.
    pub gate: GateSpec,
    /// When an answer may act.
    pub execution: ExecutionRule,
    /// What may be spent.
    pub budget: BudgetSpec,
    /// What a call costs.
    #[serde(default)]
    pub price: PriceSpec,
    /// Which answers are kept.
    #[serde(default)]
    pub cache: CacheSpec,
    /// What advice may lose before it is given up.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub bankroll: Option<BankrollSpec>,
}
