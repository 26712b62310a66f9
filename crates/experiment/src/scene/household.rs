//! ALFWorld by abstract options: a deep learner advised by a language model that knows what is found where.
//!
//! Warm-up, prefix and calibration are played in games of training, and deployment in games of evaluation; no goal is in both.

use counsel_advisor::AdvisorName;
use counsel_alfworld::household::words::{Briefing, WHEREABOUTS};
use counsel_alfworld::household::{Deed, FEATURES, Outlook, Script, Situation, Whereabouts};
use counsel_alfworld::{AlfworldSpec, Family};
use counsel_decision::{Action, Seed, Sight};
use counsel_log::Hindsight;
use counsel_session::{DeepStudy, DeepWorld, Error, Law, Library, Played, WarmStarts};
use serde::{Deserialize, Serialize};

use crate::replay::{DeepTrack, Track};

/// The settings of a study of ALFWorld's options: those of [`DeepStudy`], and these.
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
    /// The agent, its advisor and its controller.
    #[serde(flatten)]
    pub study: DeepStudy,
}

impl Household {
    /// The advisors whose answers are needed: who is told what the player knows, and who is asked where things are.
    pub(crate) fn models(&self) -> Vec<AdvisorName> {
        let Some(name) = self.study.advisor.model() else { return Vec::new() };
        vec![name.clone(), AdvisorName { template: WHEREABOUTS.to_owned(), ..name.clone() }]
    }

    /// What is left of the advisor where nobody asks it.
    pub(crate) fn unasked(&self) -> Option<String> {
        self.study.unasked(TEMPLATE)
    }

    /// Builds every part once.
    pub(crate) fn check(&self, seed: Seed) -> Result<(), Error> {
        self.study.check::<Houses>(&self.build(seed)?, &self.teller()?, u64::from(self.world.horizon), seed)
    }

    /// Plays one cell.
    pub(crate) fn play(&self, seed: Seed, library: &Library, warm_starts: &WarmStarts) -> Result<Played, Error> {
        let (world, horizon) = (self.build(seed.stream("world"))?, u64::from(self.world.horizon));
        self.study.play::<Houses>(world, self.teller()?, horizon, &self.world, (library, warm_starts), seed)
    }

    /// Its world, to be played again.
    pub(crate) fn track(&self, seed: Seed) -> Result<Box<dyn Track>, Error> {
        Ok(Box::new(DeepTrack::<Houses> { world: self.build(seed.stream("world"))?, teller: self.teller()? }))
    }

    fn build(&self, seed: Seed) -> Result<counsel_alfworld::household::Household, Error> {
        counsel_alfworld::household::Household::new(self.world.clone(), self.script, seed).map_err(Error::world)
    }

    fn teller(&self) -> Result<Briefing, Error> {
        Ok(Briefing::find(self.study.advisor.template(TEMPLATE))?)
    }
}

/// What makes the contexts where no model is named.
const TEMPLATE: &str = "household-few-shot";

/// What is said to a study that wants exact values.
const NOT_EXACT: Error = Error::Settings {
    reason: "ALFWorld has too many states for exact values; choose labels = { paired = { blocks = 3, replicates = 1 } }",
};

/// Stands for ALFWorld's houses.
struct Houses;

impl DeepWorld for Houses {
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

    fn exact_values(_world: &Self::World, _law: &mut Law<'_, Self::World>, _discount: f64) -> Result<((), u64), Error> {
        Err(NOT_EXACT)
    }

    fn best_values(_world: &Self::World, _discount: f64) -> Result<(), Error> {
        Err(NOT_EXACT)
    }

    fn action_values((): &(), _world: &Self::World) -> Option<Vec<f64>> {
        None
    }
}
