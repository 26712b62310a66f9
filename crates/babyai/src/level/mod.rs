//! The levels: what each of the 96 registered ids asks for, and how its mazes are drawn.
//!
//! One file per family; [`Family`] names them, and the registry lists every id with its parameters.

mod family;
mod go_to;
mod open;
mod other;
mod pickup;
mod put_next;
mod registry;
mod unlock;

pub use family::{Choice, Family};
pub use registry::{Level, levels};
