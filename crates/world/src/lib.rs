//! What a world promises an agent, how it is shown and spoken to, and one kit of checks for all worlds.
//!
//! [`Environment`] is the contract: episodes that can be copied and put back. [`check_environment`] tests it. [`Shown`],
//! [`Levels`] and [`Spoken`] are optional: pictures, levels and words for `counsel world` and the decision inspector.

mod conformance;
mod environment;
mod error;
mod named;
mod obedience;
mod shown;
mod sight;

pub use conformance::{Promise, check_environment};
pub use environment::{End, Environment, Transition};
pub use error::Nonconforming;
pub use obedience::obey;
pub use shown::{Control, Effect, Levels, Listed, Shown, Spoken};
pub use sight::{Hue, Sight, Tile};
