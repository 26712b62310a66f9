//! The tests of the crate, in one program.

mod bankroll;
mod belief;
mod cache;
mod gates;
mod parser;
mod positive_value;
mod properties;
mod refusals;
mod slow;
