//! Tabular fallback learners: optimistic with visit-count bounds, and posterior sampling.
//!
//! A [`Learner`] is described by a [`LearnerSpec`] and built for an [`Outline`]: it makes a [`Plan`] when an episode begins
//! and keeps to it until the next one. The plan holds the policy it would follow without advice, samples of that policy's value under models drawn from its [`ModelPosterior`], and [`BoundsSpec`] bounds
//! on the optimal value. Both learners count the same [`Counts`] and differ in one thing only: the model their policy is
//! greedy for, the most hopeful one ([`LearnerKind::Optimistic`]) or a random one ([`LearnerKind::Psrl`]).

mod agent;
mod bounds;
mod counts;
mod model;
mod optimistic;
mod outline;
mod plan;
mod posterior;
mod psrl;

pub use agent::{Learner, LearnerKind, LearnerSpec};
pub use bounds::{BoundTable, BoundsKind, BoundsSpec};
pub use counts::Counts;
pub use model::Model;
pub use outline::Outline;
pub use plan::Plan;
pub use posterior::ModelPosterior;
