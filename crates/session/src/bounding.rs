//! Scales the bounds that the certificate reads, so that they hold in deployment as often as declared.
//!
//! The scores come from replays of the deployment on copies, with fresh randomness: of each replay a few decisions, drawn at random,
//! whose optimal values the world tells afterwards. The first replays ask nobody. Then the radius is calibrated under the scaled
//! bounds, and each pilot replays the controller as it would be deployed, asking and executing, so that the last scores come from
//! the situations in which the certificate decides. One decision of each replay is exchangeable with one of the deployment; several
//! use a replay better, and share its course.

use counsel_calibration::{Alpha, BoundFactor, CalibratedRadius, Promise, conformal_rank};
use counsel_controller::RadiusInForce;
use counsel_decision::refusal::{at_least, decisions_fit};
use counsel_decision::{Budget, Gate, Seed, Settings};
use rand::RngExt;
use serde::{Deserialize, Serialize};

use crate::phases::{Phases, Stage};
use crate::scene::{Episode, Scene};
use crate::{Error, refuse};

/// What is done about the bounds of the certificate.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum BoundCalibration {
    /// They stay as the learner makes them; in deployment they are held against optimal values, where these can be had.
    Audited,
    /// The same, after they were scaled on replays of the deployment.
    Scaled(ScaledBounds),
}

/// How the bounds are scaled.
///
/// | Name | Default | Range |
/// |---|---|---|
/// | `alpha` | none | (0, 1) |
/// | `promise` | `simultaneous` | `simultaneous`, `marginal` |
/// | `replays` | none | 1 or more |
/// | `draws` | 1 | 1 or more; half of all draws must be enough for a quantile at `alpha` |
/// | `pilots` | 1 | 0 or more |
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ScaledBounds {
    /// How often the bounds may fail.
    pub alpha: Alpha,
    /// For which actions they are to hold.
    #[serde(default)]
    pub promise: Promise,
    /// How often the deployment is replayed.
    pub replays: u64,
    /// How many decisions of a replay are looked at.
    #[serde(default = "one")]
    pub draws: usize,
    /// How often the controller is replayed as it would be deployed, after replays that ask nobody.
    #[serde(default = "one_pilot")]
    pub pilots: u64,
}

fn one() -> usize {
    1
}

fn one_pilot() -> u64 {
    1
}

impl BoundCalibration {
    /// Refuses replays from which no factor could follow.
    pub(crate) fn check(&self) -> Result<(), Error> {
        let Self::Scaled(ScaledBounds { alpha, replays, draws, .. }) = *self else { return Ok(()) };
        let replays = usize::try_from(replays).unwrap_or(usize::MAX);
        at_least("calibration.value_bounds.scaled.replays", replays, 1, "replay the deployment at least once")?;
        at_least("calibration.value_bounds.scaled.draws", draws, 1, "look at one decision of each replay at least")?;
        decisions_fit(&[replays, draws], "look at fewer decisions")?;
        let half = replays * draws / 2;
        refuse(
            conformal_rank(half, alpha) > half,
            "calibration.value_bounds.scaled looks at too few decisions for its alpha: half of replays times draws must be 1 / alpha - 1 \
             or more",
        )
    }

    /// How the bounds are scaled, where they are.
    pub(crate) fn scaled(self) -> Option<ScaledBounds> {
        match self {
            Self::Audited => None,
            Self::Scaled(scaled) => Some(scaled),
        }
    }
}

/// What was found, and what it cost.
pub(crate) struct Bounded {
    pub(crate) factor: BoundFactor,
    pub(crate) calls: u64,
    pub(crate) steps: u64,
}

/// A controller as it would be deployed.
pub(crate) struct Piloted<'a> {
    pub(crate) settings: &'a Settings,
    pub(crate) radius: &'a CalibratedRadius,
}

/// Replays the deployment on copies of this stage, as piloted or without a question, and scales the bounds as they were made.
pub(crate) fn bound<S: Scene>(
    phases: &Phases<'_>,
    stage: &Stage<S>,
    scaled: ScaledBounds,
    pilot: Option<&Piloted<'_>>,
    seed: Seed,
) -> Result<Bounded, Error> {
    let silent = Settings { gate: Gate::Never, budget: Budget::calls(0), ..phases.settings.clone() };
    let (mut scores, mut calls, mut steps) = (Vec::new(), 0, 0);
    for replay in 0..scaled.replays {
        let seed = seed.index(replay);
        let mut copy = stage.clone();
        let settings = pilot.map_or(&silent, |pilot| pilot.settings);
        let mut session = copy.session(settings, phases.learning, seed.stream("engine"))?;
        if let Some(pilot) = pilot {
            session.controller = session.controller.with_radius(RadiusInForce::Fixed(pilot.radius.clone()));
        }
        session.as_made = Some(Vec::new());
        let of = phases.episodes;
        session.episodes((0..of).map(|number| Episode::Rehearsal { number, of }), seed.stream("episodes"))?;
        let as_made = session.as_made.take().unwrap_or_default();
        let known: Vec<usize> =
            (0..as_made.len()).filter(|at| !session.decisions[*at].hindsight.optimal_values.is_empty()).collect();
        refuse(
            known.is_empty(),
            "bounds cannot be scaled where no optimal value is known; leave out calibration.value_bounds",
        )?;
        let mut rng = seed.stream("choice").rng();
        for _ in 0..scaled.draws {
            let at = known[rng.random_range(0..known.len())];
            let optimal = &session.decisions[at].hindsight.optimal_values;
            scores.push(scaled.promise.score(&as_made[at], optimal, rng.random()));
        }
        calls += session.controller.engine().calls_made();
        steps += session.decisions.len() as u64;
    }
    Ok(Bounded { factor: BoundFactor::new(scaled.alpha, scaled.promise, scores)?, calls, steps })
}
