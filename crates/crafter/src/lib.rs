//! Crafter in Rust: the same as PyPI `crafter` 1.8.3, seed for seed and pixel for pixel.
//!
//! An episode is a [`State`], and a copy of it is a snapshot. [`World`] plays episodes by the contract of `Environment`. Given the
//! same seed and actions, pictures, semantic maps, inventories, rewards and flags are those of the original, bit for bit;
//! `fixtures/crafter` holds the programs that compare the two.
//!
//! ```
//! use counsel_crafter::{Act, Picture, State};
//!
//! let mut state = State::begin(7, 1, 10_000);
//! let effect = state.step(Act::Do);
//! assert!(!effect.terminated);
//! assert_eq!(Picture::of(&state).bytes().len(), 64 * 64 * 3);
//! ```
//!
//! DIFFERENCE: the original keeps the objects of a chunk in a set whose order differs between processes, so that it does not
//! reproduce its own episodes. Here that order is the one in which the objects came, which is what the original does when its
//! sets are replaced by dictionaries.

mod achievement;
mod act;
mod area;
mod balance;
mod chunk;
mod creature;
mod daylight;
mod double;
mod error;
mod feature;
mod item;
mod levels;
mod material;
mod noise;
mod object;
mod observation;
mod picture;
mod place;
mod player;
pub mod random;
mod recipe;
mod rule;
mod sight;
mod situation;
mod spec;
mod state;
mod terrain;
mod text;
mod vector;
pub mod words;
mod world;

pub use achievement::{Achievement, Achievements};
pub use act::Act;
pub use error::Error;
pub use feature::FEATURES;
pub use item::{Inventory, Item, MOST};
pub use levels::{Crafter, Episode};
pub use material::Material;
pub use object::{Being, Object};
pub use observation::{Observation, SEEN, Sight};
pub use picture::{COLUMNS, PIXELS, Picture, ROWS};
pub use place::{CELLS, Direction, Place, SIDE};
pub use player::Player;
pub use recipe::{Placed, Tool};
pub use rule::rule;
pub use spec::CrafterSpec;
pub use state::State;
pub use world::{Family, MAX_STEPS, World};
