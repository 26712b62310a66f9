//! Algorithm 1 with a deep learner, in any world that it can play and that an advisor can be told about.
//!
//! What is general is here: the learner, the advisor and what is asked of it, labels, and values from labels. What is a
//! world's own stands behind [`DeepWorld`].

mod agent;
mod agents;
mod cases;
mod consultant;
mod features;
mod inputs;
mod label;
mod panel;
mod proposal;
mod regression;
mod spec;
mod warm_start;
mod world;

pub use agents::{Agent, Fallback};
pub use consultant::Consulted;
pub use inputs::PredictorInputs;
pub use panel::OtherAdvisor;
pub use regression::RegressionSpec;
pub use spec::{DeepStudy, Support};
pub use warm_start::{Shared, WarmStarts};
pub use world::{DeepWorld, Law};
