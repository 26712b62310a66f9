//! The columns that most BabyAI tables share.

use super::answer::{acceptance, latency_per_call, tokens_per_call};
use super::episode::{late_return, steps_to_target, success};
use crate::study::description::{Measured, Show, column};
use crate::study::measure::{calls, calls_per_episode, cost_adjusted_return, mean_return};

/// What a controller won and what it paid.
pub(super) fn outcome() -> Vec<Measured> {
    vec![
        column("return", Show::Interval(3), mean_return),
        column("late return", Show::Mean(3), late_return),
        column("success", Show::Mean(3), success),
        column("steps to target", Show::Mean(1), steps_to_target),
        column("calls", Show::Mean(1), calls),
        column("cost-adjusted", Show::Mean(3), cost_adjusted_return),
        column("acceptance", Show::Mean(3), acceptance),
        column("calls per episode", Show::Hidden, calls_per_episode),
    ]
}

/// What the advisor took, as recorded when it was asked.
pub(super) fn effort() -> Vec<Measured> {
    vec![
        column("tokens per call", Show::Recorded(0), tokens_per_call),
        column("ms per call", Show::Recorded(0), latency_per_call),
    ]
}

/// What these columns mean.
pub(super) fn remarks() -> Vec<String> {
    let columns = [
        "return: mean over all episodes, ± 95 % over seeds; late return: mean of the last 15 episodes; success: share of \
         episodes with a reward; steps to target: mean steps of those episodes; calls: sum over a run",
        "cost-adjusted: return minus the price of a call times calls per episode; acceptance: executed answers among \
         those that named an action",
    ];
    columns.map(str::to_owned).into_iter().chain([pairing()]).collect()
}

/// How differences are taken.
pub(super) fn pairing() -> String {
    "differences are paired by seed with 95 % Student intervals; p (Holm) is adjusted over all tasks and advisors of the \
     table, for the comparisons that the study declares"
        .to_owned()
}
