//! The settings that every study of a learner shares, whatever the learner and its world: the controller and its phases.

use counsel_controller::{Books, Controller, Learning};
use counsel_decision::refusal::decisions_fit;
use counsel_decision::{Parser, Seed, Settings};
use serde::{Deserialize, Serialize};

use crate::calibrate::{CalibrationSpec, Opportunities};
use crate::phases::Phases;
use crate::{Error, refuse};

/// How a controller is calibrated and deployed.
///
/// | Name | Default | Range |
/// |---|---|---|
/// | `gate`, `execution`, `budget`, `pacing`, `cache`, `bankroll` | | see [`Settings`] |
/// | `price` | none | 0 or more |
/// | `episodes` | 60 | 1 or more |
/// | `calibration` | infinite radius, no prefix | see [`CalibrationSpec`] |
/// | `learning` | `continues` | see [`Learning`] |
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Deployment {
    /// When it asks, and what it does with an answer.
    #[serde(flatten)]
    pub settings: Settings,
    /// The cost of a call.
    pub price: f64,
    /// Episodes of deployment.
    #[serde(default = "episodes")]
    pub episodes: u64,
    /// How the radius is calibrated.
    #[serde(default)]
    pub calibration: CalibrationSpec,
    /// What learns in deployment.
    #[serde(default)]
    pub learning: Learning,
}

fn episodes() -> u64 {
    60
}

impl Deployment {
    /// The controller, built once. Refuses phases that cannot be played with episodes of this many steps.
    pub fn check(
        &self,
        parser: Parser,
        books: Books,
        warm_up: u64,
        steps: u64,
        seed: Seed,
    ) -> Result<Controller, Error> {
        let controller = Controller::diagnostic(&self.settings, parser, self.price, books, seed)?;
        self.calibration.check()?;
        self.calibration.check_deployment(self.learning, &self.settings)?;
        refuse(self.episodes == 0, "episodes is 0; choose 1 or more")?;
        let sizes = |episodes| [episodes, steps].map(|size| usize::try_from(size).unwrap_or(usize::MAX));
        for episodes in [self.episodes, self.calibration.prefix_episodes, warm_up] {
            decisions_fit(&sizes(episodes), "run fewer episodes")?;
        }
        Ok(controller)
    }

    /// The phases of a cell with episodes of this many steps.
    pub fn phases(&self, opportunities: Opportunities, warm_up_episodes: u64, horizon: u64) -> Phases<'_> {
        Phases {
            opportunities,
            warm_up_episodes,
            horizon,
            learning: self.learning,
            ..Phases::deployment(&self.settings, &self.calibration, self.episodes)
        }
    }
}
