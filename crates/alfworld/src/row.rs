//! What a learner sees of a command in a situation: conjunctions of a few facts, hashed into so many places.
//!
//! The facts relate the words of a command to the words of the task and to the player's notes: whether the command names the
//! task's object or its target, whether a place was looked into and what was found there, how often the command was said. So
//! what is learned in one game is of use in another with other words. Invariant: a row is a function of what the player was
//! told, and the same on every machine.

use crate::{Command, CommandNumber, Errand, Notes, Object, Player, Receptacle, State, Task};

/// How many places a row may name.
pub const PLACES: usize = 8_192;

/// How many conjunctions there are.
const CONJUNCTIONS: usize = 9;

/// The places of a command's ones; two may fall together.
pub type Row = [u16; CONJUNCTIONS];

impl Player {
    /// The row of every admissible command, in order.
    pub fn rows(&self) -> Vec<Row> {
        let state = self.standing().state();
        let view = View { state, errand: self.errand(), notes: self.notes() };
        let situation = view.situation();
        self.standing().admissible().iter().map(|&number| view.row(situation, number)).collect()
    }
}

struct View<'a> {
    state: &'a State,
    errand: &'a Errand,
    notes: &'a Notes,
}

/// What holds whatever the command: the task, the hand, where the object is, where the lamp is.
type Situation = [u8; 4];

impl View<'_> {
    fn situation(&self) -> Situation {
        let Self { state, errand, notes } = self;
        let task = u8::from(errand.task == Task::LookAtObject);
        let hand = match state.held() {
            None => 0,
            Some(held) if state.game().object_class(held) == errand.object => 1,
            Some(_) => 2,
        };
        let whereabouts = |class: &str| {
            if state.here().iter().any(|&r| notes.has(state, r, class)) {
                2
            } else {
                u8::from(notes.places_of(state, class).next().is_some())
            }
        };
        let lamp = if task == 1 { whereabouts(&errand.target) } else { 0 };
        [task, hand, whereabouts(&errand.object), lamp]
    }

    fn row(&self, situation: Situation, number: CommandNumber) -> Row {
        let (verb, object, place) = self.state.game().command(number).map_or((u8::MAX, None, None), parts);
        let (noun, at) = (self.noun(object), self.at(place));
        let known = place.map_or(0, |place| self.known(place));
        let said = u8::try_from(self.notes.said(number).min(2)).unwrap_or(2);
        let [task, hand, sought, lamp] = situation;
        let class = place.map_or("", |place| self.state.game().receptacle_class(place)).as_bytes();
        [
            hash(0, &[verb], &[]),
            hash(1, &[task, hand, verb, noun, at], &[]),
            hash(2, &[verb, known, said], &[]),
            hash(3, &[task, hand, verb, noun, at, known, said], &[]),
            hash(4, &[task, hand, sought, lamp, verb, noun, at, known], &[]),
            hash(5, &[task, hand, sought, lamp, verb, noun, at, known, said], &[]),
            hash(6, &[hand, sought, verb, known], &[class]),
            hash(7, &[hand, sought, verb, known], &[class, self.errand.object.as_bytes()]),
            hash(8, &situation, &[]),
        ]
    }

    /// Whether an object is what the task speaks of.
    fn noun(&self, object: Option<Object>) -> u8 {
        match object.map(|object| self.state.game().object_class(object)) {
            None => 0,
            Some(class) if class == self.errand.object => 1,
            Some(class) if class == self.errand.target => 2,
            Some(_) => 3,
        }
    }

    /// Whether a place is where the object has to go.
    fn at(&self, place: Option<Receptacle>) -> u8 {
        place.map_or(0, |place| if self.state.game().receptacle_class(place) == self.errand.target { 1 } else { 2 })
    }

    /// What is known of a place: never looked into, here and closed, nothing of use, the lamp, or the object.
    fn known(&self, place: Receptacle) -> u8 {
        let closed = self.state.here().contains(&place) && !self.state.is_accessible(place);
        match self.notes.seen(place) {
            None if closed => 1,
            None => 2,
            Some(_) if self.notes.has(self.state, place, &self.errand.object) => 5,
            Some(_) if self.notes.has(self.state, place, &self.errand.target) => 4,
            Some(_) => 3,
        }
    }
}

/// The verb of a command, and the things that it names.
fn parts(command: Command) -> (u8, Option<Object>, Option<Receptacle>) {
    match command {
        Command::Look => (0, None, None),
        Command::Inventory => (1, None, None),
        Command::Help => (2, None, None),
        Command::GoTo(r) => (3, None, Some(r)),
        Command::Open(r) => (4, None, Some(r)),
        Command::Close(r) => (5, None, Some(r)),
        Command::Search(r) => (6, None, Some(r)),
        Command::Examine(o) => (7, Some(o), None),
        Command::Take(o, r) => (8, Some(o), Some(r)),
        Command::Move(o, r) => (9, Some(o), Some(r)),
        Command::Use(o) => (10, Some(o), None),
        Command::Heat(o, r) => (11, Some(o), Some(r)),
        Command::Cool(o, r) => (12, Some(o), Some(r)),
        Command::Clean(o, r) => (13, Some(o), Some(r)),
        Command::Slice(o, _) => (14, Some(o), None),
    }
}

/// The place of a conjunction: FNV-1a over its number, its facts and its words.
fn hash(number: u8, facts: &[u8], words: &[&[u8]]) -> u16 {
    let step = |hash: u64, byte: u8| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
    let bytes = std::iter::once(&number).chain(facts).chain(words.iter().flat_map(|word| word.iter().chain(&[0xff])));
    let hash = bytes.fold(0xcbf2_9ce4_8422_2325, |hash, &byte| step(hash, byte));
    // The low bits of such a hash are weak, so the high ones are folded in.
    u16::try_from((hash ^ (hash >> 32)) % PLACES as u64).unwrap_or(0)
}
