//! Levels that say "open".

use crate::draft::{Draft, Rejected};
use crate::instruction::{Clause, Instruction, Location, Part, Strictness};
use crate::room::Passage;
use crate::strew::Twins;
use crate::{Colour, Kind, Latch};

/// What sets the door to open apart from the others.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Choice {
    /// By its colour.
    Colour,
    /// By where it is.
    Location,
    /// A draw decides.
    Drawn,
}

fn open(draft: &Draft, door: u8, strictness: Strictness) -> Clause {
    Clause::Open(draft.describe_object(door), strictness)
}

/// Open a door in a maze.
pub(super) fn maze(draft: &mut Draft) -> Result<Instruction, Rejected> {
    draft.place_agent()?;
    draft.connect_all(&Colour::BY_NAME)?;
    draft.strew(None, 18, Twins::Allowed)?;
    draft.require_reachable()?;
    let mut doors = Vec::with_capacity(24);
    for i in 0..draft.columns {
        for j in 0..draft.rows {
            let room = &draft.rooms[draft.room_index((i, j))];
            doors.extend(room.passages.iter().filter_map(|passage| match passage {
                Passage::Door(door) => Some(*door),
                _ => None,
            }));
        }
    }
    let door = draft.random.element(&doors);
    Ok(open(draft, door, Strictness::Lenient).into())
}

/// Open the only door.
pub(super) fn red_door(draft: &mut Draft) -> Result<Instruction, Rejected> {
    let door = draft.add_door((0, 0), 0, Colour::Red, Latch::Closed)?;
    draft.place_agent_in((0, 0))?;
    Ok(open(draft, door, Strictness::Lenient).into())
}

/// Open one of four doors.
pub(super) fn one_of_four(draft: &mut Draft, choice: Choice, strictness: Strictness) -> Result<Instruction, Rejected> {
    let colours = draft.random.subset(&Colour::BY_NAME, 4);
    for (side, &colour) in colours.iter().enumerate() {
        draft.add_door((1, 1), side, colour, Latch::Closed)?;
    }
    let by_colour = match choice {
        Choice::Colour => true,
        Choice::Location => false,
        Choice::Drawn => draft.random.coin(),
    };
    let (colour, location) =
        if by_colour { (Some(colours[0]), None) } else { (None, Some(draft.random.element(&Location::ALL))) };
    draft.place_agent_in((1, 1))?;
    Ok(Clause::Open(draft.describe(Some(Kind::Door), colour, location), strictness).into())
}

/// Open two doors, one after the other; of these colours, or of drawn ones.
pub(super) fn two(
    draft: &mut Draft,
    colours: Option<(Colour, Colour)>,
    strictness: Strictness,
) -> Result<Instruction, Rejected> {
    let drawn = draft.random.subset(&Colour::BY_NAME, 2);
    let (first, second) = colours.unwrap_or((drawn[0], drawn[1]));
    let first = draft.add_door((1, 1), 2, first, Latch::Closed)?;
    let second = draft.add_door((1, 1), 0, second, Latch::Closed)?;
    draft.place_agent_in((1, 1))?;
    let (first, second) = (open(draft, first, strictness), open(draft, second, Strictness::Lenient));
    Ok(Instruction::Before(Part::One(first), Part::One(second)))
}

/// Open one or two of several doors in the given order.
pub(super) fn in_order(draft: &mut Draft, count: usize, strictness: Strictness) -> Result<Instruction, Rejected> {
    let colours = draft.random.subset(&Colour::BY_NAME, count);
    let mut doors = Vec::with_capacity(count);
    for colour in colours {
        let side = draft.any_side((1, 1));
        doors.push(draft.add_door((1, 1), side, colour, Latch::Closed)?);
    }
    draft.place_agent_in((1, 1))?;
    let drawn = draft.random.subset(&doors, 2);
    let (first, second) = (open(draft, drawn[0], strictness), open(draft, drawn[1], strictness));
    Ok(match draft.random.below(3) {
        0 => first.into(),
        1 => Instruction::Before(Part::One(first), Part::One(second)),
        _ => Instruction::After(Part::One(first), Part::One(second)),
    })
}
