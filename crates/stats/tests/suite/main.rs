//! The tests of the crate, in one program.

mod bootstrap;
mod differential;
