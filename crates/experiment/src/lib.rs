//! Studies as data: specification, plan, cells, and the runner that resumes.
//!
//! A study is a TOML file in `studies/`. [`Catalogue`] holds them; [`Plan::new`] resolves one, with the user's changes, into
//! cells (one arm, one seed) whose every setting is checked before anything runs; [`Runner`] runs the cells in parallel and
//! writes each as one log and one manifest, skipping those that are there.

mod catalogue;
mod change;
mod error;
mod fork;
mod naming;
mod paper;
mod plan;
mod preset;
mod registry;
mod replay;
mod rerun;
mod runner;
mod scenario;
mod scene;
mod seeds;
mod shard;
mod spec;

pub use counsel_session::{Confirmed, Fork, Library, LiveModel, Lost, OpenModel, WarmStarts, recompute_radius};

pub use catalogue::{Catalogue, Study};
pub use change::Change;
pub use error::Error;
pub use fork::forked;
pub use plan::{Plan, PlannedCell, Wanted};
pub use registry::{editions, narrator_of, narrators, worlds};
pub use replay::Replay;
pub use rerun::rerun;
pub use runner::{Fate, Observer, Prepared, Runner};
pub use scenario::Scenario;
pub use scene::*;
pub use seeds::SeedRange;
pub use shard::Shard;
pub use spec::{ArmSpec, BlockSpec, StudySpec};
