//! The tests of the crate, in one program.

mod additions;
mod dependencies;
mod documents;
mod programs;
