//! The protocol against a sidecar whose answers are scripted, a module per subject. The real sidecar stands behind the same server in the
//! tests of the command line, and the official client in `fixtures/mcp/check.py`.

#![expect(clippy::needless_pass_by_value, reason = "values are written where they are handed over")]

mod handshake;
mod lines;
mod modern;
mod post;
mod scripted;
mod tools;
