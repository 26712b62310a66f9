//! `counsel tables`: the tables of a run, from its logs alone.

use std::path::PathBuf;

use anyhow::Result;
use clap::Args;
use counsel_log::Run;
use counsel_log::study::Measure;
use counsel_report::{
    Judging, Pooling, Table, Traces, View, paper_table, study_family, study_pooled, study_tables, study_tidy,
};

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
  counsel tables runs --pool beta-conf --minus never --with runs/fresh
  counsel tables runs --paper

Text has as many columns as fit, the most telling ones, and says how many are left out.
--pool takes one difference in every study that has both arms: block by block, and over the blocks that
all studies share, with random effects and the heterogeneity between studies.
--tidy has the columns study, arm, seed, measure and value. The seed `summary` has the mean of a
measure over the seeds and, as `MEASURE ci95`, the half width of its 95 % interval.")]
#[expect(clippy::struct_excessive_bools, reason = "each is a flag of the command line")]
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
    /// Pool one paired difference over studies: this arm, named without its block
    #[arg(long, value_name = "ARM", requires = "minus", conflicts_with_all = ["runs", "judge", "tidy", "family"])]
    pool: Option<String>,
    /// The arm that is subtracted
    #[arg(long, value_name = "ARM", requires = "pool")]
    minus: Option<String>,
    /// What is pooled
    #[arg(long, value_name = "MEASURE", requires = "pool", default_value = "return")]
    measure: Measure,
    /// Only these blocks, by pattern; may be given several times [default: all]
    #[arg(long = "block", value_name = "PATTERN", requires = "pool")]
    blocks: Vec<String>,
    /// Another folder of runs to pool with, such as one on fresh seeds; may be given several times
    #[arg(long = "with", value_name = "DIR", requires = "pool")]
    others: Vec<PathBuf>,
    /// One line for each study of the paper: how its statements stand, and the verdict on the paper
    #[arg(long, conflicts_with_all = ["runs", "tidy", "family", "pool"])]
    paper: bool,
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
        if let (Some(treatment), Some(baseline)) = (&self.pool, &self.minus) {
            let pooling = Pooling {
                treatment: treatment.clone(),
                baseline: baseline.clone(),
                measure: self.measure,
                blocks: self.blocks.clone(),
            };
            let runs: Vec<Run> = [&self.dir].into_iter().chain(&self.others).map(Run::at).collect();
            let table = study_pooled(&runs, studies, &pooling, &|_| {})?;
            say::show(&self.look.view(Traces::Hidden).render(&[table])?)?;
            return Ok(());
        }
        if self.paper {
            let tables = built(&run, studies, if self.judge { Judging::Anyway } else { Judging::AsItStands })?;
            say::show(&self.look.view(Traces::Hidden).render(&[paper_table(&tables)?])?)?;
            return Ok(());
        }
        let traces = if self.runs { Traces::Shown } else { Traces::Hidden };
        let judging = if self.judge { Judging::Anyway } else { Judging::AsItStands };
        show(&run, studies, &self.look.view(traces), judging)
    }
}

/// Builds the tables of these studies, or of all, and prints them.
pub(crate) fn show(run: &Run, studies: Option<&[String]>, view: &View, judging: Judging) -> Result<()> {
    say::show(&view.render(&built(run, studies, judging)?)?)?;
    Ok(())
}

/// The same, and below them how the studies stand to the paper.
pub(crate) fn show_paper(run: &Run, studies: Option<&[String]>, view: &View, judging: Judging) -> Result<()> {
    let mut tables = built(run, studies, judging)?;
    tables.push(paper_table(&tables)?);
    say::show(&view.render(&tables)?)?;
    Ok(())
}

/// The tables of these studies, or of all.
fn built(run: &Run, studies: Option<&[String]>, judging: Judging) -> Result<Vec<Table>> {
    let bar = progress::reading(run, studies)?;
    let tables = study_tables(run, studies, judging, &|_| bar.inc(1));
    bar.finish_and_clear();
    Ok(tables?)
}
