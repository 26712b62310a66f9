//! The tests of the crate, in one program.

mod bounds;
mod off_policy;
mod otlp;
mod parquet;
mod route;
mod rows;
mod tiers;
mod truth;

use std::path::Path;

use counsel_shadow::{Error, ShadowLog, parse};

/// A log of lines.
fn log_of(text: &str) -> ShadowLog {
    try_log_of("log.jsonl", text).unwrap()
}

fn try_log_of(name: &str, text: &str) -> Result<ShadowLog, Error> {
    parse(Path::new(name), text.to_owned())
}
