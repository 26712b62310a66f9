//! The settings of a controlled study.

use std::sync::Arc;

use counsel_advisor::{AdvisorSpec, PredictorSpec};
use counsel_decision::refusal::fits;
use counsel_decision::{Action, ContextKey, Controller, Engine, Environment, Seed, Sight};
use counsel_session::{
    CalibrationSpec, Episode, Error, Labelled, Learning, Opportunities, Phases, Played, Scene, play, refuse,
};
use counsel_tabular::{Dynamics, LearnerSpec, TabularWorld};
use serde::{Deserialize, Serialize};

use super::agent::Tabular;
use super::{Continuation, WorldSpec};
use crate::replay::Track;

/// A controlled study's settings.
///
/// | Name | Default | Range |
/// |---|---|---|
/// | `world`, `learner`, `advisor`, `predictor` | none | see their types |
/// | `gate`, `execution`, `budget`, `price`, `cache` | | see [`Controller`] |
/// | `kappa` | none | 0 or more |
/// | `warm_up_episodes` | 0 | 0 or more |
/// | `episodes` | none | 1 or more |
/// | `continuation` | `to-horizon` | `to-horizon`, `one-step` |
/// | `learning` | `continues` | `continues`, `predictor-only`, `frozen` |
/// | `calibration` | infinite radius, no prefix | see [`CalibrationSpec`] |
/// | `measure_potential` | false | only for contexts that come round again |
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Controlled {
    /// Where the agent acts.
    pub world: WorldSpec,
    /// What it does without advice.
    pub learner: LearnerSpec,
    /// Whom it may ask.
    pub advisor: AdvisorSpec,
    /// What it expects to be told.
    pub predictor: PredictorSpec,
    /// When it asks, and what it does with an answer.
    #[serde(flatten)]
    pub controller: Controller,
    /// The cost of a call.
    pub kappa: f64,
    /// Episodes of the fallback alone, before everything else.
    #[serde(default)]
    pub warm_up_episodes: u64,
    /// Episodes of deployment.
    pub episodes: u64,
    /// How far the declared continuation looks.
    #[serde(default)]
    pub continuation: Continuation,
    /// What goes on learning after the prefix.
    #[serde(default)]
    pub learning: Learning,
    /// How the radius is calibrated.
    #[serde(default)]
    pub calibration: CalibrationSpec,
    /// Whether the remaining realizable advice value is measured at every decision.
    #[serde(default)]
    pub measure_potential: bool,
}

impl Controlled {
    /// Builds every part once, and the evidence of the first decision.
    pub(crate) fn check(&self, seed: Seed) -> Result<(), Error> {
        let mut scene = Tabular::new(self, seed)?;
        let engine = Engine::diagnostic(&self.controller, scene.parser(), seed)?;
        scene.begin(Episode::WarmUp, seed)?;
        scene.know(&engine, seed)?;
        self.calibration.check()?;
        self.calibration.check_deployment(self.learning, &self.controller)?;
        let sizes = [self.episodes, self.warm_up_episodes, self.calibration.prefix_episodes];
        let horizon = scene.world().mdp.horizon();
        for episodes in sizes.map(|episodes| usize::try_from(episodes).unwrap_or(usize::MAX)) {
            fits("a phase of the run", &[episodes, horizon], "run fewer episodes")?;
        }
        let discounted = self.calibration.discount.is_some();
        refuse(discounted, "values of controlled worlds are undiscounted; leave calibration.discount out")?;
        let repeats = matches!(self.world, WorldSpec::Repeated(_));
        refuse(self.episodes == 0, "episodes is 0; let there be at least one")?;
        refuse(self.measure_potential && !repeats, "measure_potential needs the world `repeated`; set it to false")
    }

    /// Its world, to be played again.
    pub(crate) fn track(&self, seed: Seed) -> Result<TabularTrack, Error> {
        let mdp = self.world.tables(seed.stream("world"))?;
        Ok(TabularTrack(TabularWorld::new(Arc::new(mdp), seed)))
    }

    /// Plays one cell.
    pub(crate) fn play(&self, seed: Seed) -> Result<Played, Error> {
        let scene = Tabular::new(self, seed)?;
        let phases = Phases {
            controller: &self.controller,
            calibration: &self.calibration,
            opportunities: Opportunities::OfReplays,
            warm_up_episodes: self.warm_up_episodes,
            episodes: self.episodes,
            horizon: scene.world().mdp.horizon() as u64,
            learning: self.learning,
            labelled: Labelled::Every,
            matched: None,
        };
        play(&phases, scene, seed)
    }
}

/// The world without the agent. The context of a moment is its state.
pub(crate) struct TabularTrack(TabularWorld);

impl Track for TabularTrack {
    fn begin(&mut self, _: u64, seed: Seed) -> Result<(), Error> {
        self.0.reset(seed);
        Ok(())
    }

    fn look(&self) -> Result<(ContextKey, Sight), Error> {
        Ok((ContextKey(self.0.state() as u64), self.0.sight()))
    }

    fn act(&mut self, action: Action) -> f64 {
        self.0.step(action).reward
    }
}
