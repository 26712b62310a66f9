//! `counsel study check`: all that `reproduce` would refuse, before anything runs, and what it would run.

use std::io::Write;
use std::path::{Path, PathBuf};

use anyhow::{Result, bail};
use clap::Args;
use counsel_experiment::{Catalogue, Library, Plan, Study};
use counsel_log::study::ColumnSpec;

use crate::advisor::Recorded;
use crate::coverage;

/// Check a study file as `reproduce` would, and say what it would run; nothing is run.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  counsel study check my-study.toml
  counsel study check my-study.toml --transcripts my-transcripts

Checked are names, unknown keys, the settings of every arm, table, families, findings and figures, and that the answers of
every language model are recorded. The exit status is 1 if the study cannot be run.")]
pub(crate) struct Check {
    /// The study file
    file: PathBuf,
    #[command(flatten)]
    recorded: Recorded,
}

impl Check {
    pub(crate) fn run(&self) -> Result<()> {
        let name = self.file.to_string_lossy().into_owned();
        if Path::new(&name).extension().is_none_or(|extension| extension != "toml") {
            bail!("`{name}` does not end in .toml, by which `counsel reproduce` knows a study file; rename it");
        }
        let (catalogue, ids) = Catalogue::embedded()?.with_files(std::slice::from_ref(&name))?;
        let library = Library::recorded(self.recorded.open());
        for study in catalogue.select(&ids)? {
            let plan = Plan::new(&study, None, &[])?;
            plan.advisors().iter().try_for_each(|advisor| library.require(advisor))?;
            coverage::require(&self.recorded.open(), plan.cells().iter())?;
            tell(&name, &study, &plan)?;
        }
        Ok(())
    }
}

/// Says in a few lines what would be run.
fn tell(file: &str, study: &Study, plan: &Plan) -> Result<()> {
    let account = study.account();
    let columns: Vec<String> = account.table.columns.iter().map(ColumnSpec::heading).collect();
    let advisors: Vec<String> = plan.advisors().iter().map(ToString::to_string).collect();
    let (arms, cells, last) = (study.arms.len(), plan.cells().len(), study.seeds.saturating_sub(1));
    let mut out = std::io::stdout().lock();
    writeln!(out, "{file} can be run: study `{}`", study.id)?;
    writeln!(out, "  {arms} arms on seeds 0..{last}: {cells} cells")?;
    for block in study.blocks.iter().map(|block| &block.name) {
        let inside = study.arms.iter().filter_map(|arm| arm.name.strip_prefix(block.as_str())?.strip_prefix('.'));
        writeln!(out, "  arms of {block}: {}", inside.collect::<Vec<_>>().join(", "))?;
    }
    if study.blocks.is_empty() {
        let names: Vec<&str> = study.arms.iter().map(|arm| arm.name.as_str()).collect();
        writeln!(out, "  arms: {}", names.join(", "))?;
    }
    let heard = if advisors.is_empty() { "no recorded one is needed".to_owned() } else { advisors.join(", ") };
    writeln!(out, "  advisors: {heard}")?;
    let said = if study.table.is_some() { "" } else { " (the usual ones, as it declares none)" };
    writeln!(out, "  columns of its table{said}: {}", columns.join(", "))?;
    writeln!(
        out,
        "  {} findings are tested, {} kinds of figures drawn",
        account.findings.len(),
        account.figures.len()
    )?;
    writeln!(out, "run it with: counsel reproduce {file}")?;
    Ok(())
}
