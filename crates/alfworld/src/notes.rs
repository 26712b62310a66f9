//! What a player has noted of an episode: where it went, what it saw there, and what it said.
//!
//! All of it was told in words: a place that is gone to, opened or examined is described with what is in or on it, unless it
//! is closed. Invariant: the notes are a function of the commands and of what was told.

use std::collections::BTreeMap;

use crate::{Command, CommandNumber, Object, Receptacle, State};

/// The notes of an episode.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Notes {
    at: Option<Receptacle>,
    seen: BTreeMap<Receptacle, Vec<Object>>,
    said: BTreeMap<CommandNumber, u32>,
}

impl Notes {
    /// Takes note of a command that was carried out, and of what is to be seen then.
    pub fn take(&mut self, number: CommandNumber, after: &State) {
        *self.said.entry(number).or_default() += 1;
        let Some(command) = after.game().command(number) else { return };
        let place = match command {
            Command::GoTo(r) => {
                self.at = Some(r);
                r
            }
            Command::Open(r) | Command::Search(r) | Command::Take(_, r) | Command::Move(_, r) => r,
            _ => return,
        };
        if after.is_accessible(place) {
            self.seen.insert(place, after.inside(place).collect());
        }
    }

    /// The place that was gone to last.
    pub fn at(&self) -> Option<Receptacle> {
        self.at
    }

    /// What was seen in or on a place; nothing where it was never looked into.
    pub fn seen(&self, place: Receptacle) -> Option<&[Object]> {
        self.seen.get(&place).map(Vec::as_slice)
    }

    /// How often a command was said.
    pub fn said(&self, number: CommandNumber) -> u32 {
        self.said.get(&number).copied().unwrap_or(0)
    }

    /// Whether an object of this class was seen in or on a place.
    pub fn has(&self, state: &State, place: Receptacle, class: &str) -> bool {
        self.seen(place).is_some_and(|seen| seen.iter().any(|&o| state.game().object_class(o) == class))
    }

    /// The places where an object of this class was seen.
    pub fn places_of<'a>(&'a self, state: &'a State, class: &'a str) -> impl Iterator<Item = Receptacle> + 'a {
        self.seen.keys().copied().filter(move |&place| self.has(state, place, class))
    }
}
