//! BabyAI worlds in Rust: the same as PyPI `minigrid` 3.2.0, seed for seed.
//!
//! A [`World`] is made from one of the 96 registered ids ([`levels`]) and played with [`Act`]s. Given the same seed and
//! actions, observations, missions, rewards and flags are those of the original, bit for bit; `fixtures/babyai` holds
//! the programs that compare the two.
//!
//! ```
//! use counsel_babyai::{Act, World};
//!
//! let mut world = World::new("BabyAI-GoToObj-v0")?;
//! world.reset(Some(7));
//! assert!(world.mission().starts_with("go to the "));
//! let effect = world.step(Act::Forward);
//! assert!(!effect.truncated);
//! # Ok::<(), counsel_babyai::Error>(())
//! ```
//!
//! How a level comes about: the registry names a function that fills a draft with rooms, doors, objects and the agent, drawing from [`random`], and describes what is to be done as an [`Instruction`]. A [`State`] is what
//! an episode consists of from then on: small, comparable, and all that a planner has to copy.
//!
//! What is best in a state, and what every action is worth there under a policy, is computed and not sampled: a
//! [`Planner`] finds the distance to success and all optimal actions, a [`Layout`] the exact values. What a language model
//! is told of a world is in [`words`].

mod act;
mod arrangement;
mod door;
mod draft;
mod error;
mod exact;
mod feature;
mod grammar;
mod grid;
mod instruction;
mod level;
mod levels;
mod matching;
mod object;
mod observation;
mod optimal;
pub mod random;
mod reward;
mod room;
mod sight;
mod state;
mod strew;
mod text;
mod truth;
mod verify;
mod view;
pub mod words;
mod world;

pub use act::Act;
pub use error::Error;
pub use exact::{Layout, Next, Values};
pub use feature::FEATURES;
pub use instruction::{Clause, Description, Instruction, Location, Part, Strictness};
pub use level::{Level, levels};
pub use levels::BabyAi;
pub use object::{Colour, Kind, Latch, Look};
pub use observation::{Image, Observation};
pub use optimal::{Acts, MOST_STATES, Optimum, Planner};
pub use reward::{delay_cost, success_reward};
pub use state::State;
pub use truth::{Best, judge};
pub use view::VIEW;
pub use world::World;
