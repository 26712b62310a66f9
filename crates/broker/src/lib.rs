//! Takes a question through the decision service: decides, asks the advisor where that is worth its price, and says whether the advice may
//! act.
//!
//! | part | what it holds |
//! |---|---|
//! | [`Sidecar`] | the decision service, in this process or behind a URL ([`RemoteSidecar`]) |
//! | [`Question`] | what an executor asks, and what its options are to the policy |
//! | [`Consultation`] | one question from the decision to what the executor may do |

mod consultation;
mod error;
mod question;
mod remote;
mod sidecar;

pub use consultation::{Begun, Consultation, Heard, Paid, Seat};
pub use error::{Denial, Error};
pub use question::{ADVICE, OWN, Question};
pub use remote::RemoteSidecar;
pub use sidecar::{Call, Replied, Sidecar, Verb};
