//! Whose decisions are looked for in a log: the gate at each price, and an agent that never asks.
//!
//! On a user's log the gate is calibrated first: the estimate of every call of the earlier episodes is held against what its
//! answer was worth by the user's own values, and the conformal quantile of the differences is the radius. Those episodes are
//! not evaluated, and their calls are counted as spent.

use counsel_calibration::{Alpha, conformal_quantile};
use counsel_decision::gate::predictive::Predictive;
use counsel_decision::{
    BudgetSpec, CacheSpec, Controller, Engine, ExecutionRule, GateSpec, PriceSpec, Radius, Response, ResponseLaw,
};

use crate::{Error, Level, ShadowLog};

/// What is asked of a log.
#[derive(Debug, Clone, PartialEq)]
pub struct Plan {
    /// Prices of a call to be tried; without any, those of the log.
    pub prices: Vec<f64>,
    /// The level of the radius.
    pub alpha: f64,
    /// ε of the certificate, where the log has bounds.
    pub tolerance: f64,
    /// The controller to be followed on a run of this program.
    pub controller: Option<Controller>,
}

impl Default for Plan {
    fn default() -> Self {
        Self { prices: Vec::new(), alpha: 0.1, tolerance: 1.0, controller: None }
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
    pub kappa: Option<f64>,
    /// What decides.
    pub controller: Controller,
    /// The radius on a user's log.
    pub radius: Radius,
    /// What answers are expected where a log does not say so.
    pub law: Option<ResponseLaw>,
}

impl Shadowed {
    /// Its name in a table.
    pub fn name(&self) -> String {
        match (self.policy, self.kappa) {
            (Policy::Never, _) => "never ask".into(),
            (Policy::Gate, None) => "gate".into(),
            (Policy::Gate, Some(kappa)) => format!("gate at price {kappa}"),
        }
    }

    /// Whether what it does in one episode depends on what it did in the ones before: then, once it did something else, no
    /// later episode is observed.
    pub(crate) fn remembers(&self) -> bool {
        let Controller { cache, budget, price, bankroll, .. } = &self.controller;
        self.policy == Policy::Gate
            && (*cache != CacheSpec::Off
                || budget.per_run.is_some()
                || budget.token_bucket.is_some()
                || price.dual.is_some()
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
pub fn policies(log: &ShadowLog, plan: &Plan) -> Result<Policies, Error> {
    let level = log.level();
    let execution = if level == Level::Bounds {
        ExecutionRule::Certified { tolerance: plan.tolerance }
    } else {
        ExecutionRule::Improving
    };
    let controller = plan.controller.clone().unwrap_or(Controller {
        gate: GateSpec::Predictive(Predictive::default()),
        execution,
        budget: BudgetSpec::per_episode(u64::MAX),
        price: PriceSpec { lambda: log.header.lambda, dual: None },
        cache: CacheSpec::Off,
        bankroll: None,
    });
    let silent = Controller { gate: GateSpec::Never, ..controller.clone() };
    let mut shadowed =
        Shadowed { policy: Policy::Never, kappa: None, controller: silent, radius: Radius::Infinite, law: None };
    let mut all = vec![shadowed.clone()];
    if level == Level::Done {
        return Ok(Policies { all, calibration_episodes: 0, scores: 0 });
    }
    (shadowed.policy, shadowed.controller) = (Policy::Gate, controller);
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
        all.extend(plan.prices.iter().map(|&kappa| Shadowed { kappa: Some(kappa), ..shadowed.clone() }));
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
    let engine = Engine::new(&shadowed.controller, log.parser.clone(), log.seeds[0])?;
    let mut scores = Vec::new();
    for row in rows {
        let (Some(reply), Some(evidence)) =
            (log.reply(row), log.evidence(row, shadowed.law.as_ref(), Radius::Infinite)?)
        else {
            continue;
        };
        let (preview, branch) = (engine.preview(&evidence), evidence.advice.none());
        let response: Response = log.parser.parse(&reply);
        let done = preview.prospects[response.index(evidence.actions())].action;
        let worth = branch.mean(done) - branch.mean(preview.no_query.action);
        scores.push((preview.estimate - worth).abs());
    }
    Ok(scores)
}
