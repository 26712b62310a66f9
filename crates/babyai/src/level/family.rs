//! The families of levels. A variant carries what differs between the ids of one family.

use super::{go_to, open, other, pickup, put_next, unlock};
use crate::Colour;
use crate::draft::{Draft, Rejected};
use crate::grammar::Grammar;
use crate::instruction::{Instruction, Strictness};
use crate::matching::Keys;

/// How the door to open is told from the others.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Choice {
    /// By its colour.
    Colour,
    /// By where it is.
    Location,
    /// A draw decides.
    Drawn,
}

/// A family of levels, with its parameters.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Family {
    /// Go to the red ball.
    GoToRedBall {
        /// How many other objects there are.
        distractors: usize,
        /// Whether those are all grey.
        grey: bool,
    },
    /// Go to the only object.
    GoToObj,
    /// Go to an object in the only room.
    GoToLocal {
        /// How many objects there are.
        distractors: usize,
    },
    /// Go to an object in a maze.
    GoTo {
        /// How many objects there are.
        distractors: usize,
        /// Whether all doors are open.
        doors_open: bool,
    },
    /// Go to an object that may be behind a locked door.
    GoToImpUnlock,
    /// Go to the red or the blue ball.
    GoToRedBlueBall,
    /// Go to a door.
    GoToDoor,
    /// Go to an object or a door.
    GoToObjDoor,
    /// Open a door in a maze.
    Open,
    /// Open the only door.
    OpenRedDoor,
    /// Open one of four doors.
    OpenDoor(Choice, Strictness),
    /// Open two doors, one after the other; of these colours, or of drawn ones.
    OpenTwoDoors(Option<(Colour, Colour)>, Strictness),
    /// Open one or two of so many doors in the given order.
    OpenDoorsOrder(usize, Strictness),
    /// Pick up an object in a maze.
    Pickup,
    /// Pick up an object in a maze where some object is blocked.
    UnblockPickup,
    /// Pick up an object told by kind, colour or both.
    PickupDist(Strictness),
    /// Pick up an object in the room above.
    PickupAbove,
    /// Put an object next to another in the only room.
    PutNextLocal {
        /// How many objects there are.
        objects: usize,
    },
    /// Put an object next to one of the other room.
    PutNext {
        /// How many objects each room has.
        per_room: usize,
        /// Whether the agent holds the object already.
        in_hand: bool,
    },
    /// Open a locked door in a maze.
    Unlock,
    /// Open the locked door of the room.
    UnlockLocal {
        /// How many other objects there are.
        distractors: usize,
    },
    /// Open a locked door; the key is in a box.
    KeyInBox,
    /// Pick up the box behind a locked door.
    UnlockPickup {
        /// How many other objects there are.
        distractors: usize,
    },
    /// Pick up the box behind a locked door that a ball blocks.
    BlockedUnlockPickup,
    /// Pick up the ball behind a locked door whose key is behind another.
    UnlockToUnlock,
    /// Do something with an object or a door.
    ActionObjDoor,
    /// Find an object in some room.
    FindObj,
    /// Find the key along a corridor, then the ball behind a locked door.
    KeyCorridor,
    /// Pick up the ball.
    OneRoom,
    /// Put two objects next to two others.
    MoveTwoAcross {
        /// How many objects each room has.
        per_room: usize,
    },
    /// Any sentence of a grammar.
    Sentence(Grammar),
}

impl Family {
    /// Draws a maze and an instruction. The draft has been begun.
    pub(crate) fn draw(&self, draft: &mut Draft) -> Result<Instruction, Rejected> {
        match *self {
            Self::GoToRedBall { distractors, grey } => go_to::red_ball(draft, distractors, grey),
            Self::GoToObj => go_to::only_object(draft),
            Self::GoToLocal { distractors } => go_to::local(draft, distractors),
            Self::GoTo { distractors, doors_open } => go_to::maze(draft, distractors, doors_open),
            Self::GoToImpUnlock => go_to::behind_a_lock(draft),
            Self::GoToRedBlueBall => go_to::red_or_blue_ball(draft),
            Self::GoToDoor => go_to::door(draft),
            Self::GoToObjDoor => go_to::object_or_door(draft),
            Self::Open => open::maze(draft),
            Self::OpenRedDoor => open::red_door(draft),
            Self::OpenDoor(choice, strictness) => open::one_of_four(draft, choice, strictness),
            Self::OpenTwoDoors(colours, strictness) => open::two(draft, colours, strictness),
            Self::OpenDoorsOrder(doors, strictness) => open::in_order(draft, doors, strictness),
            Self::Pickup => pickup::maze(draft),
            Self::UnblockPickup => pickup::unblock(draft),
            Self::PickupDist(strictness) => pickup::told_apart(draft, strictness),
            Self::PickupAbove => pickup::above(draft),
            Self::PutNextLocal { objects } => put_next::local(draft, objects),
            Self::PutNext { per_room, in_hand } => put_next::across(draft, per_room, in_hand),
            Self::Unlock => unlock::maze(draft),
            Self::UnlockLocal { distractors } => unlock::local(draft, distractors),
            Self::KeyInBox => unlock::key_in_box(draft),
            Self::UnlockPickup { distractors } => unlock::pickup(draft, distractors),
            Self::BlockedUnlockPickup => unlock::blocked(draft),
            Self::UnlockToUnlock => unlock::twice(draft),
            Self::ActionObjDoor => other::act(draft),
            Self::FindObj => other::find(draft),
            Self::KeyCorridor => other::corridor(draft),
            Self::OneRoom => other::one_room(draft),
            Self::MoveTwoAcross { per_room } => put_next::two_across(draft, per_room),
            Self::Sentence(grammar) => grammar.draw(draft),
        }
    }

    /// Which keys its instructions may speak of.
    pub(crate) fn keys(&self) -> Keys {
        match self {
            Self::Sentence(Grammar { unblocking: true, .. }) => Keys::Useless,
            _ => Keys::Any,
        }
    }
}
