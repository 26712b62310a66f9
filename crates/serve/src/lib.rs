//! `counsel serve`: the gate beside any agent, in any language.

mod message;
mod problem;
mod service;

pub use message::{Request, Response};
pub use problem::{Kind, Problem};
pub use service::Service;
