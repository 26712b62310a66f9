//! The phases of a run, in their order: warm-up, prefix and calibration on copies, deployment.
//!
//! Each phase has random numbers of its own. Arms of a study that differ only in gate, price, budget or radius share
//! everything up to deployment, and the luck of the world in it. Only deployment is logged; calls and simulated steps
//! before it are counted apart.

use counsel_decision::{BudgetSpec, Controller, Engine, GateSpec, Seed};
use counsel_log::{Before, Calibration, Decision, Totals};

use crate::Error;
use crate::calibrate::{Calibrated, CalibrationSpec, Opportunities, Updates, calibrate};
use crate::matched::{Matched, calls_per_episode};
use crate::scene::{Episode, Learning, Scene};
use crate::session::{Labelled, RadiusInForce, Session};

/// What a study declares of the phases.
#[derive(Clone)]
pub struct Phases<'a> {
    /// The controller.
    pub controller: &'a Controller,
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
}

impl<'a> Phases<'a> {
    /// Deployment alone.
    pub fn deployment(controller: &'a Controller, calibration: &'a CalibrationSpec, episodes: u64) -> Self {
        Self {
            controller,
            calibration,
            opportunities: Opportunities::OfReplays,
            warm_up_episodes: 0,
            episodes,
            horizon: 0,
            learning: Learning::Continues,
            labelled: Labelled::None,
            matched: None,
        }
    }
}

/// What came of playing a cell: the decisions, and what a reader needs to compute them again.
#[derive(Debug)]
pub struct Played {
    /// The controller, as it was deployed.
    pub controller: Controller,
    /// Who was asked.
    pub advisor: String,
    /// The words of the parser.
    pub words: Vec<String>,
    /// The form in which the parser wants an answer.
    pub form: counsel_decision::Form,
    /// The controller's seed.
    pub engine_seed: Seed,
    /// How the radius came about.
    pub calibration: Option<Calibration>,
    /// The sums.
    pub totals: Totals,
    /// The decisions of deployment.
    pub decisions: Vec<Decision>,
}

/// Plays one cell.
pub fn play<S: Scene>(phases: &Phases<'_>, scene: S, seed: Seed) -> Result<Played, Error> {
    let mut scene = scene.warmed(|scene| warm_up(phases, scene, seed.stream("warm-up")))?;
    let calibrated = calibrate(phases, &mut scene, seed)?;
    let mut controller = calibrated.controller.clone();
    let decisions = match phases.matched {
        None => {
            let decisions = deploy(phases, &controller, &mut scene, &calibrated, seed)?;
            scene.calls_to_match(|| Ok(calls_per_episode(&decisions, phases.episodes)))?;
            decisions
        }
        Some(matched) => {
            let calls = scene.calls_to_match(|| {
                let played = deploy(phases, &controller, &mut scene.clone(), &calibrated, seed)?;
                Ok(calls_per_episode(&played, phases.episodes))
            })?;
            let wanted = calls.iter().sum();
            let mut leeway = matched.leeway(phases.horizon);
            loop {
                controller.gate = matched.gate(&calls, leeway);
                let decisions = deploy(phases, &controller, &mut scene.clone(), &calibrated, seed)?;
                let made = calls_per_episode(&decisions, phases.episodes).iter().sum();
                match matched.next_leeway(leeway, made, wanted).filter(|_| made < wanted) {
                    Some(more) => leeway = more,
                    None => break decisions,
                }
            }
        }
    };
    let parser = scene.parser();
    Ok(Played {
        controller,
        advisor: scene.advisor(),
        words: parser.words().to_vec(),
        form: parser.form(),
        engine_seed: seed.stream("engine"),
        totals: Totals::of(&decisions, Before { calls: calibrated.calls, steps: calibrated.steps }),
        calibration: calibrated.calibration,
        decisions,
    })
}

/// The fallback alone: the same for every arm.
fn warm_up<S: Scene>(phases: &Phases<'_>, mut scene: S, seed: Seed) -> Result<S, Error> {
    let controller = Controller { gate: GateSpec::Never, budget: BudgetSpec::per_run(0), ..phases.controller.clone() };
    let mut engine = Engine::new(&controller, scene.parser(), seed)?;
    let episodes = (0..phases.warm_up_episodes).map(|_| Episode::WarmUp);
    Session::new(&mut scene, &mut engine, Learning::Continues).play(episodes, seed)?;
    Ok(scene)
}

fn deploy<S: Scene>(
    phases: &Phases<'_>,
    controller: &Controller,
    scene: &mut S,
    calibrated: &Calibrated,
    seed: Seed,
) -> Result<Vec<Decision>, Error> {
    let engine = Engine::diagnostic(controller, scene.parser(), seed.stream("engine"))?;
    let mut engine = engine.advised_by(scene.advisor());
    let mut session = Session::new(scene, &mut engine, phases.learning);
    let radius = calibrated.radius.clone();
    let online = phases.calibration.updates == Updates::Online;
    session.radius = if online { RadiusInForce::Online(radius) } else { RadiusInForce::Fixed(radius) };
    session.labelled =
        if online || controller.gate.is_diagnostic() { Labelled::Every } else { phases.labelled.clone() };
    session.play((0..phases.episodes).map(|number| Episode::Deployment { number }), seed.stream("deployment"))?;
    Ok(session.decisions)
}
