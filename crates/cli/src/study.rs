//! `counsel study`: studies of one's own, from a file.

mod check;
mod new;

use anyhow::Result;
use clap::{Args, Subcommand};

/// Studies of one's own: a file to begin with, and a check of it.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  counsel study new lock > my-study.toml
  counsel study check my-study.toml
  counsel reproduce my-study.toml")]
pub(crate) struct Study {
    #[command(subcommand)]
    kind: Kind,
}

#[derive(Debug, Subcommand)]
enum Kind {
    /// Print a study file to begin with, made from a study that comes with the program
    New(new::New),
    /// Check a study file as `reproduce` would, and say what it would run; nothing is run
    Check(check::Check),
}

impl Study {
    pub(crate) fn run(&self) -> Result<()> {
        match &self.kind {
            Kind::New(new) => new.run(),
            Kind::Check(check) => check.run(),
        }
    }
}
