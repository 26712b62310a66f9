//! Whether a kept answer still delivers what it used to: a sequential test in each context, without being told of a shift.
//!
//! What an episode returned after it followed the answer is ranked among what earlier episodes returned, ties broken by a
//! draw: p = (worse + draw · alike) / all, all counting itself. While nothing changes the values are exchangeable, so the p
//! are independent and uniform, and a bet that p is small, ⅓ p^(-2/3), is worth 1 on average (a conformal test martingale).
//! Nobody knows when a shift comes, so the money is spread over all uses at which the bets may begin: of what is left, the
//! hazard at each. Then what the money has become is a martingale that starts at 1, and by Ville's inequality
//!
//! P(it ever reaches 1 / level) <= level,
//!
//! however often the answer is used. An agent that improves only makes alarms rarer. If all that comes after use n is worse
//! than all before, bet k since then wins ⅓ ((n + k) / (k · draw))^(2/3), and the delay is about the first d at which the
//! logarithms of these sum to ln(1 / level) - ln(hazard (1 - hazard)^n): 6 uses after 50. An answer that was used a few times
//! only may never be found out.

use std::collections::{BTreeMap, BTreeSet};

use counsel_decision::ContextKey;
use counsel_decision::refusal::{Refusal, in_range};
use serde::{Deserialize, Serialize};

/// The exponent of a bet: the smaller it is, the more is won at small p and lost elsewhere.
const BOLDNESS: f64 = 1.0 / 3.0;

/// How shifts are detected.
///
/// | Name | Default | Range |
/// |---|---|---|
/// | `level` | 0.05 | the chance that an answer is ever dropped without a shift, above 0 and below 1 |
/// | `hazard` | 0.02 | the share of the money that is bet on a shift at the next use, above 0 and below 1 |
///
/// ```
/// use counsel_controller::{ContextKey, ShiftDetector, ShiftSpec};
///
/// let mut detector = ShiftDetector::new(ShiftSpec::default());
/// for use_ in 0..200 {
///     detector.observe(ContextKey(1), if use_ < 100 { 1.0 } else { 0.0 }, 0.5); // it stops delivering
/// }
/// assert!(detector.is_shifted(ContextKey(1)));
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct ShiftSpec {
    /// The chance that an answer is ever dropped without a shift.
    pub level: f64,
    /// The share of the money that is bet on a shift at the next use.
    pub hazard: f64,
}

impl Default for ShiftSpec {
    fn default() -> Self {
        Self { level: 0.05, hazard: 0.02 }
    }
}

impl ShiftSpec {
    /// Refuses settings by which nothing can be detected.
    pub fn check(&self) -> Result<(), Refusal> {
        let remedy = "the defaults are 0.05 and 0.02";
        for (what, value) in [("shift_detector.level", self.level), ("shift_detector.hazard", self.hazard)] {
            in_range(value > 0.0 && value < 1.0, what, value, "(0, 1)", remedy)?;
        }
        Ok(())
    }
}

/// The test of one kept answer.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ShiftTest {
    spec: ShiftSpec,
    /// What was delivered so far.
    delivered: Vec<f64>,
    /// What the money has become that is in bets, and what is not bet yet.
    staked: f64,
    waiting: f64,
}

impl ShiftTest {
    /// The test of an answer that was not used yet.
    pub fn new(spec: ShiftSpec) -> Self {
        Self { spec, delivered: Vec::new(), staked: 0.0, waiting: 1.0 }
    }

    /// Takes what the next use delivered, with a draw from (0, 1], and says whether that is an alarm.
    pub fn observe(&mut self, delivered: f64, draw: f64) -> bool {
        let worse = self.delivered.iter().filter(|earlier| **earlier < delivered).count() as f64;
        let alike = self.delivered.iter().filter(|earlier| **earlier == delivered).count() as f64;
        self.delivered.push(delivered);
        let p = (worse + draw * (alike + 1.0)) / self.delivered.len() as f64;
        let begun = self.waiting * self.spec.hazard;
        self.waiting -= begun;
        self.staked = (self.staked + begun) * BOLDNESS * p.powf(BOLDNESS - 1.0);
        self.staked + self.waiting >= 1.0 / self.spec.level
    }
}

/// The tests of all kept answers.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ShiftDetector {
    spec: ShiftSpec,
    tests: BTreeMap<ContextKey, ShiftTest>,
    shifted: BTreeSet<ContextKey>,
}

impl ShiftDetector {
    /// No answer is kept yet.
    pub fn new(spec: ShiftSpec) -> Self {
        Self { spec, tests: BTreeMap::new(), shifted: BTreeSet::new() }
    }

    /// The answer of this context was used and delivered this; the draw is from (0, 1].
    pub fn observe(&mut self, context: ContextKey, delivered: f64, draw: f64) {
        let test = self.tests.entry(context).or_insert_with(|| ShiftTest::new(self.spec));
        if test.observe(delivered, draw) {
            self.shifted.insert(context);
        }
    }

    /// Whether the answer of this context stopped delivering.
    pub fn is_shifted(&self, context: ContextKey) -> bool {
        self.shifted.contains(&context)
    }

    /// A new answer is kept in this context, of which nothing is known.
    pub fn renew(&mut self, context: ContextKey) {
        self.tests.remove(&context);
        self.shifted.remove(&context);
    }
}
