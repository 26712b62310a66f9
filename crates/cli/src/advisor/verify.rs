//! `counsel advisor verify`: a live model against its transcript.

use std::io::Write;

use anyhow::{Result, bail};
use clap::Args;
use counsel_advisor::AdvisorName;
use counsel_decision::Printable;
use counsel_transcript::{IdentityCheck, compare};

use super::model::Voice;
use super::recorded::Recorded;

/// Ask a sample of recorded questions again and compare, to the bit.
///
/// Text and scores must be equal; latency and date do not count. Fails if an answer differs.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  counsel advisor verify qwen2.5-coder-0.5b/abstract/scored --sample 200")]
pub(crate) struct Verify {
    /// The advisor: model/template/decoding
    advisor: AdvisorName,
    /// How many questions
    #[arg(long, value_name = "N", default_value_t = 200)]
    sample: usize,
    #[command(flatten)]
    shelf: Recorded,
    #[command(flatten)]
    voice: Voice,
}

impl Verify {
    pub(crate) fn run(&self) -> Result<()> {
        let answers = self.shelf.open().open(&self.advisor)?;
        let sample = answers.sample(self.sample);
        if sample.is_empty() {
            bail!("{} keeps digests instead of prompts, so none can be asked again", self.advisor);
        }
        let mut model = self.voice.open(&self.advisor.model)?;
        let comparison = compare(model.as_mut(), &answers, &sample);
        let mut out = std::io::stdout().lock();
        if let IdentityCheck::Different { recorded, live } = &comparison.identity {
            writeln!(
                out,
                "recorded with {} ({})\nasked now {} ({})",
                Printable(&recorded.engine),
                Printable(&recorded.version),
                Printable(&live.engine),
                Printable(&live.version)
            )?;
        }
        writeln!(out, "{}: {} of {} answers equal", Printable(&self.advisor), comparison.equal, comparison.compared)?;
        for difference in comparison.differences.iter().take(5) {
            writeln!(out, "  {difference:?}")?;
        }
        if comparison.equal != comparison.compared {
            bail!("{} answers differ", comparison.compared - comparison.equal);
        }
        Ok(())
    }
}
