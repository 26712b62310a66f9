//! What language models answered: recorded once, replayed to the byte.
//!
//! A [`RecordedAdvisor`] is a model that answers the prompts of one template. Its [`Answers`] are known by their key, the digest
//! of the advisor, the decoding and the prompt. They live in two forms:
//!
//! - a [`Journal`] grows while a model answers: one checked line of JSON per answer, appended by any number of processes;
//! - a packed file is what a repository keeps: sealed, compressed, sorted, the same bytes for the same answers.
//!
//! A [`Transcript`] is a language model over either: it replays or records, and says of every answer
//! which of them it was. Whoever replays needs no model: the identity comes from the file.

mod advisor;
mod answers;
mod asked;
mod body;
mod claim;
mod comparison;
mod date;
mod error;
mod escape;
mod journal;
mod journals;
mod line;
mod missing;
mod pack;
mod reading;
mod recording;
mod shelf;
mod transcript;

pub use advisor::{RecordedAdvisor, RecordedTemplate};
pub use answers::{Answers, Conflict, RecordedAnswer};
pub use asked::{Prompts, RecordedPrompt};
pub use comparison::{Comparison, Difference, compare};
pub use date::Date;
pub use error::Error;
pub use journal::Journal;
pub use journals::journals;
pub use missing::Missing;
pub use reading::Damage;
pub use shelf::{Embedded, Shelf, journal_name, packed_name};
pub use transcript::{AnsweredBy, AttributedAnswer, Transcript};
