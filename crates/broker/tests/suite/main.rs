//! The broker before a real service and a model behind a socket, a module per subject.

mod ask;
mod cascade;
mod door;
mod endpoints;
#[path = "../../../serve/tests/suite/form.rs"]
mod form;
mod model;
mod openapi;
mod question;
