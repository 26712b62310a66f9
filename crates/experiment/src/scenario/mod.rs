//! What a cell plays: a kind of world with the loop that goes with it.
//!
//! [`Controlled`] is Algorithm 1 on a clonable tabular world, [`Latent`] the informative advisor with a known likelihood,
//! [`Placement`] the choice of contexts to ask in under a small budget, [`BabyAi`] Algorithm 1 with a deep learner and a
//! language model, [`Repeat`] the same question asked again.

mod babyai;
mod calibrate;
mod controlled;
mod episode;
mod kind;
mod latent;
mod placement;
mod played;
mod potential;
mod recalibrate;
mod repeat;
mod world;

pub use babyai::{BabyAi, Consulted, LabelTable, Matched, Support, ValuesFrom, WarmStarts};
pub use calibrate::{CalibrationSpec, Labels};
pub use controlled::{Controlled, Learning};
pub use kind::Scenario;
pub use latent::{Estimator, Latent};
pub use placement::Placement;
pub(crate) use played::Played;
pub use recalibrate::recompute_radius;
pub use repeat::{Again, Repeat};
pub use world::{Continuation, WorldSpec};
