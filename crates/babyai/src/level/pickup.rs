//! Levels that say "pick up", without locks.

use crate::draft::{Draft, Rejected};
use crate::instruction::{Clause, Instruction, Strictness};
use crate::strew::Twins;
use crate::{Colour, Latch};

fn pick_up(draft: &Draft, object: u8) -> Instruction {
    Clause::Pickup(draft.describe_object(object), Strictness::Lenient).into()
}

/// Pick up an object in a maze.
pub(super) fn maze(draft: &mut Draft) -> Result<Instruction, Rejected> {
    draft.place_agent()?;
    draft.connect_all(&Colour::BY_NAME)?;
    let objects = draft.strew(None, 18, Twins::Allowed)?;
    draft.require_reachable()?;
    let object = draft.random.element(&objects);
    Ok(pick_up(draft, object))
}

/// Pick up an object in a maze where some object is blocked.
pub(super) fn unblock(draft: &mut Draft) -> Result<Instruction, Rejected> {
    draft.place_agent()?;
    draft.connect_all(&Colour::BY_NAME)?;
    let objects = draft.strew(None, 20, Twins::Allowed)?;
    if draft.all_reachable() {
        return Err(Rejected);
    }
    let object = draft.random.element(&objects);
    Ok(pick_up(draft, object))
}

/// Pick up an object told by kind, colour or both.
pub(super) fn told_apart(draft: &mut Draft, strictness: Strictness) -> Result<Instruction, Rejected> {
    let objects = draft.strew(None, 5, Twins::Forbidden)?;
    draft.place_agent_in((0, 0))?;
    let look = draft.grid.look(draft.random.element(&objects));
    let (kind, colour) = (look.kind(), Some(look.colour()));
    let description = match draft.random.below(3) {
        0 => draft.describe(kind, None, None),
        1 => draft.describe(None, colour, None),
        _ => draft.describe(kind, colour, None),
    };
    Ok(Clause::Pickup(description, strictness).into())
}

/// Pick up an object in the room above.
pub(super) fn above(draft: &mut Draft) -> Result<Instruction, Rejected> {
    let object = draft.add_any((1, 0))?;
    let colour = draft.any_colour();
    draft.add_door((1, 1), 3, colour, Latch::Closed)?;
    draft.place_agent_in((1, 1))?;
    draft.connect_all(&Colour::BY_NAME)?;
    Ok(pick_up(draft, object))
}
