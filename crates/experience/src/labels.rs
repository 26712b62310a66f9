//! Operational values: what an action has been worth in a context when the agent then goes on as it would without asking.
//!
//! Copies of the world tell what each action leads to, kept answers and their certificates included; a context collects the
//! labels of its states. The certificate of Eq. `main:safe` and the estimate of Eq. `main:est` stay as they are and look at
//! these values instead of the learner's. A context without labels has wide bounds, so nothing is admitted there. Old
//! labels count for less and less, because what the agent goes on to do changes.

use std::collections::BTreeMap;

use counsel_decision::refusal::{Refusal, in_range};
use counsel_decision::{Action, ContextKey, Error, ValueBounds, ValueSamples};
use serde::{Deserialize, Serialize};

use crate::model::Kept;
use crate::tally::{Tally, choice, spread};
use crate::track_record::{TrackRecord, TrackRecordSpec, Tried};

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
    pub fn check(&self) -> Result<(), Refusal> {
        let Self { states, memory, prior_deviation, bound_scale } = *self;
        let remedy = "see `counsel study new` for the defaults";
        in_range((1..=64).contains(&states), "values.labels.states", states as f64, "[1, 64]", remedy)?;
        let many = memory >= 1.0 && memory.is_finite();
        in_range(many, "values.labels.memory", memory, "[1, infinity)", remedy)?;
        let positive = prior_deviation > 0.0 && prior_deviation.is_finite();
        in_range(positive, "values.labels.prior_deviation", prior_deviation, "(0, infinity)", remedy)?;
        let wide = bound_scale >= 0.0 && bound_scale.is_finite();
        in_range(wide, "values.labels.bound_scale", bound_scale, "[0, infinity)", remedy)
    }
}

/// The labels of one context.
#[derive(Debug, Clone)]
struct Page {
    actions: Vec<Tally>,
    /// What the fallback's proposals are worth.
    fallback: Tally,
}

/// The labels of all contexts.
#[derive(Debug, Clone, Default)]
pub struct Labels(BTreeMap<ContextKey, Page>);

impl Labels {
    /// Takes note of what the actions are worth in a state of this context, in which the fallback proposes them by this law.
    pub fn learn(&mut self, table: LabelTable, context: ContextKey, worth: &[f64], law: &[f64]) {
        let new = || Page { actions: vec![Tally::default(); worth.len()], fallback: Tally::default() };
        let Page { actions, fallback } = self.0.entry(context).or_insert_with(new);
        actions.iter_mut().zip(worth).for_each(|(tally, label)| tally.take(*label, table.memory));
        fallback.take(law.iter().zip(worth).map(|(chance, worth)| chance * worth).sum(), table.memory);
    }

    /// The values of a context: samples spread by the standard error, and bounds.
    pub fn values(
        &self,
        table: LabelTable,
        context: ContextKey,
        actions: usize,
    ) -> Result<(ValueSamples, ValueBounds), Error> {
        let unknown = vec![Tally::default(); actions];
        let tallies = self.0.get(&context).map_or(&unknown, |page| &page.actions);
        let means: Vec<f64> = tallies.iter().map(|tally| tally.mean).collect();
        let errors: Vec<f64> = tallies.iter().map(|tally| tally.error(table.prior_deviation)).collect();
        spread(&means, &errors, table.bound_scale)
    }

    /// How many labels an action has in a context.
    pub fn count(&self, context: ContextKey, action: usize) -> f64 {
        self.0.get(&context).and_then(|page| page.actions.get(action)).map_or(0.0, |tally| tally.count)
    }

    /// What the labels alone would do in a context; nothing where they do not tell actions apart.
    pub fn choice(&self, context: ContextKey) -> Option<Action> {
        let means: Vec<f64> = self.0.get(&context)?.actions.iter().map(|tally| tally.mean).collect();
        choice(&means)
    }

    /// The record of an advisor whose kept answers are these, and so many of whose answers were unusable.
    pub fn record(&self, spec: TrackRecordSpec, kept: &Kept, unusable: usize) -> TrackRecord {
        let judged = kept.iter().filter_map(|(context, action)| {
            let Page { actions, fallback } = self.0.get(context)?;
            let tally = actions.get(action.index())?;
            Some(Tried { count: tally.count, gain: tally.mean - fallback.mean })
        });
        let unusable = std::iter::repeat_n(Tried::UNUSABLE, unusable);
        TrackRecord::of(spec, &unusable.chain(judged).collect::<Vec<_>>())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_unknown_context_has_wide_bounds_that_labels_close() {
        let (table, context) = (LabelTable::default(), ContextKey(7));
        let mut labels = Labels::default();
        let width = |labels: &Labels| {
            let (_, bounds) = labels.values(table, context, 7).unwrap();
            (bounds.lower()[2], bounds.upper()[2])
        };
        assert_eq!(width(&labels), (-0.5, 0.5));
        let worth = [0.0, 0.0, 0.8, 0.0, 0.0, 0.0, 0.0];
        (0..200).for_each(|_| labels.learn(table, context, &worth, &[]));
        let (lower, upper) = width(&labels);
        assert!(lower > 0.75 && upper < 0.85 && lower <= 0.8 && upper >= 0.8, "{lower} {upper}");
    }

    #[test]
    fn old_labels_fade() {
        let (table, context) = (LabelTable { memory: 10.0, ..LabelTable::default() }, ContextKey(7));
        let mut labels = Labels::default();
        (0..50).for_each(|_| labels.learn(table, context, &[0.0; 7], &[]));
        (0..30).for_each(|_| labels.learn(table, context, &[1.0; 7], &[]));
        let (samples, _) = labels.values(table, context, 7).unwrap();
        assert!(samples.means(None)[0] > 0.9);
    }
}
