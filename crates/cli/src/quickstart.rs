//! `counsel quickstart`: what asking wins and costs, in 15 seconds, on recorded answers of a real model.

use std::io::Write;
use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::time::Instant;

use anyhow::Result;
use clap::Args;
use counsel_experiment::{Catalogue, Library, Plan, Runner, SeedRange};
use counsel_log::{CellKey, Run};
use counsel_report::{FigureFormat, Judging, Spent, study_figures, study_tables};
use counsel_transcript::Shelf;

use crate::progress::Progress;
use crate::{figures, look};

/// See what asking wins and costs, in 15 seconds: a small version of the study `babyai-deploy`, on recorded answers of a real model.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  counsel quickstart
  counsel quickstart --out runs/first-look

The cells are those of `babyai-deploy`: `counsel reproduce babyai-deploy` on the same folder continues from them.")]
pub(crate) struct Quickstart {
    /// The folder for logs, manifests and the figures
    #[arg(long, value_name = "DIR", default_value = "runs/quickstart")]
    out: PathBuf,
    /// Seeds from A to B, both included
    #[arg(long, value_name = "A..B", default_value = "0..7")]
    seeds: SeedRange,
    /// Threads [default: one per core]
    #[arg(long, value_name = "N", value_parser = crate::amount::threads)]
    jobs: Option<NonZeroUsize>,
}

/// The study of the controller that we would recommend, and the part of it that is shown.
const STUDY: &str = "babyai-deploy";
const BLOCK: &str = "obj-05-abstract";
const NEVER: &str = "never";
const EXPERIENCE: &str = "experience-only";
const ALWAYS: &str = "always";
const COUNSEL: &str = "counsel";
const ARMS: [&str; 5] = [NEVER, EXPERIENCE, ALWAYS, "reuse-stall", COUNSEL];
/// How long a seed takes on two cores, as measured.
const SECONDS_PER_SEED: f64 = 1.6;
/// A decision of counsel that is worth looking at.
const TELLING_STEP: u64 = 1;

impl Quickstart {
    pub(crate) fn run(&self) -> Result<()> {
        let catalogue = Catalogue::embedded()?;
        let mut cells = Vec::new();
        for study in catalogue.select(&[STUDY.into()])? {
            cells.extend(Plan::new(&study, Some(&self.seeds), &[])?.into_cells());
        }
        cells.retain(|cell| ARMS.iter().any(|arm| cell.key.arm == folder(arm)));
        let seeds = self.seeds.0.clone().count();
        let introduction = format!(
            "An agent learns to walk to an object (BabyAI GoToObj, 60 episodes, {seeds} seeds). At each step it may ask \
             Qwen2.5-Coder 0.5B, whose answers are recorded in this program, at a price. This takes about {:.0} seconds on \
             two cores.",
            SECONDS_PER_SEED * seeds as f64
        );
        eprintln!("{}", look::lines(&introduction));
        let jobs = self.jobs.or_else(|| std::thread::available_parallelism().ok()).map_or(1, NonZeroUsize::get);
        // All arms of a seed share its first episodes, which cost most; so the seeds go in small groups, one per thread, and
        // the time of the first group predicts that of the others.
        cells.sort_by_key(|cell| (cell.key.seed / jobs as u64, cell.arm_order, cell.key.seed));
        let (run, library) = (Run::at(&self.out), Library::recorded(Shelf::embedded()));
        let (progress, start) = (Progress::new(cells.len()), Instant::now());
        let outcome = Runner::new(run.clone(), &library, jobs).run(&cells, &progress);
        let words = progress.finish();
        outcome?;
        eprintln!("{words} in {:.1} s; logs in {}", start.elapsed().as_secs_f64(), self.out.display());
        self.show(&run)
    }

    /// What was won in words, the table, the figures, and what to try next.
    fn show(&self, run: &Run) -> Result<()> {
        let mut out = std::io::stdout().lock();
        let view = look::plain();
        writeln!(out, "{}\n", look::lines(&headline(run, &self.seeds)?))?;
        let mut tables = study_tables(run, Some(&[STUDY.into()]), Judging::AsItStands, &|_| {})?;
        for table in &mut tables {
            // A first look needs the numbers; statements and notes are one command away.
            (table.caption, table.verdicts, table.notes) = (String::new(), Vec::new(), Vec::new());
        }
        writeln!(out, "{}", view.render(&tables)?)?;
        let (drawn, faults) = figures::sorted(study_figures(run, Some(&[STUDY.into()]), &|_| {})?);
        faults.iter().try_for_each(|fault| writeln!(out, "{fault}"))?;
        for path in figures::write(&drawn, &figures::folder(&self.out), FigureFormat::Svg)? {
            writeln!(out, "figure: {}", path.display())?;
        }
        let dir = self.out.display();
        writeln!(out, "\nWhat to try next:")?;
        for (words, command) in [
            ("the whole table, what it claims and whether that holds", format!("tables {dir} --wide")),
            (
                "why one decision was made",
                format!("explain {dir} --cell {STUDY}/{}/0 --step {TELLING_STEP}", folder(COUNSEL)),
            ),
            ("every decision again, from the logs", format!("audit {dir}")),
            ("all seeds, other models and tasks", format!("reproduce {STUDY} --out {dir}")),
            ("how good the recorded models are", "advisor audit".to_owned()),
            ("all studies", "list".to_owned()),
        ] {
            writeln!(out, "  {words}:\n    counsel {command}")?;
        }
        Ok(())
    }
}

/// The name of an arm in the run's folder.
fn folder(arm: &str) -> String {
    format!("{BLOCK}.{arm}")
}

/// What never asking, the agent's experience alone, always asking and counsel returned, at how many calls and at what cost.
fn headline(run: &Run, seeds: &SeedRange) -> Result<String> {
    let spent = |arm: &str| {
        let cell = |seed| CellKey { study: STUDY.into(), arm: folder(arm), seed };
        Spent::by(run, &seeds.0.clone().map(cell).collect::<Vec<_>>())
    };
    let (never, experience, always, counsel) = (spent(NEVER)?, spent(EXPERIENCE)?, spent(ALWAYS)?, spent(COUNSEL)?);
    let told = |arm: &Spent| {
        let (returned, calls, cost) = (arm.return_per_episode, arm.calls, arm.cost_per_episode());
        format!("{returned:.2} with {calls:.0} calls, which cost {cost:.3}")
    };
    Ok(format!(
        "Never asking, the agent returned {:.2} per episode; with a table of its own experience, and no model, {:.2}; always \
         asking, {}; counsel, {}. Returns lie between 0 and 1, calls are those of {:.0} episodes, and costs are in units of \
         return per episode, at a price of {} a call. Counsel simulated {:.0} steps of the world and made {:.0} calls to \
         calibrate.",
        never.return_per_episode,
        experience.return_per_episode,
        told(&always),
        told(&counsel),
        counsel.episodes,
        counsel.price_per_call,
        counsel.steps_simulated,
        counsel.calibration_calls,
    ))
}
