//! Bayesian ridge regression, one observation at a time: what an advisor's answer brings and costs, as a linear function of φ.
//!
//! | step | formula |
//! |---|---|
//! | drift | P₀₀ += q: the level may move |
//! | gain | u = P φ, d = 1 + φ·u, e = y - w·φ |
//! | update | w += u e / d, P -= u u' / d, σ² += (e²/d - σ²) / (20 + n) |
//!
//! Reward and cost share P. P is symmetric and kept as its lower triangle, row by row: one pass over it computes u from the few
//! entries of φ, a second one subtracts. The bits depend on nothing but the order of the observations.

use serde::{Deserialize, Serialize};

use super::features::Sparse;

/// The weight of the first variance, in observations.
const VARIANCE_RECORD: f64 = 20.0;
/// What remains of the evidence after each observation.
const EVIDENCE_MEMORY: f64 = 0.998;

/// One regression of reward and cost.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(super) struct Ridge {
    /// The rows of the lower triangle of P, one behind the other.
    triangle: Vec<f64>,
    reward: Vec<f64>,
    cost: Vec<f64>,
    pub(super) variance: f64,
    pub(super) count: f64,
    /// Its predictive log density of the rewards so far, the latest with the most weight.
    pub(super) evidence: f64,
}

/// The gain of one observation.
struct Gain {
    column: Vec<f64>,
    spread: f64,
}

/// Where a row of the triangle begins.
fn row(place: usize) -> usize {
    place * (place + 1) / 2
}

impl Ridge {
    /// Before any observation: these variances of the weights, this level of reward and of cost, this variance of a reward.
    pub(super) fn new(prior: &[f64], reward: f64, cost: f64, variance: f64) -> Self {
        let size = prior.len();
        let mut triangle = vec![0.0; row(size)];
        for (place, spread) in prior.iter().enumerate() {
            triangle[row(place) + place] = *spread;
        }
        let level = |value: f64| {
            let mut weights = vec![0.0; size];
            weights[0] = value;
            weights
        };
        Self { triangle, reward: level(reward), cost: level(cost), variance, count: 0.0, evidence: 0.0 }
    }

    pub(super) fn size(&self) -> usize {
        self.reward.len()
    }

    /// The expected reward and cost.
    pub(super) fn predict(&self, phi: &Sparse) -> (f64, f64) {
        let (mut reward, mut cost) = (0.0, 0.0);
        for (place, value) in phi.up_to(self.size()) {
            reward += self.reward[place] * value;
            cost += self.cost[place] * value;
        }
        (reward, cost)
    }

    /// The level of the cost.
    pub(super) fn cost_level(&self) -> f64 {
        self.cost[0]
    }

    /// φ' P φ.
    pub(super) fn spread(&self, phi: &Sparse) -> f64 {
        let entries = phi.up_to(self.size());
        let mut sum = 0.0;
        for (rank, (place, value)) in entries.clone().enumerate() {
            let row = &self.triangle[row(place)..=row(place) + place];
            let below: f64 = entries.clone().take(rank).map(|(other, weight)| row[other] * weight).sum();
            sum += value * (2.0 * below + row[place] * value);
        }
        sum
    }

    /// P φ and 1 + φ' P φ.
    fn gain(&self, phi: &Sparse) -> Gain {
        let size = self.size();
        let mut column = vec![0.0; size];
        let entries: Vec<(usize, f64)> = phi.up_to(size).collect();
        let mut known = 0;
        for place in 0..size {
            let row = &self.triangle[row(place)..=row(place) + place];
            let mut sum = 0.0;
            for (other, value) in &entries[..known] {
                sum += row[*other] * value;
            }
            if let Some((_, value)) = entries.get(known).filter(|(entry, _)| *entry == place) {
                known += 1;
                sum += row[place] * value;
                for (above, entry) in column[..place].iter_mut().zip(row) {
                    *above += entry * value;
                }
            }
            column[place] += sum;
        }
        let spread = 1.0 + entries.iter().map(|(place, value)| column[*place] * value).sum::<f64>();
        Gain { column, spread }
    }

    /// Learns what an answer brought and cost. The cost is in units of its list price.
    pub(super) fn learn(&mut self, phi: &Sparse, reward: f64, cost: Option<f64>, drift: f64) {
        let (expected, expected_cost) = self.predict(phi);
        self.triangle[0] += drift;
        let Gain { column, spread } = self.gain(phi);
        let error = reward - expected;
        let cost_error = cost.map_or(0.0, |cost| cost - expected_cost);
        let width = self.variance * spread;
        self.evidence = EVIDENCE_MEMORY * self.evidence - 0.5 * (width.ln() + error * error / width);
        self.variance += (error * error / spread - self.variance) / (VARIANCE_RECORD + self.count);
        self.count += 1.0;
        for (place, entry) in column.iter().enumerate() {
            let share = entry / spread;
            self.reward[place] += share * error;
            self.cost[place] += share * cost_error;
            if share != 0.0 {
                let row = &mut self.triangle[row(place)..=row(place) + place];
                for (entry, other) in row.iter_mut().zip(&column) {
                    *entry -= share * other;
                }
            }
        }
    }

    /// Learns what an answer cost whose reward never came. What is known of rewards stays as it is.
    pub(super) fn learn_cost(&mut self, phi: &Sparse, cost: f64) {
        let error = cost - self.predict(phi).1;
        let Gain { column, spread } = self.gain(phi);
        for (weight, entry) in self.cost.iter_mut().zip(&column) {
            *weight += entry / spread * error;
        }
    }

    /// Replaces a reward that was learned by another: w += P φ (new - old). Exact without drift, since w is linear in the
    /// rewards; with drift it has the weight that the observation would have today.
    pub(super) fn correct(&mut self, phi: &Sparse, change: f64) {
        let Gain { column, .. } = self.gain(phi);
        for (weight, entry) in self.reward.iter_mut().zip(&column) {
            *weight += entry * change;
        }
    }
}
