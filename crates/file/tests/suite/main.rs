//! The tests of the crate, in one program.

mod links;
mod odd;
