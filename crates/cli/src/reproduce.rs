//! `counsel reproduce`: run studies, or go on where a run was cut off, and show the tables.

use std::io::Write;
use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::time::Instant;

use anyhow::Result;
use clap::Args;
use counsel_experiment::{Confirmed, PlannedCell, Runner, Shard};
use counsel_log::Run;
use counsel_report::{Judging, Traces};

use crate::choice::{Chosen, StudyChoice};
use crate::live::AnswerSource;
use crate::look::TableOptions;
use crate::progress::Progress;
use crate::{interrupt, tables};

/// Run studies and show their tables; running again on the same folder resumes.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  counsel reproduce lock                          one study, at the paper's seed count
  counsel reproduce tabular --out runs/tabular    a whole group
  counsel reproduce paper --out runs/paper        the whole paper, and the verdict on it
  counsel reproduce lock --seeds 100..123         24 fresh seeds
  counsel reproduce lock --set price=0.1 --set learner.samples=16 --out runs/dear
  counsel reproduce lock --set arms.controller.price=0.1 --out runs/one-arm
  counsel reproduce lock --set 'arms.*.execution=improving' --out runs/all-arms
  counsel reproduce mine.toml --seeds 0..3        your own study, from its file
  counsel reproduce lock --shard 0/4 --out shards/0   a quarter of the seeds, for `counsel merge`
  counsel reproduce babyai-exact --advisor my-model/abstract/generate --transcripts my-transcripts --out runs/mine
  counsel reproduce babyai-exact --live --base-url https://api.example.com --budget 500 --out runs/live

The logs are the same to the byte for any --jobs, and however often the run was interrupted. A folder holds a study with one set
of settings and one source of answers; anything else is refused. A cell that loses an answer of a live model is left for the next run.")]
pub(crate) struct Reproduce {
    #[command(flatten)]
    choice: StudyChoice,
    /// Only one part of the seeds, for one machine of several: those whose place is I modulo N, counted from 0
    #[arg(long, value_name = "I/N")]
    shard: Option<Shard>,
    /// Threads [default: one per core]
    #[arg(long, value_name = "N", value_parser = crate::amount::threads)]
    jobs: Option<NonZeroUsize>,
    /// The folder for logs and manifests
    #[arg(long, value_name = "DIR", default_value = "runs")]
    out: PathBuf,
    #[command(flatten)]
    source: AnswerSource,
    #[command(flatten)]
    look: TableOptions,
    /// Judge the finding even if the study was changed
    #[arg(long)]
    judge: bool,
    /// Say which cells would be run, one line each, and run none
    #[arg(long)]
    dry_run: bool,
}

impl Reproduce {
    pub(crate) fn run(&self) -> Result<()> {
        let Chosen { studies, cells } = self.choice.cells(self.source.answers()?, self.shard)?;
        if let (Some(shard), true) = (self.shard, cells.is_empty()) {
            eprintln!("the part {shard} has no seed; there is nothing to do");
            return Ok(());
        }
        if self.dry_run {
            return self.say_due(&cells);
        }
        self.run_due(&cells)?;
        // The table of a part would look like that of a run.
        if let Some(shard) = self.shard {
            eprintln!("this is the part {shard}; `counsel merge` puts the parts together");
            return Ok(());
        }
        // Standard output is for questions.
        if self.source.is_relayed() {
            return Ok(());
        }
        let judging = if self.judge { Judging::Anyway } else { Judging::AsItStands };
        let show = if self.choice.names_paper() { tables::show_paper } else { tables::show };
        show(&Run::at(&self.out), Some(&studies), &self.look.view(Traces::Hidden), judging)
    }

    /// Says what is not there yet. What would stop the run stops this, too.
    fn say_due(&self, cells: &[PlannedCell]) -> Result<()> {
        let library = self.source.library(&self.out);
        let mut out = std::io::stdout().lock();
        for cell in Runner::new(Run::at(&self.out), &library, 1).missing(cells)? {
            writeln!(out, "{}", cell.key)?;
        }
        Ok(())
    }

    /// Runs what is not there yet.
    fn run_due(&self, cells: &[PlannedCell]) -> Result<()> {
        let jobs = self.jobs.or_else(|| std::thread::available_parallelism().ok()).map_or(1, NonZeroUsize::get);
        let library = self.source.library(&self.out);
        let runner = Runner::new(Run::at(&self.out), &library, jobs);
        let prepared = runner.prepare(cells)?;
        for sheet in prepared.sheets() {
            sheet.changed.iter().for_each(|changed| eprintln!("changed in {}: {changed}", sheet.id));
        }
        self.source.require(prepared.due())?;
        self.source.consent(prepared.due(), &self.out)?;
        interrupt::explain(format!(
            "finished cells are in {}; the same command goes on from there",
            self.out.display()
        ));
        let (progress, start) = (Progress::new(cells.len()), Instant::now());
        let outcome = prepared.run(&progress);
        let words = progress.finish();
        eprintln!("{words} in {:.1} s; logs in {}", start.elapsed().as_secs_f64(), self.out.display());
        if self.source.is_live() {
            let Confirmed { asked, agreed } = library.confirmed();
            eprintln!("{asked} questions were put to the models themselves; {agreed} were answered as recorded");
        }
        Ok(outcome?)
    }
}
