//! Studies as data: specification, plan, cells, and the runner that resumes.
//!
//! A study is a TOML file in `studies/`. [`Catalogue`] holds them; [`Plan::new`] resolves one, with the user's changes, into
//! cells (one arm, one seed) whose every setting is checked before anything runs; [`Runner`] runs the cells in parallel and
//! writes each as one log and one manifest, skipping those that are there.

mod calibrate;
mod catalogue;
mod change;
mod error;
mod library;
mod matched;
mod phases;
mod plan;
mod recalibrate;
mod registry;
mod rerun;
mod runner;
mod scene;
mod seeds;
mod session;
mod spec;

pub use calibrate::{Calibrates, CalibrationSpec, Labels, Updates};
pub use catalogue::{Catalogue, Study};
pub use change::Change;
pub use error::Error;
pub use library::{Confirmed, Library, LiveModel, OpenModel};
pub use matched::Matched;
pub use plan::{Plan, PlannedCell};
pub use recalibrate::recompute_radius;
pub use registry::{PLAYED, Scenario, TOLD, editions, narrator_of};
pub use rerun::rerun;
pub use runner::{Fate, Observer, Runner};
pub use scene::{
    Again, BabyAi, Consulted, Continuation, Controlled, DeepStudy, Estimator, LabelTable, Latent, Learning, Pixel,
    Placement, Repeat, Support, ValuesFrom, WarmStarts, WorldSpec,
};
pub use seeds::SeedRange;
pub use spec::{ArmSpec, BlockSpec, StudySpec};
