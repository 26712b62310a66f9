//! What a decision was made on, small enough to be sent: its evidence, the reply, and what was logged of its outcome.

use counsel_decision::{
    Evidence, Forecast, Foretold, Lead, Monitored, Outcome, Radius, Record, Reply, ReplySource, Verdict,
};
use serde::{Deserialize, Serialize};

use crate::AdviceParts;

/// What became of a decision.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum Logged {
    /// It did not ask.
    #[serde(rename = "s")]
    Silent,
    /// It wanted to ask and could not pay.
    #[serde(rename = "u")]
    Unaffordable,
    /// It asked and followed the answer.
    #[serde(rename = "f")]
    Followed,
    /// It asked and did not follow the answer.
    #[serde(rename = "r")]
    Rejected,
    /// It asks, and nobody knows what it would have heard.
    #[serde(rename = "q")]
    Unheard,
}

impl Logged {
    /// What became of the decision of this record.
    pub fn of(record: &Record) -> Self {
        match &record.outcome {
            Outcome::Silent => Self::Silent,
            Outcome::Unaffordable => Self::Unaffordable,
            Outcome::Asked(answer) if answer.verdict == Verdict::Executed => Self::Followed,
            Outcome::Asked(_) => Self::Rejected,
        }
    }

    /// Whether a call is made.
    pub fn asks(self) -> bool {
        !matches!(self, Self::Silent | Self::Unaffordable)
    }

    /// The letter by which it is written.
    pub fn letter(self) -> char {
        match self {
            Self::Silent => 's',
            Self::Unaffordable => 'u',
            Self::Followed => 'f',
            Self::Rejected => 'r',
            Self::Unheard => 'q',
        }
    }
}

/// One decision as it was given. Names are short: there is one of each per decision.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Given {
    #[serde(rename = "n")]
    pub(crate) step: u64,
    #[serde(rename = "p", default, skip_serializing_if = "is_default")]
    pub(crate) place: usize,
    #[serde(rename = "b", default, skip_serializing_if = "Option::is_none")]
    pub(crate) batch: Option<u64>,
    #[serde(rename = "e")]
    pub(crate) episode: u64,
    #[serde(rename = "x")]
    context: counsel_decision::ContextKey,
    #[serde(rename = "a")]
    pub(crate) advice: AdviceParts,
    /// Infinite where it is absent.
    #[serde(rename = "r", default, skip_serializing_if = "Option::is_none")]
    pub(crate) radius: Option<f64>,
    #[serde(rename = "k")]
    pub(crate) price: f64,
    #[serde(rename = "v")]
    visits: u64,
    #[serde(rename = "m", default, skip_serializing_if = "is_default")]
    monitored: Monitored,
    #[serde(rename = "t", default, skip_serializing_if = "is_default")]
    stalled: bool,
    #[serde(rename = "u")]
    uses: f64,
    #[serde(rename = "l", default, skip_serializing_if = "Vec::is_empty")]
    fallback_law: Vec<f64>,
    #[serde(rename = "g", default, skip_serializing_if = "is_default")]
    gain: f64,
    #[serde(rename = "f", default, skip_serializing_if = "Option::is_none")]
    foretold: Option<Foretold>,
    #[serde(rename = "d", default, skip_serializing_if = "is_default")]
    lead: Lead,
    /// The learned value and its standard error.
    #[serde(rename = "w", default, skip_serializing_if = "Option::is_none")]
    forecast: Option<(f64, f64)>,
    #[serde(rename = "o", default, skip_serializing_if = "Option::is_none")]
    oracle: Option<f64>,
    /// The text of the reply and where it came from, where one was asked for.
    #[serde(rename = "y", default, skip_serializing_if = "Option::is_none")]
    pub(crate) reply: Option<(String, ReplySource)>,
    #[serde(rename = "z")]
    pub(crate) logged: Logged,
    #[serde(rename = "q")]
    pub(crate) executed: usize,
}

fn is_default<T: Default + PartialEq>(value: &T) -> bool {
    *value == T::default()
}

impl Given {
    /// What this decision was given, and what became of it. One that weighed several advisors has no such form: what the others
    /// were worth at another price is in no log.
    pub fn of(record: &Record) -> Option<Self> {
        let evidence = &record.evidence;
        record.panel.is_none().then(|| Self {
            step: record.step,
            place: usize::try_from(record.place).unwrap_or(0),
            batch: record.batch,
            episode: record.episode,
            context: evidence.context(),
            advice: AdviceParts::of(evidence.advice()),
            radius: evidence.radius().finite(),
            price: evidence.price(),
            visits: evidence.visits(),
            monitored: evidence.monitored(),
            stalled: evidence.stalled(),
            uses: evidence.expected_uses(),
            fallback_law: evidence.fallback_law().to_vec(),
            gain: evidence.credited_gain(),
            foretold: evidence.foretold(),
            lead: evidence.lead(),
            forecast: evidence.forecast().map(|forecast| (forecast.value(), forecast.error())),
            oracle: evidence.oracle_value(),
            reply: record.answer().map(|answer| (answer.reply.text.clone(), answer.reply.source)),
            logged: Logged::of(record),
            executed: record.decided().index(),
        })
    }

    /// The evidence again.
    pub(crate) fn evidence(&self) -> Result<Evidence, String> {
        let advice = self.advice.clone().build()?;
        let radius = self.radius.map_or(Ok(Radius::INFINITE), Radius::new).map_err(text)?;
        let evidence = Evidence::new(self.context, advice, self.price).map_err(text)?.with_radius(radius);
        let evidence = evidence.with_visits(self.visits).with_monitored(self.monitored).with_stalled(self.stalled);
        let evidence = evidence.with_expected_uses(self.uses).map_err(text)?;
        let evidence = evidence.with_fallback_law(self.fallback_law.clone()).map_err(text)?;
        let evidence = evidence.with_credited_gain(self.gain).map_err(text)?;
        let evidence = evidence.with_foretold(self.foretold).map_err(text)?.with_lead(self.lead);
        let forecast = self.forecast.map(|(value, error)| Forecast::new(value, error)).transpose().map_err(text)?;
        Ok(evidence.with_forecast(forecast).with_oracle_value(self.oracle))
    }

    /// What was answered; lost where nobody was asked.
    pub(crate) fn answered(&self) -> Reply {
        let said = |(text, source): &(String, ReplySource)| Reply { source: *source, ..Reply::live(text.as_str()) };
        self.reply.as_ref().map_or_else(Reply::lost, said)
    }
}

fn text(error: impl std::fmt::Display) -> String {
    error.to_string()
}
