//! All that a decision may know: fixed before the response exists.

use serde::{Deserialize, Serialize};

use crate::refusal::in_range;
use crate::{AdviceModel, Error, Forecast, Radius};

/// The key under which an answer may be reused: a digest of what the advisor would be shown.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct ContextKey(pub u64);

/// What the monitors say about the present context.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Monitored {
    /// Inside the calibrated support, no shift seen.
    #[default]
    Supported,
    /// Outside the calibrated support of the response predictor.
    OutsideSupport,
    /// A shift detector has flagged the context.
    Shifted,
}

/// The evidence for one decision. There is no field for the response: hindsight does not compile.
#[derive(Debug, Clone, PartialEq)]
pub struct Evidence {
    /// The context, for the cache.
    pub context: ContextKey,
    /// How an answer would bear on the decision.
    pub advice: AdviceModel,
    /// The calibrated radius of the estimate; infinite without calibration.
    pub radius: Radius,
    /// The cost κ of a call.
    pub kappa: f64,
    /// How often this context has been met before.
    pub visits: u64,
    /// What the monitors say.
    pub monitored: Monitored,
    /// Whether advice leads nowhere here: the step before followed it and changed nothing that the agent sees, or the episode
    /// keeps coming back to this context.
    pub stalled: bool,
    /// In how many episodes an answer that is bought now is expected to serve, this one included; 0 where an answer is held
    /// already.
    pub uses: f64,
    /// The probability of every proposal of the fallback in this context; empty where only the present one is known.
    pub fallback: Vec<f64>,
    /// What advice has gained or lost since the decision before, by the agent's own reckoning.
    pub credited: f64,
    /// The learned value of the query, where one is learned and the gate reads it.
    pub forecast: Option<Forecast>,
    /// The true value of the query, for diagnostic gates alone.
    pub oracle_value: Option<f64>,
}

impl Evidence {
    /// Evidence with no calibration, no history and nothing remarkable; set the other fields as they are known.
    pub fn new(context: ContextKey, advice: AdviceModel, kappa: f64) -> Result<Self, Error> {
        in_range(kappa >= 0.0 && kappa.is_finite(), "kappa", kappa, "[0, infinity)", "pass the cost of one call")?;
        Ok(Self {
            context,
            advice,
            radius: Radius::Infinite,
            kappa,
            visits: 0,
            monitored: Monitored::Supported,
            stalled: false,
            uses: 1.0,
            fallback: Vec::new(),
            credited: 0.0,
            forecast: None,
            oracle_value: None,
        })
    }

    /// How many actions there are.
    pub fn actions(&self) -> usize {
        self.advice.law().actions()
    }
}
