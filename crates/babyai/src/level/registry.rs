//! Every registered id, with the shape of its maze, what draws it, and the parameters of that.

use counsel_decision::refusal::find_named;

use super::open::Choice;
use super::{go_to, open, other, pickup, put_next, unlock};
use crate::Colour::{Blue, Red};
use crate::Error;
use crate::draft::{Draft, Rejected};
use crate::grammar::{Form, Grammar, Verb};
use crate::instruction::Instruction;
use crate::instruction::Strictness::{Lenient, Strict};

/// Draws a maze and an instruction in a draft that has been begun.
type Draw = fn(&mut Draft) -> Result<Instruction, Rejected>;

/// A registered level.
#[derive(Debug, Clone, Copy)]
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
    /// Draws what the level asks for.
    pub(crate) draw: Draw,
}

impl Level {
    /// The level with this id.
    pub fn find(id: &str) -> Result<&'static Self, Error> {
        find_named(id, LEVELS.iter().map(|level| (level.id, level))).map_err(Error::UnknownLevel)
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

const fn level(id: &'static str, room_size: u8, (rows, columns): (u8, u8), draw: Draw) -> Level {
    Level { id, room_size, rows, columns, max_steps: None, draw }
}

const fn timed(id: &'static str, room_size: u8, rooms: (u8, u8), area: u32, draw: Draw) -> Level {
    let max_steps = Some(area * (room_size as u32) * (room_size as u32));
    Level { max_steps, ..level(id, room_size, rooms, draw) }
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
    level("BabyAI-ActionObjDoor-v0", 7, NINE, other::act),
    timed("BabyAI-BlockedUnlockPickup-v0", 6, PAIR, 16, unlock::blocked),
    level("BabyAI-BossLevel-v0", 8, NINE, |draft| Grammar::ALL.draw(draft)),
    level("BabyAI-BossLevelNoUnlock-v0", 8, NINE, |draft| BOSS_NO_UNLOCK.draw(draft)),
    timed("BabyAI-FindObjS5-v0", 5, NINE, 20, other::find),
    timed("BabyAI-FindObjS6-v0", 6, NINE, 20, other::find),
    timed("BabyAI-FindObjS7-v0", 7, NINE, 20, other::find),
    level("BabyAI-GoTo-v0", 8, NINE, |draft| go_to::maze(draft, 18, false)),
    level("BabyAI-GoToDoor-v0", 7, NINE, go_to::door),
    level("BabyAI-GoToImpUnlock-v0", 8, NINE, go_to::behind_a_lock),
    level("BabyAI-GoToLocal-v0", 8, ONE, |draft| go_to::local(draft, 8)),
    level("BabyAI-GoToLocalS5N2-v0", 5, ONE, |draft| go_to::local(draft, 2)),
    level("BabyAI-GoToLocalS6N2-v0", 6, ONE, |draft| go_to::local(draft, 2)),
    level("BabyAI-GoToLocalS6N3-v0", 6, ONE, |draft| go_to::local(draft, 3)),
    level("BabyAI-GoToLocalS6N4-v0", 6, ONE, |draft| go_to::local(draft, 4)),
    level("BabyAI-GoToLocalS7N4-v0", 7, ONE, |draft| go_to::local(draft, 4)),
    level("BabyAI-GoToLocalS7N5-v0", 7, ONE, |draft| go_to::local(draft, 5)),
    level("BabyAI-GoToLocalS8N2-v0", 8, ONE, |draft| go_to::local(draft, 2)),
    level("BabyAI-GoToLocalS8N3-v0", 8, ONE, |draft| go_to::local(draft, 3)),
    level("BabyAI-GoToLocalS8N4-v0", 8, ONE, |draft| go_to::local(draft, 4)),
    level("BabyAI-GoToLocalS8N5-v0", 8, ONE, |draft| go_to::local(draft, 5)),
    level("BabyAI-GoToLocalS8N6-v0", 8, ONE, |draft| go_to::local(draft, 6)),
    level("BabyAI-GoToLocalS8N7-v0", 8, ONE, |draft| go_to::local(draft, 7)),
    level("BabyAI-GoToObj-v0", 8, ONE, go_to::only_object),
    level("BabyAI-GoToObjDoor-v0", 8, NINE, go_to::object_or_door),
    level("BabyAI-GoToObjMaze-v0", 8, NINE, |draft| go_to::maze(draft, 1, false)),
    level("BabyAI-GoToObjMazeOpen-v0", 8, NINE, |draft| go_to::maze(draft, 1, true)),
    level("BabyAI-GoToObjMazeS4-v0", 4, NINE, |draft| go_to::maze(draft, 1, false)),
    level("BabyAI-GoToObjMazeS4R2-v0", 4, (2, 2), |draft| go_to::maze(draft, 1, false)),
    level("BabyAI-GoToObjMazeS5-v0", 5, NINE, |draft| go_to::maze(draft, 1, false)),
    level("BabyAI-GoToObjMazeS6-v0", 6, NINE, |draft| go_to::maze(draft, 1, false)),
    level("BabyAI-GoToObjMazeS7-v0", 7, NINE, |draft| go_to::maze(draft, 1, false)),
    level("BabyAI-GoToObjS4-v0", 4, ONE, go_to::only_object),
    level("BabyAI-GoToObjS6-v1", 6, ONE, go_to::only_object),
    level("BabyAI-GoToOpen-v0", 8, NINE, |draft| go_to::maze(draft, 18, true)),
    level("BabyAI-GoToRedBall-v0", 8, ONE, |draft| go_to::red_ball(draft, 7, false)),
    level("BabyAI-GoToRedBallGrey-v0", 8, ONE, |draft| go_to::red_ball(draft, 7, true)),
    level("BabyAI-GoToRedBallNoDists-v0", 8, ONE, |draft| go_to::red_ball(draft, 0, false)),
    level("BabyAI-GoToRedBlueBall-v0", 8, ONE, go_to::red_or_blue_ball),
    level("BabyAI-GoToSeq-v0", 8, NINE, |draft| GO_TO_SEQUENCE.draw(draft)),
    level("BabyAI-GoToSeqS5R2-v0", 5, (2, 2), |draft| Grammar { distractors: 4, ..GO_TO_SEQUENCE }.draw(draft)),
    timed("BabyAI-KeyCorridor-v0", 6, (3, 3), 30, other::corridor),
    timed("BabyAI-KeyCorridorS3R1-v0", 3, (1, 3), 30, other::corridor),
    timed("BabyAI-KeyCorridorS3R2-v0", 3, (2, 3), 30, other::corridor),
    timed("BabyAI-KeyCorridorS3R3-v0", 3, (3, 3), 30, other::corridor),
    timed("BabyAI-KeyCorridorS4R3-v0", 4, (3, 3), 30, other::corridor),
    timed("BabyAI-KeyCorridorS5R3-v0", 5, (3, 3), 30, other::corridor),
    timed("BabyAI-KeyCorridorS6R3-v0", 6, (3, 3), 30, other::corridor),
    level("BabyAI-KeyInBox-v0", 8, NINE, unlock::key_in_box),
    level("BabyAI-MiniBossLevel-v0", 5, (2, 2), |draft| MINI_BOSS.draw(draft)),
    timed("BabyAI-MoveTwoAcrossS5N2-v0", 5, PAIR, 16, |draft| put_next::two_across(draft, 2)),
    timed("BabyAI-MoveTwoAcrossS8N9-v0", 8, PAIR, 16, |draft| put_next::two_across(draft, 9)),
    level("BabyAI-OneRoomS12-v0", 12, ONE, other::one_room),
    level("BabyAI-OneRoomS16-v0", 16, ONE, other::one_room),
    level("BabyAI-OneRoomS20-v0", 20, ONE, other::one_room),
    level("BabyAI-OneRoomS8-v0", 8, ONE, other::one_room),
    level("BabyAI-Open-v0", 8, NINE, open::maze),
    level("BabyAI-OpenDoor-v0", 8, NINE, |draft| open::one_of_four(draft, Choice::Drawn, Lenient)),
    level("BabyAI-OpenDoorColor-v0", 8, NINE, |draft| open::one_of_four(draft, Choice::Colour, Lenient)),
    level("BabyAI-OpenDoorDebug-v0", 8, NINE, |draft| open::one_of_four(draft, Choice::Drawn, Strict)),
    level("BabyAI-OpenDoorLoc-v0", 8, NINE, |draft| open::one_of_four(draft, Choice::Location, Lenient)),
    timed("BabyAI-OpenDoorsOrderN2-v0", 6, NINE, 20, |draft| open::in_order(draft, 2, Lenient)),
    timed("BabyAI-OpenDoorsOrderN2Debug-v0", 6, NINE, 20, |draft| open::in_order(draft, 2, Strict)),
    timed("BabyAI-OpenDoorsOrderN4-v0", 6, NINE, 20, |draft| open::in_order(draft, 4, Lenient)),
    timed("BabyAI-OpenDoorsOrderN4Debug-v0", 6, NINE, 20, |draft| open::in_order(draft, 4, Strict)),
    timed("BabyAI-OpenRedBlueDoors-v0", 6, NINE, 20, |draft| open::two(draft, Some((Red, Blue)), Lenient)),
    timed("BabyAI-OpenRedBlueDoorsDebug-v0", 6, NINE, 20, |draft| open::two(draft, Some((Red, Blue)), Strict)),
    level("BabyAI-OpenRedDoor-v0", 5, PAIR, open::red_door),
    timed("BabyAI-OpenTwoDoors-v0", 6, NINE, 20, |draft| open::two(draft, None, Lenient)),
    level("BabyAI-Pickup-v0", 8, NINE, pickup::maze),
    timed("BabyAI-PickupAbove-v0", 6, NINE, 8, pickup::above),
    level("BabyAI-PickupDist-v0", 7, ONE, |draft| pickup::told_apart(draft, Lenient)),
    level("BabyAI-PickupDistDebug-v0", 7, ONE, |draft| pickup::told_apart(draft, Strict)),
    level("BabyAI-PickupLoc-v0", 8, ONE, |draft| PICKUP_LOCATION.draw(draft)),
    level("BabyAI-PutNextLocal-v0", 8, ONE, |draft| put_next::local(draft, 8)),
    level("BabyAI-PutNextLocalS5N3-v0", 5, ONE, |draft| put_next::local(draft, 3)),
    level("BabyAI-PutNextLocalS6N4-v0", 6, ONE, |draft| put_next::local(draft, 4)),
    timed("BabyAI-PutNextS4N1-v0", 4, PAIR, 8, |draft| put_next::across(draft, 1, false)),
    timed("BabyAI-PutNextS5N1-v0", 5, PAIR, 8, |draft| put_next::across(draft, 1, false)),
    timed("BabyAI-PutNextS5N2-v0", 5, PAIR, 8, |draft| put_next::across(draft, 2, false)),
    timed("BabyAI-PutNextS5N2Carrying-v0", 5, PAIR, 8, |draft| put_next::across(draft, 2, true)),
    timed("BabyAI-PutNextS6N3-v0", 6, PAIR, 8, |draft| put_next::across(draft, 3, false)),
    timed("BabyAI-PutNextS6N3Carrying-v0", 6, PAIR, 8, |draft| put_next::across(draft, 3, true)),
    timed("BabyAI-PutNextS7N4-v0", 7, PAIR, 8, |draft| put_next::across(draft, 4, false)),
    timed("BabyAI-PutNextS7N4Carrying-v0", 7, PAIR, 8, |draft| put_next::across(draft, 4, true)),
    level("BabyAI-Synth-v0", 8, NINE, |draft| SYNTH.draw(draft)),
    level("BabyAI-SynthLoc-v0", 8, NINE, |draft| SYNTH_LOCATION.draw(draft)),
    level("BabyAI-SynthS5R2-v0", 5, (2, 3), |draft| SYNTH.draw(draft)),
    level("BabyAI-SynthSeq-v0", 8, NINE, |draft| SYNTH_SEQUENCE.draw(draft)),
    level("BabyAI-UnblockPickup-v0", 8, NINE, pickup::unblock),
    level("BabyAI-Unlock-v0", 8, NINE, unlock::maze),
    level("BabyAI-UnlockLocal-v0", 8, NINE, |draft| unlock::local(draft, 0)),
    level("BabyAI-UnlockLocalDist-v0", 8, NINE, |draft| unlock::local(draft, 3)),
    level("BabyAI-UnlockPickup-v0", 6, PAIR, |draft| unlock::pickup(draft, 0)),
    level("BabyAI-UnlockPickupDist-v0", 6, PAIR, |draft| unlock::pickup(draft, 4)),
    timed("BabyAI-UnlockToUnlock-v0", 6, (1, 3), 30, unlock::twice),
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_are_sorted_and_found() {
        assert!(LEVELS.is_sorted_by_key(|level| level.id));
        assert!(LEVELS.iter().all(|level| Level::find(level.id).is_ok_and(|found| std::ptr::eq(found, level))));
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
