//! Values by regression: what each action is worth, as a linear function of what the agent sees and of what its learner thinks.
//!
//! Copies of the world tell what every action is worth in the states of an episode when the agent then goes on without asking;
//! a [`Ridge`] for each action learns that. Unlike a table by context it speaks of situations that were never met, and of how
//! much time is left. It is fitted when the prefix is over, and after every episode from which it learns later on. Invariant: before anything is learned all actions are worth the same, with wide bounds.

use counsel_calibration::Ridge;
use counsel_decision::refusal::{Refusal, in_range};
use counsel_decision::{ValueBounds, ValueSamples};
use serde::{Deserialize, Serialize};

use crate::Error;

/// How values are learned by regression.
///
/// | Name | Default | Range |
/// |---|---|---|
/// | `penalty` | 1.0 | observations of weight zero that stand against the labels, above 0 |
/// | `states` | 4 | states labelled in each episode where labels are simulated, 1 to 64 |
/// | `prior_deviation` | 0.5 | from a value to its bounds before anything is learned, above 0 |
/// | `bound_scale` | 1.0 | standard errors from a value to its bounds, 0 or more |
/// | `acts` | false | true or false |
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct RegressionSpec {
    /// How strongly weights are held small.
    pub penalty: f64,
    /// States labelled in each episode where labels are simulated; with exact values all of them are.
    pub states: usize,
    /// From a value to its bounds before anything is learned.
    pub prior_deviation: f64,
    /// Standard errors from a value to its bounds.
    pub bound_scale: f64,
    /// Whether the learner explores around these values in the place of its own, once the prefix is over.
    pub acts: bool,
}

impl Default for RegressionSpec {
    fn default() -> Self {
        Self { penalty: 1.0, states: 4, prior_deviation: 0.5, bound_scale: 1.0, acts: false }
    }
}

impl RegressionSpec {
    /// Refuses a regression that cannot be fitted.
    pub(super) fn check(&self) -> Result<(), Refusal> {
        let Self { penalty, states, prior_deviation, bound_scale, .. } = *self;
        let (positive, remedy) = (|value: f64| value > 0.0 && value.is_finite(), "leave it out for the default");
        in_range(positive(penalty), "agent.regressed.penalty", penalty, "(0, infinity)", remedy)?;
        in_range((1..=64).contains(&states), "agent.regressed.states", states as f64, "[1, 64]", remedy)?;
        let what = "agent.regressed.prior_deviation";
        in_range(positive(prior_deviation), what, prior_deviation, "(0, infinity)", remedy)?;
        let wide = bound_scale >= 0.0 && bound_scale.is_finite();
        in_range(wide, "agent.regressed.bound_scale", bound_scale, "[0, infinity)", remedy)
    }
}

/// What the regression looks at in a state: what is seen, the share of the episode that is left, and the learner's values.
#[derive(Debug, Clone)]
pub(super) struct Outlook {
    seen: Vec<f64>,
    learned: Vec<f64>,
}

impl Outlook {
    pub(super) fn new(surroundings: &[f64], left: f64, learned: &[f64]) -> Self {
        let mut seen = vec![1.0, left];
        seen.extend_from_slice(surroundings);
        // A reward is worth less the later it comes, and out of reach at the end.
        seen.extend(surroundings.iter().map(|seen| seen * left));
        // What an object is worth ahead depends on what is beside it: pairs make a linear function see that.
        let pairs = surroundings.iter().enumerate();
        seen.extend(pairs.flat_map(|(place, one)| surroundings[..place].iter().map(move |other| one * other)));
        Self { seen, learned: learned.to_vec() }
    }

    /// The features of one action.
    fn row(&self, action: usize) -> Vec<f64> {
        let best = self.learned.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        let mut row = self.seen.clone();
        row.extend([self.learned[action], self.learned[action] - best]);
        row
    }
}

/// The regression of one agent.
#[derive(Debug, Clone, Default)]
pub(super) struct Regression {
    labelled: Vec<(Outlook, Vec<f64>)>,
    /// One for each action.
    fitted: Vec<Ridge>,
    /// Whether the prefix is over, so that the agent may act on the values.
    settled: bool,
}

impl Regression {
    /// Learns what the actions are worth in these states, beside all that it has seen before; in the prefix it only collects.
    pub(super) fn learn(&mut self, spec: RegressionSpec, labels: Vec<(Outlook, Vec<f64>)>) -> Result<(), Error> {
        let fresh = !labels.is_empty();
        self.labelled.extend(labels);
        if self.settled && fresh { self.fit(spec) } else { Ok(()) }
    }

    fn fit(&mut self, spec: RegressionSpec) -> Result<(), Error> {
        let Some((first, worth)) = self.labelled.first() else { return Ok(()) };
        let width = first.row(0).len();
        let fit = |action: usize| {
            let rows: Vec<(Vec<f64>, f64)> =
                self.labelled.iter().map(|(outlook, worth)| (outlook.row(action), worth[action])).collect();
            Ridge::fit(width, rows.iter().map(|(row, worth)| (row.as_slice(), *worth)), spec.penalty)
        };
        self.fitted = (0..worth.len()).map(fit).collect::<Result<_, _>>()?;
        Ok(())
    }

    /// The same after the prefix. In it the learner acts, so the labels are of the behaviour that advice is valued against.
    pub(super) fn settled(mut self, spec: RegressionSpec) -> Result<Self, Error> {
        self.settled = true;
        self.fit(spec)?;
        Ok(self)
    }

    pub(super) fn is_settled(&self) -> bool {
        self.settled
    }

    /// The values of a state: two samples a standard error apart on either side, and bounds.
    pub(super) fn values(&self, spec: RegressionSpec, outlook: &Outlook) -> Result<(ValueSamples, ValueBounds), Error> {
        let actions = outlook.learned.len();
        let (mut means, mut errors) = (vec![0.0; actions], vec![spec.prior_deviation; actions]);
        for (action, ridge) in self.fitted.iter().enumerate() {
            let row = outlook.row(action);
            (means[action], errors[action]) = (ridge.predict(&row)?, ridge.standard_error(&row)?);
        }
        let at = |scale: f64| means.iter().zip(&errors).map(move |(mean, error)| mean + scale * error);
        let samples = ValueSamples::new(actions, at(-1.0).chain(at(1.0)).collect())?;
        Ok((samples, ValueBounds::new(at(-spec.bound_scale).collect(), at(spec.bound_scale).collect())?))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn outlook(side: f64) -> Outlook {
        Outlook::new(&[side], 0.5, &[0.0, 0.0])
    }

    #[test]
    fn nothing_is_known_before_a_label_and_sides_are_told_apart_after() {
        let (spec, mut regression) = (RegressionSpec::default(), Regression::default());
        let means = |regression: &Regression, side| regression.values(spec, &outlook(side)).unwrap().0.means(None);
        assert_eq!(means(&regression, 1.0), [0.0, 0.0]);
        let (_, bounds) = regression.values(spec, &outlook(1.0)).unwrap();
        assert_eq!((bounds.lower()[0], bounds.upper()[0]), (-0.5, 0.5));
        // Action 0 pays on the left, action 1 on the right.
        let labels = (0..20).map(|number| {
            let side = if number % 2 == 0 { -1.0 } else { 1.0 };
            (outlook(side), vec![f64::from(u8::from(side < 0.0)), f64::from(u8::from(side > 0.0))])
        });
        regression.learn(spec, labels.collect()).unwrap();
        assert_eq!(means(&regression, 1.0), [0.0, 0.0], "the prefix is not over");
        let regression = regression.settled(spec).unwrap();
        let (left, right) = (means(&regression, -1.0), means(&regression, 1.0));
        assert!(left[0] > 0.9 && left[1] < 0.1 && right[0] < 0.1 && right[1] > 0.9, "{left:?} {right:?}");
    }
}
