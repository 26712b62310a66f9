//! Arrangements: everything about the states of one episode but where the agent stands and looks, the clock, and the
//! random numbers to come.
//!
//! Few actions change the arrangement, and many states share one, so states are kept as a number of an arrangement and
//! a pose.
//!
//! Invariant: two states of one arrangement and pose give the same observations, and the same rewards at the same time,
//! for ever. Where the verifier saw an object counts only for objects that are gone to, or put next to; it is left out
//! for all others.

use std::collections::BTreeMap;

use crate::grid::{NOTHING, WALL};
use crate::verify::Status;
use crate::{Act, Clause, State};

/// A state of an episode: the number of its arrangement, and its pose.
pub(crate) type Place = (u32, u16);

/// The agent's cell and direction, as one number.
pub(crate) fn pose(state: &State) -> u16 {
    state.grid.cell(state.agent) * 4 + u16::from(state.direction & 3)
}

/// The arrangements of one episode.
#[derive(Debug, Clone)]
pub(crate) struct Arrangements {
    numbers: BTreeMap<Box<[u8]>, u32>,
    /// A state of each arrangement; agent and clock mean nothing.
    states: Vec<State>,
    /// The objects for which it counts where the verifier saw them.
    noted: u64,
    scratch: State,
}

impl Arrangements {
    /// The arrangement of a state, which gets number 0.
    pub(crate) fn new(state: &State) -> Self {
        let clauses = state.instruction.clauses().map(|clause| match clause {
            Clause::GoTo(object) | Clause::PutNext(_, object) => object.objects,
            Clause::Open(..) | Clause::Pickup(..) => 0,
        });
        let noted = clauses.fold(0, |set, objects| set | objects);
        let mut arrangements = Self { numbers: BTreeMap::new(), states: Vec::new(), noted, scratch: state.clone() };
        arrangements.number_scratch();
        arrangements
    }

    /// How many there are.
    pub(crate) fn len(&self) -> usize {
        self.states.len()
    }

    /// Whether a state belongs to the same episode: the same walls, objects and instruction.
    pub(crate) fn are_of(&self, state: &State) -> bool {
        let first = &self.states[0];
        let same_walls = |a: &[u8], b: &[u8]| a.iter().zip(b).all(|(a, b)| (*a == WALL) == (*b == WALL));
        let unchanging = |state: &State, id: usize| {
            let object = state.grid.objects[id];
            (object.look.kind(), object.look.colour(), object.holds)
        };
        (first.grid.width, first.grid.height) == (state.grid.width, state.grid.height)
            && first.grid.objects.len() == state.grid.objects.len()
            && first.instruction == state.instruction
            && first.max_steps == state.max_steps
            && (0..first.grid.objects.len()).all(|id| unchanging(first, id) == unchanging(state, id))
            && same_walls(&first.grid.cells, &state.grid.cells)
    }

    /// The place of a state of the same episode, if its arrangement is known.
    pub(crate) fn find(&self, state: &State) -> Option<Place> {
        self.numbers.get(self.key(state).as_slice()).map(|&number| (number, pose(state)))
    }

    /// The place of a state of the same episode.
    pub(crate) fn place(&mut self, state: &State) -> Place {
        self.scratch.clone_from(state);
        (self.number_scratch(), pose(state))
    }

    /// A state of an arrangement; agent and clock mean nothing.
    pub(crate) fn state(&self, number: u32) -> &State {
        &self.states[number as usize]
    }

    /// What an action does at a place.
    pub(crate) fn step(&mut self, (number, pose): Place, act: Act) -> (Status, Place) {
        let state = &mut self.states[number as usize];
        let (steps, progress) = (state.steps, state.progress);
        state.agent = state.grid.point(pose / 4);
        state.direction = u8::try_from(pose % 4).unwrap_or(0);
        let ahead = state.grid.at(state.front());
        let leaves_grid = match act {
            Act::Left | Act::Right | Act::Forward | Act::Done => true,
            Act::Pickup | Act::Toggle => ahead <= WALL,
            Act::Drop => state.hand == NOTHING && state.grid.is_noted(),
        };
        let looked = steps > 0;
        if leaves_grid && looked {
            let status = state.act(act);
            let after = crate::arrangement::pose(state);
            if state.progress == progress {
                state.steps = steps;
                return (status, (number, after));
            }
            self.scratch.clone_from(state);
            (state.steps, state.progress) = (steps, progress);
            return (status, (self.number_scratch(), after));
        }
        self.scratch.clone_from(state);
        let status = self.scratch.act(act);
        let after = crate::arrangement::pose(&self.scratch);
        (status, (self.number_scratch(), after))
    }

    fn number_scratch(&mut self) -> u32 {
        // The clock tells states apart only where the first look differs.
        self.scratch.steps = u32::from(self.scratch.not_yet_in_hand().is_none());
        let key = self.key(&self.scratch);
        if let Some(&number) = self.numbers.get(key.as_slice()) {
            return number;
        }
        let number = u32::try_from(self.states.len()).unwrap_or(u32::MAX);
        self.numbers.insert(key.into_boxed_slice(), number);
        self.states.push(self.scratch.clone());
        number
    }

    /// What tells arrangements apart.
    fn key(&self, state: &State) -> Vec<u8> {
        let mut key = Vec::with_capacity(11 + 5 * state.grid.objects.len());
        // The first look at a level where the agent starts with something in its hand differs from all later ones.
        key.extend([state.hand, u8::from(state.not_yet_in_hand().is_some())]);
        key.extend(state.progress.bytes());
        for (id, object) in state.grid.objects.iter().enumerate().skip(usize::from(WALL) + 1) {
            key.push(object.look.0);
            key.extend(object.cell.to_le_bytes());
            if self.noted >> id & 1 == 1 {
                key.extend(object.seen.to_le_bytes());
            }
        }
        key
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::Generator;
    use crate::{World, levels};

    /// Also after the end, when instructions are carried out a second time and things have been put elsewhere.
    #[test]
    fn places_go_the_way_of_states() {
        let mut random = Generator::new(4);
        let mut ends = 0;
        for (level, seed) in levels().iter().flat_map(|level| (0..10).map(move |seed| (level, seed))) {
            let mut world = World::new(level.id).unwrap();
            world.reset(Some(seed));
            let mut state = world.state().clone();
            let mut arrangements = Arrangements::new(&state);
            let mut place = arrangements.place(&state);
            for _ in 0..200 {
                let mut same = arrangements.state(place.0).clone();
                (same.agent, same.direction) = (state.agent, state.direction);
                assert_eq!(state.observation(), same.observation(), "{} seed {seed}", level.id);
                let free = state.grid.look_at(state.front()).is_free();
                let act = match random.below(10) {
                    0..4 if free => Act::Forward,
                    0..4 if random.coin() => Act::Toggle,
                    0..4 => Act::Pickup,
                    _ => random.element(&Act::ALL),
                };
                let status = state.act(act);
                let (same_status, after) = arrangements.step(place, act);
                place = after;
                assert_eq!(status, same_status, "{} seed {seed} {act:?}", level.id);
                assert_eq!(arrangements.find(&state), Some(place), "{} seed {seed} {act:?}", level.id);
                ends += u32::from(status != Status::Continues);
            }
        }
        assert!(ends > 2000, "{ends}");
    }
}
