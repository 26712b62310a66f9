//! `counsel advisor check`: what an endpoint shows of itself.

use std::io::Write;

use anyhow::{Context, Result, bail};
use clap::Args;
use counsel_endpoint::Probe;
use counsel_file::Printable;

use super::remote::Remote;

/// Find out whether an endpoint is alive, which models it has, and whether it gives log-probabilities.
///
/// Listing the models is free; one paid question asks for a single token. It is announced, and counts in the ledger where one is
/// named. Fails if no answer came.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  counsel advisor check --base-url http://127.0.0.1:8080 --model my-model
  counsel advisor check --base-url https://api.example.com --model big --key-env BIG_KEY --json")]
pub(crate) struct Check {
    /// The model's name at the endpoint
    #[arg(long)]
    model: String,
    /// Write one JSON object
    #[arg(long)]
    json: bool,
    #[command(flatten, next_help_heading = "Endpoint")]
    remote: Remote,
}

impl Check {
    pub(crate) fn run(&self) -> Result<()> {
        let base_url = self.remote.base_url.as_deref().context("there is no endpoint to check; pass --base-url URL")?;
        let endpoint = self.remote.endpoint(base_url, &self.model, 1)?;
        let most = endpoint.ledger().limit().min(self.remote.single_question());
        eprintln!(
            "Listing the models, which is free, and asking {} for one token: a paid call, {most} at most with retries",
            self.model
        );
        let check = endpoint.check();
        let mut out = std::io::stdout().lock();
        if self.json {
            writeln!(out, "{}", serde_json::to_string(&check)?)?;
        } else {
            writeln!(out, "{} is {}", check.base_url, if check.alive { "alive" } else { "silent" })?;
            if !check.models.is_empty() {
                writeln!(out, "models: {}", Printable(check.models.join(", ")))?;
            }
            let log_probabilities = match check.log_probabilities {
                Probe::Given => "given",
                Probe::Absent => "not given; use generate, not scored",
                Probe::Unknown => "unknown",
            };
            writeln!(out, "log-probabilities: {log_probabilities}")?;
            if let Some(name) = check.answered_as.as_ref().filter(|name| **name != check.model) {
                writeln!(out, "answers as: {}", Printable(name))?;
            }
            for problem in &check.problems {
                writeln!(out, "problem: {}", Printable(problem))?;
            }
        }
        self.remote.tell_paid(&self.model)?;
        if check.log_probabilities == Probe::Unknown {
            bail!("{} gave no answer; see the problems above", check.base_url);
        }
        Ok(())
    }
}
