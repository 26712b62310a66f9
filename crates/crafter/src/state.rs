//! Where an episode stands: everything that decides what happens next. A copy is a snapshot.

use counsel_decision::Seed;
use counsel_world::Effect;
use rand::Rng;

use crate::area::Area;
use crate::creature::REACH;
use crate::daylight::{DUSK, daylight};
use crate::object::Object;
use crate::picture::NOISE_DRAWS;
use crate::place::CELLS;
use crate::random::{Generator, world_seed};
use crate::{Act, Material, Place, Player, terrain};

/// Where an episode stands.
#[derive(Debug, Clone, PartialEq)]
pub struct State {
    pub(crate) area: Area,
    pub(crate) player: Player,
    /// The random numbers to come. At night the first of them are the noise of the picture of this state; they are taken when the
    /// picture is made, or else passed over when the next step begins.
    pub(crate) random: Generator,
    steps: u32,
    light: f64,
    max_steps: u32,
    /// How many achievements have been paid for.
    paid: usize,
}

impl State {
    /// The beginning of the episode with this number, from 1, of `crafter.Env(seed=seed)`.
    pub fn begin(seed: u64, episode: u64, max_steps: u32) -> Self {
        let mut random = Generator::new(world_seed(seed, episode));
        let area = terrain::generate(&mut random);
        Self { area, player: Player::new(), random, steps: 0, light: daylight(0), max_steps, paid: 0 }
    }

    /// One tick. As in the original, an episode that has ended can be played on.
    pub fn step(&mut self, act: Act) -> Effect {
        if self.is_dark() {
            self.random.skip(NOISE_DRAWS);
        }
        self.steps = self.steps.saturating_add(1);
        self.light = daylight(self.steps);
        let health_before = self.player.health();
        // What comes into being in this tick, the player's plant included, acts from the next one on.
        let present = self.area.objects().len();
        self.player.update(act, &mut self.area, &mut self.random);
        for number in 1..present {
            if self.area.object(number).place.distance(self.place()) < REACH {
                self.update(number);
            }
        }
        if self.steps.is_multiple_of(10) {
            self.balance();
        }
        self.area.tidy();
        self.effect(health_before)
    }

    fn effect(&mut self, health_before: u8) -> Effect {
        let health = self.player.health();
        let mut reward = (f64::from(health) - f64::from(health_before)) / 10.0;
        let unlocked = self.player.achievements.unlocked();
        if unlocked > self.paid {
            self.paid = unlocked;
            reward += 1.0;
        }
        Effect { reward, terminated: health == 0, truncated: self.steps >= self.max_steps }
    }

    /// What the player is and has.
    pub fn player(&self) -> &Player {
        &self.player
    }

    /// Where the player stands.
    pub fn place(&self) -> Place {
        self.area.object(0).place
    }

    /// How many steps were taken.
    pub fn steps(&self) -> u32 {
        self.steps
    }

    /// After how many steps the episode is cut.
    pub fn max_steps(&self) -> u32 {
        self.max_steps
    }

    /// The light: 0 is night and 1 is day.
    pub fn daylight(&self) -> f64 {
        self.light
    }

    /// Whether it is so dark that the picture is noisy.
    pub fn is_dark(&self) -> bool {
        self.light < DUSK
    }

    /// What a cell is made of.
    pub fn material(&self, place: Place) -> Material {
        self.area.material(place)
    }

    /// What stands on a cell.
    pub fn object(&self, place: Place) -> Option<&Object> {
        self.area.occupant(place).map(|number| self.area.object(number))
    }

    /// Everything that stands somewhere, the player first.
    pub fn objects(&self) -> &[Object] {
        self.area.objects()
    }

    /// The place that is seen in a column and row of the picture, from the upper left; nothing outside of the area.
    pub fn seen(&self, column: usize, row: usize) -> Option<Place> {
        let offset = |at: usize, middle: i8| i8::try_from(at).ok().map(|at| at - middle);
        self.place().offset(offset(column, 4)?, offset(row, 3)?)
    }

    /// The semantic map, column by column: the number of what stands on a cell, or else of what it is made of.
    pub fn semantic(&self) -> [u8; CELLS] {
        let mut numbers = self.area.materials().map(|material| material as u8);
        for object in self.objects() {
            numbers[object.place.index()] = object.being.number();
        }
        numbers
    }

    /// Replaces the random numbers to come, the noise of the picture included.
    pub(crate) fn reseed(&mut self, seed: Seed) {
        self.random = Generator::new(seed.rng().next_u32());
    }
}
