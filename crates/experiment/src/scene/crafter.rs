//! Crafter: a deep learner in a survival game, advised by a rule that knows the game.
//!
//! Warm-up, prefix and calibration are played in worlds of training, and deployment in worlds of evaluation; no seed is in both.

use counsel_advisor::AdvisorName;
use counsel_crafter::words::Briefing;
use counsel_crafter::{Being, CrafterSpec, FEATURES, Family, Item, MOST, Material, Observation, Sight, World, rule};
use counsel_decision::{Action, Seed};
use counsel_log::Hindsight;
use counsel_session::{DeepStudy, DeepWorld, Error, Law, Library, Played, WarmStarts};
use serde::{Deserialize, Serialize};

use crate::replay::{DeepTrack, Track};

/// A Crafter study's settings: those of [`DeepStudy`], and the world.
///
/// | Name | Default | Range |
/// |---|---|---|
/// | `world` | 200 steps | see [`CrafterSpec`] |
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Crafter {
    /// How long an episode is.
    #[serde(default)]
    pub world: CrafterSpec,
    /// The agent, its advisor and its controller.
    #[serde(flatten)]
    pub study: DeepStudy,
}

impl Crafter {
    /// The model whose answers are needed, if one is asked at all.
    pub(crate) fn model(&self) -> Option<&AdvisorName> {
        self.study.advisor.model()
    }

    /// What is left of the advisor where nobody asks it.
    pub(crate) fn unasked(&self) -> Option<String> {
        self.study.unasked(TEMPLATE)
    }

    /// Builds every part once.
    pub(crate) fn check(&self, seed: Seed) -> Result<(), Error> {
        let world = self.world.world().map_err(Error::world)?;
        self.study.check::<Wilderness>(&world, &self.teller()?, u64::from(self.world.horizon), seed)
    }

    /// Plays one cell.
    pub(crate) fn play(&self, seed: Seed, library: &Library, warm_starts: &WarmStarts) -> Result<Played, Error> {
        let world = self.world.world().map_err(Error::world)?;
        let horizon = u64::from(self.world.horizon);
        self.study.play::<Wilderness>(world, self.teller()?, horizon, &self.world, (library, warm_starts), seed)
    }

    /// Its world, to be played again.
    pub(crate) fn track(&self) -> Result<Box<dyn Track>, Error> {
        Ok(Box::new(DeepTrack::<Wilderness> {
            world: self.world.world().map_err(Error::world)?,
            teller: self.teller()?,
        }))
    }

    fn teller(&self) -> Result<Briefing, Error> {
        Ok(Briefing::find(self.study.advisor.template(TEMPLATE))?)
    }
}

/// What makes the contexts where no model is named.
const TEMPLATE: &str = "survival";

/// What is said to a study that wants exact values.
const NOT_EXACT: Error = Error::Settings {
    reason: "Crafter has too many states for exact values; choose labels = { paired = { blocks = 3, replicates = 1, window = 6 } }",
};

/// What the response predictor is told the place of.
fn landmarks() -> [Sight; 9] {
    let [tree, water, stone, coal, iron, table] =
        [Material::Tree, Material::Water, Material::Stone, Material::Coal, Material::Iron, Material::Table]
            .map(Sight::from);
    let [cow, zombie, skeleton] =
        [Being::Cow, Being::Zombie { cooldown: 0 }, Being::Skeleton { reload: 0 }].map(Sight::from);
    [tree, water, stone, coal, iron, table, cow, zombie, skeleton]
}

/// Stands for Crafter.
struct Wilderness;

impl DeepWorld for Wilderness {
    type World = World;
    type Situation = Observation;
    type Teller = Briefing;
    type Exact = ();
    type Planner = ();

    /// What the player has, what is ahead, where the nearest of each landmark is, and flags: asleep, night, beside a table or a furnace.
    const SURROUNDINGS: usize = Item::ALL.len() + Sight::COUNT + 3 * 9 + 4;

    const MOVES: u16 = 17;

    fn inputs(_world: &World) -> usize {
        FEATURES
    }

    fn active_features(world: &World, active: &mut Vec<usize>) {
        world.state().observation().active_features(active);
    }

    fn situation(world: &World) -> Result<Observation, Error> {
        Ok(world.state().observation())
    }

    fn surroundings(seen: &Observation) -> Vec<f64> {
        let flag = |yes: bool| f64::from(u8::from(yes));
        let mut numbers: Vec<f64> =
            seen.inventory.iter().map(|(_, amount)| f64::from(amount) / f64::from(MOST)).collect();
        numbers.extend(Sight::all().map(|sight| flag(seen.ahead() == sight)));
        for landmark in landmarks() {
            let nearest = seen.nearest_of(landmark);
            let (columns, rows) = nearest.unwrap_or((0, 0));
            numbers.extend([flag(nearest.is_some()), f64::from(columns) / 4.0, f64::from(rows) / 3.0]);
        }
        let is_near = |material| seen.is_near(material);
        numbers.extend([seen.is_asleep, seen.is_dark, is_near(Material::Table), is_near(Material::Furnace)].map(flag));
        numbers
    }

    fn sees_target(seen: &Observation) -> bool {
        seen.sees_use()
    }

    fn rule(seen: &Observation) -> Option<Action> {
        Some(rule(seen).into())
    }

    fn enter(world: &mut World, _episode: u64) {
        world.draw_from(Family::Evaluation);
    }

    fn sight(world: &World) -> Option<counsel_decision::Sight> {
        Some(world.state().sight())
    }

    fn steps_to_go(world: &World) -> usize {
        world.state().max_steps().saturating_sub(world.state().steps()) as usize
    }

    /// The best action is not known; the rule's stands for it, and what another one gives away is left open.
    fn judge(world: &World, (): &mut (), _advised: Option<Action>, hindsight: &mut Hindsight) -> Result<(), Error> {
        hindsight.right = Some(rule(&world.state().observation()).into());
        Ok(())
    }

    fn exact_values(_world: &World, _law: &mut Law<'_, World>, _discount: f64) -> Result<((), u64), Error> {
        Err(NOT_EXACT)
    }

    fn best_values(_world: &World, _discount: f64) -> Result<(), Error> {
        Err(NOT_EXACT)
    }

    fn action_values((): &(), _world: &World) -> Option<Vec<f64>> {
        None
    }
}
