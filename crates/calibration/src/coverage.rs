//! What a radius was worth where it was used: the coverage audit of Table `tab:beta-audit`.
//!
//! An opportunity is covered when |Δ̂ - Δ| + ρ <= β; ρ is 0 where the truth is exact. Marginal coverage promises nothing
//! about strata or trajectories, so each is counted on its own. Every rate carries its denominator; a rate over nothing
//! is absent.

use std::collections::BTreeMap;

use counsel_decision::Radius;
use serde::{Deserialize, Serialize};

/// One evaluated opportunity.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Audited {
    /// Δ̂.
    pub estimate: f64,
    /// β.
    pub radius: Radius,
    /// Δ, or its proxy.
    pub truth: f64,
    /// ρ of the proxy; 0 where the truth is exact.
    pub monte_carlo: f64,
    /// Its stratum.
    pub group: u32,
    /// The episode it belongs to.
    pub trajectory: u64,
    /// c.
    pub price: f64,
}

impl Audited {
    /// Whether the radius covers the error.
    pub fn covered(&self) -> bool {
        (self.estimate - self.truth).abs() + self.monte_carlo <= self.radius.value()
    }

    /// Whether the conservative gate asks.
    pub fn asks(&self) -> bool {
        self.estimate - self.radius.value() >= self.price
    }

    /// What the myopic oracle gains over the gate, Eq. `eq:myopic-surrogate`.
    pub fn surrogate_loss(&self) -> f64 {
        let net = self.truth - self.price;
        let gate = if self.asks() { net } else { 0.0 };
        net.max(0.0) - gate
    }
}

/// So many of so many.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Share {
    /// How many have the property.
    pub count: usize,
    /// How many there are.
    pub of: usize,
}

impl Share {
    /// The share as a number; nothing when there are none.
    pub fn rate(self) -> Option<f64> {
        (self.of > 0).then(|| self.count as f64 / self.of as f64)
    }

    fn add(&mut self, has: bool) {
        self.count += usize::from(has);
        self.of += 1;
    }

    fn among<'a>(items: impl Iterator<Item = &'a Audited>, has: impl Fn(&Audited) -> bool) -> Self {
        let mut share = Self::default();
        items.for_each(|item| share.add(has(item)));
        share
    }
}

/// The audit of one evaluation.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CoverageAudit {
    /// Covered opportunities, of all.
    pub marginal: Share,
    /// Covered opportunities, of those with Δ̂ > 0.
    pub decision_relevant: Share,
    /// Covered opportunities, of each group.
    pub by_group: BTreeMap<u32, Share>,
    /// The first group with the lowest coverage.
    pub worst_group: Option<(u32, Share)>,
    /// Trajectories on which every opportunity is covered, of all trajectories.
    pub trajectory: Share,
    /// The median radius.
    pub median_radius: Option<Radius>,
    /// The mean radius.
    pub mean_radius: Option<Radius>,
    /// Opportunities where the radius silences the gate (Δ̂ - β < c <= Δ̂), of all.
    pub abstained: Share,
    /// Queries with Δ < c, of the queries that the conservative gate issues.
    pub negative_net_queries: Share,
    /// What the myopic oracle gains over the gate, summed over all opportunities; absent when there are none.
    pub surrogate_loss: Option<f64>,
}

impl CoverageAudit {
    /// Audits the evaluated opportunities.
    pub fn new(audited: &[Audited]) -> Self {
        let mut by_group: BTreeMap<u32, Share> = BTreeMap::new();
        let mut trajectories: BTreeMap<u64, bool> = BTreeMap::new();
        for item in audited {
            by_group.entry(item.group).or_default().add(item.covered());
            *trajectories.entry(item.trajectory).or_insert(true) &= item.covered();
        }
        let mut worst_group: Option<(u32, Share)> = None;
        for (&group, &share) in &by_group {
            if worst_group.is_none_or(|(_, worst)| share.rate() < worst.rate()) {
                worst_group = Some((group, share));
            }
        }
        let mut radii: Vec<f64> = audited.iter().map(|item| item.radius.value()).collect();
        radii.sort_by(f64::total_cmp);
        let silenced = |item: &Audited| item.estimate >= item.price && !item.asks();
        Self {
            marginal: Share::among(audited.iter(), Audited::covered),
            decision_relevant: Share::among(audited.iter().filter(|item| item.estimate > 0.0), Audited::covered),
            by_group,
            worst_group,
            trajectory: Share { count: trajectories.values().filter(|&&all| all).count(), of: trajectories.len() },
            median_radius: median(&radii).and_then(|value| Radius::new(value).ok()),
            mean_radius: mean(&radii).and_then(|value| Radius::new(value).ok()),
            abstained: Share::among(audited.iter(), silenced),
            negative_net_queries: Share::among(audited.iter().filter(|item| item.asks()), |item| {
                item.truth < item.price
            }),
            surrogate_loss: (!audited.is_empty()).then(|| audited.iter().map(Audited::surrogate_loss).sum()),
        }
    }
}

fn mean(values: &[f64]) -> Option<f64> {
    (!values.is_empty()).then(|| values.iter().sum::<f64>() / values.len() as f64)
}

fn median(sorted: &[f64]) -> Option<f64> {
    let middle = sorted.len() / 2;
    match sorted.len() {
        0 => None,
        odd if odd % 2 == 1 => Some(sorted[middle]),
        _ => Some(f64::midpoint(sorted[middle - 1], sorted[middle])),
    }
}
