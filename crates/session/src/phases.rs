//! The phases of a run, in their order: warm-up, prefix and calibration on copies, deployment.
//!
//! Each phase has random numbers of its own. Arms of a study that differ only in gate, price, budget or radius share
//! everything up to deployment, and the randomness of the world in it. Only deployment is logged; calls and simulated steps
//! before it are counted apart.

use counsel_calibration::BoundFactor;
use counsel_controller::{Books, Controller, Learning, RadiusInForce};
use counsel_decision::{Budget, Gate, Seed, Settings};
use counsel_log::{Before, Decision, Deployed, PricedAdvisor};

use crate::calibrate::{Calibrated, CalibrationSpec, Opportunities, Updates, calibrate};
use crate::fork::Fork;
use crate::matched::{Matched, calls_per_episode, most_per_episode};
use crate::scene::{Episode, Scene};
use crate::session::{Labelled, Session};
use crate::{Error, refuse};

/// What a study declares of the phases.
#[derive(Clone)]
pub struct Phases<'a> {
    /// The controller.
    pub settings: &'a Settings,
    /// How the radius is calibrated.
    pub calibration: &'a CalibrationSpec,
    /// From which decisions calibration opportunities are taken.
    pub opportunities: Opportunities,
    /// Episodes of the fallback alone.
    pub warm_up_episodes: u64,
    /// Episodes of deployment.
    pub episodes: u64,
    /// Steps of an episode at most.
    pub horizon: u64,
    /// What learns in deployment.
    pub learning: Learning,
    /// Which decisions of deployment are labelled.
    pub labelled: Labelled,
    /// Whether the calls of this controller are placed by another rule.
    pub matched: Option<Matched>,
    /// From which decision of deployment on its settings are changed, if they are.
    pub fork: Option<Fork>,
}

impl<'a> Phases<'a> {
    /// Deployment alone.
    pub fn deployment(settings: &'a Settings, calibration: &'a CalibrationSpec, episodes: u64) -> Self {
        Self {
            settings,
            calibration,
            opportunities: Opportunities::OfReplays,
            warm_up_episodes: 0,
            episodes,
            horizon: 0,
            learning: Learning::Continues,
            labelled: Labelled::None,
            matched: None,
            fork: None,
        }
    }
}

/// What came of running a cell.
#[derive(Debug)]
pub struct Played {
    /// What was deployed: all that a reader needs to compute the decisions again.
    pub deployed: Deployed,
    /// The decisions of deployment.
    pub decisions: Vec<Decision>,
}

/// Runs all phases of one cell.
pub fn run_phases<S: Scene>(phases: &Phases<'_>, scene: S, seed: Seed) -> Result<Played, Error> {
    let placed = "its calls are placed where another controller made its own; a run is played on only where its own gate decides";
    refuse(phases.matched.is_some() && phases.fork.is_some(), placed)?;
    let books = scene.books()?;
    let (scene, books) = scene.warmed(books, |scene, books| warm_up(phases, scene, books, seed.stream("warm-up")))?;
    let mut stage = Stage { scene, books, factor: None };
    let calibrated = calibrate(phases, &mut stage, seed)?;
    let mut settings = calibrated.settings.clone();
    let decisions = match phases.matched {
        None => {
            let decisions = deploy(phases, &settings, &mut stage, &calibrated, seed)?;
            // Cells that match this controller find its calls, and need not play it again.
            if phases.fork.is_none() {
                stage.scene.calls_to_match(|| Ok(calls_per_episode(&decisions, phases.episodes)))?;
            }
            decisions
        }
        Some(matched) => {
            let calls = stage.scene.calls_to_match(|| {
                let played = deploy(phases, &settings, &mut stage.clone(), &calibrated, seed)?;
                Ok(calls_per_episode(&played, phases.episodes))
            })?;
            let (wanted, per_episode) = (calls.iter().sum(), most_per_episode(&settings.gate));
            // Rationing places calls, too: where it goes by the score of a schedule, that is no schedule.
            settings.pacing.rationing = None;
            let mut leeway = matched.leeway(phases.horizon);
            loop {
                settings.gate = matched.gate(&calls, per_episode, leeway);
                let decisions = deploy(phases, &settings, &mut stage.clone(), &calibrated, seed)?;
                let made = calls_per_episode(&decisions, phases.episodes).iter().sum();
                match matched.next_leeway(leeway, made, wanted).filter(|_| made < wanted) {
                    Some(more) => leeway = more,
                    None => break decisions,
                }
            }
        }
    };
    let (parser, advisors) = (stage.scene.parser(), stage.scene.advisors());
    let names: Vec<String> = advisors.iter().map(|one| one.advisor.clone()).collect();
    let deployed = Deployed {
        settings,
        advisor: names.join(", "),
        advisors: if advisors.len() > 1 { advisors } else { Vec::new() },
        words: parser.words().to_vec(),
        form: parser.form(),
        engine_seed: seed.stream("engine"),
        calibration: calibrated.calibration,
        before: Before { calls: calibrated.calls, steps: calibrated.steps },
    };
    Ok(Played { deployed, decisions })
}

/// A scene, and the books of the agent in it: what a rehearsal takes a copy of.
#[derive(Clone)]
pub(crate) struct Stage<S> {
    pub(crate) scene: S,
    pub(crate) books: Books,
    /// What the bounds of the scene are scaled by, where they are.
    pub(crate) factor: Option<BoundFactor>,
}

impl<S: Scene> Stage<S> {
    /// A controller for a phase, with these books as they stand.
    pub(crate) fn controller(&self, settings: &Settings, learning: Learning, seed: Seed) -> Result<Controller, Error> {
        let Self { scene, books, .. } = self;
        let advisors: Vec<(String, f64)> =
            scene.advisors().into_iter().map(|PricedAdvisor { advisor, price }| (advisor, price)).collect();
        let price = advisors.first().map_or(0.0, |(_, price)| *price);
        let controller = Controller::diagnostic(settings, scene.parser(), price, books.clone(), seed)?;
        let controller = controller.among(advisors)?.in_order(scene.order()).with_varying_actions();
        Ok(controller.with_learning(learning).over_episodes(0))
    }

    /// A session on this stage, with a copy of the books.
    pub(crate) fn session(
        &mut self,
        settings: &Settings,
        learning: Learning,
        seed: Seed,
    ) -> Result<Session<'_, S>, Error> {
        let controller = self.controller(settings, learning, seed)?;
        Ok(Session { factor: self.factor.clone(), ..Session::new(&mut self.scene, controller) })
    }
}

/// The fallback alone: the same for every arm.
fn warm_up<S: Scene>(phases: &Phases<'_>, scene: S, books: Books, seed: Seed) -> Result<(S, Books), Error> {
    let settings = Settings { gate: Gate::Never, budget: Budget::calls(0), ..phases.settings.clone() };
    let mut stage = Stage { scene, books, factor: None };
    let mut session = stage.session(&settings, Learning::Continues, seed)?;
    session.episodes((0..phases.warm_up_episodes).map(|_| Episode::WarmUp), seed)?;
    let books = session.controller.into_books();
    Ok((stage.scene, books))
}

fn deploy<S: Scene>(
    phases: &Phases<'_>,
    settings: &Settings,
    stage: &mut Stage<S>,
    calibrated: &Calibrated,
    seed: Seed,
) -> Result<Vec<Decision>, Error> {
    let radius = calibrated.radius.clone();
    let online = phases.calibration.updates == Updates::Online;
    let mut session = stage.session(settings, phases.learning, seed.stream("engine"))?;
    session.controller = session.controller.with_radius(if online {
        RadiusInForce::Online(radius)
    } else {
        RadiusInForce::Fixed(radius)
    });
    session.labelled = if online || settings.gate.is_diagnostic() { Labelled::Every } else { phases.labelled.clone() };
    session.fork = phases.fork;
    session.episodes((0..phases.episodes).map(|number| Episode::Deployment { number }), seed.stream("deployment"))?;
    Ok(session.decisions)
}
