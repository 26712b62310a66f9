//! What became known after the decision. No gate ever sees it; what was not measured is absent.
//!
//! A new column is a field of [`Hindsight`] and one declaration below it; whoever measures it fills the field.

use counsel_decision::Action;

use super::declaration::{Field, LogColumn};
use super::word::{Number, number, put};

/// What became known after the decision. No gate ever sees it; a quantity that was not measured is absent, never guessed.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Hindsight {
    /// The reward that followed.
    pub reward: f64,
    /// The place of the answer among all decisions and answers of the run, from 0, where it was heard later than right after its
    /// decision.
    pub heard_at: Option<u64>,
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
    /// Whether the advised move runs into an obstacle.
    pub obstructed: Option<bool>,
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
    /// The optimal value of every action, on the scale of the bounds; empty where it is not known.
    pub optimal_values: Vec<f64>,
}

pub(super) const COLUMNS: &[LogColumn] = &[
    LogColumn::hindsight("reward", "the reward that followed", number!(Real, hindsight.reward)),
    LogColumn::hindsight(
        "right_action",
        "the truly best action (the first, where several tie)",
        number!(Int, hindsight.right),
    ),
    LogColumn::hindsight(
        "advice_gap",
        "how much worse than the best action the advised one is",
        number!(Real, hindsight.advice_gap),
    ),
    LogColumn::hindsight(
        "corrupted",
        "1 if the answer was tampered with on its way, 0 if not; absent where that is not studied",
        number!(Int, hindsight.corrupted),
    ),
    LogColumn::hindsight("base_gap", "the same for the fallback's proposal", number!(Real, hindsight.base_gap)),
    LogColumn::hindsight("executed_gap", "the same for the executed action", number!(Real, hindsight.executed_gap)),
    LogColumn::hindsight(
        "obstructed",
        "1 if the advised move runs into an obstacle, 0 if not; absent where that is not known",
        number!(Int, hindsight.obstructed),
    ),
    LogColumn::hindsight("exact_value", "exact value of the query", number!(Real, hindsight.exact_value)),
    LogColumn::hindsight(
        "proxy_value",
        "value of the query from paired continuations",
        number!(Real, hindsight.proxy_value),
    ),
    LogColumn::hindsight("proxy_radius", "Monte-Carlo radius of `proxy_value`", number!(Real, hindsight.proxy_radius)),
    LogColumn::hindsight(
        "law_error",
        "mean absolute error of the predicted response law (in `placement`: over all contexts)",
        number!(Real, hindsight.law_error),
    ),
    LogColumn::hindsight(
        "log_score",
        "logarithm of the probability that the belief gives to the true task",
        number!(Real, hindsight.log_score),
    ),
    LogColumn::hindsight(
        "potential",
        "remaining realizable advice value before the decision",
        number!(Real, hindsight.potential),
    ),
    LogColumn::hindsight("potential_after", "the same after the decision", number!(Real, hindsight.potential_after)),
    LogColumn::hindsight(
        "simulated_steps",
        "world steps that were simulated to label the opportunity; absent where nothing was labelled",
        number!(Int, hindsight.simulated_steps),
    ),
    LogColumn::hindsight(
        "optimal_values",
        "optimal value of every action, on the scale of the bounds; empty where it is not known",
        Field::Reals {
            write: |row, list| list.extend_from_slice(&row.hindsight.optimal_values),
            read: |draft, list| put(&mut draft.hindsight.optimal_values, Ok(list.to_vec())),
        },
    ),
];
