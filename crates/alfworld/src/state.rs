//! A game under way: where the agent stands, what it holds, and what holds of the things.

use std::sync::Arc;

use crate::fact::{Fact, Facts};
use crate::vocabulary::treatments;
use crate::{Command, CommandNumber, Game, Location, Object, Receptacle};

/// A state of a game. Copies are small, and share the game.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct State {
    game: Arc<Game>,
    place: Location,
    held: Option<Object>,
    facts: Facts,
}

impl State {
    pub(crate) fn new(game: Arc<Game>, place: Location, held: Option<Object>, facts: Facts) -> Self {
        Self { game, place, held, facts }
    }

    /// The game.
    pub fn game(&self) -> &Arc<Game> {
        &self.game
    }

    /// Where the agent stands.
    pub fn place(&self) -> Location {
        self.place
    }

    /// What the agent holds.
    pub fn held(&self) -> Option<Object> {
        self.held
    }

    /// The receptacles within reach, in the order of ids.
    pub fn here(&self) -> &[Receptacle] {
        self.game.beside(self.place)
    }

    /// What is in or on a receptacle, in the order of ids, whether it can be seen or not.
    pub fn inside(&self, receptacle: Receptacle) -> impl Iterator<Item = Object> {
        self.facts.inside(receptacle)
    }

    /// Whether one can reach into a receptacle: it is open, or cannot be closed.
    pub fn is_accessible(&self, receptacle: Receptacle) -> bool {
        !self.game.receptacle(receptacle).is_openable || self.facts.has(Fact::Opened(receptacle))
    }

    /// Whether an object has been switched on.
    pub fn is_toggled(&self, object: Object) -> bool {
        self.facts.has(Fact::Toggled(object))
    }

    /// Whether the task is carried out. It can become undone again.
    pub fn is_won(&self) -> bool {
        self.game.goal().holds(self)
    }

    pub(crate) fn has(&self, fact: Fact) -> bool {
        match fact {
            Fact::AgentAt(location) => self.place == location,
            Fact::Holds(object) => self.held == Some(object),
            Fact::HoldsAny => self.held.is_some(),
            fact => self.facts.has(fact),
        }
    }

    pub(crate) fn lying_at(&self, location: Location) -> impl Iterator<Item = Object> {
        self.facts.at(location)
    }

    /// What can be done now, as numbers of commands in the order of their words.
    pub fn admissible(&self) -> Vec<CommandNumber> {
        let mut numbers = Vec::with_capacity(64);
        self.possible(|command| numbers.extend(self.game.vocabulary().number(command)));
        numbers.sort_unstable();
        numbers.dedup();
        numbers
    }

    /// The words of what can be done now, in order.
    pub fn admissible_words(&self) -> impl Iterator<Item = &str> {
        self.admissible().into_iter().filter_map(|number| self.game.words(number))
    }

    /// Whether a command can be carried out now.
    pub fn is_admissible(&self, command: Command) -> bool {
        let mut found = false;
        self.possible(|possible| found |= possible == command);
        found
    }

    /// Hands over every command that can be carried out, some more than once.
    fn possible(&self, mut take: impl FnMut(Command)) {
        let game = &*self.game;
        [Command::Look, Command::Inventory, Command::Help].into_iter().for_each(&mut take);
        for r in game.receptacles() {
            // Going to where one stands changes nothing, and the planner drops what changes nothing: of two receptacles in
            // one place, one cannot go from the one to the other.
            if game.location(r).is_some_and(|location| location != self.place) {
                take(Command::GoTo(r));
            }
        }
        for &r in self.here() {
            take(Command::Search(r));
            let is_accessible = self.is_accessible(r);
            if game.receptacle(r).is_openable {
                take(if is_accessible { Command::Close(r) } else { Command::Open(r) });
            }
            for o in self.inside(r) {
                // A switch works through a closed door.
                if game.object(o).is_toggleable {
                    take(Command::Use(o));
                }
                if is_accessible && self.held.is_none() && game.object(o).is_pickupable {
                    take(Command::Take(o, r));
                }
            }
            if let Some(held) = self.held {
                if is_accessible && game.fits(held, r) {
                    take(Command::Move(held, r));
                }
                treatments(game, held, r).for_each(&mut take);
            }
        }
        if let Some(held) = self.held {
            take(Command::Examine(held));
            if game.object(held).is_knife() {
                let near = self.lying_at(self.place).filter(|&o| game.object(o).is_sliceable);
                near.for_each(|o| take(Command::Slice(o, held)));
            }
        }
    }

    /// Changes what a command changes. It must be admissible.
    pub(crate) fn apply(&mut self, command: Command) {
        let facts = &mut self.facts;
        match command {
            Command::Look | Command::Inventory | Command::Help | Command::Search(_) | Command::Examine(_) => {}
            Command::GoTo(r) => self.place = self.game.location(r).unwrap_or(self.place),
            Command::Open(r) => facts.set(Fact::Opened(r), true),
            Command::Close(r) => facts.set(Fact::Opened(r), false),
            Command::Take(o, r) => {
                facts.set(Fact::Inside(o, r), false);
                facts.set(Fact::TakenFrom(o, r), true);
                facts.set(Fact::ObjectAt(o, self.place), false);
                self.held = Some(o);
            }
            Command::Move(o, r) => {
                facts.set(Fact::Inside(o, r), true);
                facts.set(Fact::TakenFrom(o, r), false);
                facts.set(Fact::ObjectAt(o, self.place), true);
                self.held = None;
            }
            Command::Use(o) => {
                facts.set(Fact::On(o), !facts.has(Fact::On(o)));
                facts.set(Fact::Toggled(o), true);
            }
            Command::Heat(o, _) => {
                facts.set(Fact::Hot(o), true);
                facts.set(Fact::Cool(o), false);
            }
            Command::Cool(o, _) => {
                facts.set(Fact::Cool(o), true);
                facts.set(Fact::Hot(o), false);
            }
            Command::Clean(o, _) => facts.set(Fact::Clean(o), true),
            Command::Slice(o, _) => facts.set(Fact::Sliced(o), true),
        }
    }
}
