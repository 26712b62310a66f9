//! The states that an episode can still reach, and what each action does in them.
//!
//! Invariant: states are numbered in the order of the fewest steps to them, the present one being 0. A state that
//! cannot be reached before the clock runs out has no number.

use std::collections::BTreeMap;

use crate::arrangement::{Arrangements, Place};
use crate::verify::Status;
use crate::{Act, Error, State};

/// What an action leads to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Next {
    /// The state of this number.
    State(usize),
    /// The instruction is carried out.
    Succeeds,
    /// The instruction has failed for good.
    Fails,
    /// The clock runs out, for this state cannot be reached sooner.
    Expires,
}

/// The states that one episode can still reach. It serves any number of policies.
#[derive(Debug, Clone)]
pub struct Layout {
    arrangements: Arrangements,
    numbers: BTreeMap<Place, usize>,
    places: Vec<Place>,
    table: Vec<[Next; 7]>,
    /// How many states can be reached in at most so many steps.
    within: Vec<usize>,
    start: State,
}

impl Layout {
    /// Enumerates what can be reached from a state before the clock runs out: `cap` states at most.
    pub fn explore(state: &State, cap: usize) -> Result<Self, Error> {
        let State { steps, max_steps, .. } = *state;
        if steps >= max_steps {
            return Err(Error::ClockRunOut { steps, max_steps });
        }
        let mut arrangements = Arrangements::new(state);
        let first = arrangements.place(state);
        let mut layout = Self {
            arrangements,
            numbers: BTreeMap::from([(first, 0)]),
            places: vec![first],
            table: Vec::new(),
            within: Vec::new(),
            start: state.clone(),
        };
        for step in steps..max_steps {
            let known = layout.places.len();
            layout.within.push(known);
            let room = if step + 1 == max_steps { known } else { usize::MAX };
            while layout.table.len() < known {
                let place = layout.places[layout.table.len()];
                let mut row = [Next::Expires; 7];
                for (act, next) in Act::ALL.into_iter().zip(&mut row) {
                    *next = layout.look(place, act, room);
                }
                layout.table.push(row);
                if layout.places.len() > cap {
                    let (mission, reached) = (state.instruction.to_string(), layout.places.len());
                    return Err(Error::TooManyStates { mission, cap, reached });
                }
            }
        }
        Ok(layout)
    }

    /// What an action leads to; new states are numbered while there is room for them.
    fn look(&mut self, place: Place, act: Act, room: usize) -> Next {
        let (status, after) = self.arrangements.step(place, act);
        match status {
            Status::Succeeds => Next::Succeeds,
            Status::Fails => Next::Fails,
            Status::Continues => match self.numbers.get(&after) {
                Some(&number) => Next::State(number),
                None if self.places.len() >= room => Next::Expires,
                None => {
                    self.numbers.insert(after, self.places.len());
                    self.places.push(after);
                    Next::State(self.places.len() - 1)
                }
            },
        }
    }

    /// How many transitions were looked at: every action in every state before the clock runs out.
    pub fn transitions(&self) -> u64 {
        (self.table.len() * Act::ALL.len()) as u64
    }

    /// How many states there are.
    pub fn states(&self) -> usize {
        self.places.len()
    }

    /// The number of a state of this episode, whatever its clock and random numbers.
    pub fn index(&self, state: &State) -> Option<usize> {
        if !self.arrangements.are_of(state) {
            return None;
        }
        self.arrangements.find(state).and_then(|place| self.numbers.get(&place).copied())
    }

    /// The state of this number, at the first step at which it can be reached.
    pub fn state(&self, index: usize) -> Option<State> {
        let mut state = self.start.clone();
        self.restore(index, &mut state).then_some(state)
    }

    /// What an action leads to in the state of this number.
    pub fn next(&self, index: usize, act: Act) -> Option<Next> {
        self.table.get(index).map(|row| row[act as usize])
    }

    /// The number of steps made, and the number there are in all.
    pub fn clock(&self) -> (u32, u32) {
        (self.start.steps, self.start.max_steps)
    }

    /// How many states can be reached by this step of the episode; none when the clock has run out.
    pub(super) fn by_step(&self, step: u32) -> usize {
        let made = step.checked_sub(self.start.steps).map(|made| made as usize);
        made.and_then(|made| self.within.get(made)).copied().unwrap_or(0)
    }

    /// Makes `state` the state of this number, if there is one.
    pub(super) fn restore(&self, index: usize, state: &mut State) -> bool {
        let Some(&(arrangement, pose)) = self.places.get(index) else { return false };
        state.clone_from(self.arrangements.state(arrangement));
        state.agent = state.grid.point(pose / 4);
        state.direction = u8::try_from(pose % 4).unwrap_or(0);
        let made = self.within.partition_point(|&count| count <= index);
        state.steps = self.start.steps + u32::try_from(made).unwrap_or(u32::MAX);
        state.random = self.start.random;
        true
    }
}
