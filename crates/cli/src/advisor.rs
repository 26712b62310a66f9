//! `counsel advisor`: language models as advisors.

mod ask;
mod audit;
mod bench;
mod check;
mod consent;
mod list;
mod model;
mod pull;
mod record;
mod recorded;
mod recording;
mod remote;
mod serve;
mod today;
mod turns;
mod verify;

use anyhow::Result;
use clap::Args;

pub(crate) use audit::{MOMENTS, appraised, interval};
pub(crate) use consent::Estimate;
pub(crate) use model::Voice;
pub(crate) use record::{phrasing, requests, tasks};
pub(crate) use recorded::Recorded;
pub(crate) use recording::Recorder;
pub(crate) use remote::Remote;
pub(crate) use today::today;
pub(crate) use turns::Turns;

/// Language models as advisors: fetch them, ask them, record what they answer.
///
/// An advisor is named model/template/decoding, as in qwen2.5-coder-0.5b/abstract/scored.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  counsel advisor list
  counsel advisor pull qwen2.5-coder-0.5b
  counsel advisor ask --model qwen2.5-coder-0.5b --prompt 'Which way is the door?' --words left,right,forward
  counsel advisor record qwen2.5-coder-0.5b/abstract/scored --task GoToObj
  counsel advisor audit qwen2.5-coder-0.5b/abstract/scored
  counsel advisor check --base-url http://127.0.0.1:8080 --model my-model")]
pub(crate) struct Advisor {
    #[command(subcommand)]
    verb: AdvisorVerb,
}

verbs! {
    AdvisorVerb:
    /// Show the known models, the templates and the recorded advisors
    List(list::List),
    /// Fetch a known model; running again resumes
    Pull(pull::Pull),
    /// Ask one question
    Ask(ask::Ask),
    /// Measure what a question costs, from a file or at an endpoint
    Bench(bench::Bench),
    /// Record the answers to every prompt of a template; running again resumes
    Record(record::Record),
    /// Ask a sample of recorded questions again and compare, to the bit
    Verify(verify::Verify),
    /// Compare recorded answers with the optimal actions: a table per advisor and task
    Audit(audit::Audit),
    /// Find out whether an endpoint is alive, which models it has, and whether it gives log-probabilities
    Check(check::Check),
    /// Answer the questions of `counsel reproduce --relay`, which come on standard input
    Serve(serve::Serve),
}

impl Advisor {
    pub(crate) fn run(&self) -> Result<()> {
        self.verb.run()
    }
}
