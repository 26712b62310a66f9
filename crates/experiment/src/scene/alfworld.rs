//! ALFWorld by its admissible commands: a learner that values commands, advised by an expert with a declared reliability.
//!
//! Warm-up, prefix and calibration are played in games of training, and deployment in games of evaluation; no goal is in both.

mod agent;
mod chooser;
mod heads;
mod trust;

use counsel_alfworld::{AlfworldSpec, Family, Player};
use counsel_decision::refusal::probability;
use counsel_decision::{Parser, Seed};
use counsel_session::{
    Agent, Bookkeeping, Books, Deployment, Error, Fallback, Labelled, Labels, Matched, Opportunities, Phases, Played,
    Shared, refuse, run_phases,
};
use counsel_world::Sight;
use serde::{Deserialize, Serialize};
use toml::Table;

use crate::replay::{Track, WorldTrack};
use crate::scenario::{Playable, misread_deployment};

pub use heads::HeadsSpec;
pub use trust::TrustSpec;

use agent::{CommandAgent, key};

/// The settings of a study of ALFWorld's commands.
///
/// | Name | Default | Range |
/// |---|---|---|
/// | `world` | both tasks, 50 steps | see [`AlfworldSpec`]; `family` has no effect |
/// | `learner` | see [`HeadsSpec`] | |
/// | `fallback` | `learner` | see [`Fallback`]; the rule is the expert, who knows what is in closed places |
/// | `reliability` | 0.85 | how often an answer begins a shortest plan, 0 to 1 |
/// | `trust` | none | see [`TrustSpec`]; none: the advisor's word adds nothing to a value |
/// | `label_decisions` | false | label every decision of deployment; labels are `paired` |
/// | `matched` | none | match the calls of this very controller, placed otherwise |
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Alfworld {
    /// The tasks, and how long an episode is.
    #[serde(default)]
    pub world: AlfworldSpec,
    /// What learns the values of commands.
    #[serde(default)]
    pub learner: HeadsSpec,
    /// Who acts where no advice does.
    #[serde(default)]
    pub fallback: Fallback,
    /// How often an answer begins a shortest plan.
    #[serde(default = "reliability")]
    pub reliability: f64,
    /// What the advisor's word is worth.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub trust: Option<TrustSpec>,
    /// By whose values advice is judged, and what is kept of them: the learner's, or the agent's own experience.
    #[serde(flatten)]
    pub books: Bookkeeping,
    /// The controller and its phases.
    #[serde(flatten)]
    pub deployment: Deployment,
    /// Whether every decision of deployment is labelled, for an audit of the radius.
    #[serde(default)]
    pub label_decisions: bool,
    /// Whether the calls of this controller are placed by another rule.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub matched: Option<Matched>,
}

fn reliability() -> f64 {
    0.85
}

/// Commands that an answer can name. More than any drawn game admits at a time; one past them would be unusable.
const MOST_COMMANDS: usize = 128;

impl Playable for Alfworld {
    fn check(&self, seed: Seed) -> Result<(), Error> {
        Player::new(self.world.clone(), seed).map_err(Error::world)?;
        self.learner.check()?;
        probability("reliability", self.reliability)?;
        let (calibration, parser) = (&self.deployment.calibration, Parser::numbered(MOST_COMMANDS));
        if let Some(trust) = self.trust {
            trust.check()?;
            refuse(
                calibration.prefix_episodes == 0,
                "trust is learned in the prefix; set calibration.prefix_episodes, or remove `trust`",
            )?;
        }
        self.books.check(&self.deployment)?;
        let known = matches!(self.books.agent, Agent::Learner | Agent::Experienced(_));
        refuse(!known, "a study of commands has the agents `learner` and `experienced`; choose one of them")?;
        let books = Books::new(self.books.spec(), MOST_COMMANDS)?;
        self.deployment.check(parser, books, self.warm_up_episodes(), u64::from(self.world.horizon), seed)?;
        let labelled = self.label_decisions || calibration.calibrate + calibration.fit > 0;
        if labelled && calibration.labels == Labels::Exact { Err(Error::NOT_EXACT) } else { Ok(()) }
    }

    fn cell(&self, seed: Seed, shared: Shared<'_>) -> Result<Played, Error> {
        let horizon = u64::from(self.world.horizon);
        let phases = Phases {
            labelled: if self.label_decisions { Labelled::Every } else { Labelled::None },
            matched: self.matched,
            fork: shared.fork,
            ..self.deployment.phases(Opportunities::OnePerEpisode, self.warm_up_episodes(), horizon)
        };
        run_phases(&phases, CommandAgent::new(self, shared.warm_starts, seed)?, seed)
    }

    fn forks(&self) -> bool {
        true
    }

    fn track(&self, seed: Seed) -> Result<Option<Box<dyn Track>>, Error> {
        let world = Player::new(self.world.clone(), seed).map_err(Error::world)?;
        // An action is a place in the list of commands.
        let look = |player: &Player| {
            let actions = player.world().standing().commands().map(str::to_owned).collect();
            Ok((key(player), Sight { actions, ..player.world().sight() }))
        };
        Ok(Some(Box::new(WorldTrack { world, enter: |player, _| player.draw_from(Family::Evaluation), look })))
    }

    fn misread(settings: &Table) -> Option<String> {
        misread_deployment(settings)
    }
}

impl Alfworld {
    fn warm_up_episodes(&self) -> u64 {
        self.learner.exploration.warm_up_episodes as u64
    }
}
