//! `counsel audit`: every decision again, from the log.

use std::collections::BTreeSet;
use std::io::Write;
use std::path::PathBuf;

use anyhow::{Result, bail};
use clap::Args;
use counsel_experiment::{Library, WarmStarts, recompute_radius, rerun};
use counsel_log::{CellKey, Run, recompute};

use crate::advisor::Recorded;

/// Compute every decision of a run again and say how many agree.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  counsel audit runs
  counsel audit runs && echo trustworthy
  counsel audit runs --rerun

Each log is first checked against the digest in its manifest. Then its evidence and replies go into a fresh engine, and
calibrated radii are derived again from their scores. What is known in hindsight (rewards, gaps, exact values) is covered
by the digest; --rerun computes it again too.
The exit status is not zero if a file is damaged or one decision does not agree.")]
pub(crate) struct Audit {
    /// The folder that `counsel reproduce` wrote
    dir: PathBuf,
    /// Also run every cell again from its specification and compare its bytes: learner, predictor and hindsight included
    #[arg(long)]
    rerun: bool,
    #[command(flatten)]
    recorded: Recorded,
    /// Show at most so many faults in detail
    #[arg(long, value_name = "N", default_value_t = 20)]
    show: usize,
}

/// What the audit of one cell found.
enum Finding {
    Read { decisions: usize, agreeing: usize, faults: Vec<String> },
    Unreadable(String),
}

impl Audit {
    pub(crate) fn run(&self) -> Result<()> {
        let run = Run::at(&self.dir);
        let (library, warm_starts) = (Library::recorded(self.recorded.open()), WarmStarts::default());
        let keys = run.keys()?;
        let mut out = std::io::stdout().lock();
        let (mut decisions, mut agreeing, mut unreadable, mut faults) = (0, 0, 0, Vec::new());
        for key in &keys {
            match self.audit_cell(&run, &library, &warm_starts, key) {
                Finding::Read { decisions: count, agreeing: right, faults: found } => {
                    decisions += count;
                    agreeing += right;
                    faults.extend(found.into_iter().map(|fault| format!("{key}: {fault}")));
                }
                Finding::Unreadable(reason) => {
                    unreadable += 1;
                    faults.push(format!("{key}: {reason}"));
                }
            }
        }
        for fault in faults.iter().take(self.show) {
            writeln!(out, "{fault}")?;
        }
        if faults.len() > self.show {
            writeln!(out, "… and {} more; see them with --show {}", faults.len() - self.show, faults.len())?;
        }
        let unfinished = run.unfinished()?;
        if let Some(first) = unfinished.first() {
            let count = unfinished.len();
            writeln!(
                out,
                "note: {count} log(s) have no manifest and were not audited, the first being {first}; run again to finish"
            )?;
        }
        let share = if decisions == 0 { 0.0 } else { 100.0 * agreeing as f64 / decisions as f64 };
        writeln!(out, "{agreeing} of {decisions} decisions agree ({share:.4} %) in {} cells", keys.len() - unreadable)?;
        out.flush()?;
        if faults.is_empty() {
            return Ok(());
        }
        bail!(
            "{} faults: {} decisions disagree and {unreadable} cells cannot be read; run `counsel reproduce` on the same \
             folder to restore damaged cells",
            faults.len(),
            decisions - agreeing
        )
    }

    fn audit_cell(&self, run: &Run, library: &Library, warm_starts: &WarmStarts, key: &CellKey) -> Finding {
        let outcome = (|| -> Result<Finding> {
            let Some(cell) = run.cell(key)? else { bail!("its manifest is gone") };
            let decisions = cell.decisions()?;
            if decisions.len() as u64 != cell.manifest.log.rows {
                bail!("its log has {} rows, its manifest says {}", decisions.len(), cell.manifest.log.rows);
            }
            let mut faults = recompute(&cell.manifest, &decisions)?;
            let known: BTreeSet<u64> = faults.iter().map(|fault| fault.step).collect();
            let radii = recompute_radius(&cell.manifest, &decisions)?;
            faults.extend(radii.into_iter().filter(|fault| !known.contains(&fault.step)));
            let disagreeing: BTreeSet<u64> = faults.iter().map(|fault| fault.step).collect();
            let mut faults: Vec<String> = faults.iter().map(ToString::to_string).collect();
            faults.extend(cell.manifest.totals.difference(&decisions));
            if self.rerun {
                faults.extend(rerun(&cell.manifest, library, warm_starts)?);
            }
            let count = decisions.len();
            let agreeing = count - disagreeing.len().min(count);
            Ok(Finding::Read { decisions: count, agreeing, faults })
        })();
        outcome.unwrap_or_else(|error| Finding::Unreadable(error.to_string()))
    }
}
