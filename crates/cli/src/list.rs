//! `counsel list`: the studies, one line each.

use std::io::Write;

use anyhow::Result;
use clap::Args;
use counsel_experiment::{Catalogue, Study};

/// Show the studies, one line each.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  counsel list
  counsel list tabular")]
pub(crate) struct List {
    /// Only the studies of this group
    #[arg(value_name = "GROUP")]
    group: Option<String>,
}

impl List {
    pub(crate) fn run(&self) -> Result<()> {
        let catalogue = Catalogue::embedded()?;
        if let Some(group) = &self.group {
            catalogue.select(std::slice::from_ref(group))?;
        }
        let mut out = std::io::stdout().lock();
        let width = catalogue.studies().iter().map(|study| study.id.len()).max().unwrap_or(0);
        let mut group = "";
        let wanted = |study: &&Study| self.group.as_ref().is_none_or(|group| study.group == *group);
        for study in catalogue.studies().iter().filter(wanted) {
            if study.group != group {
                group = &study.group;
                writeln!(out, "{group}")?;
            }
            let (arms, seeds) = (study.arms.len(), study.seeds);
            writeln!(
                out,
                "  {:<width$}  {} ({arms} arms, {seeds} seeds; {})",
                study.id, study.title, study.paper_label
            )?;
        }
        Ok(())
    }
}
