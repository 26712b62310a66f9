//! Algorithm 1 around the controller, once for every world: the loop, the phases of a run, and calibration.
//!
//! The controller of `counsel-controller` decides; this crate is the loop that feeds it. `session.rs` carries the line numbers of the
//! paper's Algorithm 1. It knows a world by the contract of [`Scene`] alone: what is known before an answer, who is asked, what
//! acting does, what is learned, what hindsight knows, and how an opportunity is labelled. [`run_phases`] runs the phases of a cell
//! through it: warm-up, prefix, calibration, matched replay, deployment. [`DeepStudy`] is the scene of a deep learner in any
//! world that is a [`DeepWorld`]; [`Library`] is where the answers of language models come from.

mod bookkeeping;
mod bounding;
mod calibrate;
mod deep;
mod deployment;
mod error;
mod fork;
mod library;
mod matched;
mod paired;
mod phases;
mod pilot;
mod scene;
mod screening;
mod session;
mod setbacks;
mod whole_episodes;

pub use bookkeeping::Bookkeeping;
pub use bounding::{BoundCalibration, ScaledBounds};
pub use calibrate::{Calibrates, CalibrationSpec, Labels, Opportunities, Temperature, Updates};
pub use counsel_controller::{Books, BooksSpec, Controller, Learning, Outcome, Situation};
pub use counsel_log::recompute_radius;
pub use deep::{
    Agent, Consulted, DeepStudy, DeepWorld, Fallback, Law, OtherAdvisor, PredictorInputs, RegressionSpec, Shared,
    Support, WarmStarts,
};
pub use deployment::Deployment;
pub use error::{Error, refuse};
pub use fork::Fork;
pub use library::{Confirmed, Library, LiveModel, OpenModel};
pub use matched::Matched;
pub use phases::{Phases, Played, run_phases};
pub use scene::{Episode, Heard, Known, Label, Scene, advised};
pub use session::Labelled;
pub use setbacks::Lost;
