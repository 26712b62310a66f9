//! The tests of the crate, in one program.

mod predictor;
mod simulated;
mod words;
