//! The hard budget B: per run, per episode, a token bucket, and a share reserved for after a declared point.
//!
//! Asking consumes a [`Permit`]. Only [`BudgetAccount::permit`] makes one, it takes the call off every limit at that moment,
//! and it can be neither copied nor given back. So a retry, a crash, a time-out or a lost reply can only leave money
//! unspent.

use serde::{Deserialize, Serialize};

use crate::Error;
use crate::refusal::in_range;

/// Calls that come back with time, up to a capacity.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TokenBucket {
    /// The most calls that can be saved up; the bucket starts full.
    pub capacity: u64,
    /// The number of decisions after which one call comes back.
    pub refill_every: u64,
}

/// A share of the run's calls that cannot be spent before a declared decision and a declared episode.
#[derive(Debug, Clone, Copy, PartialEq, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Reserve {
    /// The share kept back, rounded up to whole calls.
    pub fraction: f64,
    /// The decision from which on it may be spent.
    #[serde(default)]
    pub after_step: u64,
    /// The episode from which on it may be spent.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub after_episode: u64,
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde hands over a reference")]
fn is_zero(number: &u64) -> bool {
    *number == 0
}

/// The limits as declared. All that are present must allow a call.
///
/// ```
/// use counsel_decision::Budget;
///
/// let budget = Budget { per_episode: Some(5), ..Budget::calls(500) };
/// assert_eq!((budget.per_run, budget.per_episode), (Some(500), Some(5)));
/// ```
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Budget {
    /// Calls in the whole run.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub per_run: Option<u64>,
    /// Calls in each episode.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub per_episode: Option<u64>,
    /// Calls that come back with time.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub token_bucket: Option<TokenBucket>,
    /// A share of `per_run` kept for later.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reserve: Option<Reserve>,
}

impl Budget {
    /// At most this many calls in the whole run.
    pub fn calls(calls: u64) -> Self {
        Self { per_run: Some(calls), ..Self::default() }
    }

    /// At most this many calls in each episode.
    pub fn calls_per_episode(calls: u64) -> Self {
        Self { per_episode: Some(calls), ..Self::default() }
    }
}

/// The right to make exactly one call. It is spent when it is made, and there is no second one.
#[derive(Debug, PartialEq, Eq)]
#[must_use = "the call is already paid for"]
pub(crate) struct Permit {
    serial: u64,
}

impl Permit {
    /// The number of this call in its run, from 1.
    pub(crate) fn serial(&self) -> u64 {
        self.serial
    }
}

/// What is left of each limit.
#[derive(Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct BudgetAccount {
    spec: Budget,
    spent: u64,
    spent_in_episode: u64,
    tokens: u64,
    decisions: u64,
    episodes: u64,
}

impl BudgetAccount {
    /// A full budget.
    pub(crate) fn new(spec: Budget) -> Result<Self, Error> {
        if spec.per_run.is_none() && spec.per_episode.is_none() && spec.token_bucket.is_none() {
            return Err(Error::UnlimitedBudget);
        }
        if let Some(Reserve { fraction, after_step, after_episode }) = spec.reserve {
            let remedy = "name the decision or the episode from which on the reserve may be spent";
            in_range(after_step > 0 || after_episode > 0, "reserve.after_step", 0.0, "[1, infinity)", remedy)?;
            in_range((0.0..=1.0).contains(&fraction), "the reserved fraction", fraction, "[0, 1]", "pass a share")?;
            if spec.per_run.is_none() {
                return Err(Error::ReserveWithoutTotal { fraction });
            }
        }
        if let Some(TokenBucket { refill_every: 0, .. }) = spec.token_bucket {
            in_range(false, "refill_every", 0.0, "[1, infinity)", "pass the decisions between two refills")?;
        }
        let tokens = spec.token_bucket.map_or(0, |bucket| bucket.capacity);
        Ok(Self { spec, spent: 0, spent_in_episode: 0, tokens, decisions: 0, episodes: 0 })
    }

    /// The limits as declared.
    pub(crate) fn spec(&self) -> &Budget {
        &self.spec
    }

    /// Other limits from now on. What was spent stays spent, so a limit below it allows no further call.
    pub(crate) fn retune(&mut self, spec: Budget) -> Result<(), Error> {
        let Self { spec, tokens, .. } = Self::new(spec)?;
        (self.spec, self.tokens) = (spec, self.tokens.min(tokens));
        Ok(())
    }

    /// Starts a new episode: the per-episode limit is full again.
    pub(crate) fn begin_episode(&mut self) {
        self.spent_in_episode = 0;
        self.episodes += 1;
    }

    /// Lets one decision pass: the token bucket refills.
    pub(crate) fn begin_decision(&mut self) {
        self.decisions += 1;
        if let Some(TokenBucket { capacity, refill_every }) = self.spec.token_bucket
            && self.decisions.is_multiple_of(refill_every)
        {
            self.tokens = (self.tokens + 1).min(capacity);
        }
    }

    /// How many calls could be made now, B_t of Eq. `main:gate`.
    pub(crate) fn calls_left(&self) -> u64 {
        let run = self.spec.per_run.map(|total| (total - self.reserved(total)).saturating_sub(self.spent));
        let episode = self.spec.per_episode.map(|total| total.saturating_sub(self.spent_in_episode));
        let bucket = self.spec.token_bucket.map(|_| self.tokens);
        [run, episode, bucket].into_iter().flatten().min().unwrap_or(0)
    }

    /// Takes up the count of another episode and hands back that of the present one.
    pub(crate) fn exchange_episode(&mut self, spent_in_episode: u64) -> u64 {
        std::mem::replace(&mut self.spent_in_episode, spent_in_episode)
    }

    /// How many calls were made in the run.
    pub(crate) fn spent(&self) -> u64 {
        self.spent
    }

    /// Takes one call off every limit, if all of them have one.
    pub(crate) fn permit(&mut self) -> Option<Permit> {
        if self.calls_left() == 0 {
            return None;
        }
        self.spent += 1;
        self.spent_in_episode += 1;
        self.tokens = self.tokens.saturating_sub(1);
        Some(Permit { serial: self.spent })
    }

    /// The calls that must stay unspent for now.
    fn reserved(&self, total: u64) -> u64 {
        match self.spec.reserve {
            // The present decision and episode are counted already, so their numbers start at 1 here and at 0 outside.
            Some(Reserve { fraction, after_step, after_episode })
                if self.decisions <= after_step || self.episodes <= after_episode =>
            {
                #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a share of a count")]
                // A share that is whole but for binary rounding, as 0.07 of 100, is not rounded up.
                let reserved = (total as f64 * fraction - 1e-9).ceil().max(0.0) as u64;
                reserved.min(total)
            }
            _ => 0,
        }
    }
}
