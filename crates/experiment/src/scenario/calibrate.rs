//! The calibration phase: labelled opportunities of a random acquisition policy, and the radius they support.

use std::collections::BTreeSet;

use counsel_calibration::{CalibratedRadius, Cuts, MonteCarloSpec, Opportunity, RadiusSpec, Splits};
use counsel_decision::refusal::fits;
use counsel_decision::{Evidence, Response, Seed, estimate};
use counsel_log::{Calibration, Decision};
use counsel_tabular::Dynamics;
use rand::seq::index;
use serde::{Deserialize, Serialize};

use super::Controlled;
use super::controlled::Agent;
use super::episode::{LabelWhen, Session};
use super::world::KnownWorld;
use crate::Error;
use crate::error::refuse;

/// How the value of a query is found afterwards.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Labels {
    /// By dynamic programming in the true model.
    #[default]
    Exact,
    /// By paired continuations on copies of the world, with common random numbers.
    Paired {
        /// J: independent responses.
        blocks: usize,
        /// R: pairs of continuations for each response.
        replicates: usize,
        /// ℓ: steps of a continuation at most; to the end of the episode where none is given.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        window: Option<usize>,
    },
}

/// How the radius is calibrated.
///
/// | Name | Default | Range |
/// |---|---|---|
/// | `prefix_episodes` | 0 | 0 or more |
/// | `fit`, `calibrate` | 0 | opportunities in each part |
/// | `labels` | `exact` | `exact`, `paired` |
/// | `monte_carlo` | none | see [`MonteCarloSpec`] |
/// | `radius` | zero | see [`RadiusSpec`] |
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct CalibrationSpec {
    /// Episodes in which the predictor is fitted.
    pub prefix_episodes: u64,
    /// Opportunities on which the scale model is fitted.
    pub fit: usize,
    /// Opportunities that give the scores.
    pub calibrate: usize,
    /// How an opportunity is labelled.
    pub labels: Labels,
    /// What is added for the noise of a label.
    pub monte_carlo: MonteCarloSpec,
    /// The radius.
    pub radius: RadiusSpec,
}

impl Default for CalibrationSpec {
    fn default() -> Self {
        Self {
            prefix_episodes: 0,
            fit: 0,
            calibrate: 0,
            labels: Labels::Exact,
            monte_carlo: MonteCarloSpec::None,
            radius: RadiusSpec::Zero,
        }
    }
}

impl CalibrationSpec {
    /// Refuses a calibration that cannot be done.
    pub(super) fn check(&self) -> Result<(), Error> {
        if let Labels::Paired { blocks, replicates, window } = self.labels {
            refuse(window == Some(0), "a window of 0 steps sees nothing; let it be 1 or more")?;
            fits("a paired label", &[blocks, replicates], "use fewer blocks or replicates")?;
            refuse(blocks == 0 || replicates == 0, "paired labels need at least one block and one replicate")?;
            self.monte_carlo.term(&vec![0.0; blocks], self.calibrate.max(1))?;
        }
        fits("the calibration data", &[self.fit.saturating_add(self.calibrate)], "label fewer opportunities")?;
        self.radius.alpha()?;
        let fits = matches!(self.radius, RadiusSpec::Scaled { .. });
        refuse(fits && self.fit < 2, "a scaled radius needs calibration.fit of 2 or more; or choose a constant radius")
    }
}

/// The outcome of the calibration phase.
pub(super) struct Calibrated {
    pub(super) radius: CalibratedRadius,
    pub(super) calibration: Option<Calibration>,
    pub(super) calls: u64,
}

impl Controlled {
    /// Replays the deployment with random acquisition, from the same learner, predictor and advisor, as often as needed;
    /// labels a random choice of its opportunities; and derives the radius.
    pub(super) fn calibrate(&self, world: &KnownWorld, agent: &Agent, seed: Seed) -> Result<Calibrated, Error> {
        let spec = &self.calibration;
        let wanted = spec.fit + spec.calibrate;
        let per_replay = self.episodes * world.mdp.horizon() as u64;
        let replays = (wanted as u64).div_ceil(per_replay.max(1));
        let total = usize::try_from(replays * per_replay).unwrap_or(usize::MAX);
        let chosen: BTreeSet<u64> =
            index::sample(&mut seed.stream("choice").rng(), total, wanted).into_iter().map(|i| i as u64).collect();
        let (mut opportunities, mut calls) = (Vec::with_capacity(wanted), 0);
        for replay in 0..replays {
            let seed = seed.index(replay);
            let mut copy = agent.clone();
            let mut engine = self.random_acquisition(world, self.episodes, seed)?;
            let first = replay * per_replay;
            let here: BTreeSet<u64> = chosen.range(first..first + per_replay).map(|step| step - first).collect();
            let mut session = Session::new(self, world, &mut copy, &mut engine);
            session.labels_wanted = LabelWhen::At(here.clone());
            session.play(self.episodes, seed)?;
            for decision in session.decisions.iter().filter(|decision| here.contains(&decision.record.step)) {
                opportunities.push(self.opportunity(decision, first));
            }
            calls += engine.calls_made();
        }
        Calibrated::derive(spec, opportunities, calls)
    }
}

impl Calibrated {
    /// The radius that these labelled opportunities support, in the order of their steps.
    pub(super) fn derive(spec: &CalibrationSpec, opportunities: Vec<Opportunity>, calls: u64) -> Result<Self, Error> {
        let cuts = Cuts { fit: spec.fit, calibration: spec.calibrate };
        let splits = Splits::chronological(opportunities, |opportunity| opportunity.step, cuts)?;
        let radius = CalibratedRadius::calibrate(&spec.radius, &splits.fit, &splits.calibration)?;
        let labelled = splits.calibration.as_slice();
        let calibration = (!labelled.is_empty()).then(|| Calibration {
            opportunities: labelled.len() as u64,
            mean_residual: labelled.iter().map(|o| (o.estimate - o.label).abs()).sum::<f64>() / labelled.len() as f64,
            derivation: serde_json::to_value(radius.derivation()).unwrap_or_default(),
        });
        Ok(Self { radius, calibration, calls })
    }
}

impl Controlled {
    /// A labelled opportunity, with the estimate that the deployed gate would have made.
    fn opportunity(&self, decision: &Decision, first: u64) -> Opportunity {
        let (record, hindsight) = (&decision.record, &decision.hindsight);
        let (advice, valuation) = (&record.evidence.advice, self.gate.valuation());
        let estimate = estimate(advice, &record.prospects, record.no_query, valuation);
        Opportunity {
            estimate,
            label: hindsight.proxy_value.or(hindsight.exact_value).unwrap_or(0.0),
            monte_carlo: hindsight.proxy_radius.unwrap_or(0.0),
            features: features(&record.evidence),
            group: group(estimate),
            trajectory: first + record.episode,
            step: first + record.step,
        }
    }
}

/// What the scale model may look at: the entropy of the prediction, the width of the base action's bounds, the chance of an
/// unusable reply, and the epistemic variance.
pub(super) fn features(evidence: &Evidence) -> Vec<f64> {
    let branch = evidence.advice.none();
    let law = evidence.advice.law();
    vec![
        law.entropy(),
        branch.bounds().width(branch.base()),
        law.probability(Response::Unusable),
        branch.epistemic_variance(),
    ]
}

/// The stratum of an opportunity: 1 where the estimate says that asking could pay, 0 elsewhere.
pub(super) fn group(estimate: f64) -> u32 {
    u32::from(estimate > 0.0)
}
