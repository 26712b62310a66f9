//! A small partially observed grid in pixels, with exact shortest paths and values.
//!
//! The agent stands in a grid with walls and looks for the goal. It sees a square window around itself and nothing
//! else. It moves north, east, south or west; a move into a wall or over the edge stays where it is. Every step costs a
//! little, and the step onto the goal pays.
//!
//! ```
//! use counsel_decision::Seed;
//! use counsel_pixel::{PixelSpec, Values, World, rule};
//! use counsel_world::Environment;
//!
//! let spec = PixelSpec::default();
//! let mut world = World::new(&spec, Seed::root(7))?;
//!
//! // What the agent sees, what a local rule would say to it, and what is really best.
//! let seen = world.observation();
//! let advice = rule(&seen);
//! let best = world.state().optimum().expect("the goal is ahead");
//! println!("{}\n{}", world.state().text(), seen.situation());
//! println!("advised {advice}, best {:?} of {} steps", best.moves, best.distance);
//!
//! // What each move is worth here, if the agent strolls at random afterwards.
//! let values = Values::of_policy(world.state().grid(), |_| [0.25; 4], 1.0)?;
//! let worth = values.q(world.state()).expect("the episode is under way");
//! assert!(worth.iter().all(|worth| (-0.82..=0.85).contains(worth)));
//!
//! let transition = world.step(advice.into());
//! assert_eq!(transition.reward, -spec.step_cost);
//! # Ok::<(), counsel_pixel::Error>(())
//! ```
//!
//! | Noun | What it is |
//! |---|---|
//! | [`PixelSpec`] | the parameters, as written in a study |
//! | [`Grid`] | walls, start and goal, drawn from a seed; always solvable |
//! | [`State`] | the agent's cell and the clock, on a grid: small and cheap to copy |
//! | [`World`] | a state being played, by the contract of `Environment` |
//! | [`Observation`] | the window, and what follows from it: features, pixels, a [`Situation`] in words, the [`rule`] |
//! | [`Level`], [`Pixel`] | specifications that have a name, and the world as the command line knows it; its [`words`] |
//! | [`Optimum`], [`Values`] | what is best, and what every move is worth under a policy: computed, not sampled |
//!
//! Moves are absolute, with no turning. So a picture of the window needs no direction to be understood, a local rule is
//! one glance at the goal, and its errors have one cause: what stands in the way.

mod draw;
mod error;
mod feature;
mod grid;
mod image;
mod level;
mod levels;
mod look;
mod moves;
mod observation;
mod optimum;
mod read;
mod rule;
mod sight;
mod situation;
mod spec;
mod state;
mod text;
mod values;
pub mod words;
mod world;

pub use error::Error;
pub use grid::Grid;
pub use image::Image;
pub use level::Level;
pub use levels::{Episode, Pixel};
pub use look::Look;
pub use moves::{Move, Moves};
pub use observation::{Observation, Offset};
pub use optimum::Optimum;
pub use rule::{SWEEP, compass, rule};
pub use situation::{Ahead, Situation, Stop};
pub use spec::{Ends, PixelSpec, Redraw};
pub use state::State;
pub use values::Values;
pub use world::World;
