//! `counsel world list`: the registered levels.

use std::io::Write;

use anyhow::Result;
use clap::Args;

use super::registry;

/// Show the registered levels.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  counsel world list
  counsel world list | grep Unlock")]
pub(crate) struct List {}

impl List {
    #[expect(clippy::unused_self, reason = "every verb runs the same way")]
    pub(crate) fn run(&self) -> Result<()> {
        let mut out = std::io::stdout().lock();
        let levels = registry::levels();
        let width = levels.iter().map(|level| level.id.len()).max().unwrap_or(0);
        for level in levels {
            writeln!(out, "{:<width$}  {}", level.id, level.about)?;
        }
        Ok(())
    }
}
