//! A deep learner in a world, advised by a language model or a rule: what all such scenarios have in common.

use std::fmt::Debug;

use counsel_advisor::{AdvisorName, Prompt, Teller};
use counsel_decision::Seed;
use counsel_session::{Consulted, DeepStudy, DeepWorld, Error, Played, Shared};
use counsel_world::Sight;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use toml::Table;

use crate::replay::{Track, WorldTrack};
use crate::scenario::{Playable, misread_deployment, misread_part};

/// The settings of a world with a deep learner in it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Learned<T> {
    /// The world.
    #[serde(flatten)]
    pub world: T,
    /// The agent, its advisor and its controller.
    #[serde(flatten)]
    pub study: DeepStudy,
}

/// The settings of the world alone. Whoever implements it describes the world by [`DeepWorld`], too.
pub trait DeepScenario: DeepWorld + Debug + Send + Sync + Serialize + DeserializeOwned + 'static {
    /// The template that makes the contexts if no model is named.
    const TEMPLATE: &'static str;

    /// The world.
    fn world(&self, seed: Seed) -> Result<Self::World, Error>;

    /// What puts its situations into words, by this template.
    fn teller(&self, template: &str) -> Result<Self::Teller, Error>;

    /// The advisors whose answers are needed to ask this one.
    fn consulted(&self, name: &AdvisorName) -> Vec<AdvisorName> {
        vec![name.clone()]
    }
}

impl<S: DeepScenario> Learned<S> {
    /// The world of a cell, how many steps an episode has at most (a new world has all of them to go), and what puts it into
    /// words.
    fn built(&self, seed: Seed) -> Result<(S::World, u64, S::Teller), Error> {
        let world = self.world.world(seed.stream("world"))?;
        let (horizon, template) = (S::steps_to_go(&world) as u64, self.study.advisor.template(S::TEMPLATE));
        Ok((world, horizon, self.world.teller(template)?))
    }

    /// What puts it into words for each advisor that may be asked, where others than the first are named.
    fn asked(&self) -> Result<Vec<S::Teller>, Error> {
        if !self.study.names_others() {
            return Ok(Vec::new());
        }
        let panel = self.study.panel();
        panel.iter().map(|one| self.world.teller(one.advisor.template(S::TEMPLATE))).collect()
    }
}

impl<S: DeepScenario> Playable for Learned<S> {
    fn check(&self, seed: Seed) -> Result<(), Error> {
        let (world, horizon, teller) = self.built(seed)?;
        self.study.check::<S>(&world, (&teller, &self.asked()?), horizon, seed)
    }

    fn forks(&self) -> bool {
        true
    }

    fn cell(&self, seed: Seed, shared: Shared<'_>) -> Result<Played, Error> {
        let (world, horizon, teller) = self.built(seed)?;
        self.study.cell::<S>(world, (teller, self.asked()?), horizon, &self.world, shared, seed)
    }

    fn track(&self, seed: Seed) -> Result<Option<Box<dyn Track>>, Error> {
        let (world, _, teller) = self.built(seed)?;
        let look = move |world: &S::World| {
            let situation = S::situation(world)?;
            let prompt = Some(script(&teller.prompt(&situation)));
            Ok((teller.context(&situation), Sight { prompt, ..S::sight(world).unwrap_or_default() }))
        };
        Ok(Some(Box::new(WorldTrack { world, enter: S::enter, look })))
    }

    fn models(&self) -> Vec<AdvisorName> {
        let panel = self.study.panel();
        panel.iter().filter_map(|one| one.advisor.model()).flat_map(|name| self.world.consulted(name)).collect()
    }

    fn advisor(&self) -> Option<String> {
        let names: Vec<String> = self.study.panel().iter().map(|one| one.advisor.to_string()).collect();
        Some(names.join(", "))
    }

    /// A run that asks nobody does not depend on who could have been asked, but on what is left of that advisor: the words
    /// that make its contexts.
    fn run_key(&self) -> Option<String> {
        let left = self.study.unasked(S::TEMPLATE)?;
        let unadvised = DeepStudy {
            advisor: Consulted::Mute,
            corruption: 0.0,
            others: None,
            among: None,
            order: None,
            ..self.study.clone()
        };
        serde_json::to_string(&(&self.world, unadvised, left)).ok()
    }

    fn misread(settings: &Table) -> Option<String> {
        misread_part::<S>(settings)
            .or_else(|| misread_part::<DeepStudy>(settings))
            .or_else(|| misread_deployment(settings))
    }
}

/// A prompt as it is read: who speaks, and what is said.
fn script(prompt: &Prompt) -> String {
    let turns: Vec<String> =
        prompt.messages().iter().map(|turn| format!("[{}]\n{}", turn.role.name(), turn.content)).collect();
    turns.join("\n\n")
}
