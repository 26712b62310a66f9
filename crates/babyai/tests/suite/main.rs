//! The tests of the crate, in one program.

mod checksum;
mod conformance;
mod exact;
mod golden;
mod optimal;
mod random;
mod words;
mod world;
