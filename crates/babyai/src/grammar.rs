//! Levels whose instruction is any sentence of the baby language that their grammar allows.
//!
//! Sentence: clause | clause "and" clause | part ", then" part | part "after you" part, where a part is a clause or two
//! of them joined by "and". A sentence always speaks of objects that are there.

use crate::draft::{Draft, Rejected};
use crate::instruction::{Clause, Description, Instruction, Location, Part, Strictness};
use crate::room::Room;
use crate::strew::Twins;
use crate::{Colour, Kind, Latch};

/// How many descriptions are tried for one object.
const TRIES: u32 = 101;
const LOOSE: [Kind; 3] = [Kind::Box, Kind::Ball, Kind::Key];
const ANY: [Kind; 4] = [Kind::Box, Kind::Ball, Kind::Key, Kind::Door];

/// What clauses can ask for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Verb {
    /// Go to.
    GoTo,
    /// Pick up.
    Pickup,
    /// Open.
    Open,
    /// Put next to.
    PutNext,
}

/// How clauses are joined.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Form {
    /// One clause.
    Action,
    /// Two clauses in any order.
    And,
    /// Two parts in sequence.
    Sequence,
}

/// The sentences of a level, and the mazes they speak of.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Grammar {
    /// How many objects are strewn about.
    pub(crate) distractors: usize,
    /// How often a room is locked.
    pub(crate) locked_room: f64,
    /// Whether descriptions may tell the location.
    pub(crate) locations: bool,
    /// Whether objects may block the way.
    pub(crate) unblocking: bool,
    /// Whether all objects of a description may be behind the lock.
    pub(crate) implicit_unlock: bool,
    /// The verbs.
    pub(crate) verbs: &'static [Verb],
    /// The forms.
    pub(crate) forms: &'static [Form],
}

impl Grammar {
    /// Every sentence, in the mazes of the boss level.
    pub(crate) const ALL: Self = Self {
        distractors: 18,
        locked_room: 0.5,
        locations: true,
        unblocking: true,
        implicit_unlock: true,
        verbs: &[Verb::GoTo, Verb::Pickup, Verb::Open, Verb::PutNext],
        forms: &[Form::Action, Form::And, Form::Sequence],
    };

    /// Any sentence, in a maze that it speaks of.
    pub(crate) fn draw(&self, draft: &mut Draft) -> Result<Instruction, Rejected> {
        let locked = if draft.random.unit() < self.locked_room { Some(lock_a_room(draft)?) } else { None };
        draft.connect_all(&Colour::BY_NAME)?;
        draft.strew(None, self.distractors, Twins::Allowed)?;
        draft.place_agent_outside(locked)?;
        if !self.unblocking {
            draft.require_reachable()?;
        }
        let mut writer = Writer { grammar: self, locked: locked.map(|room| draft.rooms[room]), draft };
        let sentence = writer.sentence()?;
        if self.unblocking {
            draft.require_useless_keys(&sentence)?;
        }
        Ok(sentence)
    }
}

/// Locks a drawn room and puts the key into another one.
fn lock_a_room(draft: &mut Draft) -> Result<usize, Rejected> {
    let (place, side) = loop {
        let place = draft.any_place();
        let side = draft.random.index(4);
        if draft.neighbour(draft.room_index(place), side).is_some() {
            break (place, side);
        }
    };
    let colour = draft.any_colour();
    draft.add_door(place, side, colour, Latch::Locked)?;
    loop {
        let key_place = draft.any_place();
        if key_place != place {
            draft.add(key_place, Kind::Key, colour)?;
            return Ok(draft.room_index(place));
        }
    }
}

/// Draws the words of one sentence.
struct Writer<'a> {
    grammar: &'a Grammar,
    locked: Option<Room>,
    draft: &'a mut Draft,
}

impl Writer<'_> {
    fn sentence(&mut self) -> Result<Instruction, Rejected> {
        match self.draft.random.element(self.grammar.forms) {
            Form::Action => Ok(self.clause()?.into()),
            Form::And => Ok(Instruction::Simple(Part::Both(self.clause()?, self.clause()?))),
            Form::Sequence => {
                let (first, second) = (self.part()?, self.part()?);
                Ok(if self.draft.random.coin() {
                    Instruction::Before(first, second)
                } else {
                    Instruction::After(first, second)
                })
            }
        }
    }

    fn part(&mut self) -> Result<Part, Rejected> {
        Ok(if self.draft.random.coin() {
            Part::One(self.clause()?)
        } else {
            Part::Both(self.clause()?, self.clause()?)
        })
    }

    fn clause(&mut self) -> Result<Clause, Rejected> {
        Ok(match self.draft.random.element(self.grammar.verbs) {
            Verb::GoTo => Clause::GoTo(self.description(&ANY)?),
            Verb::Pickup => Clause::Pickup(self.description(&LOOSE)?, Strictness::Lenient),
            Verb::Open => Clause::Open(self.description(&[Kind::Door])?, Strictness::Lenient),
            Verb::PutNext => Clause::PutNext(self.description(&LOOSE)?, self.description(&ANY)?),
        })
    }

    /// Draws descriptions until one fits something that may be spoken of.
    fn description(&mut self, kinds: &[Kind]) -> Result<Description, Rejected> {
        for _ in 0..TRIES {
            let colour = self.draft.random.index(1 + Colour::BY_NAME.len()).checked_sub(1);
            let colour = colour.map(|index| Colour::BY_NAME[index]);
            let kind = self.draft.random.element(kinds);
            let random = &mut self.draft.random;
            let location =
                if self.grammar.locations && random.coin() { Some(random.element(&Location::ALL)) } else { None };
            let description = self.draft.describe(Some(kind), colour, location);
            let hidden = !self.grammar.implicit_unlock && self.all_locked_away(&description);
            if description.objects != 0 && !hidden {
                return Ok(description);
            }
        }
        Err(Rejected)
    }

    fn all_locked_away(&self, description: &Description) -> bool {
        let Some(room) = self.locked else { return false };
        let Draft { grid, room_size, .. } = &*self.draft;
        (0_u8..)
            .zip(&grid.objects)
            .all(|(id, object)| !description.fits(id) || room.contains(*room_size, grid.point(object.cell)))
    }
}
