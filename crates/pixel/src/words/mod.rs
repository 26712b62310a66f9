//! What a language model is told about a pixel world, and which words it may answer.
//!
//! What may be told is an [`Observation`](crate::Observation); a template tells its facts, the
//! [`Situation`](crate::Situation), as a [`Prompt`](counsel_advisor::Prompt) whose digest is the context that a cache keys
//! on. A [`Briefing`] is a template bound to a specification, as the rest of the workspace takes it. With a small window
//! there are few situations, so a briefing lists every prompt that an episode can produce, and all of them can be
//! recorded.
//!
//! ```
//! use counsel_advisor::{Phrasing, Teller};
//! use counsel_decision::Seed;
//! use counsel_pixel::words::Briefing;
//! use counsel_pixel::{PixelSpec, World};
//!
//! let spec = PixelSpec::default();
//! let briefing = Briefing::find("facts", spec)?;
//! let prompt = briefing.prompt(&World::new(&spec, Seed::root(7))?.observation());
//! assert!(prompt.messages()[1].content.contains("You do not see the goal.\nTo the north: the edge of the grid."));
//! assert!(briefing.enumerate().prompts().expect("they are few").contains(&prompt));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod briefing;
mod enumeration;
mod moment;
mod narrator;
mod template;

pub use briefing::Briefing;
pub use moment::{Moment, moments};
pub use template::TEMPLATES;
