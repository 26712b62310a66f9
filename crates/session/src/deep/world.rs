//! What a world must tell so that a deep learner can play it and an advisor can be asked about it.

use counsel_advisor::Teller;
use counsel_decision::Action;
use counsel_log::Hindsight;
use counsel_world::{Environment, Sight};

use crate::Error;

/// A world that a deep learner plays and an advisor can be told about. Whoever implements it stands for the world, so that a
/// world of another crate can be described: the methods take the world itself. It is a type alone; `Clone` lets an agent in the
/// world derive its own.
pub trait DeepWorld: Clone {
    /// The world.
    type World: Environment + Clone;
    /// What may be told: a function of what the agent sees.
    type Situation: Clone;
    /// What puts situations into words.
    type Teller: Teller<Situation = Self::Situation> + Clone;
    /// What every action is worth in every state that an episode can still reach.
    type Exact: Clone;
    /// What searches for the best that a state holds.
    type Planner: Default + Clone;

    /// How many numbers the response predictor looks at.
    const SURROUNDINGS: usize;

    /// The first so many actions are moves. A plausible wrong answer is another move.
    const MOVES: u16;

    /// How many zeros and ones the learner sees.
    fn inputs(world: &Self::World) -> usize;

    /// The places of the ones, ascending.
    fn active_features(world: &Self::World, active: &mut Vec<usize>);

    /// What may be told now.
    fn situation(world: &Self::World) -> Result<Self::Situation, Error>;

    /// What the response predictor looks at: numbers within [-1, 1].
    fn surroundings(situation: &Self::Situation) -> Vec<f64>;

    /// What the task says, in so many numbers each time: a word that it names is a one.
    fn instruction(_situation: &Self::Situation) -> Vec<f64> {
        Vec::new()
    }

    /// How many numbers that is.
    const INSTRUCTION: usize = 0;

    /// Whether what the task is about is in view.
    fn sees_target(situation: &Self::Situation) -> bool;

    /// What a simple rule would advise in a situation, if the world states one.
    fn rule(_situation: &Self::Situation) -> Option<Action> {
        None
    }

    /// What an advisor would say who sees more of the world than the agent does, if there is one.
    fn compass(_world: &Self::World) -> Option<Action> {
        None
    }

    /// Begins the episode of deployment with this number, from 0, in a world that changes in the course of a run.
    fn enter(_world: &mut Self::World, _episode: u64) {}

    /// What a person is shown of the world now, if it can be shown.
    fn sight(_world: &Self::World) -> Option<Sight> {
        None
    }

    /// How many steps the episode may still have.
    fn steps_to_go(world: &Self::World) -> usize;

    /// Notes the best action of the present state and what the advised one gives away; neither where no success is possible
    /// any more.
    fn judge(
        world: &Self::World,
        planner: &mut Self::Planner,
        advised: Option<Action>,
        hindsight: &mut Hindsight,
    ) -> Result<(), Error>;

    /// What every action is worth from now on, discounted so, when the agent acts by this law in every state, and how many
    /// transitions were looked at to know that. Refused in a world with too many states.
    fn exact_values(
        _world: &Self::World,
        _law: &mut Law<'_, Self::World>,
        _discount: f64,
    ) -> Result<(Self::Exact, u64), Error> {
        Err(Error::NOT_EXACT)
    }

    /// What every action is worth from now on, discounted so, when the best is always done afterwards.
    fn best_values(_world: &Self::World, _discount: f64) -> Result<Self::Exact, Error> {
        Err(Error::NOT_EXACT)
    }

    /// What the actions are worth in the state of this world; nothing if it cannot be reached.
    fn action_values(_exact: &Self::Exact, _world: &Self::World) -> Option<Vec<f64>> {
        None
    }
}

/// The probability of every action in a state.
pub type Law<'a, World> = dyn FnMut(&World) -> Vec<f64> + 'a;
