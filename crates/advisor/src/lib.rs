//! Advisors, and predictors of what an advisor will say.
//!
//! A language model is asked with a [`Request`] and answers with an [`Utterance`], whoever runs it ([`LanguageModel`]).
//! A simulated advisor is a [`Simulation`]: it is shown a [`Context`] and the [`Truth`] and knows its own law, for exact
//! labels and diagnosis. A [`Predictor`] sees contexts and paid
//! responses, never the truth: section "Response prediction without leakage" holds by type.
//!
//! A world that can tell its situations in words offers a [`Narrator`] and a [`Teller`]; then prompts, transcripts and the
//! [`appraisal`] of an advisor work for it.

mod advisor;
pub mod appraisal;
mod context;
mod correlated;
mod corrupted;
mod error;
mod language;
pub mod predictor;
mod reliability;
mod simulated;
mod spec;
mod words;

pub use advisor::{Simulation, Spoken};
pub use context::{Context, Truth};
pub use correlated::Correlated;
pub use corrupted::{Corrupted, Corruption};
pub use error::Error;
pub use language::{
    AdvisorName, Decoding, Digest, Fault, Identity, LanguageModel, Message, Outage, Patience, Prompt, Request, Role,
    Utterance, WordScore,
};
pub use predictor::{AnyPredictor, Predictor, PredictorSpec};
pub use reliability::Reliability;
pub use simulated::Simulated;
pub use spec::{AdvisorSpec, SimulatedAdvisor};
pub use words::{
    Answering, Asking, Edition, Enumeration, Facts, Heading, Moment, Narrator, Phrasing, Talk, Teller, Template,
    Templates, Variant, fill, places,
};
