//! A BabyAI world to play in.
//!
//! A world is a level and a [`State`]. The same id, seed and actions give the same observations, rewards and flags as
//! the original, bit for bit.

use counsel_decision::{Action, Seed};
use counsel_world::{Effect, Environment, Transition};
use rand::Rng;

use crate::draft::Draft;
use crate::grid::NOTHING;
use crate::instruction::Instruction;
use crate::observation::{self, Observation};
use crate::random::Generator;
use crate::reward::success_reward;
use crate::verify::{Progress, Status};
use crate::{Act, Error, Level, State};

/// A world, with an episode under way.
#[derive(Debug, Clone)]
pub struct World {
    level: &'static Level,
    fixed_steps: Option<u32>,
    draft: Draft,
    state: State,
    observation: Observation,
    mission: String,
}

impl World {
    /// The level with this id, in the episode of seed 0.
    ///
    /// DIFFERENCE: the original has no episode before the first reset, and takes the seed of an unseeded first reset
    /// from the operating system. Here `new` has reset with seed 0, and a `reset(None)` continues that stream.
    pub fn new(id: &str) -> Result<Self, Error> {
        Level::find(id).map(|level| Self::of(level, level.max_steps))
    }

    /// The same with episodes of so many steps at most.
    pub fn with_max_steps(id: &str, max_steps: u32) -> Result<Self, Error> {
        if max_steps == 0 {
            return Err(Error::NoSteps);
        }
        Level::find(id).map(|level| Self::of(level, Some(max_steps)))
    }

    fn of(level: &'static Level, fixed_steps: Option<u32>) -> Self {
        let mut draft = Draft::new(Generator::new(0), level.room_size, level.rows, level.columns);
        let state = generate(level, fixed_steps, &mut draft);
        let observation = observation::observe(&state);
        let mission = state.instruction.to_string();
        Self { level, fixed_steps, draft, state, observation, mission }
    }

    /// Starts an episode: the one of this seed, or the next of the present stream of random numbers.
    pub fn reset(&mut self, seed: Option<u64>) -> &Observation {
        self.draft.random = seed.map_or(self.state.random, Generator::new);
        self.state = generate(self.level, self.fixed_steps, &mut self.draft);
        self.look_around();
        &self.observation
    }

    /// Performs an action. As in the original, an episode that has ended can be played on.
    pub fn step(&mut self, act: Act) -> Effect {
        let status = self.state.act(act);
        self.observation = observation::observe(&self.state);
        let State { steps, max_steps, .. } = self.state;
        let reward = match status {
            Status::Succeeds => success_reward(steps, max_steps),
            Status::Continues | Status::Fails => 0.0,
        };
        let terminated = status != Status::Continues;
        self.state.over |= terminated;
        Effect { reward, terminated, truncated: steps >= max_steps }
    }

    /// What the agent sees now.
    pub fn observation(&self) -> &Observation {
        &self.observation
    }

    /// What the agent is told to do, in words.
    pub fn mission(&self) -> &str {
        &self.mission
    }

    /// What the agent is told to do.
    pub fn instruction(&self) -> &Instruction {
        &self.state.instruction
    }

    /// How many steps the episode has at most.
    pub fn max_steps(&self) -> u32 {
        self.state.max_steps
    }

    /// The level.
    pub fn level(&self) -> &'static Level {
        self.level
    }

    /// The state of the episode.
    pub fn state(&self) -> &State {
        &self.state
    }

    fn look_around(&mut self) {
        use std::fmt::Write;
        self.observation = observation::observe(&self.state);
        self.mission.clear();
        // Writing to a string cannot fail.
        let _ = write!(self.mission, "{}", self.state.instruction);
    }
}

/// Draws mazes until one is accepted, and starts an episode in it.
fn generate(level: &Level, fixed_steps: Option<u32>, draft: &mut Draft) -> State {
    let instruction = loop {
        draft.begin();
        if let Ok(instruction) = (level.draw)(draft)
            && draft.require_valid(&instruction).is_ok()
        {
            break instruction;
        }
    };
    let rooms = u32::from(level.rows) * u32::from(level.columns);
    let maze = u32::from(level.room_size).pow(2) * rooms;
    let mut grid = draft.grid.clone();
    grid.take_note();
    if draft.in_hand != NOTHING {
        let cell = grid.objects[usize::from(draft.in_hand)].cell;
        grid.put(cell, NOTHING);
    }
    State {
        grid,
        agent: draft.agent,
        direction: draft.direction,
        hand: draft.in_hand,
        steps: 0,
        max_steps: fixed_steps.unwrap_or(instruction.crossings() * maze),
        instruction,
        progress: Progress::default(),
        over: false,
        random: draft.random,
    }
}

impl Environment for World {
    type Snapshot = State;

    fn actions(&self) -> usize {
        Act::ALL.len()
    }

    /// Starts the episode of a numpy seed that is drawn from `seed`.
    fn reset(&mut self, seed: Seed) {
        World::reset(self, Some(seed.rng().next_u64()));
    }

    /// Only resets draw random numbers, so this changes the episodes to come and not the present one.
    fn reseed(&mut self, seed: Seed) {
        self.state.random = Generator::new(seed.rng().next_u64());
    }

    /// DIFFERENCE: the original raises an error for an action past 6; here it does what `done` does. And the original can be
    /// played on after the end, as [`World::step`] can; here, as in every environment, such a step pays nothing, changes
    /// nothing and repeats the end.
    fn step(&mut self, action: Action) -> Transition {
        if let Some(end) = self.state.end() {
            return Transition { reward: 0.0, end: Some(end) };
        }
        World::step(self, Act::try_from(action.index()).unwrap_or(Act::Done)).into()
    }

    fn snapshot(&self) -> State {
        self.state.clone()
    }

    fn restore(&mut self, snapshot: &State) {
        self.state.clone_from(snapshot);
        self.look_around();
    }
}
