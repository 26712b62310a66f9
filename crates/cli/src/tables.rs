//! `counsel tables`: the tables of a run, from its logs alone.

use std::io::Write;
use std::path::PathBuf;

use anyhow::Result;
use clap::Args;
use counsel_log::Run;
use counsel_report::{Format, Traces, render_traced, study_tables};

use crate::progress;

pub(crate) const FORMAT_HELP: &str = "text, markdown, latex or csv";

/// Build the tables of a run from its logs alone.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  counsel tables runs
  counsel tables runs --study lock --format markdown
  counsel tables runs --runs
  counsel tables runs --study lock --format csv > lock.csv")]
pub(crate) struct Tables {
    /// The folder that `counsel reproduce` wrote
    dir: PathBuf,
    /// Only this study; may be given several times [default: all]
    #[arg(long = "study", value_name = "ID")]
    studies: Vec<String>,
    /// How the tables are shown
    #[arg(long, value_name = "FORMAT", default_value_t = Format::Text, help = FORMAT_HELP)]
    format: Format,
    /// Show the runs behind every row
    #[arg(long)]
    runs: bool,
}

impl Tables {
    pub(crate) fn run(&self) -> Result<()> {
        let studies = (!self.studies.is_empty()).then_some(self.studies.as_slice());
        let traces = if self.runs { Traces::Shown } else { Traces::Hidden };
        show(&Run::at(&self.dir), studies, self.format, traces)
    }
}

/// Builds the tables of these studies, or of all, and prints them.
pub(crate) fn show(run: &Run, studies: Option<&[String]>, format: Format, traces: Traces) -> Result<()> {
    let bar = progress::reading(run, studies)?;
    let tables = study_tables(run, studies, &|_| bar.inc(1));
    bar.finish_and_clear();
    let tables = tables?;
    let mut out = std::io::stdout().lock();
    write!(out, "{}", render_traced(&tables, format, traces))?;
    Ok(())
}
