//! What was measured: one number per measure, arm and seed.

use counsel_stats::{Bootstrap, Interval, PairedComparison, holm, mean_interval};

/// The seeds of one arm and their measures.
#[derive(Debug, Clone)]
pub(super) struct ArmResults {
    pub(super) name: String,
    pub(super) seeds: Vec<u64>,
    /// `values[column][seed]`.
    pub(super) values: Vec<Vec<Option<f64>>>,
}

/// All arms of a study, in the order of its specification.
#[derive(Debug, Clone)]
pub(super) struct Results {
    pub(super) headings: Vec<&'static str>,
    pub(super) arms: Vec<ArmResults>,
}

impl ArmResults {
    /// The measured values of a column, in the order of the seeds.
    pub(super) fn measured(&self, column: usize) -> Vec<f64> {
        self.values[column].iter().copied().flatten().collect()
    }

    /// The runs behind this arm: `lock/controller/0..23`, or a list where seeds are not in a row.
    pub(super) fn trace(&self, study: &str) -> String {
        let in_a_row = self.seeds.windows(2).all(|pair| pair[1] == pair[0] + 1);
        let seeds = match (self.seeds.first(), self.seeds.last()) {
            (Some(first), Some(last)) if in_a_row => format!("{first}..{last}"),
            _ => self.seeds.iter().map(u64::to_string).collect::<Vec<_>>().join(","),
        };
        format!("{study}/{}/{seeds}", self.name)
    }
}

impl Results {
    /// The place of a column, by its heading.
    pub(super) fn column(&self, heading: &str) -> Option<usize> {
        self.headings.iter().position(|known| *known == heading)
    }

    /// One arm, by name.
    pub(super) fn arm(&self, name: &str) -> Option<&ArmResults> {
        self.arms.iter().find(|arm| arm.name == name)
    }

    /// The values of a column in one arm; nothing if the arm or every value is missing.
    pub(super) fn values(&self, arm: &str, heading: &str) -> Option<Vec<f64>> {
        let values = self.arm(arm)?.measured(self.column(heading)?);
        (!values.is_empty()).then_some(values)
    }

    /// The mean of a column in one arm.
    pub(super) fn mean(&self, arm: &str, heading: &str) -> Option<f64> {
        let values = self.values(arm, heading)?;
        Some(values.iter().sum::<f64>() / values.len() as f64)
    }

    /// The mean of a column in one arm with its 95 % interval.
    pub(super) fn interval(&self, arm: &str, heading: &str) -> Option<Interval> {
        mean_interval(&self.values(arm, heading)?, 0.95).ok().flatten()
    }

    /// One arm minus another, paired by the seeds that both have.
    pub(super) fn paired(&self, arm: &str, baseline: &str, heading: &str) -> Option<PairedComparison> {
        let column = self.column(heading)?;
        let (one, other) = (self.arm(arm)?, self.arm(baseline)?);
        let mut differences = Vec::new();
        for (seed, value) in one.seeds.iter().zip(&one.values[column]) {
            let place = other.seeds.iter().position(|candidate| candidate == seed);
            if let (Some(value), Some(Some(base))) = (value, place.map(|place| other.values[column][place])) {
                differences.push(value - base);
            }
        }
        PairedComparison::from_differences(&differences, &Bootstrap::seeded(0)).ok()
    }

    /// One arm minus another, and the p value of the difference adjusted by Holm's method among all arms compared with the
    /// same baseline.
    pub(super) fn adjusted(&self, arm: &str, baseline: &str, heading: &str) -> Option<(f64, f64)> {
        let mut raw = Vec::new();
        let mut wanted = None;
        for other in self.arms.iter().filter(|other| other.name != baseline) {
            let Some(paired) = self.paired(&other.name, baseline, heading) else { continue };
            let Some(p) = paired.p_value else { continue };
            if other.name == arm {
                wanted = Some((raw.len(), paired.mean_difference));
            }
            raw.push(p);
        }
        let (place, difference) = wanted?;
        Some((difference, *holm(&raw).ok()?.get(place)?))
    }

    /// Whether one arm is above another by more than the paired 95 % interval.
    pub(super) fn clearly_above(&self, arm: &str, baseline: &str, heading: &str) -> Option<bool> {
        self.paired(arm, baseline, heading)?.t_interval.map(|interval| interval.low > 0.0)
    }
}
