//! A world and an agent of one's own with the recommended controller: decisions, log and audit.
//!
//! | file | what you write for your own world |
//! |---|---|
//! | `world` | the world: what comes, what may be done, what it brings |
//! | `signaller` | the agent, the advisor, and the loop with the controller |
//! | `study` | arms, seeds and the folder of logs |
//!
//! Nothing here is named in a registry of counsel, and the folder that it writes is read by `counsel tables`, `figures`,
//! `audit`, `explain` and `export` like any other.

mod signaller;
mod study;
mod world;

pub use signaller::{Day, Signaller, advice, day};
pub use study::{STUDY, audit, run, summary};
pub use world::{EXITS, SignalBox, TRACKS, TRAINS_PER_DAY};
