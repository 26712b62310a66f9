//! What may stand before the service: it answers some requests itself, such as those that need an advisor to be asked.
//!
//! It is asked only after the guard let a request through and its body was read whole. It runs on a thread of its own and may wait.

use std::sync::Arc;

use crate::{Onlooker, Request, Response};

/// An answer, and headers of its own.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Fronted {
    /// The answer.
    pub response: Response,
    /// More headers; names are in small letters.
    pub headers: Vec<(&'static str, String)>,
}

/// Answers some requests in the place of the service.
pub trait Front: Send + Sync {
    /// Whether this request is one of them.
    fn answers(&self, request: &Request) -> bool;

    /// The answer to it.
    fn answer(&self, request: &Request) -> Fronted;

    /// Who looks on.
    fn onlooker(&self) -> Option<&Arc<dyn Onlooker>> {
        None
    }
}
