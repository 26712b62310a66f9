//! Decisions without a world: several advisors can answer, each at a price, and one answer is executed.
//!
//! There is no state, no learner and no horizon. A [`Request`] comes in, somebody answers it, and perhaps a reward follows for the
//! answer that was executed. Two controllers decide who answers; both keep one [`GainBook`]:
//!
//! | controller | what it decides | what it promises |
//! |---|---|---|
//! | [`Router`] | which of K advisors answers | the ledger's budget for the period; a probability for every allowed advisor |
//! | [`Cascade`] | whether a strong advisor replaces an answer in hand | a loss against never asking that its settings bound |
//! | [`Recall`] | whom to ask next when answers can be kept, and when to stop | reservation values, with agreement as evidence |
//!
//! A router with one advisor beside the agent's own free answer is the paper's gate: it asks where the predicted gain is above
//! the price. All parts are pure and deterministic; [`Router::save`], [`Cascade::save`] and [`Recall::save`] keep everything, open
//! decisions included, and the same decisions follow. A [`Retelling`] decides again what somebody wrote down.

mod batch;
mod book_spec;
mod cascade;
mod cascade_spec;
mod chronicle;
mod features;
mod gain_book;
mod hull;
mod ledger;
mod pacer;
mod recall;
mod ridge;
mod router;
mod router_spec;
mod saved;
mod words;

pub use batch::{Batch, Fitted};
pub use book_spec::{BookSpec, Expert, Shrinkage};
pub use cascade::{Cascade, Consultation, Heard};
pub use cascade_spec::{CascadeSpec, Exploring, Missing, Reckoning};
pub use chronicle::{Chronicled, Happening, Retelling};
pub use features::{Layout, Request, Sparse};
pub use gain_book::{GainBook, Lesson, Prediction};
pub use hull::hull;
pub use ledger::Ledger;
pub use pacer::Pacer;
pub use recall::{Next, Pattern, Recall, RecallSpec};
pub use router::{Route, Router};
pub use router_spec::{Offer, Optimism, RouterSpec, Spending};
pub use words::{counted_words, fnv1a};
