//! The tests of the crate, in one program.

mod differential;
mod figures;
mod formats;
mod module;
mod paired;
mod refusals;
mod view;
