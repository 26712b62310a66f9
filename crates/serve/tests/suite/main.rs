//! The integration tests of the server, a module per subject.

mod contract;
mod durability;
mod form;
mod hostile;
mod interleavings;
mod log;
mod modes;
mod schema;
mod socket;
mod tree;
