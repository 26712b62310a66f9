//! Operational values: what an action has been worth in a context when the agent then goes on as it would without asking.
//!
//! Copies of the world tell what each action leads to, kept answers and their certificates included; a context collects the
//! labels of its states. The certificate of Eq. `main:safe` and the estimate of Eq. `main:est` stay as they are and look at
//! these values instead of the learner's. A context without labels has wide bounds, so nothing is admitted there. Old
//! labels count for less and less, because what the agent goes on to do changes.

use std::collections::BTreeMap;

use counsel_decision::{ContextKey, ValueBounds, ValueSamples};
use serde::{Deserialize, Serialize};

use crate::{Error, refuse};

/// Where values and bounds come from.
#[derive(Debug, Clone, Copy, PartialEq, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub enum ValuesFrom {
    /// The learner's posterior.
    #[default]
    Learner,
    /// Labels of the agent's own no-query behaviour, by context.
    Labels(LabelTable),
}

/// How labels become values.
///
/// | Name | Default | Range |
/// |---|---|---|
/// | `states` | 4 | states labelled in each episode where labels are simulated, 1 to 64 |
/// | `memory` | 30 | labels that an action's mean remembers, 1 or more |
/// | `prior_deviation` | 0.5 | the deviation of a single label before any is known, above 0 |
/// | `bound_scale` | 1.0 | standard errors from the mean to a bound, 0 or more |
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct LabelTable {
    /// States labelled in each episode where labels are simulated; with exact values all of them are.
    pub states: usize,
    /// Labels that an action's mean remembers.
    pub memory: f64,
    /// The deviation of a single label before any is known.
    pub prior_deviation: f64,
    /// Standard errors from the mean to a bound.
    pub bound_scale: f64,
}

impl Default for LabelTable {
    fn default() -> Self {
        Self { states: 4, memory: 30.0, prior_deviation: 0.5, bound_scale: 1.0 }
    }
}

impl LabelTable {
    /// Refuses a table that cannot be kept.
    pub(super) fn check(&self) -> Result<(), Error> {
        let Self { states, memory, prior_deviation, bound_scale } = *self;
        refuse(!(1..=64).contains(&states), "values.labels.states is 1 to 64")?;
        refuse(!(memory >= 1.0 && memory.is_finite()), "values.labels.memory is 1 or more")?;
        let positive = prior_deviation > 0.0 && prior_deviation.is_finite();
        refuse(!positive, "values.labels.prior_deviation is above 0")?;
        refuse(!(bound_scale >= 0.0 && bound_scale.is_finite()), "values.labels.bound_scale is 0 or more")
    }
}

/// Eight points of equal probability of the normal distribution.
const POINTS: [f64; 8] = [-1.534_121, -0.887_147, -0.488_776, -0.157_311, 0.157_311, 0.488_776, 0.887_147, 1.534_121];

/// The labels of one action in one context.
#[derive(Debug, Clone, Copy, Default)]
struct Tally {
    count: f64,
    mean: f64,
    /// The sum of squared deviations.
    spread: f64,
}

/// The labels of all contexts.
#[derive(Debug, Clone, Default)]
pub(super) struct Operational(BTreeMap<ContextKey, Vec<Tally>>);

impl Operational {
    /// Takes note of what the actions are worth in a state of this context.
    pub(super) fn learn(&mut self, table: LabelTable, context: ContextKey, worth: &[f64]) {
        let tallies = self.0.entry(context).or_insert_with(|| vec![Tally::default(); worth.len()]);
        for (tally, label) in tallies.iter_mut().zip(worth) {
            if tally.count >= table.memory {
                let kept = (table.memory - 1.0).max(0.0) / tally.count;
                tally.count *= kept;
                tally.spread *= kept;
            }
            tally.count += 1.0;
            let off = label - tally.mean;
            tally.mean += off / tally.count;
            tally.spread += off * (label - tally.mean);
        }
    }

    /// The values of a context: samples spread by the standard error, and bounds.
    pub(super) fn valued(
        &self,
        table: LabelTable,
        context: ContextKey,
        actions: usize,
    ) -> Result<(ValueSamples, ValueBounds), Error> {
        let unknown = vec![Tally::default(); actions];
        let tallies = self.0.get(&context).unwrap_or(&unknown);
        let error: Vec<f64> = tallies
            .iter()
            .map(|tally| {
                let variance = (table.prior_deviation.powi(2) + tally.spread) / (tally.count + 1.0);
                (variance / (tally.count + 1.0)).sqrt()
            })
            .collect();
        let at = |scale: f64| tallies.iter().zip(&error).map(move |(tally, error)| tally.mean + scale * error);
        let samples = POINTS.iter().flat_map(|&point| at(point)).collect();
        let bounds = ValueBounds::new(at(-table.bound_scale).collect(), at(table.bound_scale).collect())?;
        Ok((ValueSamples::new(actions, samples)?, bounds))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bounds_close_in_on_the_labels() {
        let (table, context) = (LabelTable::default(), ContextKey(7));
        let mut values = Operational::default();
        let width = |values: &Operational| {
            let (_, bounds) = values.valued(table, context, 7).unwrap();
            (bounds.lower()[2], bounds.upper()[2])
        };
        assert_eq!(width(&values), (-0.5, 0.5));
        let worth = [0.0, 0.0, 0.8, 0.0, 0.0, 0.0, 0.0];
        (0..200).for_each(|_| values.learn(table, context, &worth));
        let (lower, upper) = width(&values);
        assert!(lower > 0.75 && upper < 0.85 && lower <= 0.8 && upper >= 0.8, "{lower} {upper}");
    }

    #[test]
    fn old_labels_fade() {
        let (table, context) = (LabelTable { memory: 10.0, ..LabelTable::default() }, ContextKey(7));
        let mut values = Operational::default();
        (0..50).for_each(|_| values.learn(table, context, &[0.0; 7]));
        (0..30).for_each(|_| values.learn(table, context, &[1.0; 7]));
        let (samples, _) = values.valued(table, context, 7).unwrap();
        assert!(samples.means(None)[0] > 0.9);
    }
}
