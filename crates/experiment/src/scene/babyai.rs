//! BabyAI: a deep learner that walks to, opens or picks up an object, advised by a language model.

mod surroundings;

use counsel_advisor::AdvisorName;
use counsel_babyai::words::{Briefing, Situation, Task};
use counsel_babyai::{FEATURES, Layout, Planner, Values, World, judge};
use counsel_decision::{Action, Environment, Seed};
use counsel_log::Hindsight;
use serde::{Deserialize, Serialize};

use super::deep::{DeepStudy, DeepWorld, ExactValues, WarmStarts};
use crate::error::refuse;
use crate::phases::Played;
use crate::{Error, Library};

/// A BabyAI study's settings: those of [`DeepStudy`], and these.
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
    /// The agent, its advisor and its controller.
    #[serde(flatten)]
    pub study: DeepStudy,
}

fn horizon() -> u32 {
    64
}

impl BabyAi {
    /// The model whose answers are needed, if one is asked at all.
    pub(crate) fn model(&self) -> Option<&AdvisorName> {
        self.study.advisor.model()
    }

    /// Builds every part once.
    pub(crate) fn check(&self, seed: Seed) -> Result<(), Error> {
        refuse(!(1..=1_000).contains(&self.horizon), "horizon is 1 to 1,000 steps; the paper's is 64")?;
        self.study.check(&self.world()?, &self.teller()?, u64::from(self.horizon), seed)
    }

    /// Plays one cell.
    pub(crate) fn play(&self, seed: Seed, library: &Library, warm_starts: &WarmStarts) -> Result<Played, Error> {
        let (world, teller) = (self.world()?, self.teller()?);
        let warm_start = (self.task, self.horizon);
        self.study.play(world, teller, u64::from(self.horizon), &warm_start, (library, warm_starts), seed)
    }

    fn world(&self) -> Result<World, Error> {
        Ok(World::with_max_steps(self.task.level(), self.horizon)?)
    }

    fn teller(&self) -> Result<Briefing, Error> {
        Ok(Briefing::find(self.study.advisor.template("abstract"), self.task)?)
    }
}

/// A layout with more states than this is not enumerated.
const MOST_STATES: usize = 20_000;

impl DeepWorld for World {
    type Situation = Situation;
    type Teller = Briefing;
    type Exact = Values<Layout>;
    type Planner = Planner;

    fn inputs(&self) -> usize {
        FEATURES
    }

    fn active_features(&self, active: &mut Vec<usize>) {
        self.active_features(active);
    }

    fn situation(&self) -> Result<Situation, Error> {
        Ok(Situation::of(self)?)
    }

    const SURROUNDINGS: usize = surroundings::WIDTH;

    fn surroundings(situation: &Situation) -> Vec<f64> {
        surroundings::describe(situation)
    }

    fn sees_target(situation: &Situation) -> bool {
        situation.place().is_some()
    }

    /// Left, right and forward.
    const MOVES: u16 = 3;

    fn steps_to_go(&self) -> usize {
        (self.max_steps() - self.state().steps()) as usize
    }

    fn judge(&self, planner: &mut Planner, advised: Option<Action>, hindsight: &mut Hindsight) -> Result<(), Error> {
        if let Some(best) = judge(planner, self, advised)? {
            (hindsight.right, hindsight.advice_gap) = (Some(best.right), best.advice_gap);
        }
        Ok(())
    }

    fn exact_values(&self, law: &mut dyn FnMut(&Self) -> Result<Vec<f64>, Error>) -> Result<Values<Layout>, Error> {
        let layout = Layout::explore(self.state(), MOST_STATES)?;
        let mut scratch = self.clone();
        let mut failure = None;
        let values = layout.solve(
            |state| {
                scratch.restore(state);
                let mut chances = [0.0; 7];
                match law(&scratch) {
                    Ok(law) => chances.copy_from_slice(&law),
                    Err(error) => {
                        failure.get_or_insert(error);
                        chances[0] = 1.0;
                    }
                }
                chances
            },
            1.0,
        )?;
        failure.map_or(Ok(values), Err)
    }
}

impl ExactValues<World> for Values<Layout> {
    fn action_values(&self, world: &World) -> Option<Vec<f64>> {
        self.q_of(world.state()).map(|q| q.to_vec())
    }

    fn transitions(&self) -> u64 {
        self.layout().transitions()
    }
}

impl From<counsel_babyai::Error> for Error {
    fn from(error: counsel_babyai::Error) -> Self {
        Self::World(Box::new(error))
    }
}
