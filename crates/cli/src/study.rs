//! `counsel study`: studies of one's own, from a file.

mod check;
mod new;
mod table;

use anyhow::Result;
use clap::Args;

/// Your own studies: a file to start from, a check of it, and tables that you fetch.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  counsel study new lock > my-study.toml
  counsel study check my-study.toml
  counsel reproduce my-study.toml")]
pub(crate) struct Study {
    #[command(subcommand)]
    verb: StudyVerb,
}

verbs! {
    StudyVerb:
    /// Print a study file to start from, made from a built-in study
    New(new::New),
    /// Check a study file as `reproduce` would, and say what it would run; nothing is run
    Check(check::Check),
    /// Make the table of a study from data that you fetch yourself because of their licence
    Table(table::Table),
}

impl Study {
    pub(crate) fn run(&self) -> Result<()> {
        self.verb.run()
    }
}
