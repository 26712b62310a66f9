//! `counsel list`: what can be run, what that takes and what of it was run, or what a folder holds.

mod earlier;
mod held;
mod offer;

use std::io::Write;
use std::path::{Path, PathBuf};

use anyhow::Result;
use clap::Args;
use counsel_experiment::{Catalogue, Study};
use counsel_log::Run;
use serde_json::{Value, json};

use crate::look::{self, PlainFormat};
use earlier::Earlier;
use held::Held;
use offer::Offer;

/// Show the studies with what each takes and what of it was run already, or what a folder of runs holds.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  counsel list
  counsel list tabular
  counsel list 'Table 13'           the study behind a table of the paper
  counsel list --out my-runs        what was run, in another folder than `runs`
  counsel list runs                 the studies in a folder, what was changed in them, and how complete they are
  counsel list --format json")]
pub(crate) struct List {
    /// Only the studies of this name, group or table of the paper, or those that this folder holds
    #[arg(value_name = "ID|GROUP|DIR")]
    place: Option<String>,
    /// Where to look for what was run already, there and one folder deeper [default: runs]
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// text or json
    #[arg(long, value_name = "FORMAT", value_enum, hide_possible_values = true, default_value_t = PlainFormat::Text)]
    format: PlainFormat,
}

/// Where `counsel reproduce` writes unless told otherwise.
const RUNS: &str = "runs";

/// Below the studies.
const LEGEND: &str = "Times are for all seeds on two cores; calls are those to language models that the arms pay for in units of return. Recorded \
                      answers cost no money. With --live a model of yours is asked each different question once, within a budget that you set.";

impl List {
    pub(crate) fn run(&self) -> Result<()> {
        let catalogue = Catalogue::embedded()?;
        let width = catalogue.ids().map(str::len).max().unwrap_or(0);
        let Some(place) = &self.place else { return self.studies(&catalogue.studies()?, width) };
        match catalogue.select(std::slice::from_ref(place)) {
            Err(_) if Path::new(place).is_dir() => self.folder(&Run::at(place)),
            Err(error) => Err(error.into()),
            Ok(studies) => self.studies(&studies, width),
        }
    }

    /// These studies, their ids in a column of this width.
    fn studies(&self, studies: &[Study], width: usize) -> Result<()> {
        let earlier = match &self.out {
            Some(root) => Earlier::within(root)?,
            None => Earlier::below(Path::new(RUNS)),
        };
        let offers: Vec<Offer<'_>> = studies.iter().map(|study| Offer::new(study, &earlier)).collect();
        let mut out = std::io::stdout().lock();
        if self.format == PlainFormat::Json {
            return document(&mut out, offers.iter().map(Offer::json));
        }
        let mut group = "";
        for (study, offer) in studies.iter().zip(&offers) {
            if study.group != group {
                group = &study.group;
                writeln!(out, "{group}")?;
            }
            write!(out, "{}", offer.text(width))?;
        }
        out.flush()?;
        eprintln!("\n{}", look::lines(LEGEND));
        Ok(())
    }

    /// The studies that a folder holds.
    fn folder(&self, run: &Run) -> Result<()> {
        let held = Held::all(run)?;
        let mut out = std::io::stdout().lock();
        if self.format == PlainFormat::Json {
            return document(&mut out, held.iter().map(Held::json));
        }
        held.iter().try_for_each(|held| Ok(write!(out, "{}", held.text())?))
    }
}

fn document(out: &mut impl Write, studies: impl Iterator<Item = Value>) -> Result<()> {
    Ok(writeln!(out, "{:#}", json!({ "studies": studies.collect::<Vec<_>>() }))?)
}
