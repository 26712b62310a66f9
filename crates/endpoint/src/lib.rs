//! Language models behind an OpenAI-compatible endpoint (`/v1/chat/completions`).
//!
//! [`Endpoint`] is a [`counsel_advisor::LanguageModel`]. Whatever the other side does (slow, cut, refusing, malformed,
//! endless), a request ends within its deadline, in an utterance or in an outage with one line of reason; an outage is data,
//! and the run goes on.
//!
//! - **Budget.** Every attempt, retries included, is reserved in the [`Ledger`] before a byte of it is sent, and settled
//!   after. A ledger may be shared by processes and outlives them; no crash gives a call back.
//! - **Money.** With a [`Price`] every reservation holds what the attempt can cost at worst, and is settled to what the
//!   endpoint counts; [`Ledger::with_money`] limits the sum.
//! - **Secrets.** A [`Key`] prints as `***`, and goes over plain http to this machine only. Text that comes from the other side is quoted only if nothing of the key is in
//!   it. Redirects are not followed, and no proxy of the environment is used.
//! - **Scores.** Word probabilities are read off the log-probabilities of the first token, and only where every word is one
//!   of the listed tokens; otherwise there is an outage, never a made-up number. See [`LogProbabilities`].

mod cancel;
mod chat;
mod check;
mod endpoint;
mod error;
mod exchange;
mod key;
mod line;
mod pause;
mod prices;
mod resolver;
mod score;
mod settings;

pub use cancel::Cancel;
pub use check::{Check, Probe};
pub use counsel_ledger::{Balance, Charge, Ending, Ledger, Money, Note, Reservation, Settlement, Shortfall};
pub use endpoint::Endpoint;
pub use error::Error;
pub use key::Key;
pub use prices::{Price, Prices, Tokens};
pub use settings::{KeyInClear, LogProbabilities, OtherModel, Settings};
