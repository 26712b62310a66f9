//! Whether advice was right: how much return the advised action gives away against the best that could still be had.
//!
//! Success after n steps of at most N is worth 1 - 0.9 n / N, so an action that makes the shortest way k steps longer
//! gives away 0.9 k / N; one from which no success is left gives away all.

use counsel_babyai::{Act, Planner, World};
use counsel_decision::{Action, Environment};

use super::Best;
use crate::Error;

/// The best of a state, and what the advised action gives away. Nothing where no success is possible any more.
pub(super) fn judge(planner: &mut Planner, world: &World, advised: Option<Action>) -> Result<Option<Best>, Error> {
    let state = world.state();
    let Some(optimum) = planner.optimum(state)? else { return Ok(None) };
    let Some(right) = optimum.acts.iter().next() else { return Ok(None) };
    let steps = f64::from(world.max_steps());
    let advice_gap = match advised.map(|action| Act::try_from(action.index()).unwrap_or(Act::Done)) {
        None => None,
        Some(act) if optimum.acts.contains(act) => Some(0.0),
        Some(act) => {
            let mut copy = world.clone();
            let over = Environment::step(&mut copy, Action::new(act as usize)).end.is_some();
            let after = if over { None } else { planner.optimum(copy.state())? };
            Some(match after {
                Some(after) => 0.9 * f64::from(after.distance + 1 - optimum.distance) / steps,
                None => 1.0 - 0.9 * f64::from(state.steps() + optimum.distance) / steps,
            })
        }
    };
    Ok(Some(Best { right: Action::new(right as usize), advice_gap }))
}
