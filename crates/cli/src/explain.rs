//! `counsel explain`: why one decision was made.

use std::io::Write;
use std::path::PathBuf;

use anyhow::{Result, bail};
use clap::Args;
use counsel_file::Printable;
use counsel_log::{Run, explain, explain_json};

use crate::cell;
use crate::inspect::spoken;
use crate::look::PlainFormat;

/// Say why one decision was made, in words and numbers.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  counsel explain runs --cell lock/controller/0 --step 12
  counsel explain runs --cell informative/response-conditioned/3 --step 0
  counsel explain runs --cell lock/controller/0 --step 12 --format json

As JSON, `columns` holds the row of the log: every column under its name, at full precision.")]
pub(crate) struct Explain {
    /// The folder that `counsel reproduce` wrote
    dir: PathBuf,
    /// The cell, as STUDY/ARM/SEED
    #[arg(long, value_name = "C")]
    cell: String,
    /// The decision's number in the cell, from 0
    #[arg(long, value_name = "T")]
    step: u64,
    /// text or json
    #[arg(long, value_name = "FORMAT", value_enum, hide_possible_values = true, default_value_t = PlainFormat::Text)]
    format: PlainFormat,
}

impl Explain {
    pub(crate) fn run(&self) -> Result<()> {
        let run = Run::at(&self.dir);
        let cell = cell::find(&run, &self.cell)?;
        let key = &cell.manifest.key;
        let decisions = cell.decisions()?;
        let Some(decision) = decisions.iter().find(|decision| decision.record.step == self.step) else {
            bail!("cell {key} has no step {}; its steps are 0 to {}", self.step, decisions.len().saturating_sub(1));
        };
        let manifest = spoken(&cell.manifest, &decisions, decision);
        let mut out = std::io::stdout().lock();
        match self.format {
            PlainFormat::Text => write!(out, "{}", Printable(explain(&manifest, decision)))?,
            PlainFormat::Json => write!(out, "{}", explain_json(&manifest, decision))?,
        }
        Ok(())
    }
}
