//! `counsel audit`: every decision again, from the log. Cells are audited in parallel and reported in their order.

use std::collections::{BTreeMap, BTreeSet};
use std::convert::Infallible;
use std::io::Write;
use std::num::NonZeroUsize;
use std::path::PathBuf;

use anyhow::{Result, bail};
use clap::Args;
use counsel_experiment::{Library, WarmStarts, recompute_routes, rerun};
use counsel_file::Printable;
use counsel_log::examine_routes;
use counsel_log::{AnswersFrom, CellKey, Manifest, Run, StudySheet, all_cores, each};
use serde_json::json;

use crate::advisor::Recorded;
use crate::look::PlainFormat;
use crate::{live, progress};

/// Recompute every decision of a run and say how many agree.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  counsel audit runs
  counsel audit runs && echo trustworthy
  counsel audit runs --rerun

Each log is first checked against the digest in its manifest. Then its evidence and replies go into a fresh engine, and
calibrated radii are derived again from their scores. A cell must have the settings of its study, and a log its manifest. What is known in hindsight (rewards, gaps, exact values) is covered
by the digest; --rerun computes it again too.
The exit status is not zero if a file is damaged or missing, or one decision does not agree. The output does not depend on --threads.")]
pub(crate) struct Audit {
    /// The folder that `counsel reproduce` wrote
    dir: PathBuf,
    /// Also run every cell again from its specification and compare its bytes: learner, predictor and hindsight included
    #[arg(long)]
    rerun: bool,
    #[command(flatten)]
    recorded: Recorded,
    /// Show at most N faults in detail
    #[arg(long, value_name = "N", default_value_t = 20)]
    show: usize,
    /// Threads [default: one per core]
    #[arg(long, alias = "jobs", value_name = "N", value_parser = crate::amount::threads)]
    threads: Option<NonZeroUsize>,
    /// text or json
    #[arg(long, value_name = "FORMAT", value_enum, hide_possible_values = true, default_value_t = PlainFormat::Text)]
    format: PlainFormat,
}

/// What the audit of one cell found, or of all.
#[derive(Debug, Default)]
struct Audited {
    decisions: usize,
    agreeing: usize,
    unreadable: usize,
    faults: Faults,
}

impl Audited {
    /// Reports what was found in a run of `cells` cells; a fault is a failure.
    fn report(&self, cells: usize, orphans: &[CellKey], format: PlainFormat) -> Result<()> {
        let Self { decisions, agreeing, unreadable, faults } = self;
        let mut out = std::io::stdout().lock();
        match format {
            PlainFormat::Text => self.write(&mut out, cells)?,
            PlainFormat::Json => {
                let orphans: Vec<String> = orphans.iter().map(ToString::to_string).collect();
                let told = json!({ "cells": cells, "unreadable_cells": unreadable, "decisions": decisions, "agreeing": agreeing,
                    "faults": faults.count, "fault_texts": faults.words, "logs_without_manifest": orphans });
                writeln!(out, "{told:#}")?;
            }
        }
        out.flush()?;
        if faults.count == 0 {
            return Ok(());
        }
        bail!(
            "{} faults: {} decisions disagree, {unreadable} cells cannot be read and {} logs have no manifest; run `counsel \
             reproduce` on the same folder to restore cells",
            faults.count,
            decisions - agreeing,
            orphans.len()
        )
    }

    fn write(&self, out: &mut impl Write, cells: usize) -> Result<()> {
        let Self { decisions, agreeing, unreadable, faults } = self;
        for fault in &faults.words {
            writeln!(out, "{}", Printable(fault))?;
        }
        if faults.count > faults.words.len() {
            let hidden = faults.count - faults.words.len();
            writeln!(out, "… and {hidden} more; see them with --show {}", faults.count)?;
        }
        let share = if *decisions == 0 { 0.0 } else { 100.0 * *agreeing as f64 / *decisions as f64 };
        writeln!(out, "{agreeing} of {decisions} decisions agree ({share:.4} %) in {} cells", cells - unreadable)?;
        Ok(())
    }
}

/// All faults counted, and as many of them in words as will be shown: a bad cell has as many faults as decisions.
#[derive(Debug, Default)]
struct Faults {
    count: usize,
    words: Vec<String>,
}

impl Faults {
    /// Counts these and keeps at most `kept`.
    fn add(&mut self, kept: usize, faults: impl IntoIterator<Item = impl ToString>) {
        for fault in faults {
            self.count += 1;
            if self.words.len() < kept {
                self.words.push(fault.to_string());
            }
        }
    }
}

/// What is needed to play cells again.
struct Replayer {
    recorded: Library,
    live: Library,
    warm_starts: WarmStarts,
}

impl Replayer {
    /// Where the answers of a cell are.
    fn library(&self, manifest: &Manifest) -> &Library {
        match manifest.answers {
            AnswersFrom::Recorded => &self.recorded,
            AnswersFrom::Live(_) => &self.live,
        }
    }
}

impl Audit {
    pub(crate) fn run(&self) -> Result<()> {
        let run = Run::at(&self.dir);
        let again = Replayer {
            recorded: Library::recorded(self.recorded.open()),
            live: live::library_again(self.recorded.open(), &self.dir),
            warm_starts: WarmStarts::default(),
        };
        let (keys, orphans) = (run.keys()?, run.unfinished()?);
        let studies: BTreeSet<&str> = keys.iter().map(|key| key.study.as_str()).collect();
        let sheets: BTreeMap<&str, Result<StudySheet, counsel_log::Error>> =
            studies.into_iter().map(|study| (study, run.sheet(study))).collect();
        let bar = progress::bar(keys.len());
        let findings = each(
            &keys,
            self.threads.map_or_else(all_cores, NonZeroUsize::get),
            |_| bar.inc(1),
            |key| {
                let sheet = sheets.get(key.study.as_str()).and_then(|sheet| sheet.as_ref().ok());
                Ok::<_, Infallible>(self.audit_cell(&run, sheet, &again, key))
            },
        );
        bar.finish_and_clear();
        let Ok(findings) = findings;
        let mut found = Audited::default();
        for (key, cell) in keys.iter().zip(findings) {
            found.decisions += cell.decisions;
            found.agreeing += cell.agreeing;
            found.unreadable += cell.unreadable;
            // Those that were only counted come after those in words.
            let hidden = cell.faults.count - cell.faults.words.len();
            found.faults.add(self.show, cell.faults.words.iter().map(|fault| format!("{key}: {fault}")));
            found.faults.count += hidden;
        }
        let lost = |(study, sheet): (&&str, &Result<_, counsel_log::Error>)| {
            sheet.as_ref().err().map(|error| format!("{study}: {error}"))
        };
        found.faults.add(self.show, sheets.iter().filter_map(lost));
        let orphan = |key: &CellKey| format!("{key}: its log has no manifest, so it could not be audited");
        found.faults.add(self.show, orphans.iter().map(orphan));
        found.report(keys.len(), &orphans, self.format)
    }

    fn audit_cell(&self, run: &Run, sheet: Option<&StudySheet>, again: &Replayer, key: &CellKey) -> Audited {
        let outcome = (|| -> Result<Audited> {
            let Some(cell) = run.cell(key)? else { bail!("its manifest is gone") };
            let examined = examine_routes(&cell, sheet, &recompute_routes)?;
            let mut faults = Faults::default();
            faults.add(self.show, &examined.disagreements);
            faults.add(self.show, &examined.faults);
            if self.rerun {
                faults.add(self.show, rerun(&cell.manifest, again.library(&cell.manifest), &again.warm_starts)?);
            }
            let (decisions, agreeing) = (examined.decisions, examined.agreeing());
            Ok(Audited { decisions, agreeing, unreadable: 0, faults })
        })();
        outcome.unwrap_or_else(|error| {
            let mut faults = Faults::default();
            faults.add(self.show, [error]);
            Audited { unreadable: 1, faults, ..Audited::default() }
        })
    }
}
