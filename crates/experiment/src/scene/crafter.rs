//! Crafter: a deep learner in a survival game, advised by a rule that knows the game.
//!
//! Warm-up, prefix and calibration are played in worlds of training, and deployment in worlds of evaluation; no seed is in both.

use counsel_crafter::words::Briefing;
use counsel_crafter::{
    Achievement, Being, CrafterSpec, Direction, FEATURES, Family, Item, MOST, Material, Observation, Sight, World, rule,
};
use counsel_decision::{Action, Seed};
use counsel_log::Hindsight;
use counsel_session::{DeepWorld, Error};
use serde::{Deserialize, Serialize};

use super::deep::DeepScenario;

/// What a Crafter study says of its world.
///
/// | Name | Default | Range |
/// |---|---|---|
/// | `world` | 200 steps | see [`CrafterSpec`] |
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Crafter {
    /// How long an episode is.
    #[serde(default)]
    pub world: CrafterSpec,
}

impl DeepScenario for Crafter {
    const TEMPLATE: &'static str = "survival";

    fn world(&self, _: Seed) -> Result<World, Error> {
        self.world.world().map_err(Error::world)
    }

    fn teller(&self, template: &str) -> Result<Briefing, Error> {
        Ok(Briefing::find(template)?)
    }
}

/// What the response predictor is told the place of.
fn landmarks() -> [Sight; 9] {
    let [tree, water, stone, coal, iron, table] =
        [Material::Tree, Material::Water, Material::Stone, Material::Coal, Material::Iron, Material::Table]
            .map(Sight::from);
    let [cow, zombie, skeleton] =
        [Being::Cow, Being::Zombie { cooldown: 0 }, Being::Skeleton { reload: 0 }].map(Sight::from);
    [tree, water, stone, coal, iron, table, cow, zombie, skeleton]
}

impl DeepWorld for Crafter {
    type World = World;
    type Situation = Observation;
    type Teller = Briefing;
    type Exact = ();
    type Planner = ();

    /// What the player has and has achieved, where it looks, what is ahead, which sides are free, where the nearest of each
    /// landmark is, and flags: asleep, night, beside a table or a furnace.
    const SURROUNDINGS: usize =
        Item::ALL.len() + Achievement::ALL.len() + 2 * Direction::ALL.len() + Sight::COUNT + 3 * 9 + 4;

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
        numbers.extend(Achievement::ALL.map(|achievement| flag(seen.has_achieved(achievement))));
        numbers.extend(Direction::ALL.map(|way| flag(seen.facing == way)));
        numbers.extend(Direction::ALL.map(|way| flag(seen.beside(way).is_free())));
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

    fn sight(world: &World) -> Option<counsel_world::Sight> {
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
}
