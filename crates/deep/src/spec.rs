//! A deep learner as written in a study.
//!
//! The paper's configuration table (Appendix "Implementation Details") fixes most of it. What it leaves open is declared
//! here: the paper's "DQN" with a target network is taken at its word, so the target of a head is the maximum of the same
//! head of the target network (no double Q-learning), and the loss is the mean squared error.

use counsel_decision::refusal::{at_least, in_range, probability};
use serde::{Deserialize, Serialize};

use crate::{Error, Exploration, Spread};

/// How an error of a value counts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Loss {
    /// e².
    #[default]
    Squared,
    /// e² / 2 up to 1, |e| - 1/2 beyond.
    Huber,
}

/// The parameters of a deep learner.
///
/// | Name | Default | Range |
/// |---|---|---|
/// | `hidden` | 128 | 1 to 4,096 |
/// | `feature` | 64 | 1 to 1,024 |
/// | `heads` | 8 | 1 to 64 |
/// | `replay` | 20,000 | `batch` to 10,000,000 |
/// | `batch` | 64 | 1 to 4,096 |
/// | `learning_rate` | 0.001 | (0, 1] |
/// | `discount` | 0.97 | [0, 1) |
/// | `polyak` | 0.01 | (0, 1] |
/// | `updates_per_step` | 1 | 0 to 64 |
/// | `loss` | `squared` | `squared`, `huber` |
/// | `mask_probability` | 0.5 | (0, 1] |
/// | `output_scale` | 1.0 | [0, 10] |
/// | `prior_scale` | 0.0 | [0, 100]; above 0 with the posterior `heads` only |
/// | `bound_scale` | 1.0 | [0, 1,000] |
/// | `exploration` | see [`Exploration`] | |
/// | `posterior` | `heads` | see [`Spread`] |
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct DeepSpec {
    /// Units of the hidden layer.
    pub hidden: usize,
    /// Units of the feature layer, on which the heads are linear.
    pub feature: usize,
    /// K, the number of bootstrap heads.
    pub heads: usize,
    /// How many transitions are kept.
    pub replay: usize,
    /// How many transitions an update draws, with replacement.
    pub batch: usize,
    /// The step size of Adam.
    pub learning_rate: f64,
    /// γ.
    pub discount: f64,
    /// τ, the share of the learner in the target network at each update.
    pub polyak: f64,
    /// How many updates follow a step, once a whole batch has been seen.
    pub updates_per_step: usize,
    /// How an error counts.
    pub loss: Loss,
    /// With which probability a head learns from a transition.
    pub mask_probability: f64,
    /// By how much the first weights of the heads are scaled.
    pub output_scale: f64,
    /// The scale of the fixed random network that is added to each head (randomised priors); 0 for none.
    pub prior_scale: f64,
    /// C of the bounds mean ± C sd.
    pub bound_scale: f64,
    /// How the learner explores.
    pub exploration: Exploration,
    /// Where samples and bounds come from.
    pub posterior: Spread,
}

impl Default for DeepSpec {
    fn default() -> Self {
        Self::paper()
    }
}

impl DeepSpec {
    /// The learner as the paper prints it.
    pub fn paper() -> Self {
        Self {
            hidden: 128,
            feature: 64,
            heads: 8,
            replay: 20_000,
            batch: 64,
            learning_rate: 1e-3,
            discount: 0.97,
            polyak: 0.01,
            updates_per_step: 1,
            loss: Loss::Squared,
            mask_probability: 0.5,
            output_scale: 1.0,
            prior_scale: 0.0,
            bound_scale: 1.0,
            exploration: Exploration::default(),
            posterior: Spread::Heads,
        }
    }

    /// The same learner with a shorter horizon, two updates per step, a faster target and small first outputs. The name is that of
    /// the prototype it comes from; on the features of BabyAI it returns less than [`paper`](Self::paper) on its own (see
    /// `docs/RESULTS.md`).
    pub fn competent() -> Self {
        Self { discount: 0.9, polyak: 0.05, updates_per_step: 2, output_scale: 0.1, ..Self::paper() }
    }

    /// Refuses what is outside its range.
    pub fn check(&self) -> Result<(), Error> {
        within("hidden", self.hidden, 1, 4_096, "1 to 4,096")?;
        within("feature", self.feature, 1, 1_024, "1 to 1,024")?;
        within("heads", self.heads, 1, 64, "1 to 64")?;
        within("batch", self.batch, 1, 4_096, "1 to 4,096")?;
        at_least("replay", self.replay, self.batch, "keep at least one batch of transitions")?;
        within("replay", self.replay, 1, 10_000_000, "1 to 10,000,000")?;
        within("updates_per_step", self.updates_per_step, 0, 64, "0 to 64")?;
        positive_to("learning_rate", self.learning_rate, 1.0, "(0, 1]", "use 0.001, say")?;
        let ok = (0.0..1.0).contains(&self.discount);
        in_range(ok, "discount", self.discount, "[0, 1)", "use the paper's 0.97")?;
        positive_to("polyak", self.polyak, 1.0, "(0, 1]", "use the paper's 0.01")?;
        positive_to("mask_probability", self.mask_probability, 1.0, "(0, 1]", "use 1 for heads that see everything")?;
        scale_to("output_scale", self.output_scale, 10.0, "[0, 10]")?;
        scale_to("prior_scale", self.prior_scale, 100.0, "[0, 100]")?;
        scale_to("bound_scale", self.bound_scale, 1_000.0, "[0, 1,000]")?;
        self.exploration.check()?;
        self.posterior.check()?;
        if self.prior_scale > 0.0 && self.posterior != Spread::Heads {
            return Err(Error::PriorWithoutHeads { scale: self.prior_scale, posterior: self.posterior.name() });
        }
        Ok(())
    }
}

pub(crate) fn within(
    what: &'static str,
    value: usize,
    least: usize,
    most: usize,
    range: &'static str,
) -> Result<(), Error> {
    Ok(in_range((least..=most).contains(&value), what, value as f64, range, "choose a number within")?)
}

pub(crate) fn positive_to(
    what: &'static str,
    value: f64,
    most: f64,
    range: &'static str,
    remedy: &'static str,
) -> Result<(), Error> {
    Ok(in_range(value > 0.0 && value <= most, what, value, range, remedy)?)
}

fn scale_to(what: &'static str, value: f64, most: f64, range: &'static str) -> Result<(), Error> {
    Ok(in_range((0.0..=most).contains(&value), what, value, range, "use 1 to leave things as they are")?)
}

pub(crate) fn share(what: &'static str, value: f64) -> Result<(), Error> {
    Ok(probability(what, value)?)
}
