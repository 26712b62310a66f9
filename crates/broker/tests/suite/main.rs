//! The broker before a real service and a model behind a socket, a module per subject.

mod ask;
mod cascade;
mod door;
mod endpoints;
mod model;
mod question;
