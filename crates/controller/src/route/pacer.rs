//! The price of money: how much reward a unit of cost must bring so that the budget lasts for the period.
//!
//! λ is the smallest price at which the advisors that a router would choose for the latest requests cost no more on average than
//! what is left for each request to come. It is solved again on a ring of recent predictions, so it follows both the spending
//! and what is asked.

use counsel_decision::refusal::{Refusal, at_least};
use serde::{Deserialize, Serialize};

/// Fewer requests than this are too few to let the price stand.
const FEW: usize = 32;
/// The price lies between these powers of ten; each halving adds a bit.
const POWERS: (f64, f64) = (-3.0, 7.0);
const HALVINGS: usize = 28;

/// Solves the price of money again and again.
///
/// | Name | Default | Range |
/// |---|---|---|
/// | `window` | 256 | the requests that are looked back on, at least 1 |
/// | `every` | 16 | the requests between two solutions, at least 1 |
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Pacer {
    window: usize,
    every: u64,
    advisors: usize,
    /// Rewards and costs of the recent requests, advisor by advisor.
    rewards: Vec<f64>,
    costs: Vec<f64>,
    next: usize,
    met: u64,
    price: f64,
}

impl Pacer {
    /// A pacer for this number of advisors.
    pub fn new(advisors: usize, window: usize, every: u64) -> Result<Self, Refusal> {
        let remedy = "the defaults are 256 and 16";
        at_least("window", window, 1, remedy)?;
        at_least("every", usize::try_from(every).unwrap_or(usize::MAX), 1, remedy)?;
        Ok(Self { window, every, advisors, rewards: Vec::new(), costs: Vec::new(), next: 0, met: 0, price: 0.0 })
    }

    /// Meets a request with what is expected of each advisor, and says the price. `rate` is what may be spent on a request.
    pub fn meet(&mut self, rewards: &[f64], costs: &[f64], rate: f64) -> f64 {
        let at = self.next * self.advisors;
        if self.rewards.len() < self.window * self.advisors {
            self.rewards.extend_from_slice(rewards);
            self.costs.extend_from_slice(costs);
        } else {
            self.rewards[at..at + self.advisors].copy_from_slice(rewards);
            self.costs[at..at + self.advisors].copy_from_slice(costs);
        }
        self.next = (self.next + 1) % self.window;
        if self.met.is_multiple_of(self.every) || self.rewards.len() < FEW * self.advisors {
            self.price = self.solve(rate);
        }
        self.met += 1;
        self.price
    }

    /// λ as it stands.
    pub fn price(&self) -> f64 {
        self.price
    }

    /// The smallest price at which the choices cost no more than `rate` on average.
    fn solve(&self, rate: f64) -> f64 {
        let most = rate * (self.rewards.len() / self.advisors) as f64;
        if self.spent_at(0.0) <= most {
            return 0.0;
        }
        let (mut low, mut high) = POWERS;
        for _ in 0..HALVINGS {
            let middle = 0.5 * (low + high);
            if self.spent_at(10f64.powf(middle)) <= most {
                high = middle;
            } else {
                low = middle;
            }
        }
        10f64.powf(high)
    }

    /// What the choices at this price cost together. Among equals the first is chosen.
    fn spent_at(&self, price: f64) -> f64 {
        let requests = self.rewards.chunks_exact(self.advisors).zip(self.costs.chunks_exact(self.advisors));
        let choice = |(rewards, costs): (&[f64], &[f64])| {
            let (mut best, mut cost) = (f64::NEG_INFINITY, 0.0);
            for (reward, price_of) in rewards.iter().zip(costs) {
                let value = reward - price * price_of;
                if value > best {
                    (best, cost) = (value, *price_of);
                }
            }
            cost
        };
        requests.map(choice).sum()
    }
}
