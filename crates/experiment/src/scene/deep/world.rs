//! What a world must tell so that a deep learner can play it and an advisor can be asked about it.

use counsel_advisor::{Decoding, Prompt};
use counsel_decision::{Action, Environment, Parser};

use crate::Error;

/// What a state holds at best.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(in crate::scene) struct Best {
    /// An optimal action.
    pub(in crate::scene) right: Action,
    /// How much the advised action gives away, if one was advised.
    pub(in crate::scene) advice_gap: Option<f64>,
}

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

    /// How many steps the episode may still have.
    fn steps_to_go(&self) -> usize;

    /// The best of the present state, and what the advised action gives away. Nothing where no success is possible any more.
    fn judge(&self, planner: &mut Self::Planner, advised: Option<Action>) -> Result<Option<Best>, Error>;

    /// What every action is worth from now on when the agent acts by this law in every state.
    fn exact_values(&self, law: &mut dyn FnMut(&Self) -> Result<Vec<f64>, Error>) -> Result<Self::Exact, Error>;
}

/// What puts the situations of a world into words, and reads the answers.
pub(in crate::scene) trait Teller {
    /// What may be told.
    type Situation;
    /// What tells two prompts apart.
    type Subject: Ord;

    /// What is said in a situation.
    fn prompt(&self, situation: &Self::Situation) -> Prompt;

    /// What tells the prompts of two situations apart, where that is cheaper than the prompts themselves.
    fn subject(&self, situation: &Self::Situation) -> Option<Self::Subject>;

    /// What reads the answers.
    fn parser(&self) -> Parser;

    /// How answers are taken.
    fn decoding(&self, name: &str) -> Result<Decoding, Error>;
}
