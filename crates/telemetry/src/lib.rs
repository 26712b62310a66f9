//! What `counsel serve` and `counsel mcp` do, as OpenTelemetry sees it: a span for each decision, request and question to a model, and
//! metrics beside them.
//!
//! ```text
//! answer made ─► bounded queue ─► one thread ─┬─► POST /v1/traces    every few seconds
//!                (full: dropped, counted)     └─► POST /v1/metrics   every minute
//! ```
//!
//! | part | what it holds |
//! |---|---|
//! | [`TelemetrySpec`] | where to, as the standard environment variables say it |
//! | [`Telemetry`] | the onlooker of a server: takes up, hands over, and counts what was dropped |
//!
//! Invariants: nobody waits for it; its memory is bounded; texts of contexts and replies leave only where the policy keeps them; what it
//! writes of decisions is what `counsel shadow` reads.

mod decisions;
mod error;
mod histogram;
mod measured;
mod place;
mod post;
mod span;
mod spec;
mod telemetry;

pub use error::Error;
pub use spec::TelemetrySpec;
pub use telemetry::{Inquiry, Telemetry};
