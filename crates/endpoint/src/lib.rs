//! Language models behind an OpenAI-compatible endpoint (`/v1/chat/completions`).
//!
//! [`Endpoint`] is a [`counsel_advisor::LanguageModel`]. Whatever the other side does (slow, cut, refusing, malformed,
//! endless), a request ends within its deadline, in an utterance or in an outage with one line of reason; an outage is data,
//! and the run goes on.
//!
//! - **Budget.** Every attempt, retries included, is reserved in the [`Ledger`] before a byte of it is sent, and settled
//!   after. A ledger may be shared by processes and outlives them; no crash gives a call back.
//! - **Money.** With a [`TokenPrice`] every reservation holds what the attempt can cost at worst, and is settled to what the
//!   endpoint counts; [`Ledger::with_money`] limits the sum.
//! - **Secrets.** A [`Key`] prints as `***`, and goes over plain http to this machine only. Text that comes from the other side is quoted only if nothing of the key is in
//!   it. Redirects are not followed, and a proxy is used only where [`Proxies`] names one.
//! - **Dialect.** Where endpoints differ ([`Dialect`]) it is declared, or learned from the refusal that asks for it. No model reads
//!   that it is another one.
//! - **Breaker.** After a declared number of questions in a row without an answer nothing more is sent.
//! - **Scores.** Word probabilities are read off the log-probabilities of the first token, and only where every word is one
//!   of the listed tokens; otherwise there is an outage, never a made-up number. See [`LogProbabilities`].

mod breaker;
mod cancel;
mod chat;
mod check;
mod connection;
mod dialect;
mod endpoint;
mod error;
mod exchange;
mod key;
mod pause;
mod prices;
mod proxy;
mod resolver;
mod score;
mod settings;

pub use cancel::Cancel;
pub use check::{Check, Probe};
pub use counsel_ledger::{Balance, Charge, Ending, Ledger, Money, Note, Reservation, Settlement, Shortfall};
pub use dialect::{Dialect, Parameter, TokenLimit};
pub use endpoint::Endpoint;
pub use error::Error;
pub use key::Key;
pub use prices::{Prices, TokenPrice, Tokens};
pub use proxy::Proxies;
pub use settings::{EndpointSettings, KeyInClear, LogProbabilities, OtherModel};
