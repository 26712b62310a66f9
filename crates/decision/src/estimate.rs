//! The response-contingent decision d(y), Eq. `main:decide`, and the pre-query estimate, Eq. `main:est`:
//! Δ̂ = Σ_y p̂(y | z) μ^y(d(y)) - μ⁰(a⁰).
//!
//! Beyond the paper, an answer that is kept serves again: its value at each later use is the same difference, averaged over
//! what the fallback would then propose.

use serde::{Deserialize, Serialize};

use crate::{Action, AdviceModel, Branch, CacheStatus, Execution, Foretold, NoQuery, Response, Verdict};

/// What would be done after one response, and why.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Prospect {
    /// d(y).
    pub action: Action,
    /// What would become of the answer.
    pub verdict: Verdict,
}

/// Which action a response is valued by.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Valuation {
    /// The decision d(y) that would really follow, rejection included.
    #[default]
    DeployedDecision,
    /// The raw advised action, as if it were always executed: the ablation.
    RawAction,
}

/// d(y) for one response.
pub(crate) fn prospect(rule: Execution, advice: &AdviceModel, response: Response) -> Prospect {
    let Some(branch) = advice.given(response) else {
        return Prospect { action: advice.none().base, verdict: Verdict::Impossible };
    };
    let Response::Recommends(candidate) = response else {
        return Prospect { action: branch.base, verdict: Verdict::Unusable };
    };
    match rule.judge(branch, branch.base, candidate) {
        Verdict::Executed => Prospect { action: candidate, verdict: Verdict::Executed },
        verdict => Prospect { action: branch.base, verdict },
    }
}

/// d(y) for every response, in the order of [`Response::all`].
pub fn prospects(rule: Execution, advice: &AdviceModel) -> Vec<Prospect> {
    Response::all(advice.law().actions()).map(|response| prospect(rule, advice, response)).collect()
}

/// Δ̂: what the query is expected to be worth, before the response exists.
pub fn estimate(
    advice: &AdviceModel,
    prospects: &[Prospect],
    no_query: &NoQuery,
    foretold: Option<Foretold>,
    valuation: Valuation,
) -> f64 {
    let law = advice.law();
    let mut with_query = 0.0;
    for ((response, prospect), probability) in Response::all(law.actions()).zip(prospects).zip(law.as_slice()) {
        let branch: &Branch = advice.given(response).unwrap_or(advice.none());
        let action = match (valuation, response) {
            (Valuation::RawAction, Response::Recommends(raw)) => raw,
            _ => prospect.action,
        };
        with_query += probability * branch.mean(action);
    }
    with_query - without_query(advice, *no_query, foretold)
}

/// What a⁰ is worth. The word of an advisor that was not asked counts as far as it can be relied on that it would say so.
fn without_query(advice: &AdviceModel, no_query: NoQuery, foretold: Option<Foretold>) -> f64 {
    let action = no_query.action;
    match (no_query.status, foretold) {
        (CacheStatus::Reused, _) => advice.kept(action).mean(action),
        (CacheStatus::Foretold, Some(foretold)) => advice.foretold(foretold).mean(action),
        _ => advice.none().mean(action),
    }
}

/// Δ̄: what an answer that is kept in this context is expected to be worth at each later use. The fallback's proposals are
/// those of the evidence, or the present one where they are not known.
pub(crate) fn reuse_value(rule: Execution, advice: &AdviceModel, fallback: &[f64]) -> f64 {
    let (law, none) = (advice.law(), advice.none());
    let present = [(none.base(), 1.0)];
    let proposals: Vec<(Action, f64)> = match fallback {
        [] => present.to_vec(),
        chances => chances
            .iter()
            .take(law.actions())
            .enumerate()
            .map(|(action, chance)| (Action::new(action), *chance))
            .collect(),
    };
    let mut value = 0.0;
    for (response, probability) in Response::all(law.actions()).zip(law.as_slice()) {
        let Response::Recommends(candidate) = response else { continue };
        let branch = advice.kept(candidate);
        for (proposal, chance) in proposals.iter().filter(|(_, chance)| *chance > 0.0) {
            if rule.judge(branch, *proposal, candidate) == Verdict::Executed {
                value += probability * chance * (branch.mean(candidate) - none.mean(*proposal));
            }
        }
    }
    value
}
