//! What a language model is told about a BabyAI world, and which words it may answer.
//!
//! A [`Situation`] is what may be told: the mission and what the agent sees, never what is hidden from it. A [`Template`]
//! is a file of data with a name, a version and a digest; it turns a situation into a [`Prompt`](counsel_advisor::Prompt)
//! whose digest is the context that a cache keys on. The templates that tell only of the mission's object can list every
//! prompt that an episode of a [`Task`] can ever produce ([`Words::enumerate`]), so they can be recorded completely.
//! A [`Briefing`] is a template bound to a task, as the rest of the workspace takes it.
//!
//! ```
//! use counsel_babyai::World;
//! use counsel_babyai::words::{Situation, TEMPLATES};
//!
//! let mut world = World::new("BabyAI-GoToObj-v0")?;
//! world.reset(Some(7));
//! let prompt = TEMPLATES.find("abstract")?.words.prompt(&Situation::of(&world)?);
//! assert!(prompt.messages()[1].content.contains("Task: go to the target."));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod briefing;
mod enumeration;
mod moment;
mod narrator;
mod place;
mod situation;
mod task;
mod template;
mod view;
mod wording;

pub use briefing::Briefing;
pub use moment::{HORIZON, Moment, moments};
pub use place::Place;
pub use situation::{Object, Situation};
pub use task::{Errand, Task};
pub use template::{TEMPLATES, Template, Told, Words};
pub use view::{Square, Thing, View};
