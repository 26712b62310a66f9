//! ALFWorld by abstract options: a deep learner advised by a language model that knows what is found where.
//!
//! Warm-up, prefix and calibration are played in games of training, and deployment in games of evaluation; no goal is in both.

use counsel_advisor::AdvisorName;
use counsel_alfworld::household::words::{Briefing, WHEREABOUTS};
use counsel_alfworld::household::{Deed, FEATURES, Outlook, Script, Situation, Whereabouts};
use counsel_alfworld::{AlfworldSpec, Family};
use counsel_decision::{Action, Seed};
use counsel_log::Hindsight;
use counsel_session::{DeepWorld, Error};
use counsel_world::Sight;
use serde::{Deserialize, Serialize};

use super::deep::DeepScenario;

/// What a study of ALFWorld's options says of its world.
///
/// | Name | Default | Range |
/// |---|---|---|
/// | `world` | both tasks, 50 steps | see [`AlfworldSpec`]; `family` has no effect |
/// | `script` | `random-search` | what the fallback `rule` and the advisor `rule` do, see [`Script`] |
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Household {
    /// The tasks, how long an episode is, and what a step costs.
    #[serde(default)]
    pub world: AlfworldSpec,
    /// The rule that asks nobody.
    #[serde(default)]
    pub script: Script,
}

impl DeepScenario for Household {
    const TEMPLATE: &'static str = "household-few-shot";

    fn world(&self, seed: Seed) -> Result<Self::World, Error> {
        Self::World::new(self.world.clone(), self.script, seed).map_err(Error::world)
    }

    fn teller(&self, template: &str) -> Result<Briefing, Error> {
        Ok(Briefing::find(template)?)
    }

    /// Who reads what the player knows, and who is asked where things are.
    fn consulted(&self, name: &AdvisorName) -> Vec<AdvisorName> {
        vec![name.clone(), AdvisorName { template: WHEREABOUTS.to_owned(), ..name.clone() }]
    }
}

impl DeepWorld for Household {
    type World = counsel_alfworld::household::Household;
    type Situation = Situation;
    type Teller = Briefing;
    type Exact = ();
    type Planner = ();

    /// Which line, and what is possible.
    const SURROUNDINGS: usize = Outlook::LINES + Deed::COUNT;

    #[expect(clippy::cast_possible_truncation, reason = "there are 36 deeds")]
    const MOVES: u16 = Deed::COUNT as u16;

    fn inputs(_world: &Self::World) -> usize {
        FEATURES
    }

    fn active_features(world: &Self::World, active: &mut Vec<usize>) {
        world.active_features(active);
    }

    fn situation(world: &Self::World) -> Result<Situation, Error> {
        Ok(world.situation())
    }

    fn surroundings(situation: &Situation) -> Vec<f64> {
        let mut numbers = vec![0.0; Self::SURROUNDINGS];
        numbers[situation.outlook.line_number()] = 1.0;
        situation.outlook.possible().for_each(|deed| numbers[Outlook::LINES + deed.action().index()] = 1.0);
        numbers
    }

    fn sees_target(situation: &Situation) -> bool {
        situation.outlook.target != Whereabouts::Unknown
    }

    fn rule(situation: &Situation) -> Option<Action> {
        Some(situation.scripted)
    }

    fn enter(world: &mut Self::World, _episode: u64) {
        world.draw_from(Family::Evaluation);
    }

    fn sight(world: &Self::World) -> Option<Sight> {
        Some(world.player().world().sight())
    }

    fn steps_to_go(world: &Self::World) -> usize {
        world.player().steps_to_go() as usize
    }

    /// Right is what is sensible for somebody who knows what the player knows; wrong answers count alike.
    fn judge(
        world: &Self::World,
        (): &mut (),
        advised: Option<Action>,
        hindsight: &mut Hindsight,
    ) -> Result<(), Error> {
        let sensible: Vec<Action> = world.outlook().sensible().into_iter().map(Deed::action).collect();
        hindsight.right = sensible.first().copied();
        hindsight.advice_gap = advised.map(|action| f64::from(u8::from(!sensible.contains(&action))));
        Ok(())
    }
}
