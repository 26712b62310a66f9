//! `counsel stats`: the statistics of the tables, on a user's own results.

use std::path::PathBuf;

use anyhow::Result;
use clap::{Args, Subcommand};
use counsel_report::{Observations, PairedReport, Traces};

use crate::look::TableOptions;
use crate::say;

/// Statistics on your own per-seed results.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  counsel stats paired results.csv --baseline never
  counsel stats paired --help")]
pub(crate) struct Stats {
    #[command(subcommand)]
    verb: StatsVerb,
}

#[derive(Debug, Subcommand)]
enum StatsVerb {
    /// Compare every arm with a baseline, seed by seed
    Paired(Paired),
}

/// Compare every arm with a baseline, seed by seed.
///
/// The file has the columns seed, arm, value and, if comparisons belong to families, family. Arms are paired by seed;
/// p-values are adjusted by Holm's method within a family.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  counsel stats paired results.csv --baseline never
  counsel stats paired results.csv --baseline never --format csv > paired.csv

The columns of the result are arm, n, mean_difference (arm minus baseline), ci95_half_width (paired
t), bca_low, bca_high (bias-corrected and accelerated bootstrap, 9,999 resamples), p (paired t),
p_holm; and, if the file has families, family at the end. Where all differences are equal, p is that
of the sign test: no p is below what the number of seeds can say. The baseline must be in every
family, or in one of its own.")]
struct Paired {
    /// A CSV file with the columns seed, arm, value and optionally family
    file: PathBuf,
    /// The arm that the others are compared with
    #[arg(long, value_name = "ARM")]
    baseline: String,
    #[command(flatten)]
    look: TableOptions,
}

impl Stats {
    pub(crate) fn run(&self) -> Result<()> {
        let StatsVerb::Paired(paired) = &self.verb;
        let observations = Observations::from_path(&paired.file)?;
        let report = PairedReport::compare(&observations, &paired.baseline)?;
        Ok(say::show(&report.render(&paired.look.view(Traces::Hidden))?)?)
    }
}
