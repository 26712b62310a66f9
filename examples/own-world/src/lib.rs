//! A world and a learner of one's own in the whole loop of counsel: calibration, log, audit and a table.
//!
//! | file | what you write for your own world |
//! |---|---|
//! | `world` | the world: what comes, what may be done, what it brings |
//! | `learner` | the fallback: what it would do, what it thinks each action is worth, and within which bounds |
//! | `scene` | both behind the contract of the loop, and the advisor |
//! | `study` | the arms and seeds, the folder, the table |
//!
//! Nothing here is named in a registry of counsel, and the folder that it writes is read by `counsel tables`, `figures`,
//! `audit`, `explain` and `export` like any other.

mod learner;
mod scene;
mod study;
mod world;

pub use learner::Punctuality;
pub use scene::Duty;
pub use study::{STUDY, audit, run, table};
pub use world::{EXITS, SignalBox, TRACKS, TRAINS_PER_DAY};
