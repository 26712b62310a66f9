//! One row of the log: the decision's record and what was learned about it afterwards.

use counsel_decision::{Action, Record};

/// What became known after the decision. No gate ever sees it; a quantity that was not measured is absent, never guessed.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Hindsight {
    /// The reward that followed.
    pub reward: f64,
    /// The truly best action.
    pub right: Option<Action>,
    /// How much worse than the best action the advised one is; above zero means wrong advice.
    pub advice_gap: Option<f64>,
    /// Whether the answer was tampered with on its way.
    pub corrupted: Option<bool>,
    /// How much worse than the best action the fallback's proposal is.
    pub base_gap: Option<f64>,
    /// How much worse than the best action the executed one is.
    pub executed_gap: Option<f64>,
    /// The exact value of the query.
    pub exact_value: Option<f64>,
    /// The value of the query from paired continuations.
    pub proxy_value: Option<f64>,
    /// The Monte-Carlo radius of that value.
    pub proxy_radius: Option<f64>,
    /// The mean absolute error of the predicted response law.
    pub law_error: Option<f64>,
    /// The logarithm of the probability that the belief gives to the true task.
    pub log_score: Option<f64>,
    /// The remaining realizable advice value before the decision.
    pub potential: Option<f64>,
    /// The same after the decision.
    pub potential_after: Option<f64>,
    /// World steps that were simulated to label the opportunity.
    pub simulated_steps: Option<u64>,
}

/// One decision of the log.
#[derive(Debug, Clone, PartialEq)]
pub struct Decision {
    /// What was known, computed and done.
    pub record: Record,
    /// What became known afterwards.
    pub hindsight: Hindsight,
}
