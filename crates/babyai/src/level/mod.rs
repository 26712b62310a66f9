//! The levels: what each of the 96 registered ids asks for, and how its mazes are drawn.
//!
//! One file per family of levels; the registry lists every id with the function that draws it.

mod go_to;
mod open;
mod other;
mod pickup;
mod put_next;
mod registry;
mod unlock;

pub use registry::{Level, levels};
