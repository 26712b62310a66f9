//! The random numbers of the original: numpy's `RandomState`, and the seed of an episode.
//!
//! Invariant: the same seed and the same calls give the same numbers as numpy 1.17 or later.

mod generator;
mod world_seed;

pub use generator::Generator;
pub use world_seed::world_seed;
