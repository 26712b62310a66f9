//! Every registered id, with the shape of its maze and the parameters of its family.

use counsel_decision::refusal::nearest;

use super::Family;
use super::family::Choice::{self, Location};
use crate::Colour::{Blue, Red};
use crate::Error;
use crate::grammar::{Form, Grammar, Verb};
use crate::instruction::Strictness::{Lenient, Strict};

/// A registered level.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Level {
    /// Its id, as registered with Gymnasium.
    pub id: &'static str,
    /// How many cells a room has on each side, walls included.
    pub room_size: u8,
    /// How many rows of rooms there are.
    pub rows: u8,
    /// How many columns of rooms there are.
    pub columns: u8,
    /// How many steps an episode has; if none, that depends on the instruction.
    pub max_steps: Option<u32>,
    /// What the level asks for.
    pub family: Family,
}

impl Level {
    /// The level with this id.
    pub fn find(id: &str) -> Result<&'static Self, Error> {
        LEVELS.iter().find(|level| level.id == id).ok_or_else(|| {
            let nearest = nearest(id, LEVELS.iter().map(|level| level.id));
            Error::UnknownLevel { id: id.to_owned(), nearest }
        })
    }

    /// Width of the grid in cells.
    pub fn width(&self) -> u8 {
        (self.room_size - 1) * self.columns + 1
    }

    /// Height of the grid in cells.
    pub fn height(&self) -> u8 {
        (self.room_size - 1) * self.rows + 1
    }
}

/// All registered levels, by id.
pub fn levels() -> &'static [Level] {
    &LEVELS
}

const fn level(id: &'static str, room_size: u8, (rows, columns): (u8, u8), family: Family) -> Level {
    Level { id, room_size, rows, columns, max_steps: None, family }
}

const fn timed(id: &'static str, room_size: u8, rooms: (u8, u8), area: u32, family: Family) -> Level {
    let max_steps = Some(area * (room_size as u32) * (room_size as u32));
    Level { max_steps, ..level(id, room_size, rooms, family) }
}

const fn local(id: &'static str, room_size: u8, distractors: usize) -> Level {
    level(id, room_size, ONE, Family::GoToLocal { distractors })
}

const fn maze(id: &'static str, room_size: u8, rooms: (u8, u8), distractors: usize, doors_open: bool) -> Level {
    level(id, room_size, rooms, Family::GoTo { distractors, doors_open })
}

const fn red_ball(id: &'static str, distractors: usize, grey: bool) -> Level {
    level(id, 8, ONE, Family::GoToRedBall { distractors, grey })
}

const fn put_next(id: &'static str, room_size: u8, per_room: usize, in_hand: bool) -> Level {
    timed(id, room_size, PAIR, 8, Family::PutNext { per_room, in_hand })
}

const fn corridor(id: &'static str, room_size: u8, rows: u8) -> Level {
    timed(id, room_size, (rows, 3), 30, Family::KeyCorridor)
}

const fn sentence(id: &'static str, room_size: u8, rooms: (u8, u8), grammar: Grammar) -> Level {
    level(id, room_size, rooms, Family::Sentence(grammar))
}

const ONE: (u8, u8) = (1, 1);
const PAIR: (u8, u8) = (1, 2);
const NINE: (u8, u8) = (3, 3);

const GO_TO_SEQUENCE: Grammar =
    Grammar { verbs: &[Verb::GoTo], locked_room: 0.0, locations: false, unblocking: false, ..Grammar::ALL };
const PICKUP_LOCATION: Grammar = Grammar {
    verbs: &[Verb::Pickup],
    forms: &[Form::Action],
    distractors: 8,
    locked_room: 0.0,
    unblocking: false,
    ..Grammar::ALL
};
const SYNTH: Grammar = Grammar { forms: &[Form::Action], locations: false, implicit_unlock: false, ..Grammar::ALL };
const SYNTH_LOCATION: Grammar = Grammar { locations: true, ..SYNTH };
const SYNTH_SEQUENCE: Grammar = Grammar { implicit_unlock: false, ..Grammar::ALL };
const MINI_BOSS: Grammar = Grammar { distractors: 7, locked_room: 0.25, ..Grammar::ALL };
const BOSS_NO_UNLOCK: Grammar = Grammar { locked_room: 0.0, implicit_unlock: false, ..Grammar::ALL };

static LEVELS: [Level; 96] = [
    level("BabyAI-ActionObjDoor-v0", 7, NINE, Family::ActionObjDoor),
    timed("BabyAI-BlockedUnlockPickup-v0", 6, PAIR, 16, Family::BlockedUnlockPickup),
    sentence("BabyAI-BossLevel-v0", 8, NINE, Grammar::ALL),
    sentence("BabyAI-BossLevelNoUnlock-v0", 8, NINE, BOSS_NO_UNLOCK),
    timed("BabyAI-FindObjS5-v0", 5, NINE, 20, Family::FindObj),
    timed("BabyAI-FindObjS6-v0", 6, NINE, 20, Family::FindObj),
    timed("BabyAI-FindObjS7-v0", 7, NINE, 20, Family::FindObj),
    maze("BabyAI-GoTo-v0", 8, NINE, 18, false),
    level("BabyAI-GoToDoor-v0", 7, NINE, Family::GoToDoor),
    level("BabyAI-GoToImpUnlock-v0", 8, NINE, Family::GoToImpUnlock),
    local("BabyAI-GoToLocal-v0", 8, 8),
    local("BabyAI-GoToLocalS5N2-v0", 5, 2),
    local("BabyAI-GoToLocalS6N2-v0", 6, 2),
    local("BabyAI-GoToLocalS6N3-v0", 6, 3),
    local("BabyAI-GoToLocalS6N4-v0", 6, 4),
    local("BabyAI-GoToLocalS7N4-v0", 7, 4),
    local("BabyAI-GoToLocalS7N5-v0", 7, 5),
    local("BabyAI-GoToLocalS8N2-v0", 8, 2),
    local("BabyAI-GoToLocalS8N3-v0", 8, 3),
    local("BabyAI-GoToLocalS8N4-v0", 8, 4),
    local("BabyAI-GoToLocalS8N5-v0", 8, 5),
    local("BabyAI-GoToLocalS8N6-v0", 8, 6),
    local("BabyAI-GoToLocalS8N7-v0", 8, 7),
    level("BabyAI-GoToObj-v0", 8, ONE, Family::GoToObj),
    level("BabyAI-GoToObjDoor-v0", 8, NINE, Family::GoToObjDoor),
    maze("BabyAI-GoToObjMaze-v0", 8, NINE, 1, false),
    maze("BabyAI-GoToObjMazeOpen-v0", 8, NINE, 1, true),
    maze("BabyAI-GoToObjMazeS4-v0", 4, NINE, 1, false),
    maze("BabyAI-GoToObjMazeS4R2-v0", 4, (2, 2), 1, false),
    maze("BabyAI-GoToObjMazeS5-v0", 5, NINE, 1, false),
    maze("BabyAI-GoToObjMazeS6-v0", 6, NINE, 1, false),
    maze("BabyAI-GoToObjMazeS7-v0", 7, NINE, 1, false),
    level("BabyAI-GoToObjS4-v0", 4, ONE, Family::GoToObj),
    level("BabyAI-GoToObjS6-v1", 6, ONE, Family::GoToObj),
    maze("BabyAI-GoToOpen-v0", 8, NINE, 18, true),
    red_ball("BabyAI-GoToRedBall-v0", 7, false),
    red_ball("BabyAI-GoToRedBallGrey-v0", 7, true),
    red_ball("BabyAI-GoToRedBallNoDists-v0", 0, false),
    level("BabyAI-GoToRedBlueBall-v0", 8, ONE, Family::GoToRedBlueBall),
    sentence("BabyAI-GoToSeq-v0", 8, NINE, GO_TO_SEQUENCE),
    sentence("BabyAI-GoToSeqS5R2-v0", 5, (2, 2), Grammar { distractors: 4, ..GO_TO_SEQUENCE }),
    corridor("BabyAI-KeyCorridor-v0", 6, 3),
    corridor("BabyAI-KeyCorridorS3R1-v0", 3, 1),
    corridor("BabyAI-KeyCorridorS3R2-v0", 3, 2),
    corridor("BabyAI-KeyCorridorS3R3-v0", 3, 3),
    corridor("BabyAI-KeyCorridorS4R3-v0", 4, 3),
    corridor("BabyAI-KeyCorridorS5R3-v0", 5, 3),
    corridor("BabyAI-KeyCorridorS6R3-v0", 6, 3),
    level("BabyAI-KeyInBox-v0", 8, NINE, Family::KeyInBox),
    sentence("BabyAI-MiniBossLevel-v0", 5, (2, 2), MINI_BOSS),
    timed("BabyAI-MoveTwoAcrossS5N2-v0", 5, PAIR, 16, Family::MoveTwoAcross { per_room: 2 }),
    timed("BabyAI-MoveTwoAcrossS8N9-v0", 8, PAIR, 16, Family::MoveTwoAcross { per_room: 9 }),
    level("BabyAI-OneRoomS12-v0", 12, ONE, Family::OneRoom),
    level("BabyAI-OneRoomS16-v0", 16, ONE, Family::OneRoom),
    level("BabyAI-OneRoomS20-v0", 20, ONE, Family::OneRoom),
    level("BabyAI-OneRoomS8-v0", 8, ONE, Family::OneRoom),
    level("BabyAI-Open-v0", 8, NINE, Family::Open),
    level("BabyAI-OpenDoor-v0", 8, NINE, Family::OpenDoor(Choice::Drawn, Lenient)),
    level("BabyAI-OpenDoorColor-v0", 8, NINE, Family::OpenDoor(Choice::Colour, Lenient)),
    level("BabyAI-OpenDoorDebug-v0", 8, NINE, Family::OpenDoor(Choice::Drawn, Strict)),
    level("BabyAI-OpenDoorLoc-v0", 8, NINE, Family::OpenDoor(Location, Lenient)),
    timed("BabyAI-OpenDoorsOrderN2-v0", 6, NINE, 20, Family::OpenDoorsOrder(2, Lenient)),
    timed("BabyAI-OpenDoorsOrderN2Debug-v0", 6, NINE, 20, Family::OpenDoorsOrder(2, Strict)),
    timed("BabyAI-OpenDoorsOrderN4-v0", 6, NINE, 20, Family::OpenDoorsOrder(4, Lenient)),
    timed("BabyAI-OpenDoorsOrderN4Debug-v0", 6, NINE, 20, Family::OpenDoorsOrder(4, Strict)),
    timed("BabyAI-OpenRedBlueDoors-v0", 6, NINE, 20, Family::OpenTwoDoors(Some((Red, Blue)), Lenient)),
    timed("BabyAI-OpenRedBlueDoorsDebug-v0", 6, NINE, 20, Family::OpenTwoDoors(Some((Red, Blue)), Strict)),
    level("BabyAI-OpenRedDoor-v0", 5, PAIR, Family::OpenRedDoor),
    timed("BabyAI-OpenTwoDoors-v0", 6, NINE, 20, Family::OpenTwoDoors(None, Lenient)),
    level("BabyAI-Pickup-v0", 8, NINE, Family::Pickup),
    timed("BabyAI-PickupAbove-v0", 6, NINE, 8, Family::PickupAbove),
    level("BabyAI-PickupDist-v0", 7, ONE, Family::PickupDist(Lenient)),
    level("BabyAI-PickupDistDebug-v0", 7, ONE, Family::PickupDist(Strict)),
    sentence("BabyAI-PickupLoc-v0", 8, ONE, PICKUP_LOCATION),
    level("BabyAI-PutNextLocal-v0", 8, ONE, Family::PutNextLocal { objects: 8 }),
    level("BabyAI-PutNextLocalS5N3-v0", 5, ONE, Family::PutNextLocal { objects: 3 }),
    level("BabyAI-PutNextLocalS6N4-v0", 6, ONE, Family::PutNextLocal { objects: 4 }),
    put_next("BabyAI-PutNextS4N1-v0", 4, 1, false),
    put_next("BabyAI-PutNextS5N1-v0", 5, 1, false),
    put_next("BabyAI-PutNextS5N2-v0", 5, 2, false),
    put_next("BabyAI-PutNextS5N2Carrying-v0", 5, 2, true),
    put_next("BabyAI-PutNextS6N3-v0", 6, 3, false),
    put_next("BabyAI-PutNextS6N3Carrying-v0", 6, 3, true),
    put_next("BabyAI-PutNextS7N4-v0", 7, 4, false),
    put_next("BabyAI-PutNextS7N4Carrying-v0", 7, 4, true),
    sentence("BabyAI-Synth-v0", 8, NINE, SYNTH),
    sentence("BabyAI-SynthLoc-v0", 8, NINE, SYNTH_LOCATION),
    sentence("BabyAI-SynthS5R2-v0", 5, (2, 3), SYNTH),
    sentence("BabyAI-SynthSeq-v0", 8, NINE, SYNTH_SEQUENCE),
    level("BabyAI-UnblockPickup-v0", 8, NINE, Family::UnblockPickup),
    level("BabyAI-Unlock-v0", 8, NINE, Family::Unlock),
    level("BabyAI-UnlockLocal-v0", 8, NINE, Family::UnlockLocal { distractors: 0 }),
    level("BabyAI-UnlockLocalDist-v0", 8, NINE, Family::UnlockLocal { distractors: 3 }),
    level("BabyAI-UnlockPickup-v0", 6, PAIR, Family::UnlockPickup { distractors: 0 }),
    level("BabyAI-UnlockPickupDist-v0", 6, PAIR, Family::UnlockPickup { distractors: 4 }),
    timed("BabyAI-UnlockToUnlock-v0", 6, (1, 3), 30, Family::UnlockToUnlock),
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_are_sorted_and_found() {
        assert!(LEVELS.is_sorted_by_key(|level| level.id));
        assert!(LEVELS.iter().all(|level| Level::find(level.id) == Ok(level)));
    }

    #[test]
    fn an_unknown_id_names_the_nearest() {
        let error = Level::find("BabyAI-GotoObj-v0").map(|level| level.id).unwrap_err().to_string();
        assert_eq!(
            error,
            "there is no level `BabyAI-GotoObj-v0` (did you mean `BabyAI-GoToObj-v0`?); `counsel world list` shows all"
        );
    }
}
