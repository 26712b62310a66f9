//! Levels that say "put ... next to".

use crate::draft::{Draft, Rejected};
use crate::grid::ObjectId;
use crate::instruction::{Clause, Instruction, Part};
use crate::strew::Twins;

fn put_next(draft: &Draft, moved: ObjectId, fixed: ObjectId) -> Clause {
    Clause::PutNext(draft.describe_object(moved), draft.describe_object(fixed))
}

/// Put an object next to another in the only room.
pub(super) fn local(draft: &mut Draft, objects: usize) -> Result<Instruction, Rejected> {
    draft.place_agent()?;
    let objects = draft.strew(None, objects, Twins::Forbidden)?;
    draft.require_reachable()?;
    let drawn = draft.random.subset(&objects, 2);
    Ok(put_next(draft, drawn[0], drawn[1]).into())
}

/// The objects of the left and of the right room, whose common wall is gone.
fn two_heaps(draft: &mut Draft, per_room: usize) -> Result<(Vec<ObjectId>, Vec<ObjectId>), Rejected> {
    draft.place_agent_in((0, 0))?;
    let left = draft.strew(Some((0, 0)), per_room, Twins::Forbidden)?;
    let right = draft.strew(Some((1, 0)), per_room, Twins::Forbidden)?;
    draft.remove_wall((0, 0), 0);
    Ok((left, right))
}

/// Put an object next to one of the other room.
pub(super) fn across(draft: &mut Draft, per_room: usize, in_hand: bool) -> Result<Instruction, Rejected> {
    let (left, right) = two_heaps(draft, per_room)?;
    let (mut moved, mut fixed) = (draft.random.element(&left), draft.random.element(&right));
    if draft.random.coin() {
        (moved, fixed) = (fixed, moved);
    }
    if in_hand {
        draft.in_hand = moved;
    }
    Ok(put_next(draft, moved, fixed).into())
}

/// Put two objects next to two others.
pub(super) fn two_across(draft: &mut Draft, per_room: usize) -> Result<Instruction, Rejected> {
    let (left, right) = two_heaps(draft, per_room)?;
    let left = draft.random.subset(&left, 2);
    let right = draft.random.subset(&right, 2);
    let (first, second) = (put_next(draft, left[0], right[0]), put_next(draft, right[1], left[1]));
    Ok(Instruction::Before(Part::One(first), Part::One(second)))
}
