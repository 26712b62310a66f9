//! The tests of the crate, in one program.

mod answers;
mod budget;
mod bytes;
mod dialect;
mod faults;
mod ledger;
mod meaning;
mod money;
mod secret;
mod server;
