//! Whose decisions are looked for in a log: the gate at each price, and an agent that never asks.
//!
//! On a user's log the gate is calibrated first: the estimate of every call of the earlier episodes is held against what its
//! answer was worth by the user's own values, and the conformal quantile of the differences is the radius. It covers the
//! prediction of answers: no outcome enters it, since of a decision with and without a call only one was seen. Those episodes are
//! not evaluated, and their calls are counted as spent.

use counsel_calibration::{Alpha, conformal_quantile};
use counsel_decision::gate::predictive::Predictive;
use counsel_decision::{Budget, CacheSpec, Engine, Execution, Gate, Pacing, Radius, ResponseLaw, Settings};

use crate::follow::worth;
use crate::{Error, LogLevel, ShadowLog, cascade};

/// What is asked of a log.
#[derive(Debug, Clone, PartialEq)]
pub struct ShadowSettings {
    /// Prices of a call to be tried; without any, those of the log.
    pub prices: Vec<f64>,
    /// The level of the radius.
    pub alpha: f64,
    /// ε of the certificate, where the log has bounds.
    pub tolerance: f64,
    /// The controller to be followed on a run of this program.
    pub settings: Option<Settings>,
}

impl Default for ShadowSettings {
    fn default() -> Self {
        Self { prices: Vec::new(), alpha: 0.1, tolerance: 1.0, settings: None }
    }
}

/// Which decisions are looked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Policy {
    /// Nobody is ever asked.
    Never,
    /// The gate asks.
    Gate,
}

/// A policy with all that it needs.
#[derive(Debug, Clone)]
pub struct Shadowed {
    /// Which.
    pub policy: Policy,
    /// The price of a call before λ; without one, that of each row.
    pub price: Option<f64>,
    /// What decides.
    pub settings: Settings,
    /// The radius on a user's log.
    pub radius: Radius,
    /// What answers are expected where a log does not say so.
    pub law: Option<ResponseLaw>,
}

impl Shadowed {
    /// Its name in a table.
    pub fn name(&self) -> String {
        match (self.policy, self.price) {
            (Policy::Never, _) => "never ask".into(),
            (Policy::Gate, None) => "gate".into(),
            (Policy::Gate, Some(price)) => format!("gate at price {price}"),
        }
    }

    /// Whether it decides by expected answers that learned from what the log bought.
    pub(crate) fn expects_what_was_learned(&self, log: &ShadowLog) -> bool {
        self.policy == Policy::Gate && log.predictor_learns()
    }

    /// Whether what it does in one episode depends on what it did in the ones before: then, once it did something else, no
    /// later episode is observed.
    pub(crate) fn remembers(&self) -> bool {
        let Settings { cache, budget, pacing, bankroll, .. } = &self.settings;
        self.policy == Policy::Gate
            && (*cache != CacheSpec::Off
                || budget.per_run.is_some()
                || budget.token_bucket.is_some()
                || pacing.dual.is_some()
                || bankroll.is_some())
    }
}

/// The policies of a plan, and how many of the first episodes they were calibrated on.
#[derive(Debug, Clone)]
pub struct Policies {
    /// Never asking first, then the gate at each price.
    pub all: Vec<Shadowed>,
    /// How many of the first episodes are not evaluated.
    pub calibration_episodes: usize,
    /// How many calls the radius was calibrated on.
    pub scores: usize,
}

/// Calibrates the gate, where the log lets it be followed.
pub fn policies(log: &ShadowLog, plan: &ShadowSettings) -> Result<Policies, Error> {
    let level = log.level();
    let execution = if level == LogLevel::Bounds {
        Execution::Certified { tolerance: plan.tolerance }
    } else {
        Execution::Improving
    };
    let settings = plan.settings.clone().unwrap_or(Settings {
        pacing: Pacing { factor: log.header.pacing, ..Pacing::default() },
        ..Settings::new(Gate::Predictive(Predictive::default()), execution, Budget::calls_per_episode(u64::MAX))
    });
    let silent = Settings { gate: Gate::Never, ..settings.clone() };
    let mut shadowed =
        Shadowed { policy: Policy::Never, price: None, settings: silent, radius: Radius::INFINITE, law: None };
    let mut all = vec![shadowed.clone()];
    if level == LogLevel::Done {
        return Ok(Policies { all, calibration_episodes: 0, scores: 0 });
    }
    cascade::check(log)?;
    (shadowed.policy, shadowed.settings) = (Policy::Gate, settings);
    let calibration_episodes = if log.is_own() { 0 } else { log.episodes.len() / 3 };
    let mut scores = Vec::new();
    if !log.is_own() {
        let rows = 0..log.episodes.get(calibration_episodes).map_or(log.rows(), |episode| episode.rows.start);
        if !log.has_law() {
            shadowed.law = Some(shares(log, rows.clone()));
        }
        scores = residuals(log, &shadowed, rows)?;
        shadowed.radius = conformal_quantile(&scores, Alpha::new(plan.alpha)?)?;
    }
    if plan.prices.is_empty() {
        all.push(shadowed);
    } else {
        all.extend(plan.prices.iter().map(|&price| Shadowed { price: Some(price), ..shadowed.clone() }));
    }
    Ok(Policies { all, calibration_episodes, scores: scores.len() })
}

/// The shares of the answers of these rows, each counted once more than it came.
fn shares(log: &ShadowLog, rows: std::ops::Range<usize>) -> ResponseLaw {
    let mut counts = vec![1.0; log.actions() + 1];
    for reply in rows.filter_map(|row| log.reply(row)) {
        counts[log.parser.parse(&reply).index(log.actions())] += 1.0;
    }
    ResponseLaw::proportional_to(&counts)
}

/// |estimate - what the answer was worth by the log's own values| of every call in these rows.
fn residuals(log: &ShadowLog, shadowed: &Shadowed, rows: std::ops::Range<usize>) -> Result<Vec<f64>, Error> {
    let engine = Engine::new(&shadowed.settings, log.parser.clone(), log.seeds[0])?;
    let mut scores = Vec::new();
    for row in rows {
        let (Some(reply), Some(evidence)) =
            (log.reply(row), log.evidence(row, shadowed.law.as_ref(), Radius::INFINITE)?)
        else {
            continue;
        };
        let preview = engine.preview(&evidence);
        scores.push((preview.estimate - worth(&preview, &evidence, log.parser.parse(&reply))).abs());
    }
    Ok(scores)
}
