//! The integration tests of the shared journal on a real PostgreSQL, a module per subject.

mod cluster;
mod layout;
mod reached;
mod servers;
