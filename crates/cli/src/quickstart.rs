//! `counsel quickstart`: what asking wins and costs, in 15 seconds, on recorded answers of a real model; or on five tasks with a
//! model of one's own, and whether that is worth its price.

mod own;
mod worth;

use std::io::Write;
use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::time::Instant;

use anyhow::Result;
use clap::Args;
use counsel_experiment::{Catalogue, Library, Plan, PlannedCell, Runner, SeedRange};
use counsel_file::Printable;
use counsel_log::{CellKey, Run};
use counsel_report::{FigureFormat, Judging, Spent, study_figures, study_tables};
use counsel_transcript::Shelf;

use crate::advisor::{Turns, Voice};
use crate::progress::Progress;
use crate::{figures, look};

/// See what asking wins and costs, in 15 seconds: a small version of the study `babyai-deploy`, on recorded answers of a real model.
#[derive(Debug, Args)]
// What is for a model of one's own is refused without its name.
#[command(mut_group("Turns", |group| group.requires("advisor")))]
#[command(mut_group("Folder", |group| group.requires("advisor")))]
#[command(mut_group("Remote", |group| group.requires("advisor")))]
#[command(mut_group("Computing", |group| group.requires("advisor")))]
#[command(mut_arg("budget", |arg| arg.help(BUDGET)))]
#[command(mut_arg("ledger", |arg| arg.help(LEDGER)))]
#[command(after_help = "Examples:
  counsel quickstart
  counsel quickstart --out runs/first-look
  counsel quickstart --advisor smollm2-135m                 a recorded model: nothing to pay
  counsel quickstart --advisor my-model --base-url http://127.0.0.1:8080
  counsel quickstart --advisor my-model.gguf --threads 8    a file, in this process

With --advisor you see on five tasks which share of your model's answers is right, how often it is asked, what that gains, and whether it is worth its price. Questions without a recorded answer (147 at first) are asked before, once you have seen what that takes and agreed to the cost.

The cells are those of `babyai-deploy`: `counsel reproduce babyai-deploy` on the same folder continues from them. If you interrupt it, the same command resumes; no answer is paid for twice.")]
pub(crate) struct Quickstart {
    /// A model of your own: its name at --base-url, a known model, a GGUF file or a recorded one; also as model/template/decoding
    /// [default template: abstract; default decoding: generate at an endpoint, or else scored]
    #[arg(long, value_name = "NAME")]
    advisor: Option<String>,
    /// The folder for logs, manifests and the figures [default: runs/quickstart, with the advisor's name behind it if there is one]
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// Seeds from A to B, both included [default: 0..7, with an advisor 0..11]
    #[arg(long, value_name = "A..B")]
    seeds: Option<SeedRange>,
    /// Episodes of every agent [default: the study's, 60]
    #[arg(long, value_name = "N", requires = "advisor")]
    episodes: Option<NonZeroUsize>,
    /// Threads that run the agents [default: one per core]
    #[arg(long, value_name = "N", value_parser = crate::amount::threads)]
    jobs: Option<NonZeroUsize>,
    /// The folder in which the answers of your model are looked for and recorded
    #[arg(long, value_name = "FOLDER", default_value = "transcripts", requires = "advisor")]
    transcripts: PathBuf,
    #[command(flatten)]
    turns: Turns,
    #[command(flatten)]
    voice: Voice,
}

/// What `--budget` and `--ledger` are here, where the questions are known.
const BUDGET: &str = "The most calls to the endpoint, retries and those in the ledger included [default: those in the ledger, one for each question, and a tenth more for retries]";
const LEDGER: &str = "The file that records every paid attempt; it carries the budget over runs [default: calls.ledger in the folder of --transcripts]";

/// The study of the controller that we would recommend, and the part of it that is shown.
const STUDY: &str = "babyai-deploy";
const BLOCK: &str = "obj-05-abstract";
const NEVER: &str = "never";
const EXPERIENCE: &str = "experience-only";
const ALWAYS: &str = "always";
const OBEYING: &str = "reuse-stall";
const COUNSEL: &str = "counsel";
/// The arms that are shown, each in a line.
const ARMS: [(&str, &str); 5] = [
    (NEVER, "a learner that asks nobody"),
    (EXPERIENCE, "the agent of counsel without a model: a table of its own steps"),
    (ALWAYS, "asks at every step, and obeys"),
    (OBEYING, "asks once in each situation and obeys, until that leads nowhere"),
    (COUNSEL, "asks where an answer is worth its price; obeys while they help"),
];
/// How long a seed takes on two cores, as measured.
const SECONDS_PER_SEED: f64 = 1.6;
/// A decision of counsel that is worth looking at.
const TELLING_STEP: u64 = 1;

impl Quickstart {
    pub(crate) fn run(&self) -> Result<()> {
        if let Some(advisor) = &self.advisor {
            return own::run(self, advisor);
        }
        let catalogue = Catalogue::embedded()?;
        let mut cells = Vec::new();
        for study in catalogue.select(&[STUDY.into()])? {
            cells.extend(Plan::new(&study, Some(&self.seeds()), &[])?.into_cells());
        }
        cells.retain(|cell| ARMS.iter().any(|(arm, _)| cell.key.arm == folder(BLOCK, arm)));
        let seeds = self.seeds().0.count();
        let introduction = format!(
            "An agent learns to walk to an object (BabyAI GoToObj, 60 episodes, {seeds} seeds). At each step it may ask \
             Qwen2.5-Coder 0.5B, whose answers are recorded in this program, at a price. This takes about {:.0} seconds on \
             two cores.",
            SECONDS_PER_SEED * seeds as f64
        );
        eprintln!("{}", look::lines(&introduction));
        let out = self.out.clone().unwrap_or_else(|| "runs/quickstart".into());
        let run = Run::at(out);
        self.play(cells, Shelf::embedded(), &run)?;
        self.show(&run)
    }

    /// The seeds, unless others are asked for as many as the time that is promised allows.
    fn seeds(&self) -> SeedRange {
        let last = if self.advisor.is_some() { 11 } else { 7 };
        self.seeds.clone().unwrap_or(SeedRange(0..=last))
    }

    /// Runs the cells that are not there yet, on these answers.
    fn play(&self, mut cells: Vec<PlannedCell>, answers: Shelf, run: &Run) -> Result<()> {
        let jobs = self.jobs.or_else(|| std::thread::available_parallelism().ok()).map_or(1, NonZeroUsize::get);
        // All arms of a seed share its first episodes, which cost most; so the seeds go in small groups, one per thread, and
        // the time of the first group predicts that of the others.
        cells.sort_by_key(|cell| (cell.key.seed / jobs as u64, cell.arm_order, cell.key.seed));
        let library = Library::recorded(answers);
        let (progress, start) = (Progress::new(cells.len()), Instant::now());
        let outcome = Runner::new(run.clone(), &library, jobs).run(&cells, &progress);
        let words = progress.finish();
        outcome?;
        eprintln!("{words} in {:.1} s; logs in {}", start.elapsed().as_secs_f64(), run.root().display());
        Ok(())
    }

    /// What was won in words, the table, the figures, and what to try next.
    fn show(&self, run: &Run) -> Result<()> {
        let mut out = std::io::stdout().lock();
        let view = look::plain();
        writeln!(out, "{}\n", look::lines(&headline(run, &self.seeds())?))?;
        let mut tables = study_tables(run, Some(&[STUDY.into()]), Judging::AsItStands, &|_| {})?;
        for table in &mut tables {
            // A first look needs the numbers; statements and notes are one command away.
            (table.caption, table.verdicts, table.notes) = (String::new(), Vec::new(), Vec::new());
        }
        writeln!(out, "{}", view.render(&tables)?)?;
        explain(&mut out, &ARMS.map(|(arm, _)| arm))?;
        let (drawn, faults) = figures::sorted(study_figures(run, Some(&[STUDY.into()]), &|_| {})?);
        faults.iter().try_for_each(|fault| writeln!(out, "{fault}"))?;
        for path in figures::write(&drawn, &figures::folder(run.root()), FigureFormat::Svg)? {
            writeln!(out, "figure: {}", path.display())?;
        }
        let (dir, SeedRange(seeds)) = (run.root().display(), self.seeds());
        next(
            &mut out,
            &[
                ("the whole table, what it claims and whether that holds", format!("tables {dir} --wide")),
                (
                    "why one decision was made",
                    format!(
                        "explain {dir} --cell {STUDY}/{}/{} --step {TELLING_STEP}",
                        folder(BLOCK, COUNSEL),
                        seeds.start()
                    ),
                ),
                ("every decision again, from the logs", format!("audit {dir}")),
                ("all seeds, other models and tasks", format!("reproduce {STUDY} --out {dir}")),
                ("how good the recorded models are", "advisor audit".to_owned()),
                ("a model of your own, and whether it is worth its price", "quickstart --advisor NAME".to_owned()),
                ("all studies", "list".to_owned()),
            ],
        )
    }
}

/// A count with its noun.
fn counted(count: usize, what: &str) -> String {
    format!("{count} {what}{}", if count == 1 { "" } else { "s" })
}

/// Says what these arms do, a line each.
fn explain(out: &mut impl Write, arms: &[&str]) -> Result<()> {
    let widest = arms.iter().map(|arm| arm.len()).max().unwrap_or_default();
    for (arm, words) in ARMS.iter().filter(|(arm, _)| arms.contains(arm)) {
        writeln!(out, "{arm:widest$}  {words}")?;
    }
    Ok(writeln!(out)?)
}

/// Says what to try next, and with which command.
fn next(out: &mut impl Write, commands: &[(&str, String)]) -> Result<()> {
    writeln!(out, "\nWhat to try next:")?;
    for (words, command) in commands {
        writeln!(out, "  {words}:\n    counsel {}", Printable(command))?;
    }
    Ok(())
}

/// The name of an arm in the run's folder.
fn folder(block: &str, arm: &str) -> String {
    format!("{block}.{arm}")
}

/// The cells of an arm of a block.
fn keys(seeds: &SeedRange, block: &str, arm: &str) -> Vec<CellKey> {
    seeds.0.clone().map(|seed| CellKey { study: STUDY.into(), arm: folder(block, arm), seed }).collect()
}

/// What never asking, the agent's experience alone, always asking and counsel returned, at how many calls and at what cost.
fn headline(run: &Run, seeds: &SeedRange) -> Result<String> {
    let spent = |arm: &str| Spent::by(run, &keys(seeds, BLOCK, arm));
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
