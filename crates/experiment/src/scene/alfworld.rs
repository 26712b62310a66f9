//! ALFWorld by its admissible commands: a learner that values commands, advised by an expert with a declared reliability.
//!
//! Warm-up, prefix and calibration are played in games of training, and deployment in games of evaluation; no goal is in both.

mod agent;
mod chooser;
mod heads;
mod track;
mod trust;

use counsel_alfworld::{AlfworldSpec, Player};
use counsel_decision::refusal::probability;
use counsel_decision::{Controller, Engine, Parser, Seed};
use counsel_session::{
    CalibrationSpec, Error, Labelled, Labels, Learning, Matched, Opportunities, Phases, Played, WarmStarts, play,
    refuse,
};
use serde::{Deserialize, Serialize};

pub use heads::HeadsSpec;
pub use trust::TrustSpec;

use agent::CommandAgent;
use track::CommandTrack;

/// What acts where no advice does.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Alone {
    /// The learner.
    #[default]
    Learner,
    /// Any admissible command, each as likely as any other.
    Random,
    /// The expert, who knows what is in closed places.
    Expert,
}

/// The settings of a study of ALFWorld's commands.
///
/// | Name | Default | Range |
/// |---|---|---|
/// | `world` | both tasks, 50 steps | see [`AlfworldSpec`]; `family` has no effect |
/// | `learner` | see [`HeadsSpec`] | |
/// | `fallback` | `learner` | `learner`, `random`, `expert` |
/// | `reliability` | 0.85 | how often an answer begins a shortest plan, 0 to 1 |
/// | `trust` | none | see [`TrustSpec`]; none: the advisor's word adds nothing to a value |
/// | `gate`, `execution`, `budget`, `price`, `cache` | | see [`Controller`] |
/// | `kappa` | none | 0 or more |
/// | `episodes` | 60 | 1 or more |
/// | `calibration` | infinite radius, no prefix | see [`CalibrationSpec`]; labels are `paired` |
/// | `learning` | `continues` | what learns in deployment, see [`Learning`] |
/// | `label_decisions` | false | label every decision of deployment |
/// | `matched` | none | match the calls of this very controller, placed otherwise |
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Alfworld {
    /// The tasks, and how long an episode is.
    #[serde(default)]
    pub world: AlfworldSpec,
    /// What learns the values of commands.
    #[serde(default)]
    pub learner: HeadsSpec,
    /// What acts where no advice does.
    #[serde(default)]
    pub fallback: Alone,
    /// How often an answer begins a shortest plan.
    #[serde(default = "reliability")]
    pub reliability: f64,
    /// What the advisor's word is worth.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub trust: Option<TrustSpec>,
    /// When it asks, and what it does with an answer.
    #[serde(flatten)]
    pub controller: Controller,
    /// The cost of a call.
    pub kappa: f64,
    /// Episodes of deployment.
    #[serde(default = "episodes")]
    pub episodes: u64,
    /// How the radius is calibrated.
    #[serde(default)]
    pub calibration: CalibrationSpec,
    /// What learns in deployment.
    #[serde(default)]
    pub learning: Learning,
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

fn episodes() -> u64 {
    60
}

/// Commands that an answer can name. More than any drawn game admits at a time; one past them would be unusable.
const MOST_COMMANDS: usize = 128;

impl Alfworld {
    /// Builds every part once.
    pub(crate) fn check(&self, seed: Seed) -> Result<(), Error> {
        Player::new(self.world.clone(), seed).map_err(Error::world)?;
        self.learner.check()?;
        probability("reliability", self.reliability)?;
        if let Some(trust) = self.trust {
            trust.check()?;
            refuse(
                self.calibration.prefix_episodes == 0,
                "trust is learned in the prefix; set calibration.prefix_episodes, or remove `trust`",
            )?;
        }
        Engine::diagnostic(&self.controller, Parser::numbered(MOST_COMMANDS), seed)?;
        self.calibration.check()?;
        self.calibration.check_deployment(self.learning, &self.controller)?;
        let labelled = self.label_decisions || self.calibration.calibrate + self.calibration.fit > 0;
        refuse(
            labelled && self.calibration.labels == Labels::Exact,
            "ALFWorld has too many states for exact values; choose labels = { paired = { blocks = 3, replicates = 1 } }",
        )?;
        refuse(self.episodes == 0, "episodes is 0; let there be at least one")?;
        refuse(!(self.kappa >= 0.0 && self.kappa.is_finite()), "kappa is the cost of a call; choose 0 or more")
    }

    /// Plays one cell.
    pub(crate) fn play(&self, seed: Seed, warm_starts: &WarmStarts) -> Result<Played, Error> {
        let phases = Phases {
            controller: &self.controller,
            calibration: &self.calibration,
            opportunities: Opportunities::OnePerEpisode,
            warm_up_episodes: self.learner.exploration.warm_up_episodes as u64,
            episodes: self.episodes,
            horizon: u64::from(self.world.horizon),
            learning: self.learning,
            labelled: if self.label_decisions { Labelled::Every } else { Labelled::None },
            matched: self.matched,
        };
        play(&phases, CommandAgent::new(self, warm_starts, seed)?, seed)
    }

    /// Its world, to be played again.
    pub(crate) fn track(&self, seed: Seed) -> Result<CommandTrack, Error> {
        Ok(CommandTrack(Player::new(self.world.clone(), seed).map_err(Error::world)?))
    }
}
