//! Shadow mode: what the gate would have done on a log of advice that was paid for, before anything is switched on.
//!
//! A log is read from JSONL, CSV or Parquet, or from a run of this program ([`ShadowLog`]), and checked row by row. Then every
//! policy is followed over the logged evidence ([`follow`]), and four tiers are reported, each by itself:
//!
//! | tier | what it rests on |
//! |---|---|
//! | exact | the log: until the policy first does something else, what would have happened is what happened |
//! | bounds | the declared range of an episode's return, for the rest of an episode that was left |
//! | modelled | the user's own values: "if your values are right" |
//! | off-policy | a logged probability of asking: importance weights, with limits below which there is no number |
//!
//! Invariant: no number of one tier enters another, and what is not observed is counted, not guessed.

mod advise;
mod cascade;
mod draft;
mod error;
mod exact;
mod fault;
mod follow;
mod header;
mod level;
mod log;
mod modelled;
pub mod off_policy;
mod policy;
mod raw;
mod read;
mod route;
mod tables;

pub use error::Error;
pub use exact::{Exact, LeftFor, Prefix};
pub use fault::RowFault;
pub use follow::{Followed, Would, follow};
pub use header::LogHeader;
pub use level::LogLevel;
pub use log::{EpisodeRows, ShadowLog};
pub use modelled::Modelled;
pub use policy::{Policies, Policy, ShadowSettings, Shadowed, policies};
pub use read::{own, parse, read};
pub use route::{
    Advisor, AtPrices, Band, Basis, Labelled, Limit, Priced, RouteColumns, RouteReport, RouteRow, RouteSettings,
    RouteTable, Streamed, Weighed, policy_text, read_table, route_report, stream, weigh,
};
pub use tables::{ShadowReport, report};
