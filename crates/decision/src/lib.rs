//! The paper's nouns and its Algorithm 1: when to buy advice, and whether an answer may act.
//!
//! The crate does no input or output, has no clock, no threads and no entropy of its own. Start at [`Engine`]:
//! [`Engine::decide`] looks at the [`Evidence`] gathered before any answer exists and either acts or hands out a
//! [`Ask`]; [`Engine::resume`] takes the reply and acts. Each decision is one [`Record`], from which the same
//! decision can be computed again.
//!
//! Three value objects are kept apart, as in the paper, so that they cannot be mixed up:
//! [`ValueSamples`] of the declared continuation (acquisition), [`ValueBounds`] on the optimal value (execution), and
//! the [`ResponseLaw`], what the advisor may say.

mod action;
mod advice;
mod bankroll;
mod belief;
mod branch;
mod budget;
mod cache;
mod certificate;
mod engine;
mod error;
mod estimate;
mod evidence;
mod forecast;
mod foretold;
pub mod gate;
mod lead;
mod no_query;
mod pacing;
mod panel;
mod parser;
mod radius;
mod rationing;
mod record;
pub mod refusal;
mod response;
mod seed;
mod settings;
mod text;
mod value;

pub use action::Action;
pub use advice::{AdviceModel, CandidateOnly, FallbackAfter, Informative};
pub use bankroll::{Bankroll, BankrollSpec};
pub use belief::{Belief, Likelihood, Posterior};
pub use branch::Branch;
pub use budget::{Budget, Reserve, TokenBucket};
pub use cache::{Cache, CacheEntry, CacheSpec, CacheStatus, Confidence, Invalidation};
pub use certificate::{Execution, Verdict};
pub use engine::{Act, Ask, Engine, PaidResponse, Preview, Turn};
pub use error::Error;
pub use estimate::{Prospect, Valuation, estimate, prospects};
pub use evidence::{Completion, ContextKey, Evidence, Monitored};
pub use forecast::Forecast;
pub use foretold::Foretold;
pub use gate::{Gate, Input};
pub use lead::Lead;
pub use no_query::{NoQuery, no_query};
pub use pacing::{DualUpdate, Pacing, StepSize};
pub use panel::Panel;
pub use parser::{Form, Parser};
pub use radius::Radius;
pub use rationing::Rationing;
pub use record::{Answer, Outcome, Override, Record};
pub use response::{Reply, ReplySource, Response, ResponseLaw};
pub use seed::Seed;
pub use settings::Settings;
pub use value::{ValueBounds, ValueSamples, argmax};
