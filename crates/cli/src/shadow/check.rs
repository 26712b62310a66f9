//! `counsel shadow check`: whether a log can be read, and how much it can tell.

use std::io::Write;
use std::path::PathBuf;

use anyhow::Result;
use clap::Args;
use counsel_file::Printable;
use counsel_shadow::{ShadowSettings, report};

use super::opened;

/// Check a log row by row, and say what its columns support.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  counsel shadow check calls.jsonl
  counsel shadow check calls.csv && counsel shadow calls.csv

Every bad row is named with its line, the value and what to write instead; the exit status is then not zero.")]
pub(crate) struct Check {
    /// The log: JSONL, CSV or Parquet
    log: PathBuf,
}

impl Check {
    pub(super) fn run(&self) -> Result<()> {
        let log = opened(&self.log)?;
        let told = report(&log, &ShadowSettings::default())?;
        let mut out = std::io::stdout().lock();
        let (episodes, decisions) = (log.episodes.len(), log.rows() - log.unfinished);
        writeln!(out, "{}: {episodes} episodes, {decisions} decisions, no bad row", self.log.display())?;
        writeln!(out, "{}", log.level())?;
        let tier4 = if log.has_probabilities() { "has" } else { "has no" };
        writeln!(out, "it {tier4} p_ask, which tier 4 needs")?;
        if log.unfinished > 0 {
            writeln!(out, "{} rows at the end belong to an episode without an end and are left out", log.unfinished)?;
        }
        if !log.unread.is_empty() {
            writeln!(out, "columns that are not read: {}", Printable(log.unread.join(", ")))?;
        }
        for words in &told.next {
            writeln!(out, "to learn more: {words}")?;
        }
        Ok(())
    }
}
