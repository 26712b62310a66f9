//! `counsel list`: the studies, one line each.

use std::io::Write;

use anyhow::Result;
use clap::Args;
use counsel_experiment::Catalogue;

/// Show the studies, one line each.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  counsel list
  counsel list | grep lock")]
pub(crate) struct List {}

impl List {
    pub(crate) fn run(&self) -> Result<()> {
        let catalogue = Catalogue::embedded()?;
        let mut out = std::io::stdout().lock();
        let width = catalogue.studies().iter().map(|study| study.id.len()).max().unwrap_or(0);
        let mut group = "";
        for study in catalogue.studies() {
            if study.group != group {
                group = &study.group;
                writeln!(out, "{group}")?;
            }
            let (arms, seeds) = (study.arms.len(), study.seeds);
            writeln!(out, "  {:<width$}  {} ({arms} arms, {seeds} seeds; {})", study.id, study.title, study.paper_label)?;
        }
        Ok(())
    }
}
