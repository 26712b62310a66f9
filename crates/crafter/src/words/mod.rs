//! What a language model is told about Crafter, and which words it may answer.
//!
//! What may be told is an [`Observation`](crate::Observation); a template tells its facts as a
//! [`Prompt`](counsel_advisor::Prompt). There are far too many situations to list them.

mod briefing;
mod moment;
mod narrator;
mod template;

pub use briefing::Briefing;
pub use moment::{Moment, moments};
pub use template::TEMPLATES;
