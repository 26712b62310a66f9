//! `counsel quickstart`: the paper's headline in a minute, on recorded answers of a real model.

use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::time::Instant;

use anyhow::Result;
use clap::Args;
use counsel_experiment::{Catalogue, Library, Plan, Runner, SeedRange};
use counsel_log::{Run, write_whole};
use counsel_report::{FigureFormat, Format, Traces, study_figures};
use counsel_transcript::Shelf;

use crate::progress::Progress;
use crate::tables;

/// See the headline study in a minute: a small version of `babyai-main` on recorded answers of a real model.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  counsel quickstart
  counsel quickstart --out runs/first-look

The cells are those of `babyai-main`: `counsel reproduce babyai-main` on the same folder goes on from them.")]
pub(crate) struct Quickstart {
    /// The folder for logs, manifests and the figure
    #[arg(long, value_name = "DIR", default_value = "runs/quickstart")]
    out: PathBuf,
    /// Threads [default: one per core]
    #[arg(long, value_name = "N", value_parser = crate::amount::threads)]
    jobs: Option<NonZeroUsize>,
}

const STUDY: &str = "babyai-main";
/// One model, asked in two ways: as the paper asks, and about the target's place alone.
const BLOCKS: [&str; 2] = ["obj-05-plain", "obj-05-abstract"];
const ARMS: [&str; 6] = ["never", "always", "beta-0", "beta-conf", "beta-form", "random-policy"];
const SEEDS: std::ops::RangeInclusive<u64> = 0..=7;

impl Quickstart {
    pub(crate) fn run(&self) -> Result<()> {
        let catalogue = Catalogue::embedded()?;
        let mut cells = Vec::new();
        for study in catalogue.select(&[STUDY.into()])? {
            cells.extend(Plan::new(study, Some(&SeedRange(SEEDS)), &[])?.into_cells());
        }
        cells.retain(|cell| {
            cell.key.arm.split_once('.').is_some_and(|(block, arm)| BLOCKS.contains(&block) && ARMS.contains(&arm))
        });
        eprintln!(
            "An agent learns to walk to an object (BabyAI GoToObj, 60 episodes, {} seeds). At each step it may ask \
             Qwen2.5-Coder 0.5B, whose answers are recorded in this program, at a price.",
            SEEDS.count()
        );
        let jobs = self.jobs.or_else(|| std::thread::available_parallelism().ok()).map_or(1, NonZeroUsize::get);
        let (run, library) = (Run::at(&self.out), Library::recorded(Shelf::embedded()));
        let (progress, start) = (Progress::new(cells.len()), Instant::now());
        let outcome = Runner::new(run.clone(), &library, jobs).run(&cells, &progress);
        let words = progress.finish();
        outcome?;
        eprintln!("{words} in {:.1} s; logs in {}", start.elapsed().as_secs_f64(), self.out.display());
        tables::show(&run, Some(&[STUDY.into()]), Format::Text, Traces::Hidden)?;
        let folder = self.out.join("figures");
        for figure in study_figures(&run, Some(&[STUDY.into()]), &|_| {})? {
            let path = folder.join(format!("{}.svg", figure.id()));
            write_whole(&path, figure.render(FigureFormat::Svg).as_bytes())?;
            println!("figure: {}", path.display());
        }
        let out = self.out.display();
        println!("\nWhat to try next:");
        for (words, command) in [
            ("why one decision was made", format!("explain {out} --cell {STUDY}/{}.beta-conf/0 --step 8", BLOCKS[0])),
            ("every decision again, from the logs", format!("audit {out}")),
            ("all seeds, both model sizes, all references", format!("reproduce {STUDY} --out {out}")),
            ("how good the recorded models are", "advisor audit".to_owned()),
            ("all studies", "list".to_owned()),
        ] {
            println!("  {words}:\n    counsel {command}");
        }
        Ok(())
    }
}
