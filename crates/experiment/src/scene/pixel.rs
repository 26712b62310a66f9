//! The pixel world: a deep learner that looks for a goal in a grid of which it sees a window.

use std::sync::Arc;

use counsel_decision::{Action, Seed, argmax};
use counsel_log::Hindsight;
use counsel_pixel::words::Briefing;
use counsel_pixel::{Grid, Move, Observation, PixelSpec, State, Values, World, compass, rule};
use counsel_session::{DeepWorld, Error, Law};
use counsel_world::{Environment, Sight};
use serde::{Deserialize, Serialize};

use super::deep::DeepScenario;

/// What a pixel study says of its world.
///
/// | Name | Default | Range |
/// |---|---|---|
/// | `world` | 9 by 9 cells | see [`PixelSpec`] |
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Pixel {
    /// The grid and what the agent sees of it.
    #[serde(default)]
    pub world: PixelSpec,
}

impl DeepScenario for Pixel {
    const TEMPLATE: &'static str = "facts";

    fn world(&self, seed: Seed) -> Result<World, Error> {
        World::new(&self.world, seed).map_err(Error::world)
    }

    fn teller(&self, template: &str) -> Result<Briefing, Error> {
        Ok(Briefing::find(template, self.world)?)
    }
}

impl DeepWorld for Pixel {
    type World = World;
    type Situation = Observation;
    type Teller = Briefing;
    type Exact = Values;
    /// The optimal values of the grid that was judged last.
    type Planner = Option<(Arc<Grid>, Values)>;

    /// Whether and where the goal is seen, and which moves are blocked.
    const SURROUNDINGS: usize = 7;

    const MOVES: u16 = 4;

    fn inputs(world: &World) -> usize {
        world.state().spec().feature_count()
    }

    fn active_features(world: &World, active: &mut Vec<usize>) {
        world.state().active_features(active);
    }

    fn situation(world: &World) -> Result<Observation, Error> {
        Ok(world.observation())
    }

    fn surroundings(seen: &Observation) -> Vec<f64> {
        let flag = |yes: bool| f64::from(u8::from(yes));
        let reach = (seen.window() / 2).max(1) as f64;
        let (east, south) = seen.goal().map_or((0.0, 0.0), |goal| (goal.east as f64, goal.south as f64));
        let mut numbers = vec![flag(seen.goal().is_some()), east / reach, south / reach];
        numbers.extend(Move::ALL.map(|way| flag(seen.is_blocked(way))));
        numbers
    }

    fn sees_target(seen: &Observation) -> bool {
        seen.goal().is_some()
    }

    fn rule(seen: &Observation) -> Option<Action> {
        Some(rule(seen).into())
    }

    fn compass(world: &World) -> Option<Action> {
        Some(compass(world.state()).into())
    }

    fn enter(world: &mut World, episode: u64) {
        world.enter(episode);
    }

    fn sight(world: &World) -> Option<Sight> {
        Some(world.state().sight())
    }

    fn steps_to_go(world: &World) -> usize {
        (world.state().spec().horizon - world.state().steps()) as usize
    }

    fn judge(
        world: &World,
        planner: &mut Self::Planner,
        advised: Option<Action>,
        hindsight: &mut Hindsight,
    ) -> Result<(), Error> {
        hindsight.obstructed =
            advised.and_then(|action| Move::try_from(action).ok()).map(|way| world.observation().is_blocked(way));
        let grid = world.state().grid();
        if planner.as_ref().is_none_or(|(known, _)| !Arc::ptr_eq(known, grid)) {
            *planner = Some((grid.clone(), Values::optimal(grid, 1.0).map_err(Error::world)?));
        }
        let Some(q) = planner.as_ref().and_then(|(_, values)| values.q(world.state())) else { return Ok(()) };
        let right = argmax(&q);
        hindsight.right = Some(right);
        hindsight.advice_gap = advised.and_then(|action| Some(q[right.index()] - q.get(action.index())?));
        Ok(())
    }

    fn exact_values(world: &World, law: &mut Law<'_, World>, discount: f64) -> Result<(Values, u64), Error> {
        let (grid, mut scratch) = (world.state().grid(), world.clone());
        let policy = |state: &State| {
            scratch.restore(state);
            law(&scratch).try_into().unwrap_or([0.0; 4])
        };
        let looked_at = (grid.spec().cells() * Move::ALL.len()) as u64;
        Ok((Values::of_policy(grid, policy, discount).map_err(Error::world)?, looked_at))
    }

    fn best_values(world: &World, discount: f64) -> Result<Values, Error> {
        Values::optimal(world.state().grid(), discount).map_err(Error::world)
    }

    fn action_values(exact: &Values, world: &World) -> Option<Vec<f64>> {
        exact.q(world.state()).map(|q| q.to_vec())
    }
}
