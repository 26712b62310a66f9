//! What a search answers.

use crate::Act;

/// A set of actions.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct Acts(u8);

impl Acts {
    /// The set as bits: bit `i` for action `i`.
    pub fn bits(self) -> u8 {
        self.0
    }

    /// Whether an action is in it.
    pub fn contains(self, act: Act) -> bool {
        self.0 >> act as u8 & 1 == 1
    }

    /// The actions in it, by number.
    pub fn iter(self) -> impl Iterator<Item = Act> {
        Act::ALL.into_iter().filter(move |&act| self.contains(act))
    }

    pub(super) fn only(act: Act) -> Self {
        Self(1 << act as u8)
    }

    pub(super) fn with(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }
}

/// The best that can be done in a state.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Optimum {
    /// How many steps success needs at least. Success is looked for after an action only, so it needs one or more.
    pub distance: u32,
    /// Every action after which success needs one step less (or is there).
    pub acts: Acts,
}
