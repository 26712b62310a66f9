//! A bankroll of value beside the budget of calls: W = W₀ + Σ (credited gain - price), kept below a ceiling.
//!
//! An advisor that does not earn its price uses the bankroll up, and is then neither asked nor followed. Every call takes its
//! price off at once and none is made that the bankroll does not cover, so along every path paid - credited <= W₀, up to the
//! loss that is credited at one decision: while it is empty nothing is followed, and what is not followed loses nothing. The
//! ceiling forgets gains of long ago, so an advisor that turns bad is noticed as fast as one that was bad from the start.

use serde::{Deserialize, Serialize};

use crate::Error;
use crate::refusal::in_range;

/// The bankroll as declared, in units of return.
///
/// ```
/// use counsel_decision::{Bankroll, BankrollSpec};
///
/// let bankroll = Bankroll::new(BankrollSpec { start: 0.2, most: 0.7 })?;
/// assert!(bankroll.covers(0.05) && !bankroll.credited(-0.18).covers(0.05));
/// # Ok::<(), counsel_decision::Error>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct BankrollSpec {
    /// W₀: what advice may lose at first.
    pub start: f64,
    /// What it may save up at most.
    pub most: f64,
}

/// What advice may still lose.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Bankroll {
    start: f64,
    left: f64,
    most: f64,
}

impl Bankroll {
    /// The bankroll at the start of a run.
    pub fn new(spec: BankrollSpec) -> Result<Self, Error> {
        let BankrollSpec { start, most } = spec;
        let remedy = "pass what advice may lose before it is given up";
        in_range(start >= 0.0 && start.is_finite(), "bankroll.start", start, "[0, infinity)", remedy)?;
        in_range(most >= start && most.is_finite(), "bankroll.most", most, "[start, infinity)", remedy)?;
        Ok(Self { start, left: start, most })
    }

    /// The bankroll as declared.
    pub(crate) fn spec(&self) -> BankrollSpec {
        BankrollSpec { start: self.start, most: self.most }
    }

    /// W₀.
    pub fn start(&self) -> f64 {
        self.start
    }

    /// W.
    pub fn left(&self) -> f64 {
        self.left
    }

    /// Whether advice has lost all that it may.
    pub fn is_empty(&self) -> bool {
        self.left < 0.0
    }

    /// Whether a call at this price is covered.
    pub fn covers(&self, price: f64) -> bool {
        price <= self.left
    }

    /// The bankroll as if it had begun so: what was gained and lost stays gained and lost.
    pub(crate) fn retuned(self, spec: BankrollSpec) -> Result<Self, Error> {
        let begun = Self::new(spec)?;
        Ok(Self { left: (self.left + begun.start - self.start).min(begun.most), ..begun })
    }

    /// The bankroll after advice gained or lost this.
    #[must_use]
    pub fn credited(self, gain: f64) -> Self {
        Self { left: (self.left + gain).min(self.most), ..self }
    }

    /// Pays for a call.
    pub(crate) fn pay(&mut self, price: f64) {
        self.left -= price;
    }
}
