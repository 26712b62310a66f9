//! Bought answers that may serve again, and the separate reasons for which one may not.
//!
//! Validity is checked apart from acquisition. An entry that has expired or was flagged by a shift detector is dropped; one
//! that is outside the support, leads nowhere in this episode, or is not certified now, is left in place and ignored
//! for this decision.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::refusal::{Refusal, in_range};
use crate::{Action, Branch, ContextKey, Evidence, Execution, Monitored, Response, Verdict};

/// A reason to stop using an entry. The certificate of the execution rule is always a reason.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Invalidation {
    /// The context is outside the calibrated support of the response predictor.
    Support,
    /// A shift detector flagged the context.
    Shift,
    /// The entry is older than this many decisions.
    TimeToLive(u64),
    /// Advice leads nowhere here, by [`Evidence::stalled`].
    NoEffect,
}

/// Whether answers are kept, and what ends their use.
///
/// ```
/// use counsel_decision::{Budget, CacheSpec, Execution, Gate, Invalidation, Settings};
///
/// // Answers serve again until they lead nowhere.
/// let cache = CacheSpec::Keep(vec![Invalidation::NoEffect]);
/// let settings = Settings { cache, ..Settings::new(Gate::Amortised, Execution::Improving, Budget::calls(500)) };
/// assert_ne!(settings.cache, CacheSpec::Off);
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum CacheSpec {
    /// Nothing is kept.
    #[default]
    Off,
    /// Usable answers are kept until one of these reasons.
    Keep(Vec<Invalidation>),
}

/// The value statistics of an answer at the moment it was bought.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Confidence {
    /// Its mean continuation value.
    pub mean: f64,
    /// Its lower bound on the optimal value.
    pub lower: f64,
    /// Its upper bound on the optimal value.
    pub upper: f64,
}

impl Confidence {
    /// The statistics of `action` on `branch`.
    pub(crate) fn of(branch: &Branch, action: Action) -> Self {
        let index = action.index();
        Self { mean: branch.means[index], lower: branch.bounds.lower()[index], upper: branch.bounds.upper()[index] }
    }
}

/// One bought answer.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct CacheEntry {
    /// The parsed response.
    pub response: Response,
    /// The action it names.
    pub action: Action,
    /// The context it was bought for.
    pub context: ContextKey,
    /// The decision at which it was bought.
    pub inserted_at: u64,
    /// Its value statistics then.
    pub confidence: Confidence,
    /// The version of the advisor that gave it.
    pub advisor: String,
}

/// What the cache had to say at one decision.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum CacheStatus {
    /// Nothing is kept.
    Off,
    /// No entry for this context.
    Absent,
    /// The entry comes from another version of the advisor and was dropped.
    Superseded,
    /// The entry outlived its time and was dropped.
    Expired,
    /// The shift detector fired and the entry was dropped.
    Shifted,
    /// The context is outside the support; the entry was ignored.
    Unsupported,
    /// Advice leads nowhere here; the entry was ignored.
    NoEffect,
    /// The bankroll of advice is empty; the entry was ignored.
    Distrusted,
    /// The agent leads; the entry was ignored.
    PassedOver,
    /// The entry's action is not admitted now; the entry was ignored.
    Uncertified,
    /// The entry's action is admitted, but worse than the fallback.
    NotImproving,
    /// The entry's action is the no-query action.
    Reused,
    /// No entry for this context, and the foretold answer's action is the no-query action.
    Foretold,
}

impl CacheStatus {
    /// Whether an answer of the advisor acts without a query.
    pub fn acts(self) -> bool {
        matches!(self, Self::Reused | Self::Foretold)
    }
}

/// The kept answers of one run.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Cache {
    spec: CacheSpec,
    advisor: String,
    entries: BTreeMap<ContextKey, CacheEntry>,
}

impl Cache {
    /// An empty cache.
    pub fn new(spec: CacheSpec) -> Self {
        Self { spec, advisor: String::new(), entries: BTreeMap::new() }
    }

    /// From now on, answers come from this version of the advisor.
    pub(crate) fn serve(&mut self, advisor: String) {
        self.advisor = advisor;
    }

    /// Takes over answers that were kept earlier, if answers are kept at all.
    pub(crate) fn take_over(&mut self, entries: impl IntoIterator<Item = CacheEntry>) {
        if self.spec != CacheSpec::Off {
            self.entries.extend(entries.into_iter().map(|entry| (entry.context, entry)));
        }
    }

    /// Which answers are kept, as declared.
    pub(crate) fn spec(&self) -> &CacheSpec {
        &self.spec
    }

    /// The version of the advisor that answers.
    pub fn advisor(&self) -> &str {
        &self.advisor
    }

    /// The kept entries, in the order of their contexts.
    pub fn entries(&self) -> impl Iterator<Item = &CacheEntry> {
        self.entries.values()
    }

    /// The kept entry of a context, valid or not.
    pub fn entry(&self, context: ContextKey) -> Option<&CacheEntry> {
        self.entries.get(&context)
    }

    /// Whether answers are kept at all.
    pub fn keeps(&self) -> bool {
        self.spec != CacheSpec::Off
    }

    /// How many answers are kept.
    pub fn len(&self) -> usize {
        self.entries.len()
    }

    /// Whether nothing is kept.
    pub fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    /// Looks up the candidate for a context, or the foretold one where none is kept, and says why it may not be used, if it
    /// may not.
    pub(crate) fn candidate(&self, evidence: &Evidence, step: u64, rule: Execution) -> (Option<Action>, CacheStatus) {
        let CacheSpec::Keep(reasons) = &self.spec else {
            return (None, CacheStatus::Off);
        };
        let (action, accepted, age) = match (self.entries.get(&evidence.kept_under()), evidence.foretold) {
            (None, None) => return (None, CacheStatus::Absent),
            (None, Some(foretold)) => (foretold.action(), CacheStatus::Foretold, 0),
            (Some(entry), _) if entry.advisor != self.advisor => return (Some(entry.action), CacheStatus::Superseded),
            (Some(entry), _) => (entry.action, CacheStatus::Reused, step.saturating_sub(entry.inserted_at)),
        };
        let Evidence { monitored, stalled, ref advice, .. } = *evidence;
        let expired = |reason: &Invalidation| matches!(reason, Invalidation::TimeToLive(steps) if age > *steps);
        let status = if reasons.iter().any(expired) {
            CacheStatus::Expired
        } else if monitored == Monitored::Shifted && reasons.contains(&Invalidation::Shift) {
            CacheStatus::Shifted
        } else if monitored == Monitored::OutsideSupport && reasons.contains(&Invalidation::Support) {
            CacheStatus::Unsupported
        } else if stalled && reasons.contains(&Invalidation::NoEffect) {
            CacheStatus::NoEffect
        } else if action.index() >= advice.law().actions() {
            CacheStatus::Uncertified
        } else {
            let base = advice.none().base();
            let verdict = match evidence.foretold.filter(|_| accepted == CacheStatus::Foretold) {
                Some(foretold) => rule.judge(&advice.foretold(foretold), base, action),
                None => rule.judge(advice.kept(action), base, action),
            };
            match verdict {
                Verdict::Executed => accepted,
                Verdict::NotImproving => CacheStatus::NotImproving,
                _ => CacheStatus::Uncertified,
            }
        };
        (Some(action), status)
    }

    /// Drops the entry of a context if it was found to be over for good.
    pub(crate) fn settle(&mut self, context: ContextKey, status: CacheStatus) {
        if matches!(status, CacheStatus::Superseded | CacheStatus::Expired | CacheStatus::Shifted) {
            self.entries.remove(&context);
        }
    }

    /// Keeps a usable answer.
    pub(crate) fn keep(&mut self, context: ContextKey, action: Action, step: u64, confidence: Confidence) {
        if self.spec == CacheSpec::Off {
            return;
        }
        let entry = CacheEntry {
            response: Response::Recommends(action),
            action,
            context,
            inserted_at: step,
            confidence,
            advisor: self.advisor.clone(),
        };
        // An older question that is answered late does not replace a newer answer.
        if self.entries.get(&context).is_none_or(|kept| kept.inserted_at <= step) {
            self.entries.insert(context, entry);
        }
    }
}

impl CacheSpec {
    /// Refuses a time-to-live of zero, which would keep nothing while saying it does.
    pub(crate) fn check(&self) -> Result<(), Refusal> {
        let zero = matches!(self, Self::Keep(reasons) if reasons.contains(&Invalidation::TimeToLive(0)));
        in_range(!zero, "time-to-live", 0.0, "[1, infinity)", "pass `off` to keep nothing")
    }
}
