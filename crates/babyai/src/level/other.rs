//! Levels of their own kind.

use crate::draft::{Draft, Rejected};
use crate::instruction::{Clause, Instruction, Strictness};
use crate::strew::Twins;
use crate::{Colour, Kind, Latch};

/// Do something with an object or a door.
pub(super) fn act(draft: &mut Draft) -> Result<Instruction, Rejected> {
    let mut objects = draft.strew(Some((1, 1)), 5, Twins::Forbidden)?;
    for _ in 0..4 {
        objects.push(draft.add_any_door((1, 1), Some(Latch::Closed))?);
    }
    draft.place_agent_in((1, 1))?;
    let object = draft.random.element(&objects);
    let description = draft.describe_object(object);
    let clause = if draft.random.coin() {
        Clause::GoTo(description)
    } else if description.kind == Some(Kind::Door) {
        Clause::Open(description, Strictness::Lenient)
    } else {
        Clause::Pickup(description, Strictness::Lenient)
    };
    Ok(clause.into())
}

/// Find an object in some room.
pub(super) fn find(draft: &mut Draft) -> Result<Instruction, Rejected> {
    let place = draft.any_place();
    let object = draft.add_any(place)?;
    draft.place_agent_in((1, 1))?;
    draft.connect_all(&Colour::BY_NAME)?;
    Ok(Clause::Pickup(draft.describe_kind(object), Strictness::Lenient).into())
}

/// Find the key along a corridor, then the ball behind a locked door.
pub(super) fn corridor(draft: &mut Draft) -> Result<Instruction, Rejected> {
    for j in 1..draft.rows {
        draft.remove_wall((1, j), 3);
    }
    let locked_row = draft.random.between(0, draft.rows);
    let colour = draft.any_colour();
    draft.add_door((2, locked_row), 2, colour, Latch::Locked)?;
    let ball = draft.add_kind((2, locked_row), Kind::Ball)?;
    let key_row = draft.random.between(0, draft.rows);
    draft.add((0, key_row), Kind::Key, colour)?;
    draft.place_agent_in((1, draft.rows / 2))?;
    draft.connect_all(&Colour::BY_NAME)?;
    Ok(Clause::Pickup(draft.describe_kind(ball), Strictness::Lenient).into())
}

/// Pick up the ball.
pub(super) fn one_room(draft: &mut Draft) -> Result<Instruction, Rejected> {
    let ball = draft.add_kind((0, 0), Kind::Ball)?;
    draft.place_agent()?;
    Ok(Clause::Pickup(draft.describe_kind(ball), Strictness::Lenient).into())
}
