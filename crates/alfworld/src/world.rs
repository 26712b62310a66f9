//! A world of text games to play in: by commands in words, or by their numbers.
//!
//! An action is the place of a command in the list of what is admissible now, so there are more or fewer of them from step to
//! step. Whatever is not admissible does nothing and takes a step, in words and in numbers alike. Nothing in a game is left to
//! chance; episodes differ in their game.

use std::sync::Arc;

use counsel_decision::refusal::at_least;
use counsel_decision::{Action, Seed};
use counsel_world::{End, Environment, Transition};
use rand::RngExt;

use crate::{AlfworldSpec, CommandNumber, Error, Family, Game, NOTHING_HAPPENS, Recipe, State};

/// Where an episode stands.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Standing {
    state: State,
    /// What can be done now, in order.
    admissible: Vec<CommandNumber>,
    /// What the player was told last.
    told: String,
    steps: u32,
    end: Option<End>,
}

impl Standing {
    fn start(game: &Arc<Game>) -> Self {
        let state = game.start();
        Self { admissible: state.admissible(), told: state.introduction(), state, steps: 0, end: None }
    }

    /// The state of the game.
    pub fn state(&self) -> &State {
        &self.state
    }

    /// What can be done now, in the order of words.
    pub fn admissible(&self) -> &[CommandNumber] {
        &self.admissible
    }

    /// The words of what can be done now.
    pub fn commands(&self) -> impl Iterator<Item = &str> {
        self.admissible.iter().filter_map(|&number| self.state.game().words(number))
    }

    /// What the player was told last.
    pub fn told(&self) -> &str {
        &self.told
    }

    /// How many commands were said.
    pub fn steps(&self) -> u32 {
        self.steps
    }
}

/// Where games come from.
#[derive(Debug, Clone, PartialEq)]
enum Games {
    /// Each is drawn from the seed of its episode.
    Drawn,
    /// The seed chooses among these.
    Given(Vec<Arc<Game>>),
}

/// A world, with an episode under way.
#[derive(Debug, Clone, PartialEq)]
pub struct World {
    spec: AlfworldSpec,
    games: Games,
    standing: Standing,
}

impl World {
    /// A world whose games are drawn, at the start of the game of this seed.
    pub fn new(spec: AlfworldSpec, seed: Seed) -> Result<Self, Error> {
        spec.check()?;
        let standing = Standing::start(&drawn(&spec, seed));
        Ok(Self { spec, games: Games::Drawn, standing })
    }

    /// A world of these games, at the start of the first. Tasks and family of the specification have no effect.
    pub fn of(games: Vec<Arc<Game>>, spec: AlfworldSpec) -> Result<Self, Error> {
        spec.check()?;
        at_least("the number of games", games.len(), 1, "pass a game")?;
        let standing = Standing::start(&games[0]);
        Ok(Self { spec, games: Games::Given(games), standing })
    }

    /// Its parameters.
    pub fn spec(&self) -> &AlfworldSpec {
        &self.spec
    }

    /// Where the episode stands.
    pub fn standing(&self) -> &Standing {
        &self.standing
    }

    /// From now on games are drawn from this family.
    pub fn draw_from(&mut self, family: Family) {
        self.spec.family = family;
    }

    /// Says a command in words; blanks around them do not matter.
    pub fn say(&mut self, words: &str) -> Transition {
        self.play(|state| state.say(words))
    }

    fn play(&mut self, act: impl FnOnce(&mut State) -> String) -> Transition {
        let Standing { state, admissible, told, steps, end } = &mut self.standing;
        if end.is_some() {
            return Transition { reward: 0.0, end: *end };
        }
        *told = act(state);
        *admissible = state.admissible();
        *steps += 1;
        let won = state.is_won();
        *end = match (won, *steps >= self.spec.horizon) {
            (true, _) => Some(End::Terminated),
            (false, true) => Some(End::Truncated),
            (false, false) => None,
        };
        Transition { reward: f64::from(u8::from(won)) - self.spec.step_cost, end: *end }
    }
}

/// The game of a seed, for a specification that has been checked.
fn drawn(spec: &AlfworldSpec, seed: Seed) -> Arc<Game> {
    let task = spec.tasks[seed.stream("task").rng().random_range(0..spec.tasks.len())];
    Recipe::draw(task, spec.family, seed.stream("game")).game().expect("what is drawn can be played, as tests show")
}

impl Environment for World {
    type Snapshot = Standing;

    fn actions(&self) -> usize {
        self.standing.admissible.len()
    }

    fn reset(&mut self, seed: Seed) {
        let game = match &self.games {
            Games::Drawn => drawn(&self.spec, seed),
            Games::Given(games) => Arc::clone(&games[seed.stream("game").rng().random_range(0..games.len())]),
        };
        self.standing = Standing::start(&game);
    }

    /// Nothing to come is random, so there is nothing to replace.
    fn reseed(&mut self, _seed: Seed) {}

    fn step(&mut self, action: Action) -> Transition {
        let number = self.standing.admissible.get(action.index()).copied();
        self.play(|state| match number.and_then(|number| state.game().command(number)) {
            Some(command) => state.carry_out(command),
            None => NOTHING_HAPPENS.to_owned(),
        })
    }

    fn snapshot(&self) -> Standing {
        self.standing.clone()
    }

    fn restore(&mut self, snapshot: &Standing) {
        self.standing.clone_from(snapshot);
    }
}
