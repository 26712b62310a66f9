//! What a world must offer so that a language model can advise in it.
//!
//! A world keeps its own type of situation. A template of the world, bound to one of its tasks, is a [`Phrasing`]: which
//! answers it reads and how they are taken, and every prompt that it can ever make, where those can be listed. A
//! [`Teller`] is a phrasing that puts situations into words; the loop of an experiment holds one, typed and fast. A
//! [`Narrator`] stands for the whole world where its type is not known: on the command line and in an appraisal.
//!
//! Invariant: what is told is a function of what the agent may know. Two states that look the same to the agent give the
//! same prompt.

mod edition;
mod enumeration;
mod facts;
mod narrator;
mod phrasing;
mod talk;
mod template;

pub use edition::Edition;
pub use enumeration::{Enumeration, Variant};
pub use facts::Facts;
pub use narrator::{Answering, Asking, Moment, Narrator};
pub use phrasing::{Phrasing, Teller};
pub use talk::{Talk, fill, places};
pub use template::{Heading, Template, Templates};
