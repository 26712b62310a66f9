//! An episode in which every answer of an advisor is obeyed, to see how far its word alone leads.

use counsel_decision::{Action, Response};

use crate::{Environment, Transition};

/// Plays the episode under way to its end, does what `answer` says, and returns the last transition. An answer that is not
/// understood is an action past the last one, which passes the turn in a world with words.
pub fn obey<W: Environment, E>(
    world: &mut W,
    mut answer: impl FnMut(&W) -> Result<Response, E>,
) -> Result<Transition, E> {
    loop {
        let action = match answer(world)? {
            Response::Recommends(action) => action,
            Response::Unusable => Action::new(world.actions()),
        };
        let transition = world.step(action);
        if transition.end.is_some() {
            return Ok(transition);
        }
    }
}
