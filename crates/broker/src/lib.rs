//! Takes a question through the decision service: decides, asks the advisor where that is worth its price, and says whether the advice may
//! act.
//!
//! | part | what it holds |
//! |---|---|
//! | [`Sidecar`] | the decision service, in this process ([`LocalSidecar`]) or behind a URL ([`RemoteSidecar`]) |
//! | [`Question`] | what an executor asks, and what its options are to the policy |
//! | [`Consultation`] | one question from the decision to what the executor may do |
//! | [`Broker`] | `POST /v1/ask` and `POST /v1/chat/completions`, for policies whose endpoints were declared when the server was started |
//!
//! Endpoints are declared by whoever starts the server, never over HTTP: a policy that anybody may send must not say where a key goes.
//! Texts of questions and answers are kept in memory at most.

mod ask;
mod broker;
mod cascade;
mod consultation;
mod door;
mod endpoints;
mod error;
mod local;
mod memory;
mod openapi;
mod prompt;
mod question;
mod remote;
mod sidecar;
mod watched;

pub use broker::Broker;
pub use cascade::QuestionSpec;
pub use consultation::{Consultation, Heard, Paid, Seat, Step};
pub use endpoints::{EndpointSpec, Endpoints, PolicyFile};
pub use error::{Denial, Error};
pub use local::LocalSidecar;
pub use question::{ADVICE, OWN, Question};
pub use remote::RemoteSidecar;
pub use sidecar::{Call, Replied, Sidecar, Verb};
pub use watched::{Caller, Watched};
