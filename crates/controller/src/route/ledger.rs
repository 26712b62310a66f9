//! What a period may cost, and what of it is spent or promised. The limit is hard.
//!
//! Invariant: an advisor other than the cheapest is allowed only if its worst case fits beside all that is spent and reserved and
//! the expected cost of the cheapest advisor for every later request. So as long as reservations are true, the period ends
//! within its budget, up to what the cheapest advisor costs more than expected.

use counsel_decision::refusal::{Refusal, in_range};
use serde::{Deserialize, Serialize};

/// The money of a period.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Ledger {
    budget: f64,
    requests: u64,
    met: u64,
    spent: f64,
    /// The worst case of what is on its way.
    reserved: f64,
    /// What is expected of it.
    expected: f64,
}

impl Ledger {
    /// A period with this budget in all, for this number of requests.
    pub fn new(budget: f64, requests: u64) -> Result<Self, Refusal> {
        in_range(
            budget > 0.0 && budget.is_finite(),
            "budget",
            budget,
            "(0, infinity)",
            "say what the period may cost",
        )?;
        let remedy = "say how many requests the period will have, or estimate it";
        in_range(requests > 0, "requests", requests as f64, "[1, infinity)", remedy)?;
        Ok(Self { budget, requests, met: 0, spent: 0.0, reserved: 0.0, expected: 0.0 })
    }

    /// The next period. What is still on its way is paid from it.
    #[must_use]
    pub fn renewed(&self, budget: f64, requests: u64) -> Self {
        Self { budget, requests, met: 0, spent: 0.0, ..self.clone() }
    }

    /// Requests to come, this one included. A period that lasts longer than declared goes on with one.
    fn left(&self) -> f64 {
        self.requests.saturating_sub(self.met).max(1) as f64
    }

    /// What may be spent on each request to come.
    pub fn rate(&self) -> f64 {
        ((self.budget - self.spent - self.expected) / self.left()).max(0.0)
    }

    /// The budget of one request, as declared.
    pub fn share(&self) -> f64 {
        self.budget / self.requests as f64
    }

    /// Whether the worst case of an answer fits, if all later requests cost this at least.
    pub fn allows(&self, worst: f64, cheapest: f64) -> bool {
        self.spent + self.reserved + worst + (self.left() - 1.0) * cheapest <= self.budget
    }

    /// An answer is paid for that costs this at worst, and is expected to cost so much.
    pub(super) fn reserve(&mut self, worst: f64, expected: f64) {
        self.met += 1;
        self.reserved += worst;
        self.expected += expected;
    }

    /// It cost this.
    pub(super) fn settle(&mut self, worst: f64, expected: f64, cost: f64) {
        // Rounding must not leave a debt that nobody has.
        self.reserved = (self.reserved - worst).max(0.0);
        self.expected = (self.expected - expected).max(0.0);
        self.spent += cost;
    }

    /// What the period has cost so far.
    pub fn spent(&self) -> f64 {
        self.spent
    }

    /// The budget of the period.
    pub fn budget(&self) -> f64 {
        self.budget
    }
}
