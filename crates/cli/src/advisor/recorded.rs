//! Which transcripts a verb reads.

use std::path::PathBuf;

use clap::Args;
use counsel_transcript::Shelf;

/// Which transcripts to read.
#[derive(Debug, Args)]
pub(crate) struct Recorded {
    /// The folder of transcripts [default: those that come with the program]
    #[arg(long, value_name = "FOLDER")]
    transcripts: Option<PathBuf>,
}

impl Recorded {
    /// The transcripts.
    pub(crate) fn open(&self) -> Shelf {
        self.transcripts.as_ref().map_or_else(Shelf::embedded, Shelf::at)
    }
}
