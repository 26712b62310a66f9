//! Levels that say "go to".

use super::unlock::lock_a_room;
use crate::draft::{Draft, Rejected};
use crate::grid::ObjectId;
use crate::instruction::{Clause, Instruction};
use crate::room::Passage;
use crate::strew::Twins;
use crate::{Colour, Kind, Latch, Look};

fn go_to(draft: &Draft, object: ObjectId) -> Instruction {
    Clause::GoTo(draft.describe_object(object)).into()
}

/// Go to the red ball.
pub(super) fn red_ball(draft: &mut Draft, distractors: usize, grey: bool) -> Result<Instruction, Rejected> {
    draft.place_agent()?;
    let ball = draft.add((0, 0), Kind::Ball, Colour::Red)?;
    for object in draft.strew(None, distractors, Twins::Allowed)? {
        if grey {
            let look = &mut draft.grid.objects[usize::from(object)].look;
            *look = look.painted(Colour::Grey);
        }
    }
    draft.require_reachable()?;
    Ok(go_to(draft, ball))
}

/// Go to the only object.
pub(super) fn only_object(draft: &mut Draft) -> Result<Instruction, Rejected> {
    draft.place_agent()?;
    let objects = draft.strew(None, 1, Twins::Forbidden)?;
    Ok(go_to(draft, objects[0]))
}

/// Go to an object in the only room.
pub(super) fn local(draft: &mut Draft, distractors: usize) -> Result<Instruction, Rejected> {
    draft.place_agent()?;
    let objects = draft.strew(None, distractors, Twins::Allowed)?;
    draft.require_reachable()?;
    let object = draft.random.element(&objects);
    Ok(go_to(draft, object))
}

/// Go to an object in a maze.
pub(super) fn maze(draft: &mut Draft, distractors: usize, doors_open: bool) -> Result<Instruction, Rejected> {
    draft.place_agent()?;
    draft.connect_all(&Colour::BY_NAME)?;
    let objects = draft.strew(None, distractors, Twins::Allowed)?;
    draft.require_reachable()?;
    let object = draft.random.element(&objects);
    if doors_open {
        for passage in draft.rooms.iter().flat_map(|room| room.passages) {
            if let Passage::Door(door) = passage {
                let look = &mut draft.grid.objects[usize::from(door)].look;
                *look = Look::door(look.colour(), Latch::Open);
            }
        }
    }
    Ok(go_to(draft, object))
}

/// Go to an object that may be behind a locked door.
pub(super) fn behind_a_lock(draft: &mut Draft) -> Result<Instruction, Rejected> {
    let (place, _) = lock_a_room(draft)?;
    draft.connect_all(&Colour::BY_NAME)?;
    for i in 0..draft.columns {
        for j in 0..draft.rows {
            draft.strew(Some((i, j)), 2, Twins::Allowed)?;
        }
    }
    draft.place_agent_outside(Some(draft.room_index(place)))?;
    draft.require_reachable()?;
    let objects = draft.strew(Some(place), 1, Twins::Allowed)?;
    Ok(go_to(draft, objects[0]))
}

/// Go to the red or the blue ball.
pub(super) fn red_or_blue_ball(draft: &mut Draft) -> Result<Instruction, Rejected> {
    draft.place_agent()?;
    let both = [Look::thing(Kind::Ball, Colour::Blue), Look::thing(Kind::Ball, Colour::Red)];
    let objects = draft.strew(None, 7, Twins::Allowed)?;
    if objects.iter().any(|&object| both.contains(&draft.grid.look(object))) {
        return Err(Rejected);
    }
    let colour = draft.random.element(&[Colour::Red, Colour::Blue]);
    let ball = draft.add((0, 0), Kind::Ball, colour)?;
    draft.require_reachable()?;
    Ok(go_to(draft, ball))
}

/// Go to a door.
pub(super) fn door(draft: &mut Draft) -> Result<Instruction, Rejected> {
    let mut doors = Vec::with_capacity(4);
    for _ in 0..4 {
        doors.push(draft.add_any_door((1, 1), None)?);
    }
    draft.place_agent_in((1, 1))?;
    let door = draft.random.element(&doors);
    Ok(go_to(draft, door))
}

/// Go to an object or a door.
pub(super) fn object_or_door(draft: &mut Draft) -> Result<Instruction, Rejected> {
    draft.place_agent_in((1, 1))?;
    let mut objects = draft.strew(Some((1, 1)), 8, Twins::Allowed)?;
    for _ in 0..4 {
        objects.push(draft.add_any_door((1, 1), None)?);
    }
    draft.require_reachable()?;
    let object = draft.random.element(&objects);
    Ok(go_to(draft, object))
}
