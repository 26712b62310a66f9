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

use crate::empirical_mdp::HeldAnswers;
use crate::statistics::{RunningMean, ValueTable, choice, spread};
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
pub struct LabelSpec {
    /// States labelled in each episode where labels are simulated; with exact values all of them are.
    pub states: usize,
    /// Labels that an action's mean remembers.
    pub memory: f64,
    /// The deviation of a single label before any is known.
    pub prior_deviation: f64,
    /// Standard errors from the mean to a bound.
    pub bound_scale: f64,
}

impl Default for LabelSpec {
    fn default() -> Self {
        Self { states: 4, memory: 30.0, prior_deviation: 0.5, bound_scale: 1.0 }
    }
}

impl LabelSpec {
    /// Refuses a table that cannot be kept.
    pub fn check(&self) -> Result<(), Refusal> {
        let Self { states, memory, prior_deviation, bound_scale } = *self;
        let remedy = "see `counsel study new` for the defaults";
        in_range((1..=64).contains(&states), "values.states", states as f64, "[1, 64]", remedy)?;
        let many = memory >= 1.0 && memory.is_finite();
        in_range(many, "values.memory", memory, "[1, infinity)", remedy)?;
        let positive = prior_deviation > 0.0 && prior_deviation.is_finite();
        in_range(positive, "values.prior_deviation", prior_deviation, "(0, infinity)", remedy)?;
        let wide = bound_scale >= 0.0 && bound_scale.is_finite();
        in_range(wide, "values.bound_scale", bound_scale, "[0, infinity)", remedy)
    }
}

/// The labels of one context.
#[derive(Debug, Clone, Serialize, Deserialize)]
struct Page {
    actions: Vec<RunningMean>,
    /// What the fallback's proposals are worth.
    fallback: RunningMean,
}

/// The labels of all contexts.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct LabelTable {
    spec: LabelSpec,
    actions: usize,
    pages: BTreeMap<ContextKey, Page>,
}

impl LabelTable {
    /// A table without labels.
    pub fn new(spec: LabelSpec, actions: usize) -> Self {
        Self { spec, actions, pages: BTreeMap::new() }
    }

    /// Takes note of what the actions are worth in a state of this context, in which the fallback proposes them by this law.
    pub fn learn(&mut self, context: ContextKey, worth: &[f64], law: &[f64]) {
        let new = || Page { actions: vec![RunningMean::default(); self.actions], fallback: RunningMean::default() };
        let Page { actions, fallback } = self.pages.entry(context).or_insert_with(new);
        actions.iter_mut().zip(worth).for_each(|(tally, label)| tally.take(*label, self.spec.memory));
        fallback.take(law.iter().zip(worth).map(|(chance, worth)| chance * worth).sum(), self.spec.memory);
    }

    /// What is known of the actions of a context.
    fn tallies(&self, context: ContextKey) -> Vec<RunningMean> {
        let unknown = || vec![RunningMean::default(); self.actions];
        self.pages.get(&context).map_or_else(unknown, |page| page.actions.clone())
    }
}

impl ValueTable for LabelTable {
    fn width(&self, _: ContextKey) -> usize {
        self.actions
    }

    fn values(&self, context: ContextKey, actions: usize) -> Result<(ValueSamples, ValueBounds), Error> {
        let known = |tally: &RunningMean| (tally.mean, tally.error(self.spec.prior_deviation));
        let (means, errors): (Vec<f64>, Vec<f64>) = self.tallies(context).iter().take(actions).map(known).unzip();
        spread(&means, &errors, self.spec.bound_scale)
    }

    fn tries(&self, context: ContextKey, actions: usize) -> Vec<f64> {
        self.tallies(context).iter().take(actions).map(|tally| tally.count).collect()
    }

    fn choice(&self, context: ContextKey, actions: usize) -> Option<Action> {
        let means: Vec<f64> = self.tallies(context).iter().take(actions).map(|tally| tally.mean).collect();
        choice(&means)
    }

    fn record(&self, spec: TrackRecordSpec, kept: &HeldAnswers, unusable: usize) -> TrackRecord {
        let judged = kept.iter().filter_map(|(context, action)| {
            let Page { actions, fallback } = self.pages.get(context)?;
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
        let context = ContextKey(7);
        let mut labels = LabelTable::new(LabelSpec::default(), 7);
        let width = |labels: &LabelTable| {
            let (_, bounds) = labels.values(context, 7).unwrap();
            (bounds.lower()[2], bounds.upper()[2])
        };
        assert_eq!(width(&labels), (-0.5, 0.5));
        let worth = [0.0, 0.0, 0.8, 0.0, 0.0, 0.0, 0.0];
        (0..200).for_each(|_| labels.learn(context, &worth, &[]));
        let (lower, upper) = width(&labels);
        assert!(lower > 0.75 && upper < 0.85 && lower <= 0.8 && upper >= 0.8, "{lower} {upper}");
    }

    #[test]
    fn old_labels_fade() {
        let context = ContextKey(7);
        let mut labels = LabelTable::new(LabelSpec { memory: 10.0, ..LabelSpec::default() }, 7);
        (0..50).for_each(|_| labels.learn(context, &[0.0; 7], &[]));
        (0..30).for_each(|_| labels.learn(context, &[1.0; 7], &[]));
        let (samples, _) = labels.values(context, 2).unwrap();
        assert!(samples.means(None)[0] > 0.9);
    }
}
