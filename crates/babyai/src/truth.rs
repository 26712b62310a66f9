//! Whether advice was right: how much return the advised action gives away against the best that could still be had.
//!
//! An action that makes the shortest way k steps longer gives away what k steps cost; one from which no success is left
//! gives away all.

use counsel_decision::Action;
use counsel_world::Environment;

use crate::reward::{delay_cost, success_reward};
use crate::{Act, Error, Planner, World};

/// What a state holds at best.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Best {
    /// The first optimal action.
    pub right: Action,
    /// How much the advised action gives away, if one was advised.
    pub advice_gap: Option<f64>,
}

/// The best of a state, and what the advised action gives away. Nothing where no success is possible any more.
pub fn judge(planner: &mut Planner, world: &World, advised: Option<Action>) -> Result<Option<Best>, Error> {
    let state = world.state();
    let Some(optimum) = planner.optimum(state)? else { return Ok(None) };
    let Some(right) = optimum.acts.iter().next() else { return Ok(None) };
    let advice_gap = match advised.map(|action| Act::try_from(action.index()).unwrap_or(Act::Done)) {
        None => None,
        Some(act) if optimum.acts.contains(act) => Some(0.0),
        Some(act) => {
            let mut copy = world.clone();
            let over = Environment::step(&mut copy, Action::new(act as usize)).end.is_some();
            let after = if over { None } else { planner.optimum(copy.state())? };
            Some(match after {
                Some(after) => delay_cost(after.distance + 1 - optimum.distance, world.max_steps()),
                None => success_reward(state.steps() + optimum.distance, world.max_steps()),
            })
        }
    };
    Ok(Some(Best { right: Action::new(right as usize), advice_gap }))
}
