//! Where samples of the value and bounds on it come from.

use serde::{Deserialize, Serialize};

use crate::Error;
use crate::spec::{positive_to, within};

/// How a learner comes by its posterior over values. All three share the trunk and its training.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "kebab-case", deny_unknown_fields)]
pub enum Spread {
    /// One sample per bootstrap head; bounds from the heads' standard deviation.
    Heads,
    /// Bayesian linear regression on the features, one per action.
    LastLayer(LastLayerSpec),
    /// Networks thinned at random, in training and in valuing.
    Dropout(DropoutSpec),
}

impl Spread {
    pub(crate) fn check(&self) -> Result<(), Error> {
        match self {
            Self::Heads => Ok(()),
            Self::LastLayer(spec) => spec.check(),
            Self::Dropout(spec) => spec.check(),
        }
    }

    pub(crate) fn name(&self) -> &'static str {
        match self {
            Self::Heads => "heads",
            Self::LastLayer(_) => "last-layer",
            Self::Dropout(_) => "dropout",
        }
    }
}

/// The parameters of the Bayesian last layer.
///
/// | Name | Default | Range |
/// |---|---|---|
/// | `prior_precision` | 1.0 | (0, 1,000,000] |
/// | `noise` | 0.1 | (0, 1,000] |
/// | `refit_every` | 250 | 1 or more |
/// | `window` | 2,000 | 1 to 100,000 |
/// | `samples` | 8 | 1 to 1,000 |
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct LastLayerSpec {
    /// λ: every weight is normal with mean 0 and variance 1 / λ beforehand.
    pub prior_precision: f64,
    /// σ, the standard deviation of a target around its value.
    pub noise: f64,
    /// After how many updates the posterior is computed again.
    pub refit_every: u64,
    /// From how many of the latest transitions.
    pub window: usize,
    /// K, how many samples are drawn.
    pub samples: usize,
}

impl Default for LastLayerSpec {
    fn default() -> Self {
        Self { prior_precision: 1.0, noise: 0.1, refit_every: 250, window: 2_000, samples: 8 }
    }
}

impl LastLayerSpec {
    fn check(&self) -> Result<(), Error> {
        positive_to("prior_precision", self.prior_precision, 1e6, "(0, 1,000,000]", "use 1, say")?;
        positive_to("noise", self.noise, 1e3, "(0, 1,000]", "use 0.1, say")?;
        positive_to("refit_every", self.refit_every as f64, f64::MAX, "1 or more", "use 250, say")?;
        within("window", self.window, 1, 100_000, "1 to 100,000")?;
        within("samples", self.samples, 1, 1_000, "1 to 1,000")
    }
}

/// The parameters of dropout.
///
/// | Name | Default | Range |
/// |---|---|---|
/// | `probability` | 0.1 | (0, 1) |
/// | `passes` | 8 | 1 to 1,000 |
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct DropoutSpec {
    /// With which probability a hidden or feature unit is left out.
    pub probability: f64,
    /// K, how many thinned networks value a state.
    pub passes: usize,
}

impl Default for DropoutSpec {
    fn default() -> Self {
        Self { probability: 0.1, passes: 8 }
    }
}

impl DropoutSpec {
    fn check(&self) -> Result<(), Error> {
        let ok = self.probability > 0.0 && self.probability < 1.0;
        counsel_decision::refusal::in_range(ok, "probability", self.probability, "(0, 1)", "use 0.1, say")?;
        within("passes", self.passes, 1, 1_000, "1 to 1,000")
    }
}
