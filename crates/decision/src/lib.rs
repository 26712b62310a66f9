//! The paper's nouns and its Algorithm 1: when to buy advice, and whether an answer may act.
//!
//! The crate does no input or output, has no clock, no threads and no entropy of its own. Start at [`Engine`]:
//! [`Engine::decide`] looks at the [`Evidence`] gathered before any answer exists and either acts or hands out a
//! [`Question`]; [`Engine::resume`] takes the reply and acts. Each decision is one [`Record`], from which the same
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
mod conformance;
mod controller;
mod engine;
mod environment;
mod error;
mod estimate;
mod evidence;
mod forecast;
pub mod gate;
mod no_query;
mod parser;
mod price;
mod printable;
mod radius;
mod record;
pub mod refusal;
mod response;
mod seed;
mod shown;
mod sight;
mod value;

pub use action::Action;
pub use advice::{AdviceModel, CandidateOnly, FallbackAfter, Informative};
pub use bankroll::{Bankroll, BankrollSpec};
pub use belief::{Belief, Likelihood, Posterior};
pub use branch::Branch;
pub use budget::{Budget, BudgetSpec, Permit, Reserve, TokenBucket};
pub use cache::{Cache, CacheEntry, CacheSpec, CacheStatus, Confidence, Invalidation};
pub use certificate::{ExecutionRule, Verdict};
pub use conformance::{Promise, check_environment};
pub use controller::Controller;
pub use engine::{Acted, Engine, PaidResponse, Preview, Question, Turn};
pub use environment::{End, Environment, Transition};
pub use error::Error;
pub use estimate::{Prospect, Valuation, estimate, prospects};
pub use evidence::{ContextKey, Evidence, Monitored};
pub use forecast::Forecast;
pub use gate::{Gate, GateSpec, Input, Signals};
pub use no_query::{NoQuery, no_query};
pub use parser::{Form, Parser};
pub use price::{DualUpdate, Price, PriceSpec, StepSize};
pub use printable::Printable;
pub use radius::Radius;
pub use record::{Answer, Outcome, Record};
pub use response::{Reply, ReplySource, Response, ResponseLaw};
pub use seed::Seed;
pub use shown::{Control, Effect, Levels, Listed, Shown, Spoken};
pub use sight::{Hue, Sight, Tile};
pub use value::{ValueBounds, ValueSamples, argmax};

/// Keeps the program in the README true.
#[cfg(doctest)]
#[doc = include_str!("../../../README.md")]
struct Readme;
