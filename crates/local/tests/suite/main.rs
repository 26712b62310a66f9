//! The tests of the crate, in one program.

mod answers;
mod logits;
#[cfg(feature = "long-tests")]
mod real_models;
mod refusals;
