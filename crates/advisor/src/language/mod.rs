//! What is said to a language model and what comes back, whoever runs the model.
//!
//! A [`Request`] is a [`Prompt`] and a [`Decoding`]. A [`LanguageModel`] turns it into an [`Utterance`], or an
//! [`Outage`] says why it could not. A model in this process, an endpoint and a transcript are all language models, so
//! the rest of the workspace cannot tell them apart except by their [`Identity`].

mod decoding;
mod digest;
mod model;
mod name;
mod patience;
mod prompt;
mod utterance;

pub use decoding::Decoding;
pub use digest::Digest;
pub use model::{Fault, Identity, LanguageModel, Outage, Request};
pub use name::AdvisorName;
pub use patience::Patience;
pub use prompt::{Message, Prompt, Role};
pub use utterance::{Utterance, WordScore};
