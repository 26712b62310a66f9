//! The integration tests of the server, a module per subject.

mod clients;
mod contract;
mod durability;
mod form;
mod hostile;
mod interleavings;
mod log;
mod modes;
mod replicas;
mod schema;
mod socket;
mod tree;
