//! A predictor as declared, and as built.

use counsel_decision::{PaidResponse, ResponseLaw};
use serde::{Deserialize, Serialize};

use super::{Chosen, Feature, FeatureSpec, Forest, ForestSpec, Frequency, Oracle, PerContext, Predictor, Uniform};
use crate::{Context, Error};

/// A predictor as declared.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(tag = "predictor", rename_all = "kebab-case", deny_unknown_fields)]
pub enum PredictorSpec {
    /// Every response equally likely.
    Uniform,
    /// The smoothed frequency over all contexts.
    Frequency {
        /// How many responses the uniform prior is worth.
        strength: f64,
    },
    /// The smoothed frequency within each context.
    PerContext {
        /// How many responses the uniform prior is worth.
        strength: f64,
    },
    /// Logistic regression on the features.
    Feature(FeatureSpec),
    /// A forest of random trees on the features.
    Forest(ForestSpec),
    /// Whichever of the two foretold the paid answers better so far.
    Chosen,
    /// The oracle that knows the true laws: a diagnostic. Studies call it `replay`.
    #[serde(rename = "replay")]
    Oracle,
}

impl PredictorSpec {
    /// The predictor over so many actions and features.
    pub fn build(&self, actions: usize, features: usize) -> Result<AnyPredictor, Error> {
        Ok(match *self {
            Self::Uniform => AnyPredictor::Uniform(Uniform::new(actions)),
            Self::Frequency { strength } => AnyPredictor::Frequency(Frequency::new(actions, strength)?),
            Self::PerContext { strength } => AnyPredictor::PerContext(PerContext::new(actions, strength)?),
            Self::Feature(spec) => AnyPredictor::Feature(Feature::new(actions, features, spec)?),
            Self::Forest(spec) => AnyPredictor::Forest(Forest::new(actions, features, spec)?),
            Self::Chosen => AnyPredictor::Chosen(Chosen::new(actions, features)?),
            Self::Oracle => AnyPredictor::Oracle(Oracle::new(actions)),
        })
    }

    /// Whether it knows what no deployment can know.
    pub fn is_diagnostic(&self) -> bool {
        matches!(self, Self::Oracle)
    }
}

/// A predictor at work.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub enum AnyPredictor {
    /// Every response equally likely.
    Uniform(Uniform),
    /// The frequency over all contexts.
    Frequency(Frequency),
    /// The frequency within each context.
    PerContext(PerContext),
    /// Logistic regression on the features.
    Feature(Feature),
    /// A forest of random trees on the features.
    Forest(Forest),
    /// The better of the two so far.
    Chosen(Chosen),
    /// The oracle that knows the true laws.
    Oracle(Oracle),
}

impl AnyPredictor {
    fn inner(&self) -> &dyn Predictor {
        match self {
            Self::Uniform(predictor) => predictor,
            Self::Frequency(predictor) => predictor,
            Self::PerContext(predictor) => predictor,
            Self::Feature(predictor) => predictor,
            Self::Forest(predictor) => predictor,
            Self::Chosen(predictor) => predictor,
            Self::Oracle(predictor) => predictor,
        }
    }

    fn inner_mut(&mut self) -> &mut dyn Predictor {
        match self {
            Self::Uniform(predictor) => predictor,
            Self::Frequency(predictor) => predictor,
            Self::PerContext(predictor) => predictor,
            Self::Feature(predictor) => predictor,
            Self::Forest(predictor) => predictor,
            Self::Chosen(predictor) => predictor,
            Self::Oracle(predictor) => predictor,
        }
    }
}

impl Predictor for AnyPredictor {
    fn law(&self, context: &Context) -> ResponseLaw {
        self.inner().law(context)
    }

    fn observe(&mut self, context: &Context, paid: PaidResponse) {
        self.inner_mut().observe(context, paid);
    }

    fn observe_all(&mut self, paid: &[(Context, PaidResponse)]) {
        self.inner_mut().observe_all(paid);
    }

    fn is_diagnostic(&self) -> bool {
        self.inner().is_diagnostic()
    }
}
