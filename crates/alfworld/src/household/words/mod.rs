//! What a language model is told about a household, and which words it may answer.
//!
//! Two questions make an answer. The first tells the player's outlook in one line, and the answer is one of eight words, scored
//! and masked to what is possible. Where that word is `search`, the second asks of each kind of place that is left whether what
//! is sought is often found there, and the likeliest place for its effort is named: `search:drawer`. There are few lines and few
//! hundred pairs, so all prompts can be recorded. A [`Briefing`] asks both.

mod briefing;
mod moment;
mod narrator;
mod phrasing;
mod template;

pub use briefing::Briefing;
pub use narrator::Whereabouts;
pub use phrasing::{LinePhrasing, PairPhrasing};
pub use template::{LINE_TEMPLATES, Lines, PAIR_TEMPLATES, Pairs, WHEREABOUTS};
