//! The recorded answers that come with the program: `transcripts/` of the repository.
//!
//! Whoever replays needs neither the repository nor a model.

use counsel_transcript::{Embedded, Shelf};

const TRANSCRIPTS: &[Embedded] = include!(concat!(env!("OUT_DIR"), "/transcripts.rs"));

/// All of them.
pub fn shelf() -> Shelf {
    Shelf::of_program(TRANSCRIPTS)
}
