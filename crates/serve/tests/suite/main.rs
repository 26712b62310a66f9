//! The integration tests of the server, a module per subject.
