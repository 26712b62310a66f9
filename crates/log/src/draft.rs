//! A decision in the making: the entries of one row, before they are checked against each other.
//!
//! Every declared column puts its entry here, so a draft holds nothing of the row before. [`Draft::finish`] builds the types
//! of the engine again, which refuse what no engine could have had before it.

use counsel_decision::{
    Action, AdviceModel, Answer, Belief, CacheStatus, CandidateOnly, ContextKey, Evidence, FallbackAfter, Forecast,
    Informative, Likelihood, Monitored, Outcome, Prospect, Radius, Record, Reply, ReplySource, Response, ResponseLaw,
    ValueBounds, ValueSamples, Verdict,
};
use serde::Deserialize;

use crate::{CellKey, Decision, Hindsight};

/// What the acquisition side did, without the answer.
#[derive(Debug, Clone, Copy, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum Acquisition {
    Silent,
    Unaffordable,
    Asked,
}

#[derive(Debug)]
pub(crate) struct Draft {
    /// The cell that every row must belong to.
    pub(crate) key: CellKey,
    pub(crate) step: u64,
    pub(crate) place: u64,
    pub(crate) batch: Option<u64>,
    pub(crate) episode: u64,
    pub(crate) step_in_episode: u64,
    pub(crate) context: ContextKey,
    pub(crate) base: Action,
    pub(crate) value_samples: Vec<f64>,
    pub(crate) lower_bounds: Vec<f64>,
    pub(crate) upper_bounds: Vec<f64>,
    pub(crate) response_law: Vec<f64>,
    pub(crate) belief: Vec<f64>,
    pub(crate) likelihood: Vec<f64>,
    pub(crate) fallback_after: Option<FallbackAfter>,
    pub(crate) radius: Radius,
    pub(crate) kappa: f64,
    pub(crate) visits: u64,
    pub(crate) monitored: Monitored,
    pub(crate) stalled: bool,
    pub(crate) uses: f64,
    pub(crate) fallback: Vec<f64>,
    pub(crate) credits: Vec<f64>,
    pub(crate) credited: f64,
    pub(crate) forecast_value: Option<f64>,
    pub(crate) forecast_error: Option<f64>,
    pub(crate) oracle_value: Option<f64>,
    pub(crate) no_query: Action,
    pub(crate) cached: Option<Action>,
    pub(crate) cache_status: CacheStatus,
    pub(crate) prospects: Vec<Action>,
    pub(crate) verdicts: Vec<Verdict>,
    pub(crate) estimate: f64,
    pub(crate) reuse_value: Option<f64>,
    pub(crate) lambda: f64,
    pub(crate) price: f64,
    pub(crate) score: f64,
    pub(crate) threshold: f64,
    pub(crate) calls_left: u64,
    pub(crate) bankroll: Option<f64>,
    pub(crate) outcome: Acquisition,
    pub(crate) reply: Option<String>,
    pub(crate) reply_source: Option<ReplySource>,
    pub(crate) request_tokens: Option<u32>,
    pub(crate) response_tokens: Option<u32>,
    pub(crate) latency_ms: Option<f64>,
    pub(crate) response: Option<Response>,
    pub(crate) verdict: Option<Verdict>,
    pub(crate) executed: Action,
    pub(crate) hindsight: Hindsight,
}

impl Draft {
    /// A draft for the rows of this cell.
    pub(crate) fn of(key: &CellKey) -> Self {
        Self {
            key: key.clone(),
            step: 0,
            place: 0,
            batch: None,
            episode: 0,
            step_in_episode: 0,
            context: ContextKey(0),
            base: Action(0),
            value_samples: Vec::new(),
            lower_bounds: Vec::new(),
            upper_bounds: Vec::new(),
            response_law: Vec::new(),
            belief: Vec::new(),
            likelihood: Vec::new(),
            fallback_after: None,
            radius: Radius::Infinite,
            kappa: 0.0,
            visits: 0,
            monitored: Monitored::default(),
            stalled: false,
            uses: 1.0,
            fallback: Vec::new(),
            credits: Vec::new(),
            credited: 0.0,
            forecast_value: None,
            forecast_error: None,
            oracle_value: None,
            no_query: Action(0),
            cached: None,
            cache_status: CacheStatus::Off,
            prospects: Vec::new(),
            verdicts: Vec::new(),
            estimate: 0.0,
            reuse_value: None,
            lambda: 0.0,
            price: 0.0,
            score: 0.0,
            threshold: 0.0,
            calls_left: 0,
            bankroll: None,
            outcome: Acquisition::Silent,
            reply: None,
            reply_source: None,
            request_tokens: None,
            response_tokens: None,
            latency_ms: None,
            response: None,
            verdict: None,
            executed: Action(0),
            hindsight: Hindsight::default(),
        }
    }

    /// The decision, checked. Lists and texts are moved out, so every column must be read again before the next row.
    pub(crate) fn finish(&mut self) -> Result<Decision, String> {
        let mut evidence = Evidence::new(self.context, self.advice()?, self.kappa).map_err(text)?;
        evidence.radius = self.radius;
        evidence.visits = self.visits;
        evidence.monitored = self.monitored;
        evidence.stalled = self.stalled;
        evidence.uses = self.uses;
        evidence.fallback = std::mem::take(&mut self.fallback);
        evidence.credited = self.credited;
        evidence.forecast = self.forecast()?;
        evidence.oracle_value = self.oracle_value;
        if self.prospects.len() != self.verdicts.len() {
            return Err("prospects and prospect_verdicts differ in length".into());
        }
        let prospects = self.prospects.iter().zip(&self.verdicts);
        let prospects = prospects.map(|(&action, &verdict)| Prospect { action, verdict }).collect();
        let record = Record {
            step: self.step,
            place: self.place,
            batch: self.batch,
            episode: self.episode,
            step_in_episode: self.step_in_episode,
            evidence,
            no_query: self.no_query,
            cached: self.cached,
            cache_status: self.cache_status,
            prospects,
            estimate: self.estimate,
            reuse_value: self.reuse_value,
            lambda: self.lambda,
            price: self.price,
            score: self.score,
            threshold: self.threshold,
            calls_left: self.calls_left,
            bankroll: self.bankroll,
            outcome: self.outcome()?,
            executed: self.executed,
        };
        Ok(Decision { record, hindsight: std::mem::take(&mut self.hindsight) })
    }

    fn advice(&mut self) -> Result<AdviceModel, String> {
        use std::mem::take;
        let bounds = ValueBounds::new(take(&mut self.lower_bounds), take(&mut self.upper_bounds)).map_err(text)?;
        let actions = bounds.actions();
        let samples = ValueSamples::new(actions, take(&mut self.value_samples)).map_err(text)?;
        let law = take(&mut self.response_law);
        let Some(after) = self.fallback_after else {
            let law = ResponseLaw::new(actions, law).map_err(text)?;
            let mut advice = CandidateOnly::new(law, samples, bounds, self.base).map_err(text)?;
            let credits = take(&mut self.credits);
            if !credits.is_empty() {
                advice = advice.vouched_for(&credits).map_err(text)?;
            }
            return Ok(AdviceModel::CandidateOnly(advice));
        };
        let belief = Belief::exact(take(&mut self.belief)).map_err(text)?;
        let likelihood = Likelihood::new(actions, take(&mut self.likelihood)).map_err(text)?;
        let advice = Informative::new(samples, belief, likelihood, bounds, self.base, after).map_err(text)?;
        let advice = AdviceModel::Informative(Box::new(advice));
        // The law is in the log for its readers; here it follows, and one that does not is an altered log.
        if !advice.law().as_slice().iter().map(|p| p.to_bits()).eq(law.iter().map(|p| p.to_bits())) {
            return Err("response_law does not follow from belief and likelihood".into());
        }
        Ok(advice)
    }

    fn forecast(&self) -> Result<Option<Forecast>, String> {
        match (self.forecast_value, self.forecast_error) {
            (None, None) => Ok(None),
            (Some(value), Some(error)) => Ok(Some(Forecast { value, error })),
            _ => Err("forecast_value and forecast_error belong together; one of them is absent".into()),
        }
    }

    fn outcome(&mut self) -> Result<Outcome, String> {
        fn need<T>(value: Option<T>, column: &str) -> Result<T, String> {
            value.ok_or_else(|| format!("column {column} is empty although it asked"))
        }
        Ok(match self.outcome {
            Acquisition::Silent => Outcome::Silent,
            Acquisition::Unaffordable => Outcome::Unaffordable,
            Acquisition::Asked => Outcome::Asked(Answer {
                reply: Reply {
                    text: need(self.reply.take(), "reply")?,
                    source: need(self.reply_source, "reply_source")?,
                    request_tokens: self.request_tokens,
                    response_tokens: self.response_tokens,
                    latency_ms: self.latency_ms,
                },
                response: need(self.response, "response")?,
                verdict: need(self.verdict, "certificate")?,
            }),
        })
    }
}

fn text(error: impl std::fmt::Display) -> String {
    error.to_string()
}
