//! The pixel world: a deep learner that looks for a goal in a grid of which it sees a window.

use std::sync::Arc;

use counsel_advisor::AdvisorName;
use counsel_decision::{Action, Environment, Seed};
use counsel_log::Hindsight;
use counsel_pixel::words::Briefing;
use counsel_pixel::{Grid, Move, Observation, PixelSpec, Values, World, rule};
use serde::{Deserialize, Serialize};

use super::deep::{DeepStudy, DeepWorld, ExactValues, WarmStarts};
use crate::phases::Played;
use crate::{Error, Library};

/// A pixel study's settings: those of [`DeepStudy`], and the world.
///
/// | Name | Default | Range |
/// |---|---|---|
/// | `world` | 9 by 9 cells | see [`PixelSpec`] |
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Pixel {
    /// The grid and what the agent sees of it.
    #[serde(default)]
    pub world: PixelSpec,
    /// The agent, its advisor and its controller.
    #[serde(flatten)]
    pub study: DeepStudy,
}

impl Pixel {
    /// The model whose answers are needed, if one is asked at all.
    pub(crate) fn model(&self) -> Option<&AdvisorName> {
        self.study.advisor.model()
    }

    /// Builds every part once.
    pub(crate) fn check(&self, seed: Seed) -> Result<(), Error> {
        self.study.check(&World::new(&self.world, seed)?, &self.teller()?, u64::from(self.world.horizon), seed)
    }

    /// Plays one cell.
    pub(crate) fn play(&self, seed: Seed, library: &Library, warm_starts: &WarmStarts) -> Result<Played, Error> {
        let world = World::new(&self.world, seed.stream("world"))?;
        let horizon = u64::from(self.world.horizon);
        self.study.play(world, self.teller()?, horizon, &self.world, (library, warm_starts), seed)
    }

    fn teller(&self) -> Result<Briefing, Error> {
        Ok(Briefing::find(self.study.advisor.template("facts"), self.world)?)
    }
}

/// How many numbers the response predictor looks at: whether and where the goal is seen, and which moves are blocked.
const SURROUNDINGS: usize = 7;

impl DeepWorld for World {
    type Situation = Observation;
    type Teller = Briefing;
    type Exact = Values;
    /// The optimal values of the grid that was judged last.
    type Planner = Option<(Arc<Grid>, Values)>;

    fn inputs(&self) -> usize {
        self.state().spec().feature_count()
    }

    fn active_features(&self, active: &mut Vec<usize>) {
        self.state().active_features(active);
    }

    fn situation(&self) -> Result<Observation, Error> {
        Ok(self.observation())
    }

    const SURROUNDINGS: usize = SURROUNDINGS;

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

    const MOVES: u16 = 4;

    fn rule(seen: &Observation) -> Option<Action> {
        Some(rule(seen).into())
    }

    fn steps_to_go(&self) -> usize {
        (self.state().spec().horizon - self.state().steps()) as usize
    }

    fn judge(
        &self,
        planner: &mut Self::Planner,
        advised: Option<Action>,
        hindsight: &mut Hindsight,
    ) -> Result<(), Error> {
        let grid = self.state().grid();
        if planner.as_ref().is_none_or(|(known, _)| !Arc::ptr_eq(known, grid)) {
            *planner = Some((grid.clone(), Values::optimal(grid, 1.0)?));
        }
        let Some(q) = planner.as_ref().and_then(|(_, values)| values.q(self.state())) else { return Ok(()) };
        let right = counsel_decision::argmax(&q);
        hindsight.right = Some(right);
        hindsight.advice_gap =
            advised.map(|action| q.get(action.index()).map_or(0.0, |worth| q[right.index()] - worth));
        Ok(())
    }

    fn exact_values(&self, law: &mut dyn FnMut(&Self) -> Result<Vec<f64>, Error>) -> Result<Values, Error> {
        let mut scratch = self.clone();
        let mut failure = None;
        let policy = |state: &_| {
            scratch.restore(state);
            law(&scratch).ok().and_then(|law| law.try_into().ok()).unwrap_or_else(|| {
                failure = Some(Error::Settings { reason: "the learner's policy has not four moves; this is a bug" });
                [0.25; 4]
            })
        };
        let values = Values::of_policy(self.state().grid(), policy, 1.0)?;
        failure.map_or(Ok(values), Err)
    }
}

impl ExactValues<World> for Values {
    fn action_values(&self, world: &World) -> Option<Vec<f64>> {
        self.q(world.state()).map(|q| q.to_vec())
    }

    fn transitions(&self) -> u64 {
        (self.grid().spec().cells() * Move::ALL.len()) as u64
    }
}

impl From<counsel_pixel::Error> for Error {
    fn from(error: counsel_pixel::Error) -> Self {
        Self::World(Box::new(error))
    }
}
