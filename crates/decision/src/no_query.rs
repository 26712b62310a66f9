//! What is done without a query: the no-query action a⁰ of Eq. `main:noquery`.

use crate::{Action, Cache, CacheStatus, Evidence, Execution};

/// The no-query action and what the cache contributed to it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct NoQuery {
    /// a⁰: the cached or foretold candidate if it is admitted and no worse than the fallback, else the fallback's proposal.
    pub action: Action,
    /// The cached or foretold candidate, used or not.
    pub cached: Option<Action>,
    /// Why it was or was not used.
    pub status: CacheStatus,
}

/// Forms a⁰ at decision number `step` from what the cache holds.
pub fn no_query(rule: Execution, cache: &Cache, evidence: &Evidence, step: u64) -> NoQuery {
    let branch = evidence.advice.none();
    let (cached, status) = cache.candidate(evidence, step, rule);
    let action = cached.filter(|_| status.acts()).unwrap_or_else(|| branch.base());
    NoQuery { action, cached, status }
}
