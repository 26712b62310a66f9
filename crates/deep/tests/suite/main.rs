//! The tests of the crate, in one program.

mod checkpoint;
mod learning;
mod spec;
mod values;
