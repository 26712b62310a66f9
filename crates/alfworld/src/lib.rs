//! The text games of ALFWorld, word for word those of PyPI `alfworld` 0.4.2 on `textworld` 1.7.0.
//!
//! A player in a house says commands: walk to places, open them, take things, put them down, switch on lamps. The engine knows the
//! rules (a PDDL domain) and the words (a text grammar) of the original, quirks included; a game is a problem in PDDL and a task.
//!
//! ```
//! use counsel_alfworld::{Expert, Family, Recipe, Task};
//! use counsel_decision::Seed;
//!
//! // A game of our own; `Game::from_json` reads ALFWorld's files.
//! let recipe = Recipe::draw(Task::PickAndPlace, Family::Training, Seed::root(3));
//! let game = recipe.game()?;
//! let mut state = game.start();
//! println!("{}", state.introduction());
//!
//! // What can be said, what is best, and what comes of it.
//! let expert = Expert::of(&game).expect("drawn games have one");
//! assert_eq!(expert.distance(&state), Some(5));
//! for number in expert.plan(&state) {
//!     let words = game.words(number).expect("a command of the game");
//!     assert!(state.admissible_words().any(|admissible| admissible == words));
//!     println!("> {words}\n{}", state.say(words));
//! }
//! assert!(state.is_won());
//! assert_eq!(state.say("dance"), "Nothing happens.");
//! # Ok::<(), counsel_alfworld::Error>(())
//! ```
//!
//! | Noun | What it is |
//! |---|---|
//! | [`Game`] | all that stays as it is: things, task, goal, and all commands by number in the order of their words |
//! | [`State`] | the agent's place, what it holds and what is so of the things: small and cheap to copy |
//! | [`Command`] | what can be done; admissible ones are listed in the original's order |
//! | [`Expert`] | the length of the shortest plan, by a formula, and the commands that begin one |
//! | [`Recipe`], [`Goal`], [`Family`] | games drawn from a seed, always solvable; goals to learn from and goals to be judged on |
//! | [`World`], [`Standing`] | games being played, by the contract of `Environment`; the number of actions changes from step to step |
//! | [`Player`], [`Errand`], [`Notes`], [`Row`] | a player who reads the task, notes what it sees, and describes commands to a learner |
//! | [`household`] | the same games by abstract options, and what is said to a language model about them |
//! | [`Alfworld`] | the world as the command line knows it |
//!
//! What is exact is held against the original in `fixtures/alfworld/check.py`.

mod cast;
mod command;
mod condition;
mod errand;
mod error;
mod expert;
mod expression;
mod fact;
mod file;
mod game;
mod goal;
mod grounding;
mod house;
pub mod household;
mod levels;
mod name;
mod notes;
mod pddl;
mod player;
mod predicate;
mod problem;
mod recipe;
mod row;
mod sight;
mod spec;
mod state;
mod text;
mod thing;
mod vocabulary;
mod world;

pub use command::Command;
pub use errand::Errand;
pub use error::Error;
pub use expert::Expert;
pub use game::Game;
pub use goal::{Family, Goal, Task};
pub use levels::{Alfworld, Episode};
pub use notes::Notes;
pub use player::Player;
pub use recipe::Recipe;
pub use row::{PLACES, Row};
pub use spec::AlfworldSpec;
pub use state::State;
pub use text::NOTHING_HAPPENS;
pub use thing::{Location, Object, Receptacle};
pub use vocabulary::CommandNumber;
pub use world::{Standing, World};
