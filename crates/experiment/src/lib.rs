//! Studies as data: specification, plan, cells, and the runner that resumes.
//!
//! A study is a TOML file in `studies/`. [`Catalogue`] holds them; [`Plan::new`] resolves one, with the user's changes, into
//! cells (one arm, one seed) whose every setting is checked before anything runs; [`Runner`] runs the cells in parallel and
//! writes each as one log and one manifest, skipping those that are there.

mod catalogue;
mod change;
mod error;
mod library;
mod plan;
mod rerun;
mod runner;
mod scenario;
mod seeds;
mod spec;

pub use catalogue::{Catalogue, Study};
pub use change::Change;
pub use error::Error;
pub use library::{Confirmed, Library, LiveModel, OpenModel};
pub use plan::{Plan, PlannedCell};
pub use rerun::rerun;
pub use runner::{Observer, Outcome, Runner};
pub use scenario::{
    Again, BabyAi, CalibrationSpec, Consulted, Continuation, Controlled, Estimator, LabelTable, Labels, Latent,
    Learning, Matched, Placement, Repeat, Scenario, Support, ValuesFrom, WarmStarts, WorldSpec, recompute_radius,
};
pub use seeds::SeedRange;
pub use spec::{ArmSpec, BlockSpec, StudySpec};
