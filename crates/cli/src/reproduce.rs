//! `counsel reproduce`: run studies, or go on where a run was cut off, and show the tables.

use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::time::Instant;

use anyhow::Result;
use clap::Args;
use counsel_advisor::AdvisorName;
use counsel_experiment::{Catalogue, Change, Confirmed, Library, Plan, Runner, SeedRange};
use counsel_log::Run;
use counsel_report::{Judging, Traces};

use crate::advisor::{Recorded, Voice};
use crate::look::Look;
use crate::progress::Progress;
use crate::tables;

/// Run studies and show their tables; running again on the same folder resumes.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  counsel reproduce lock                          one study, at the paper's seed count
  counsel reproduce tabular --out runs/tabular    a whole group
  counsel reproduce lock --seeds 100..123         24 fresh seeds
  counsel reproduce lock --set kappa=0.1 --set learner.samples=16 --out runs/dear
  counsel reproduce lock --set arms.controller.kappa=0.1 --out runs/one-arm
  counsel reproduce mine.toml --seeds 0..3        a study of one's own, from its file

The logs are the same to the byte for any --jobs, and however often the run was interrupted.")]
pub(crate) struct Reproduce {
    /// Studies or groups, as `counsel list` shows them, or files with studies of one's own
    #[arg(required = true, value_name = "ID|GROUP|FILE")]
    names: Vec<String>,
    /// Seeds from A to B, both included [default: the paper's]
    #[arg(long, value_name = "A..B")]
    seeds: Option<SeedRange>,
    /// Threads [default: one per core]
    #[arg(long, value_name = "N")]
    jobs: Option<NonZeroUsize>,
    /// The folder for logs and manifests
    #[arg(long, value_name = "DIR", default_value = "runs")]
    out: PathBuf,
    /// Change a setting of every arm, or of one with arms.NAME.key=value
    #[arg(long = "set", value_name = "KEY=VALUE")]
    changes: Vec<Change>,
    #[command(flatten)]
    recorded: Recorded,
    /// Put every distinct question to the model itself, too, and use its answer where it is not the recorded one
    #[arg(long)]
    live: bool,
    #[command(flatten)]
    voice: Voice,
    #[command(flatten)]
    look: Look,
}

impl Reproduce {
    pub(crate) fn run(&self) -> Result<()> {
        let (catalogue, names) = Catalogue::embedded()?.with_files(&self.names)?;
        let studies = catalogue.select(&names)?;
        let mut cells = Vec::new();
        for study in &studies {
            cells.extend(Plan::new(study, self.seeds.as_ref(), &self.changes)?.into_cells());
        }
        let jobs = self.jobs.or_else(|| std::thread::available_parallelism().ok()).map_or(1, NonZeroUsize::get);
        let run = Run::at(&self.out);
        let progress = Progress::new(cells.len());
        let start = Instant::now();
        let library = self.library();
        let outcome = Runner::new(run.clone(), &library, jobs).run(&cells, &progress);
        let words = progress.finish();
        outcome?;
        eprintln!("{words} in {:.1} s; logs in {}", start.elapsed().as_secs_f64(), self.out.display());
        if self.live {
            let Confirmed { asked, agreed } = library.confirmed();
            eprintln!("{asked} questions were put to the models themselves; {agreed} were answered as recorded");
        }
        let names: Vec<String> = studies.iter().map(|study| study.id.clone()).collect();
        tables::show(&run, Some(&names), &self.look.view(Traces::Hidden), Judging::AsItStands)
    }
    /// Where answers come from.
    fn library(&self) -> Library {
        if !self.live {
            return Library::recorded(self.recorded.open());
        }
        let voice = self.voice.clone();
        let open = move |advisor: &AdvisorName| voice.open(&advisor.model).map_err(|error| format!("{error:#}"));
        Library::live(self.recorded.open(), Box::new(open))
    }
}
