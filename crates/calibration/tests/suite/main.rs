//! The tests of the crate, in one program.

mod coverage;
mod differential;
mod paired;
mod radius;
