//! Levels with a lock.
//!
//! The original means to keep the key and the distractors out of the locked room, but compares its numbers by identity,
//! which is never given; so they may be anywhere, here as there.

use crate::draft::{Draft, Place, Rejected};
use crate::grid::ObjectId;
use crate::instruction::{Clause, Instruction, Strictness};
use crate::strew::Twins;
use crate::{Colour, Kind, Latch};

fn open(draft: &Draft, door: ObjectId) -> Instruction {
    Clause::Open(draft.describe_kind(door), Strictness::Lenient).into()
}

fn pick_up(draft: &Draft, object: ObjectId) -> Instruction {
    Clause::Pickup(draft.describe_kind(object), Strictness::Lenient).into()
}

/// Locks a drawn room and puts the key into a drawn room.
pub(super) fn lock_a_room(draft: &mut Draft) -> Result<(Place, ObjectId), Rejected> {
    let place = draft.any_place();
    let door = draft.add_any_door(place, Some(Latch::Locked))?;
    let key_place = draft.any_place();
    draft.add(key_place, Kind::Key, draft.grid.look(door).colour())?;
    Ok((place, door))
}

/// Open a locked door in a maze.
pub(super) fn maze(draft: &mut Draft) -> Result<Instruction, Rejected> {
    let (place, door) = lock_a_room(draft)?;
    if draft.random.coin() {
        let own = draft.grid.look(door).colour();
        let others: Vec<Colour> = Colour::BY_NAME.into_iter().filter(|&colour| colour != own).collect();
        draft.connect_all(&others)?;
    } else {
        draft.connect_all(&Colour::BY_NAME)?;
    }
    for i in 0..draft.columns {
        for j in 0..draft.rows {
            draft.strew(Some((i, j)), 3, Twins::Allowed)?;
        }
    }
    draft.place_agent_outside(Some(draft.room_index(place)))?;
    draft.require_reachable()?;
    Ok(Clause::Open(draft.describe_object(door), Strictness::Lenient).into())
}

/// Open the locked door of the room.
pub(super) fn local(draft: &mut Draft, distractors: usize) -> Result<Instruction, Rejected> {
    let door = draft.add_any_door((1, 1), Some(Latch::Locked))?;
    draft.add((1, 1), Kind::Key, draft.grid.look(door).colour())?;
    draft.strew(Some((1, 1)), distractors, Twins::Forbidden)?;
    draft.place_agent_in((1, 1))?;
    Ok(open(draft, door))
}

/// Open a locked door; the key is in a box.
pub(super) fn key_in_box(draft: &mut Draft) -> Result<Instruction, Rejected> {
    let door = draft.add_any_door((1, 1), Some(Latch::Locked))?;
    let key = draft.grid.create_thing(Kind::Key, draft.grid.look(door).colour());
    let colour = draft.any_colour();
    let chest = draft.grid.create_thing(Kind::Box, colour);
    draft.grid.objects[usize::from(chest)].holds = key;
    draft.place_in_room((1, 1), chest)?;
    draft.place_agent_in((1, 1))?;
    Ok(open(draft, door))
}

/// A box in the right room, behind a locked door.
fn locked_box(draft: &mut Draft) -> Result<(ObjectId, ObjectId), Rejected> {
    let chest = draft.add_kind((1, 0), Kind::Box)?;
    let colour = draft.any_colour();
    let door = draft.add_door((0, 0), 0, colour, Latch::Locked)?;
    Ok((chest, door))
}

/// Pick up the box behind a locked door.
pub(super) fn pickup(draft: &mut Draft, distractors: usize) -> Result<Instruction, Rejected> {
    let (chest, door) = locked_box(draft)?;
    draft.add((0, 0), Kind::Key, draft.grid.look(door).colour())?;
    draft.strew(None, distractors, Twins::Forbidden)?;
    draft.place_agent_in((0, 0))?;
    Ok(Clause::Pickup(draft.describe_object(chest), Strictness::Lenient).into())
}

/// Pick up the box behind a locked door that a ball blocks.
pub(super) fn blocked(draft: &mut Draft) -> Result<Instruction, Rejected> {
    let (chest, door) = locked_box(draft)?;
    let colour = draft.any_colour();
    let ball = draft.grid.create_thing(Kind::Ball, colour);
    let before_the_door = draft.grid.objects[usize::from(door)].cell - 1;
    draft.grid.put(before_the_door, ball);
    draft.add((0, 0), Kind::Key, draft.grid.look(door).colour())?;
    draft.place_agent_in((0, 0))?;
    Ok(pick_up(draft, chest))
}

/// Pick up the ball behind a locked door whose key is behind another.
pub(super) fn twice(draft: &mut Draft) -> Result<Instruction, Rejected> {
    let colours = draft.random.subset(&Colour::BY_NAME, 2);
    draft.add_door((0, 0), 0, colours[0], Latch::Locked)?;
    draft.add((2, 0), Kind::Key, colours[0])?;
    draft.add_door((1, 0), 0, colours[1], Latch::Locked)?;
    draft.add((1, 0), Kind::Key, colours[1])?;
    let ball = draft.add_kind((0, 0), Kind::Ball)?;
    draft.place_agent_in((1, 0))?;
    Ok(pick_up(draft, ball))
}
