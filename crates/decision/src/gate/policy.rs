//! The list of policies, and what all of them see.

use rand_chacha::ChaCha8Rng;
use serde::{Deserialize, Serialize};

use super::{
    always, amortised, calibrated_uncertainty, disagreement, epistemic_gap, importance, learned, never, novelty,
    oracle, period, predictive, random, random_exact, rcmp, schedule, uncertainty, value,
};
use crate::{Action, Error, Evidence, Seed, Valuation};

/// What a gate may look at.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Signals<'a> {
    /// All that is known before the response.
    pub(crate) evidence: &'a Evidence,
    /// a⁰: what happens without a query.
    pub(crate) no_query: Action,
    /// Δ̂.
    pub(crate) estimate: f64,
    /// Δ̄: what each later use of a kept answer is worth; 0 where the gate does not read it.
    pub(crate) reuse_value: f64,
    /// c.
    pub(crate) paced_price: f64,
    /// The number of the decision in its run, from 0.
    pub(crate) step: u64,
}

/// Where a gate stands: it asks when `score >= threshold`.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Standing {
    /// How much speaks for asking.
    pub score: f64,
    /// How much is needed.
    pub threshold: f64,
}

/// What a policy may read that has to be prepared, or is not for deployment.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Input {
    /// Δ̂, which rests on the predicted answers.
    Estimate,
    /// β, which rests on labelled opportunities.
    Radius,
    /// N and Δ̄, which rest on how often contexts come back and on what the fallback proposes.
    Reuse,
    /// The benefit of advice as a function of uncertainty, fitted to labelled opportunities.
    Benefit,
    /// The learned value of the query, which rests on what earlier ones turned out to be worth.
    Forecast,
    /// The true value of the query, which no deployment can know.
    TrueValue,
}

/// A policy as declared.
///
/// ```
/// use counsel_decision::Gate;
/// use counsel_decision::gate::disagreement::Disagreement;
///
/// let gates = [Gate::Disagreement(Disagreement { threshold: 0.4 }), Gate::Amortised];
/// assert_eq!(gates.map(|gate| gate.name()), ["disagreement", "amortised"]);
/// ```
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "policy", rename_all = "kebab-case", deny_unknown_fields)]
pub enum Gate {
    /// Asks nothing.
    Never,
    /// Asks whenever a call is left.
    Always,
    /// Asks at every n-th decision.
    Period(period::Period),
    /// Asks at k of the declared decisions, chosen at random.
    Random(random::Random),
    /// Asks as often as declared for each episode, at random steps; what an episode could not spend is carried forward.
    RandomExact(random_exact::RandomExact),
    /// Asks at the first decisions of the run.
    Schedule(schedule::Schedule),
    /// Asks where the fallback's value is uncertain (ASK).
    Uncertainty(uncertainty::Uncertainty),
    /// Asks where uncertainty, calibrated to the benefit of advice, reaches the price (UCCI).
    CalibratedUncertainty(calibrated_uncertainty::CalibratedUncertainty),
    /// Asks where the value samples disagree on the best action.
    Disagreement(disagreement::Disagreement),
    /// Asks in contexts that are new.
    Novelty(novelty::Novelty),
    /// Asks where perfect advice would be worth its price (VOE/Q).
    Value,
    /// Asks where the variance over all actions is high (RCMP).
    Rcmp(rcmp::Rcmp),
    /// Asks in important states (Torrey and Taylor).
    Importance(importance::Importance),
    /// Asks where epistemic variance times gap reaches the price: the paper's deployable surrogate.
    EpistemicGap,
    /// Asks where the lower confidence bound on the predicted value reaches the price: the paper's controller.
    Predictive(predictive::Predictive),
    /// Asks where the value of an answer over all its expected uses reaches the price.
    Amortised,
    /// Asks where the lower bound of a learned value reaches the price.
    Learned(learned::Learned),
    /// Asks where the true value reaches the price: a diagnostic.
    Oracle,
}

impl Gate {
    /// The policy's name, as it is written in a specification.
    pub fn name(&self) -> &'static str {
        match self {
            Self::Never => "never",
            Self::Always => "always",
            Self::Period(_) => "period",
            Self::Random(_) => "random",
            Self::RandomExact(_) => "random-exact",
            Self::Schedule(_) => "schedule",
            Self::Uncertainty(_) => "uncertainty",
            Self::CalibratedUncertainty(_) => "calibrated-uncertainty",
            Self::Disagreement(_) => "disagreement",
            Self::Novelty(_) => "novelty",
            Self::Value => "value",
            Self::Rcmp(_) => "rcmp",
            Self::Importance(_) => "importance",
            Self::EpistemicGap => "epistemic-gap",
            Self::Predictive(_) => "predictive",
            Self::Amortised => "amortised",
            Self::Learned(_) => "learned",
            Self::Oracle => "oracle",
        }
    }

    /// The action by which the policy values a response.
    pub fn valuation(&self) -> Valuation {
        match self {
            Self::Predictive(predictive) => predictive.valuation,
            _ => Valuation::DeployedDecision,
        }
    }

    /// What the policy reads. A new policy has to say so here: what it reads is prepared, and nothing else is.
    fn inputs(&self) -> &'static [Input] {
        match self {
            Self::Predictive(_) => &[Input::Estimate, Input::Radius],
            Self::Amortised => &[Input::Estimate, Input::Radius, Input::Reuse],
            Self::CalibratedUncertainty(_) => &[Input::Benefit],
            Self::Learned(_) => &[Input::Forecast],
            Self::Oracle => &[Input::TrueValue],
            Self::Never
            | Self::Always
            | Self::Period(_)
            | Self::Random(_)
            | Self::RandomExact(_)
            | Self::Schedule(_)
            | Self::Uncertainty(_)
            | Self::Disagreement(_)
            | Self::Novelty(_)
            | Self::Value
            | Self::Rcmp(_)
            | Self::Importance(_)
            | Self::EpistemicGap => &[],
        }
    }

    /// Whether the policy reads this.
    pub fn reads(&self, input: Input) -> bool {
        self.inputs().contains(&input)
    }

    /// Whether the policy reads what calibration prepares.
    pub fn is_calibrated(&self) -> bool {
        [Input::Estimate, Input::Radius, Input::Benefit].iter().any(|input| self.reads(*input))
    }

    /// Whether the policy reads what no deployment can know.
    pub fn is_diagnostic(&self) -> bool {
        self.reads(Input::TrueValue)
    }

    /// The policy with the benefit of advice that was fitted for it; one that does not read it stays as it is.
    #[must_use]
    pub fn fitted(self, steps: Vec<(f64, f64)>) -> Self {
        match self {
            Self::CalibratedUncertainty(_) => {
                Self::CalibratedUncertainty(calibrated_uncertainty::CalibratedUncertainty { steps })
            }
            other => other,
        }
    }
}

/// A policy at work.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(crate) struct GateAtWork {
    spec: Gate,
    rng: ChaCha8Rng,
    progress: Progress,
}

/// What the counting policies have to remember.
#[derive(Debug, Clone, Copy, PartialEq, Default, Serialize, Deserialize)]
pub(crate) struct Progress {
    /// Calls made in the run.
    pub(super) asked: u64,
    /// Calls made in the episode.
    pub(super) asked_in_episode: u64,
    /// Decisions passed in the episode.
    pub(super) decisions_in_episode: u64,
    /// Episodes begun.
    pub(super) episodes_begun: u64,
}

impl GateAtWork {
    /// The policy at the start of a run; its chance, if it has any, comes from `seed`.
    pub(crate) fn new(spec: &Gate, seed: Seed) -> Result<Self, Error> {
        match spec {
            Gate::Period(period) => period.check()?,
            Gate::RandomExact(exact) => exact.check()?,
            Gate::Learned(learned) => learned.check()?,
            _ => {}
        }
        Ok(Self { spec: spec.clone(), rng: seed.stream("gate").rng(), progress: Progress::default() })
    }

    /// The policy as declared.
    pub(crate) fn spec(&self) -> &Gate {
        &self.spec
    }

    /// Starts the next episode.
    pub(crate) fn begin_episode(&mut self) {
        self.progress.episodes_begun += 1;
        self.progress.asked_in_episode = 0;
        self.progress.decisions_in_episode = 0;
    }

    /// Takes up the progress in another episode and hands back that in the present one. The calls of the run stay.
    pub(crate) fn exchange_episode(&mut self, progress: Progress) -> Progress {
        let asked = self.progress.asked;
        std::mem::replace(&mut self.progress, Progress { asked, ..progress })
    }

    /// Where the policy stands on this decision.
    pub(crate) fn weigh(&mut self, signals: &Signals<'_>) -> Standing {
        match &self.spec {
            Gate::Never => never::weigh(),
            Gate::Always => always::weigh(),
            Gate::Period(period) => period.weigh(signals),
            Gate::Random(random) => random.weigh(signals, &self.progress, &mut self.rng),
            Gate::RandomExact(exact) => exact.weigh(&self.progress, &mut self.rng),
            Gate::Schedule(schedule) => schedule.weigh(signals, &self.progress),
            Gate::Uncertainty(uncertainty) => uncertainty.weigh(signals),
            Gate::CalibratedUncertainty(calibrated) => calibrated.weigh(signals),
            Gate::Disagreement(disagreement) => disagreement.weigh(signals),
            Gate::Novelty(novelty) => novelty.weigh(signals),
            Gate::Value => value::weigh(signals),
            Gate::Rcmp(rcmp) => rcmp.weigh(signals),
            Gate::Importance(importance) => importance.weigh(signals),
            Gate::EpistemicGap => epistemic_gap::weigh(signals),
            Gate::Amortised => amortised::weigh(signals),
            Gate::Learned(learned) => learned.weigh(signals, &self.progress, &mut self.rng),
            Gate::Predictive(_) => predictive::weigh(signals),
            Gate::Oracle => oracle::weigh(signals),
        }
    }

    /// Notes whether the decision led to a call.
    pub(crate) fn settle(&mut self, asked: bool) {
        let calls = u64::from(asked);
        self.progress.asked += calls;
        self.progress.asked_in_episode += calls;
        self.progress.decisions_in_episode += 1;
    }
}
