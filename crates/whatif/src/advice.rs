//! The numbers that make the advice of a decision, before they are checked.
//!
//! Invariant: the parts of a model build that model again, to the bit.

use counsel_decision::{
    Action, AdviceModel, Belief, CandidateOnly, FallbackAfter, Informative, Likelihood, ResponseLaw, ValueBounds,
    ValueSamples,
};
use serde::{Deserialize, Serialize};

/// The parts of an advice; most are lists whose sizes must fit each other.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct AdviceParts {
    /// The fallback's proposal; the first action where there is none.
    #[serde(rename = "b")]
    pub base: Option<Action>,
    /// The value samples, row by row.
    #[serde(rename = "s")]
    pub samples: Vec<f64>,
    /// The lower bounds.
    #[serde(rename = "l")]
    pub lower: Vec<f64>,
    /// The upper bounds.
    #[serde(rename = "u")]
    pub upper: Vec<f64>,
    /// The predicted response law.
    #[serde(rename = "p")]
    pub law: Vec<f64>,
    /// The belief over models, for informative advice.
    #[serde(rename = "w", default, skip_serializing_if = "Vec::is_empty")]
    pub belief: Vec<f64>,
    /// The likelihood of each response, model by model, for informative advice.
    #[serde(rename = "k", default, skip_serializing_if = "Vec::is_empty")]
    pub likelihood: Vec<f64>,
    /// What the fallback does after informative advice; nothing for advice that proposes an action.
    #[serde(rename = "a", default, skip_serializing_if = "Option::is_none")]
    pub fallback_after: Option<FallbackAfter>,
    /// What the advisor's word adds to each action.
    #[serde(rename = "c", default, skip_serializing_if = "Vec::is_empty")]
    pub credits: Vec<f64>,
}

impl AdviceParts {
    /// The parts of this advice.
    pub fn of(advice: &AdviceModel) -> Self {
        let (none, law) = (advice.none(), advice.law().as_slice().to_vec());
        let [lower, upper] = [none.bounds().lower(), none.bounds().upper()].map(<[f64]>::to_vec);
        let samples = advice.samples().as_slice().to_vec();
        let parts = Self { base: Some(none.base()), samples, lower, upper, law, ..Self::default() };
        match advice {
            AdviceModel::CandidateOnly(advice) => Self { credits: advice.credits().collect(), ..parts },
            AdviceModel::Informative(advice) => Self {
                belief: advice.belief().weights().to_vec(),
                likelihood: advice.likelihood().as_slice().to_vec(),
                fallback_after: Some(advice.fallback_after()),
                ..parts
            },
        }
    }

    /// The advice that these are the parts of; an error says what does not fit.
    pub fn build(self) -> Result<AdviceModel, String> {
        let base = self.base.unwrap_or(Action(0));
        let bounds = ValueBounds::new(self.lower, self.upper).map_err(text)?;
        let actions = bounds.actions();
        let samples = ValueSamples::new(actions, self.samples).map_err(text)?;
        let Some(after) = self.fallback_after else {
            let law = ResponseLaw::new(actions, self.law).map_err(text)?;
            let mut advice = CandidateOnly::new(law, samples, bounds, base).map_err(text)?;
            if !self.credits.is_empty() {
                advice = advice.vouched_for(&self.credits).map_err(text)?;
            }
            return Ok(AdviceModel::CandidateOnly(advice));
        };
        let belief = Belief::exact(self.belief).map_err(text)?;
        let likelihood = Likelihood::new(actions, self.likelihood).map_err(text)?;
        let advice = Informative::new(samples, belief, likelihood, bounds, base, after).map_err(text)?;
        let advice = AdviceModel::Informative(Box::new(advice));
        // The law is in the log for its readers; here it follows, and one that does not is an altered log.
        if !advice.law().as_slice().iter().map(|p| p.to_bits()).eq(self.law.iter().map(|p| p.to_bits())) {
            return Err("response_law does not follow from belief and likelihood".into());
        }
        Ok(advice)
    }
}

fn text(error: impl std::fmt::Display) -> String {
    error.to_string()
}
