//! `counsel serve`: the gate beside any agent, in any language.
//!
//! ```text
//! request ─► Core ─┬─► answer, once its line is kept
//!                  └─► line of the journal ─► group commit ─► the log follows
//! ```
//!
//! | part | what it is |
//! |---|---|
//! | [`Core`] | policies, decisions, permits, episodes and the tree of budgets as a fold of the journal. No clock, file or socket |
//! | [`Service`] | the core with its journal on the disk and the log that follows it: [`Service::answer`] takes a [`Request`] and gives a [`Response`] |
//! | [`Replica`] | one of several cores that share a journal: a [`SharedJournal`], such as a database, keeps its lines in one order |
//! | [`serve`] | HTTP over a service, on a loopback address, a Unix socket, or with a token |
//!
//! ```
//! use counsel_serve::{Core, Request};
//!
//! let (mut core, _heading) = Core::begin();
//! let policy = "price = 0.01\nactions = [\"left\", \"right\"]\n[budget]\ncalls = 100\n";
//! assert_eq!(core.handle(0, &Request::new("PUT", "/v1/policies/p", policy)).response.status, 201);
//! let body = r#"{"policy": "p", "context": {"key": "room 3"}, "fallback": {"action": "left"}}"#;
//! let decision = core.handle(0, &Request::new("POST", "/v1/decisions", body).keyed("k")).response;
//! assert_eq!(decision.status, 201);
//! ```

mod amount;
mod batching;
mod body;
mod budget;
mod committing;
mod core;
mod deciding;
mod decision;
mod declaring;
mod deployment;
mod error;
mod event;
mod following;
mod front;
mod guard;
mod journal;
mod message;
mod moving;
mod onlooker;
mod openapi;
mod outcomes;
mod policy;
mod problem;
mod replica;
mod reports;
mod resuming;
mod route;
mod server;
mod service;
mod shared;
mod state;
mod time;

pub use amount::{Amount, Limits, Usd};
pub use budget::BudgetSpec;
pub use core::{Core, Handled, Kept};
pub use error::Error;
pub use front::{Front, Fronted};
pub use guard::{Credentials, Guard};
pub use message::{Request, Response};
pub use onlooker::{Onlooker, Origin, SeenModel, SeenRequest, Stopwatch, TraceContext};
pub use openapi::{Described, Keyed, extended, object};
pub use policy::{Mode, PolicyAdvisor, PolicySpec, Retain};
pub use problem::{Kind, Problem};
pub use replica::Replica;
pub use server::{Listener, serve, serve_behind};
pub use service::{Pending, Service, Surroundings};
pub use shared::{Page, SharedJournal};
