//! What a world must tell so that a deep learner can play it and an advisor can be asked about it.

use counsel_advisor::Teller;
use counsel_decision::{Action, Environment};
use counsel_log::Hindsight;

use crate::Error;

/// What every action is worth in every state that an episode can still reach.
pub(in crate::scene) trait ExactValues<W> {
    /// What the actions are worth in the state of this world; nothing if it cannot be reached.
    fn action_values(&self, world: &W) -> Option<Vec<f64>>;

    /// How many transitions were looked at to know that.
    fn transitions(&self) -> u64;
}

/// A world that a deep learner plays and an advisor can be told about.
pub(in crate::scene) trait DeepWorld: Environment + Clone {
    /// What may be told: a function of what the agent sees.
    type Situation: Clone;
    /// What puts situations into words.
    type Teller: Teller<Situation = Self::Situation> + Clone;
    /// What exact values are kept in.
    type Exact: ExactValues<Self> + Clone;
    /// What searches for the best that a state holds.
    type Planner: Default + Clone;

    /// How many zeros and ones the learner sees.
    fn inputs(&self) -> usize;

    /// The places of the ones, ascending.
    fn active_features(&self, active: &mut Vec<usize>);

    /// What may be told now.
    fn situation(&self) -> Result<Self::Situation, Error>;

    /// How many numbers the response predictor looks at.
    const SURROUNDINGS: usize;

    /// These numbers, all within [-1, 1].
    fn surroundings(situation: &Self::Situation) -> Vec<f64>;

    /// Whether what the task is about is in view.
    fn sees_target(situation: &Self::Situation) -> bool;

    /// The first so many actions are moves. A plausible wrong answer is another move.
    const MOVES: u16;

    /// What a simple rule would advise in a situation, if the world states one.
    fn rule(_situation: &Self::Situation) -> Option<Action> {
        None
    }

    /// How many steps the episode may still have.
    fn steps_to_go(&self) -> usize;

    /// Notes the best action of the present state and what the advised one gives away; neither where no success is possible
    /// any more.
    fn judge(
        &self,
        planner: &mut Self::Planner,
        advised: Option<Action>,
        hindsight: &mut Hindsight,
    ) -> Result<(), Error>;

    /// What every action is worth from now on when the agent acts by this law in every state.
    fn exact_values(&self, law: &mut dyn FnMut(&Self) -> Result<Vec<f64>, Error>) -> Result<Self::Exact, Error>;
}
