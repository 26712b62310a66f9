//! `counsel quickstart`: what asking wisely wins, in a minute, on recorded answers of a real model.

use std::io::Write;
use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::time::Instant;

use anyhow::{Context, Result};
use clap::Args;
use counsel_experiment::{Catalogue, Library, Plan, Runner, SeedRange};
use counsel_log::{CellKey, Run, Totals};
use counsel_report::{FigureFormat, Judging, study_figures, study_tables};
use counsel_transcript::Shelf;

use crate::progress::Progress;
use crate::{figures, look};

/// See what asking wisely wins, in a minute: a small version of the study `babyai-best`, on recorded answers of a real model.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  counsel quickstart
  counsel quickstart --out runs/first-look

The cells are those of `babyai-best`: `counsel reproduce babyai-best` on the same folder goes on from them.")]
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
const STUDY: &str = "babyai-best";
const BLOCK: &str = "obj-05-abstract";
const NEVER: &str = "never";
const ALWAYS: &str = "always";
/// The arm that is called counsel.
const COUNSEL: &str = "best";
const ARMS: [&str; 5] = [NEVER, ALWAYS, COUNSEL, "early", "content-free"];
/// As measured with the default seeds.
const DURATION: &str = "about 20 seconds on two cores";
/// A decision of counsel that is worth looking at.
const TELLING_STEP: u64 = 8;

/// The mean over the seeds of an arm.
struct Played {
    return_per_episode: f64,
    episodes: f64,
    calls: f64,
    calibration_calls: f64,
    simulated_steps: f64,
    kappa: f64,
}

impl Quickstart {
    pub(crate) fn run(&self) -> Result<()> {
        let catalogue = Catalogue::embedded()?;
        let mut cells = Vec::new();
        for study in catalogue.select(&[STUDY.into()])? {
            cells.extend(Plan::new(study, Some(&self.seeds), &[])?.into_cells());
        }
        cells.retain(|cell| ARMS.iter().any(|arm| cell.key.arm == folder(arm)));
        let introduction = format!(
            "An agent learns to walk to an object (BabyAI GoToObj, 60 episodes, {} seeds). At each step it may ask \
             Qwen2.5-Coder 0.5B, whose answers are recorded in this program, at a price. This takes {DURATION}.",
            self.seeds.0.clone().count()
        );
        eprintln!("{}", look::lines(&introduction));
        let jobs = self.jobs.or_else(|| std::thread::available_parallelism().ok()).map_or(1, NonZeroUsize::get);
        // All arms of a seed share its first episodes, which cost most; so the seeds go in small groups, one per thread, and
        // the time of the first group tells that of the others.
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
        let drawn = study_figures(run, Some(&[STUDY.into()]), &|_| {})?;
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

/// What never asking, always asking and counsel returned, at how many calls and at what cost.
fn headline(run: &Run, seeds: &SeedRange) -> Result<String> {
    let [never, always, counsel] = [NEVER, ALWAYS, COUNSEL].map(|arm| played(run, arm, seeds));
    let (never, always, counsel) = (never?, always?, counsel?);
    let told = |arm: &Played| {
        let Played { return_per_episode, calls, .. } = arm;
        let cost = arm.kappa * calls / arm.episodes;
        format!("{return_per_episode:.2} with {calls:.0} calls, which cost {cost:.3}")
    };
    let calibration = if counsel.calibration_calls > 0.0 {
        format!("Before that it made {:.0} more calls, to calibrate.", counsel.calibration_calls)
    } else {
        "It made no calls to calibrate.".to_owned()
    };
    Ok(format!(
        "Never asking, the agent returned {:.2} per episode; always asking, {}; counsel (arm `{COUNSEL}`), {}. Returns lie \
         between 0 and 1, calls are those of {:.0} episodes, and costs are in units of return per episode, at a price of {} a \
         call. Counsel had one thing that never and always had not: a simulator told it what states are worth, in {:.0} \
         simulated steps. {calibration}",
        never.return_per_episode,
        told(&always),
        told(&counsel),
        counsel.episodes,
        counsel.kappa,
        counsel.simulated_steps,
    ))
}

/// The means of an arm over the seeds of this example.
fn played(run: &Run, arm: &str, seeds: &SeedRange) -> Result<Played> {
    let (mut cells, mut simulated): (Vec<(Totals, f64)>, i64) = (Vec::new(), 0);
    for seed in seeds.0.clone() {
        let key = CellKey { study: STUDY.into(), arm: folder(arm), seed };
        let cell = run.cell(&key)?.with_context(|| format!("cell {key} is gone; run `counsel quickstart` again"))?;
        let kappa = cell.manifest.spec["kappa"].as_f64().unwrap_or_default();
        simulated += cell.frame()?.ints("simulated_steps").iter().flatten().sum::<i64>();
        cells.push((cell.manifest.totals, kappa));
    }
    let mean =
        |of: &dyn Fn(&Totals) -> f64| cells.iter().map(|(totals, _)| of(totals)).sum::<f64>() / cells.len() as f64;
    Ok(Played {
        return_per_episode: mean(&|totals| totals.reward / totals.episodes as f64),
        episodes: mean(&|totals| totals.episodes as f64),
        calls: mean(&|totals| totals.calls as f64),
        calibration_calls: mean(&|totals| totals.calibration_calls as f64),
        simulated_steps: mean(&|totals| totals.calibration_steps as f64) + simulated as f64 / cells.len() as f64,
        kappa: cells.first().map_or(0.0, |(_, kappa)| *kappa),
    })
}
