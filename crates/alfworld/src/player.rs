//! A world of drawn games with its player: the errand that the words give, and notes of the episode.

use counsel_decision::{Action, Seed};
use counsel_world::{Environment, Transition};

use crate::{AlfworldSpec, Errand, Error, Family, Notes, Standing, World};

/// A world and its player.
#[derive(Debug, Clone, PartialEq)]
pub struct Player {
    world: World,
    errand: Errand,
    notes: Notes,
}

impl Player {
    /// A player at the start of the game of this seed.
    pub fn new(spec: AlfworldSpec, seed: Seed) -> Result<Self, Error> {
        let world = World::new(spec, seed)?;
        Ok(Self { errand: read(&world), notes: Notes::default(), world })
    }

    /// The world.
    pub fn world(&self) -> &World {
        &self.world
    }

    /// Where the episode stands.
    pub fn standing(&self) -> &Standing {
        self.world.standing()
    }

    /// What is to be done.
    pub fn errand(&self) -> &Errand {
        &self.errand
    }

    /// What was noted.
    pub fn notes(&self) -> &Notes {
        &self.notes
    }

    /// How many commands the episode may still have.
    pub fn steps_to_go(&self) -> u32 {
        self.world.spec().horizon.saturating_sub(self.standing().steps())
    }

    /// From now on games are drawn from this family.
    pub fn draw_from(&mut self, family: Family) {
        self.world.draw_from(family);
    }
}

/// The errand of a drawn game.
fn read(world: &World) -> Errand {
    Errand::read(world.standing().state().game().task()).expect("the words of drawn games are read, as a test shows")
}

impl Environment for Player {
    type Snapshot = (Standing, Notes);

    fn actions(&self) -> usize {
        self.world.actions()
    }

    fn reset(&mut self, seed: Seed) {
        self.world.reset(seed);
        self.errand = read(&self.world);
        self.notes = Notes::default();
    }

    fn reseed(&mut self, seed: Seed) {
        self.world.reseed(seed);
    }

    fn step(&mut self, action: Action) -> Transition {
        let said = self.standing().admissible().get(action.index()).copied();
        let steps = self.standing().steps();
        let transition = self.world.step(action);
        if let Some(number) = said.filter(|_| self.standing().steps() > steps) {
            self.notes.take(number, self.world.standing().state());
        }
        transition
    }

    fn snapshot(&self) -> Self::Snapshot {
        (self.world.snapshot(), self.notes.clone())
    }

    fn restore(&mut self, (standing, notes): &Self::Snapshot) {
        self.world.restore(standing);
        self.errand = read(&self.world);
        self.notes.clone_from(notes);
    }
}
