//! BabyAI: a deep learner that walks to, opens or picks up an object, advised by a language model.

#[cfg(test)]
mod recommended;
mod surroundings;

use counsel_babyai::words::{Briefing, Situation, Task};
use counsel_babyai::{FEATURES, Layout, Planner, State, Values, World, judge};
use counsel_decision::{Action, Seed};
use counsel_log::Hindsight;
use counsel_session::{DeepWorld, Error, Law, refuse};
use counsel_world::{Environment, Sight};
use serde::{Deserialize, Serialize};

use super::deep::DeepScenario;

/// What a BabyAI study says of its world.
///
/// | Name | Default | Range |
/// |---|---|---|
/// | `task` | none | the five tasks of the studies |
/// | `horizon` | 64 | 1 to 1,000 steps |
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct BabyAi {
    /// What is to be done.
    pub task: Task,
    /// Steps of an episode at most.
    #[serde(default = "horizon")]
    pub horizon: u32,
}

fn horizon() -> u32 {
    64
}

impl DeepScenario for BabyAi {
    const TEMPLATE: &'static str = "abstract";

    fn world(&self, _: Seed) -> Result<World, Error> {
        refuse(!(1..=1_000).contains(&self.horizon), "horizon is 1 to 1,000 steps; the paper's is 64")?;
        World::with_max_steps(self.task.level(), self.horizon).map_err(Error::world)
    }

    fn teller(&self, template: &str) -> Result<Briefing, Error> {
        Ok(Briefing::find(template, self.task)?)
    }
}

/// A layout with more states than this is not enumerated.
const MOST_STATES: usize = 20_000;

impl DeepWorld for BabyAi {
    type World = World;
    type Situation = Situation;
    type Teller = Briefing;
    type Exact = Values<Layout>;
    type Planner = Planner;

    const SURROUNDINGS: usize = surroundings::WIDTH;

    /// Left, right and forward.
    const MOVES: u16 = 3;

    fn inputs(_: &World) -> usize {
        FEATURES
    }

    fn active_features(world: &World, active: &mut Vec<usize>) {
        world.active_features(active);
    }

    fn situation(world: &World) -> Result<Situation, Error> {
        Situation::of(world).map_err(Error::world)
    }

    fn surroundings(situation: &Situation) -> Vec<f64> {
        surroundings::describe(situation)
    }

    const INSTRUCTION: usize = surroundings::NAMED;

    fn instruction(situation: &Situation) -> Vec<f64> {
        surroundings::name(situation)
    }

    fn sees_target(situation: &Situation) -> bool {
        situation.place().is_some()
    }

    fn rule(situation: &Situation) -> Option<Action> {
        Some(Action::new(situation.rule() as usize))
    }

    fn sight(world: &World) -> Option<Sight> {
        Some(world.sight())
    }

    fn steps_to_go(world: &World) -> usize {
        (world.max_steps() - world.state().steps()) as usize
    }

    fn judge(
        world: &World,
        planner: &mut Planner,
        advised: Option<Action>,
        hindsight: &mut Hindsight,
    ) -> Result<(), Error> {
        if let Some(best) = judge(planner, world, advised).map_err(Error::world)? {
            (hindsight.right, hindsight.advice_gap) = (Some(best.right), best.advice_gap);
        }
        Ok(())
    }

    fn exact_values(world: &World, law: &mut Law<'_, World>, discount: f64) -> Result<(Values<Layout>, u64), Error> {
        let layout = Layout::explore(world.state(), MOST_STATES).map_err(Error::world)?;
        let (looked_at, mut scratch) = (layout.transitions(), world.clone());
        let policy = |state: &State| {
            scratch.restore(state);
            law(&scratch).try_into().unwrap_or([0.0; 7])
        };
        Ok((layout.solve(policy, discount).map_err(Error::world)?, looked_at))
    }

    fn best_values(world: &World, discount: f64) -> Result<Values<Layout>, Error> {
        Layout::explore(world.state(), MOST_STATES).and_then(|layout| layout.best(discount)).map_err(Error::world)
    }

    fn action_values(exact: &Values<Layout>, world: &World) -> Option<Vec<f64>> {
        exact.q_of(world.state()).map(|q| q.to_vec())
    }
}
