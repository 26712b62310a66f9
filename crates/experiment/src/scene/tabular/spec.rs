//! The settings of a controlled study.

use std::sync::Arc;

use counsel_advisor::{AdvisorSpec, PredictorSpec};
use counsel_decision::{ContextKey, Seed};
use counsel_session::{
    Agent, Bookkeeping, Deployment, Episode, Error, Labelled, Opportunities, Phases, Played, Scene, Shared, refuse,
    run_phases,
};
use counsel_tabular::{Dynamics, LearnerSpec, TabularWorld};
use serde::{Deserialize, Serialize};
use toml::Table;

use super::agent::Tabular;
use super::{Continuation, WorldSpec};
use crate::replay::{Track, WorldTrack};
use crate::scenario::{Playable, misread_deployment};

/// A controlled study's settings.
///
/// | Name | Default | Range |
/// |---|---|---|
/// | `world`, `learner`, `advisor`, `predictor` | none | see their types |
/// | `warm_up_episodes` | 0 | 0 or more |
/// | `continuation` | `to-horizon` | `to-horizon`, `one-step` |
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
    /// By whose values advice is judged, and what is kept of them: the learner's, or the agent's own experience.
    #[serde(flatten)]
    pub books: Bookkeeping,
    /// The controller and its phases.
    #[serde(flatten)]
    pub deployment: Deployment,
    /// Episodes of the fallback alone, before everything else.
    #[serde(default)]
    pub warm_up_episodes: u64,
    /// How far the declared continuation looks.
    #[serde(default)]
    pub continuation: Continuation,
    /// Whether the remaining realizable advice value is measured at every decision.
    #[serde(default)]
    pub measure_potential: bool,
}

impl Playable for Controlled {
    /// Builds every part once, and the evidence of the first decision.
    fn check(&self, seed: Seed) -> Result<(), Error> {
        let mut scene = Tabular::new(self, seed)?;
        self.books.check(&self.deployment)?;
        let known = matches!(self.books.agent, Agent::Learner | Agent::Experienced(_));
        refuse(!known, "a controlled study has the agents `learner` and `experienced`; choose one of them")?;
        let (books, horizon) = (scene.books()?, scene.world().mdp.horizon() as u64);
        let mut controller = self.deployment.check(scene.parser(), books, self.warm_up_episodes, horizon, seed)?;
        scene.begin(Episode::WarmUp, seed)?;
        if let Some(known) = scene.know(&mut controller, seed)? {
            controller.preview(&known.situation)?;
        }
        let discounted = self.deployment.calibration.discount.is_some();
        refuse(discounted, "values of controlled worlds are undiscounted; leave calibration.discount out")?;
        let repeats = matches!(self.world, WorldSpec::Repeated(_));
        refuse(self.measure_potential && !repeats, "measure_potential needs the world `repeated`; set it to false")
    }

    fn track(&self, seed: Seed) -> Result<Option<Box<dyn Track>>, Error> {
        let world = TabularWorld::new(Arc::new(self.world.tables(seed.stream("world"))?), seed);
        // The context of a moment is its state.
        let look = |world: &TabularWorld| Ok((ContextKey(world.state() as u64), world.sight()));
        Ok(Some(Box::new(WorldTrack { world, enter: |_, _| {}, look })))
    }

    fn misread(settings: &Table) -> Option<String> {
        misread_deployment(settings)
    }

    fn forks(&self) -> bool {
        true
    }

    fn cell(&self, seed: Seed, shared: Shared<'_>) -> Result<Played, Error> {
        let scene = Tabular::new(self, seed)?;
        let horizon = scene.world().mdp.horizon() as u64;
        let phases = self.deployment.phases(Opportunities::OfReplays, self.warm_up_episodes, horizon);
        let phases = Phases { labelled: Labelled::Every, fork: shared.fork, ..phases };
        run_phases(&phases, scene, seed)
    }
}
