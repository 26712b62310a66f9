//! Algorithm 1 on a clonable tabular world with a simulated advisor, where every value is known exactly.
//!
//! DIFFERENCE: the declared continuation runs to the horizon; see "Labels" in docs/DIFFERENCES.md.

mod agent;
mod potential;
mod spec;
mod world;

pub use spec::Controlled;
pub use world::{Continuation, WorldSpec};
