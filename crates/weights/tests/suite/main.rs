//! The tests of the crate, in one program.

mod fixture;
mod hub;
mod locate;
mod wheels;
