//! The transitions a learner remembers, the oldest forgotten first.
//!
//! An observation is kept as the places of its ones, once where the next transition starts with it. Invariant: a transition
//! cut by the clock is followed by value, one that reached a final state is not; only the latter is `terminated`.

use std::sync::Arc;

use counsel_decision::Action;
use counsel_decision::refusal::{below, in_range};
use counsel_world::End;

use crate::Error;

/// One step, as the learner is shown it. Observations are the places of their ones, ascending.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Experience<'a> {
    /// What was seen before the step.
    pub state: &'a [usize],
    /// What was done, by whomever.
    pub action: Action,
    /// The reward.
    pub reward: f64,
    /// What was seen after it.
    pub next: &'a [usize],
    /// Whether, and why, the episode ended.
    pub end: Option<End>,
}

/// A remembered step.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Memory {
    pub(crate) state: Arc<[u16]>,
    pub(crate) action: u16,
    pub(crate) reward: f32,
    pub(crate) next: Arc<[u16]>,
    pub(crate) terminated: bool,
    /// Bit k: head k learns from it.
    pub(crate) mask: u64,
}

/// The memory of a learner.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Replay {
    room: usize,
    memories: Vec<Memory>,
    /// How many were ever shown.
    seen: u64,
}

impl Replay {
    pub(crate) fn new(room: usize) -> Self {
        Self { room, memories: Vec::new(), seen: 0 }
    }

    /// A replay with these memories in their places; the caller has made sure that they fit.
    pub(crate) fn filled(room: usize, memories: Vec<Memory>, seen: u64) -> Self {
        Self { room, memories, seen }
    }

    /// How many are remembered.
    pub(crate) fn len(&self) -> usize {
        self.memories.len()
    }

    /// How many were ever shown.
    pub(crate) fn seen(&self) -> u64 {
        self.seen
    }

    /// All, by place.
    pub(crate) fn memories(&self) -> &[Memory] {
        &self.memories
    }

    /// The latest `count`, oldest first.
    pub(crate) fn latest(&self, count: usize) -> impl ExactSizeIterator<Item = &Memory> {
        let (len, end) = (self.len(), self.slot());
        let count = count.min(len);
        (0..count).map(move |i| &self.memories[(end + len - count + i) % len])
    }

    /// Remembers a step that passed its checks.
    pub(crate) fn remember(&mut self, mut memory: Memory) {
        if let Some(last) = self.latest(1).next()
            && last.next == memory.state
        {
            memory.state = Arc::clone(&last.next);
        }
        let slot = self.slot();
        if slot < self.memories.len() {
            self.memories[slot] = memory;
        } else {
            self.memories.push(memory);
        }
        self.seen += 1;
    }

    /// Where the next one goes.
    #[expect(clippy::cast_possible_truncation, reason = "a remainder is below the room")]
    fn slot(&self) -> usize {
        (self.seen % self.room as u64) as usize
    }
}

/// The places of an observation, checked and made small.
pub(crate) fn places(what: &'static str, active: &[usize], inputs: usize) -> Result<Arc<[u16]>, Error> {
    check_places(what, active, inputs)?;
    Ok(active.iter().map(|&place| narrow(place)).collect())
}

pub(crate) fn check_places(what: &'static str, active: &[usize], inputs: usize) -> Result<(), Error> {
    for pair in active.windows(2) {
        if pair[1] <= pair[0] {
            return Err(Error::Order { what, place: pair[1], before: pair[0] });
        }
    }
    if let Some(&last) = active.last() {
        below("an active feature", last, inputs)?;
    }
    Ok(())
}

#[expect(clippy::cast_possible_truncation, reason = "a place is below the number of inputs, at most 65,536")]
pub(crate) fn narrow(place: usize) -> u16 {
    place as u16
}

/// A reward in single precision.
#[expect(clippy::cast_possible_truncation, reason = "the learner computes in single precision")]
pub(crate) fn reward(reward: f64) -> Result<f32, Error> {
    let narrow = reward as f32;
    in_range(
        narrow.is_finite(),
        "the reward",
        reward,
        "the finite single-precision numbers",
        "scale rewards to about 1",
    )?;
    Ok(narrow)
}
