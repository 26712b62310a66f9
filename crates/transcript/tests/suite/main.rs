//! The tests of the crate, in one program.

mod fixture;
mod journal;
mod modes;
mod packed;
mod processes;
mod recorded;
