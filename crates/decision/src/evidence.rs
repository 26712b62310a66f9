//! All that a decision may know: fixed before the response exists.

use serde::{Deserialize, Serialize};

use crate::branch::check_action;
use crate::refusal::{in_range, shape};
use crate::response::check_distribution;
use crate::{AdviceModel, Error, Forecast, Foretold, Lead, Panel, Radius};

/// The key under which an answer may be reused: a digest of what the advisor would be shown.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct ContextKey(pub u64);

impl ContextKey {
    /// The key under which an answer of this one of several advisors is kept; the first one's is the context's own.
    #[must_use]
    pub fn answered_by(self, advisor: usize) -> Self {
        // Weyl's increment, then the mixer of SplitMix64: neighbouring contexts and advisors do not meet.
        let mixed = |bits: u64| {
            let bits = (bits ^ (bits >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
            let bits = (bits ^ (bits >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
            bits ^ (bits >> 31)
        };
        match advisor {
            0 => self,
            place => Self(mixed(self.0 ^ mixed((place as u64).wrapping_mul(0x9e37_79b9_7f4a_7c15)))),
        }
    }
}

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
///
/// Every number is checked when it is handed in, so whatever an engine decides on is finite and in range:
///
/// ```
/// use counsel_decision::{Action, AdviceModel, CandidateOnly, ContextKey, Evidence, ResponseLaw, ValueBounds, ValueSamples};
///
/// let samples = ValueSamples::new(2, vec![0.1, 0.4, 0.3, 0.2])?;
/// let bounds = ValueBounds::new(vec![0.0, 0.0], vec![0.5, 0.5])?;
/// let advice = CandidateOnly::new(ResponseLaw::uniform(2), samples, bounds, Action(0))?;
/// let evidence = Evidence::new(ContextKey(7), AdviceModel::CandidateOnly(advice), 0.01)?.with_expected_uses(3.0)?;
/// assert_eq!((evidence.price(), evidence.expected_uses()), (0.01, 3.0));
/// assert!(evidence.with_credited_gain(f64::NAN).is_err());
/// # Ok::<(), counsel_decision::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct Evidence {
    pub(crate) context: ContextKey,
    pub(crate) advice: AdviceModel,
    pub(crate) radius: Radius,
    pub(crate) price: f64,
    pub(crate) visits: u64,
    pub(crate) monitored: Monitored,
    pub(crate) stalled: bool,
    pub(crate) expected_uses: f64,
    pub(crate) fallback_law: Vec<f64>,
    pub(crate) credited_gain: f64,
    pub(crate) foretold: Option<Foretold>,
    pub(crate) panel: Option<Panel>,
    pub(crate) lead: Lead,
    pub(crate) forecast: Option<Forecast>,
    pub(crate) oracle_value: Option<f64>,
}

impl Evidence {
    /// Evidence with no calibration, no history and nothing remarkable; the other parts are added as they are known.
    pub fn new(context: ContextKey, advice: AdviceModel, price: f64) -> Result<Self, Error> {
        let evidence = Self {
            context,
            advice,
            radius: Radius::INFINITE,
            price,
            visits: 0,
            monitored: Monitored::Supported,
            stalled: false,
            expected_uses: 1.0,
            fallback_law: Vec::new(),
            credited_gain: 0.0,
            foretold: None,
            panel: None,
            lead: Lead::Controller,
            forecast: None,
            oracle_value: None,
        };
        evidence.at_price(price)
    }

    /// The same decision at another price of a call.
    pub fn at_price(self, price: f64) -> Result<Self, Error> {
        in_range(price >= 0.0 && price.is_finite(), "price", price, "[0, infinity)", "pass the cost of one call")?;
        Ok(Self { price, ..self })
    }

    /// The same in another context.
    #[must_use]
    pub fn with_context(self, context: ContextKey) -> Self {
        Self { context, ..self }
    }

    /// The same with advice that bears on the decision in another way.
    pub fn with_advice(self, advice: AdviceModel) -> Result<Self, Error> {
        Self { advice, ..self }.with_fitting_law()
    }

    /// Refuses a law of the fallback over other actions than those of the advice.
    fn with_fitting_law(self) -> Result<Self, Error> {
        if !self.fallback_law.is_empty() {
            shape("fallback_law", self.fallback_law.len(), self.actions(), "action")?;
        }
        Ok(self)
    }

    /// With a calibrated radius of the estimate.
    #[must_use]
    pub fn with_radius(self, radius: Radius) -> Self {
        Self { radius, ..self }
    }

    /// With the number of times this context was met before.
    #[must_use]
    pub fn with_visits(self, visits: u64) -> Self {
        Self { visits, ..self }
    }

    /// With what the monitors say.
    #[must_use]
    pub fn with_monitored(self, monitored: Monitored) -> Self {
        Self { monitored, ..self }
    }

    /// With word whether advice leads nowhere here.
    #[must_use]
    pub fn with_stalled(self, stalled: bool) -> Self {
        Self { stalled, ..self }
    }

    /// With the number of episodes in which an answer that is bought now is expected to serve.
    pub fn with_expected_uses(self, uses: f64) -> Result<Self, Error> {
        let remedy = "pass in how many episodes an answer that is bought now serves, 0 where one is held";
        in_range(uses >= 0.0 && uses.is_finite(), "expected_uses", uses, "[0, infinity)", remedy)?;
        Ok(Self { expected_uses: uses, ..self })
    }

    /// With the probability of every proposal of the fallback; an empty list says that only the present one is known.
    pub fn with_fallback_law(self, law: Vec<f64>) -> Result<Self, Error> {
        if !law.is_empty() {
            check_distribution("fallback_law", &law)?;
        }
        Self { fallback_law: law, ..self }.with_fitting_law()
    }

    /// With what advice has gained or lost since the decision before.
    pub fn with_credited_gain(self, gain: f64) -> Result<Self, Error> {
        let remedy = "pass what advice gained or lost since the decision before";
        in_range(gain.is_finite(), "credited_gain", gain, "the finite numbers", remedy)?;
        Ok(Self { credited_gain: gain, ..self })
    }

    /// With the answer that is known here without asking, where one is.
    pub fn with_foretold(self, foretold: Option<Foretold>) -> Result<Self, Error> {
        foretold.map_or(Ok(()), |foretold| check_action("the foretold answer", foretold.action(), self.actions()))?;
        Ok(Self { foretold, ..self })
    }

    /// With the advisors that were considered, where there are several. All else in the evidence is about the one that the panel
    /// names.
    #[must_use]
    pub fn with_panel(self, panel: Option<Panel>) -> Self {
        Self { panel, ..self }
    }

    /// With word who leads.
    #[must_use]
    pub fn with_lead(self, lead: Lead) -> Self {
        Self { lead, ..self }
    }

    /// With a learned value of the query.
    #[must_use]
    pub fn with_forecast(self, forecast: Option<Forecast>) -> Self {
        Self { forecast, ..self }
    }

    /// With the true value of the query, for diagnostic gates alone.
    #[must_use]
    pub fn with_oracle_value(self, value: Option<f64>) -> Self {
        Self { oracle_value: value, ..self }
    }

    /// The context, for the cache.
    pub fn context(&self) -> ContextKey {
        self.context
    }

    /// How an answer would bear on the decision.
    pub fn advice(&self) -> &AdviceModel {
        &self.advice
    }

    /// The calibrated radius β of the estimate; infinite without calibration.
    pub fn radius(&self) -> Radius {
        self.radius
    }

    /// The price κ of a call, in units of return, before pacing.
    pub fn price(&self) -> f64 {
        self.price
    }

    /// How often this context has been met before.
    pub fn visits(&self) -> u64 {
        self.visits
    }

    /// What the monitors say.
    pub fn monitored(&self) -> Monitored {
        self.monitored
    }

    /// Whether advice leads nowhere here: the step before followed it and changed nothing that the agent sees, or the episode
    /// keeps coming back to this context.
    pub fn stalled(&self) -> bool {
        self.stalled
    }

    /// The number of episodes in which an answer that is bought now is expected to serve, this one included; 0 where an
    /// answer is held already.
    pub fn expected_uses(&self) -> f64 {
        self.expected_uses
    }

    /// The probability of every proposal of the fallback in this context; empty where only the present one is known.
    pub fn fallback_law(&self) -> &[f64] {
        &self.fallback_law
    }

    /// What advice has gained or lost since the decision before, by the agent's own reckoning.
    pub fn credited_gain(&self) -> f64 {
        self.credited_gain
    }

    /// The answer that is known here without asking; it serves where none is held.
    pub fn foretold(&self) -> Option<Foretold> {
        self.foretold
    }

    /// The advisors that were considered, where there are several.
    pub fn panel(&self) -> Option<&Panel> {
        self.panel.as_ref()
    }

    /// The place of the advisor that the evidence is about, from 0.
    pub fn advisor(&self) -> usize {
        self.panel.as_ref().map_or(0, Panel::advisor)
    }

    /// The key under which its advisor's answer is kept.
    pub(crate) fn kept_under(&self) -> ContextKey {
        self.context.answered_by(self.advisor())
    }

    /// Who leads: where it is the agent, its proposal acts and nothing is asked.
    pub fn lead(&self) -> Lead {
        self.lead
    }

    /// The learned value of the query, where one is learned and the gate reads it.
    pub fn forecast(&self) -> Option<Forecast> {
        self.forecast
    }

    /// The true value of the query, for diagnostic gates alone.
    pub fn oracle_value(&self) -> Option<f64> {
        self.oracle_value
    }

    /// The number of actions.
    pub fn actions(&self) -> usize {
        self.advice.law().actions()
    }
}

/// What may be added to the evidence of a decision once it is known what would be weighed: a radius that is a function of
/// the estimate, a learned value, and a diagnostic gate's true value. Nothing else: what was weighed stays what it was.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Completion {
    /// The radius at this estimate; that of the evidence where there is none.
    pub radius: Option<Radius>,
    /// The learned value of the query.
    pub forecast: Option<Forecast>,
    /// The true value of the query.
    pub oracle_value: Option<f64>,
}

impl Evidence {
    /// The evidence with what was completed.
    pub(crate) fn completed(self, completion: Completion) -> Self {
        let Completion { radius, forecast, oracle_value } = completion;
        Self {
            radius: radius.unwrap_or(self.radius),
            forecast: forecast.or(self.forecast),
            oracle_value: oracle_value.or(self.oracle_value),
            ..self
        }
    }
}
