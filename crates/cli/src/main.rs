//! The `counsel` command: one verb, one file.

#[macro_use]
mod say;
#[macro_use]
mod verb;

mod advisor;
mod amount;
mod audit;
mod cell;
mod choice;
mod completions;
mod coverage;
mod explain;
mod export;
mod figures;
mod help;
mod inspect;
mod interrupt;
mod line;
mod list;
mod live;
mod look;
mod mcp;
mod merge;
mod progress;
mod quickstart;
mod relay;
mod replace;
mod report;
mod reproduce;
mod route;
mod serve;
mod shadow;
mod slurm;
mod stats;
mod study;
mod tables;
mod telemetry;
mod view;
mod world;

use std::io::Write;
use std::process::ExitCode;

use clap::{CommandFactory, FromArgMatches, Parser};
use counsel_file::Printable;

/// Decides when a language model's advice is worth its price, and when an answer may act.
///
/// Studies run from embedded specifications, log every decision, and are tabulated from the logs alone.
#[derive(Debug, Parser)]
#[command(name = "counsel", version, propagate_version = true, after_help = EXAMPLES)]
struct Cli {
    #[command(subcommand)]
    verb: Verb,
}

const EXAMPLES: &str = "Examples:
  counsel quickstart                     a first study, in 15 seconds
  counsel list                           what can be run
  counsel reproduce lock                 run one study and show its table
  counsel reproduce tabular --out runs   run all tabular studies into the folder runs
  counsel tables runs --format latex     the tables again, from the logs
  counsel figures runs                   learning curves and frontiers, from the logs
  counsel report runs                    tables and figures in one page for a browser
  counsel view runs                      every decision, to be looked at in a browser
  counsel audit runs                     compute every decision again
  counsel explain runs --cell lock/controller/0 --step 12
  counsel shadow calls.jsonl             what the gate would have done on your own log
  counsel route outcomes.csv             what a router among your models would have returned
  counsel serve --dir gate               the gate beside any agent, over HTTP
  counsel study new lock > mine.toml     start a study of your own";

verbs! {
    Verb:
    /// Run a first study in 15 seconds, or find out what your own model is worth
    Quickstart(quickstart::Quickstart),
    /// Show the studies, what each takes, and what was run already
    List(list::List),
    /// Run studies and show their tables; running again on the same folder resumes
    Reproduce(reproduce::Reproduce),
    /// Put the runs of several machines into one folder
    Merge(merge::Merge),
    /// Print a Slurm script that runs studies as an array of jobs
    Slurm(slurm::Slurm),
    /// Build the tables of a run from its logs alone
    Tables(tables::Tables),
    /// Draw the figures of a run from its logs alone
    Figures(figures::Figures),
    /// Show a run in one page that can be sent to a colleague, from its logs alone
    Report(report::Report),
    /// Look at the decisions of a run in a browser, one episode at a time
    View(view::View),
    /// Recompute every decision of a run and say how many agree
    Audit(audit::Audit),
    /// Say why one decision was made, in words and numbers
    Explain(explain::Explain),
    /// See what the gate would have done on your own log, before you switch it on
    Shadow(shadow::Shadow),
    /// See what a router among your models would have returned on your own outcomes
    Route(route::Route),
    /// Serve the gate to any agent over HTTP, with a journal that survives a kill
    Serve(serve::Serve),
    /// Give a coding agent a tool that asks its advisor only where it pays, over MCP
    Mcp(mcp::Mcp),
    /// Write a run for other programs: TensorBoard
    Export(export::Export),
    /// Your own studies: a file to start from, a check of it, and tables that you fetch
    Study(study::Study),
    /// Language models: list, pull, ask, bench, record, verify, audit, check, serve
    Advisor(advisor::Advisor),
    /// The worlds on their own: list, trace, play, bench
    #[command(visible_alias = "env")]
    World(world::World),
    /// Statistics on your own per-seed results
    Stats(stats::Stats),
    /// Print a completion script for your shell
    Completions(completions::Completions),
}

fn main() -> ExitCode {
    let cli = match Cli::from_arg_matches(&help::folded(Cli::command()).get_matches()) {
        Ok(cli) => cli,
        Err(error) => error.exit(),
    };
    // What is still held back is written here, where it is seen that it cannot be.
    let outcome = cli.verb.run().and_then(|()| Ok(std::io::stdout().flush()?));
    interrupt::give_way();
    match outcome {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) if is_closed_pipe(&error) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {}", Printable(&error));
            ExitCode::FAILURE
        }
    }
}

/// Whether the reader of our output went away, as `head` does: no fault of ours.
fn is_closed_pipe(error: &anyhow::Error) -> bool {
    error.downcast_ref::<std::io::Error>().is_some_and(|io| io.kind() == std::io::ErrorKind::BrokenPipe)
}
