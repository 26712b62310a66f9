//! `counsel tables`: the tables of a run, from its logs alone.

use std::path::PathBuf;

use anyhow::Result;
use clap::Args;
use counsel_log::Run;
use counsel_report::{Judging, Traces, View, study_family, study_tables, study_tidy};

use crate::look::TableOptions;
use crate::{progress, say};

/// Build the tables of a run from its logs alone.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  counsel tables runs
  counsel tables runs --study lock --format markdown
  counsel tables runs --study babyai-deploy --columns arm,return,calls
  counsel tables runs --runs --wide
  counsel tables runs --study lock --format csv > lock.csv
  counsel tables runs --tidy > all.csv
  counsel tables runs --family \"do no harm\"

Text has as many columns as fit, the most telling ones, and says how many are left out.
--tidy has the columns study, arm, seed, measure and value. The seed `summary` has the mean of a
measure over the seeds and, as `MEASURE ci95`, the half width of its 95 % interval.")]
pub(crate) struct Tables {
    /// The folder that `counsel reproduce` wrote
    dir: PathBuf,
    /// Only this study; may be given several times [default: all]
    #[arg(long = "study", value_name = "ID")]
    studies: Vec<String>,
    #[command(flatten)]
    look: TableOptions,
    /// Show the runs behind every row
    #[arg(long)]
    runs: bool,
    /// Judge the finding even if the study was changed
    #[arg(long)]
    judge: bool,
    /// One CSV for all studies, with a line for each seed and measure
    #[arg(long, conflicts_with_all = ["format", "columns", "wide", "runs", "judge"])]
    tidy: bool,
    /// One table of this family in all studies that declare it: its differences, and whether they are within its margin
    #[arg(long, value_name = "NAME", conflicts_with_all = ["runs", "judge", "tidy"])]
    family: Option<String>,
}

impl Tables {
    pub(crate) fn run(&self) -> Result<()> {
        let studies = (!self.studies.is_empty()).then_some(self.studies.as_slice());
        let run = Run::at(&self.dir);
        if self.tidy {
            let bar = progress::reading(&run, studies)?;
            let tidy = study_tidy(&run, studies, &|_| bar.inc(1));
            bar.finish_and_clear();
            say::show(&tidy?)?;
            return Ok(());
        }
        if let Some(family) = &self.family {
            let bar = progress::reading(&run, studies)?;
            let table = study_family(&run, studies, family, &|_| bar.inc(1));
            bar.finish_and_clear();
            say::show(&self.look.view(Traces::Hidden).render(&[table?])?)?;
            return Ok(());
        }
        let traces = if self.runs { Traces::Shown } else { Traces::Hidden };
        let judging = if self.judge { Judging::Anyway } else { Judging::AsItStands };
        show(&run, studies, &self.look.view(traces), judging)
    }
}

/// Builds the tables of these studies, or of all, and prints them.
pub(crate) fn show(run: &Run, studies: Option<&[String]>, view: &View, judging: Judging) -> Result<()> {
    let bar = progress::reading(run, studies)?;
    let tables = study_tables(run, studies, judging, &|_| bar.inc(1));
    bar.finish_and_clear();
    say::show(&view.render(&tables?)?)?;
    Ok(())
}
