//! The tests of the crate, in one program.

mod advisor;
mod altered;
mod audit;
mod audited;
mod babyai;
mod cascade;
mod changed;
#[path = "../../../postgres/tests/suite/cluster.rs"]
mod cluster;
mod decisions;
mod determinism;
mod endpoint;
mod errors;
mod explain;
mod export;
mod figures;
mod findings;
mod forked;
mod help;
mod hostile_text;
mod interrupt;
mod list;
mod live;
mod mcp;
mod mixing;
mod odd_files;
mod paper;
mod pipes;
mod quickstart;
mod refused;
mod relay;
mod report;
mod resume;
mod serve;
mod served;
#[path = "../../../endpoint/tests/suite/server.rs"]
mod server;
mod shadow;
mod shards;
mod spending;
mod stored;
mod stray;
mod study;
#[path = "../support/mod.rs"]
mod support;
mod telemetry;
mod terminal;
mod tour;
mod world;
