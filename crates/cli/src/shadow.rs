//! `counsel shadow`: what the gate would have done on a log of advice that was paid for.

mod check;

use std::io::Write;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use clap::{Args, Subcommand};
use counsel_file::{Printable, write_whole};
use counsel_log::{Cell, Run};
use counsel_report::{PAGE_OPENING, Traces, plain_page};
use counsel_shadow::{Error, ShadowLog, ShadowSettings, own, read, report};

use crate::cell;
use crate::look::TableOptions;
use crate::replace::check_replaceable;

/// See what the gate would have done on your own log, before you switch it on.
#[derive(Debug, Args)]
#[command(
    args_conflicts_with_subcommands = true,
    subcommand_negates_reqs = true,
    after_help = "Examples:
  counsel shadow check calls.jsonl
  counsel shadow calls.jsonl
  counsel shadow calls.parquet --price 0.01,0.05,0.2 --out shadow.html
  counsel shadow runs --cell lock/always/0 --cell lock/always/1 --arm controller --return-range 0,1

A log is JSONL, CSV or Parquet; docs/SHADOW.md has its columns. Four tiers are reported, each by itself: exact (until
the policy first departs from the log), bounds (by the declared range of returns), modelled (if your values are
right), and off-policy (by a logged probability of asking). Below its limits a tier gives no number."
)]
pub(crate) struct Shadow {
    #[command(subcommand)]
    verb: Option<ShadowVerb>,
    /// The log, or the folder of a run of this program
    #[arg(required = true)]
    log: Option<PathBuf>,
    /// Cells of the run, STUDY/ARM/SEED: seeds of one arm
    #[arg(long = "cell", value_name = "C")]
    cells: Vec<String>,
    /// On a run: follow the controller of this arm [default: the cell's own, with the predictive gate]
    #[arg(long, value_name = "ARM", requires = "cells")]
    arm: Option<String>,
    /// On a run: the lowest and the highest return of an episode
    #[arg(long, value_name = "LOW,HIGH", requires = "cells", value_parser = range, allow_hyphen_values = true)]
    return_range: Option<[f64; 2]>,
    /// On a run whose agent learns: declare that an answer affects it through the action alone
    #[arg(long, requires = "cells")]
    answers_act_only: bool,
    /// Prices of a call to try, with commas [default: those of the log]
    #[arg(long = "price", value_name = "PRICES", value_delimiter = ',', value_parser = price)]
    prices: Vec<f64>,
    /// The share of calls whose estimate may miss by more than the radius
    #[arg(long, value_name = "A", default_value_t = 0.1)]
    alpha: f64,
    /// How much worse than the best a certified action may be, where the log has bounds
    #[arg(long, value_name = "E", default_value_t = 1.0)]
    tolerance: f64,
    /// Also write a page
    #[arg(long, value_name = "FILE.html")]
    out: Option<PathBuf>,
    #[command(flatten)]
    look: TableOptions,
}

#[derive(Debug, Subcommand)]
enum ShadowVerb {
    /// Check a log row by row, and say what its columns support
    Check(check::Check),
}

fn price(text: &str) -> Result<f64, String> {
    let price = text.trim().parse().ok().filter(|price: &f64| *price >= 0.0 && price.is_finite());
    price.ok_or_else(|| "pass prices of 0 or more, as in 0.01,0.05".to_owned())
}

fn range(text: &str) -> Result<[f64; 2], String> {
    let ends = text.split_once(',').and_then(|(low, high)| Some([low.trim().parse().ok()?, high.trim().parse().ok()?]));
    ends.ok_or_else(|| "pass the lowest and the highest return, as in 0,1".to_owned())
}

impl Shadow {
    pub(crate) fn run(&self) -> Result<()> {
        if let Some(ShadowVerb::Check(check)) = &self.verb {
            return check.run();
        }
        let path = self.log.as_deref().context("no log is named; pass its path")?;
        if let Some(out) = &self.out {
            check_replaceable(out, PAGE_OPENING.as_bytes(), "a page")?;
        }
        let mut plan = ShadowSettings {
            prices: self.prices.clone(),
            alpha: self.alpha,
            tolerance: self.tolerance,
            settings: None,
        };
        let log = if self.cells.is_empty() { opened(path)? } else { self.own(path, &mut plan)? };
        let told = report(&log, &plan)?;
        let mut out = std::io::stdout().lock();
        write!(out, "{}", Printable(self.look.view(Traces::Hidden).render(&told.tables)?))?;
        let next: Vec<String> = told.next.iter().map(|words| format!("To learn more: {words}.")).collect();
        if self.look.is_text() {
            for words in &next {
                writeln!(out, "\n{}", crate::look::lines(words))?;
            }
        }
        if let Some(file) = &self.out {
            let about = format!("Shadow of {}", path.display());
            let mut words = vec![
                "What the gate would have done on this log. Four tiers, each by itself; none enters another."
                    .to_owned(),
            ];
            words.extend(next);
            write_whole(file, plain_page(&about, &words, &told.tables, &told.figures).as_bytes())?;
            writeln!(out, "{}", file.display())?;
        }
        Ok(())
    }

    /// Cells of a run, and the controller that is followed on them.
    fn own(&self, path: &Path, plan: &mut ShadowSettings) -> Result<ShadowLog> {
        let run = Run::at(path);
        let cells: Vec<Cell> = self.cells.iter().map(|name| cell::find(&run, name)).collect::<Result<_>>()?;
        if let (Some(arm), Some(first)) = (&self.arm, cells.first()) {
            let key = &first.manifest.key;
            let other = cell::find(&run, &format!("{}/{arm}/{}", key.study, key.seed))?;
            plan.settings = Some(other.manifest.settings);
        }
        Ok(own(&cells, self.return_range, self.answers_act_only)?)
    }
}

/// Reads a log; bad rows are named on standard error.
fn opened(path: &Path) -> Result<ShadowLog> {
    read(path).map_err(|error| {
        if let Error::Rows { faults, count, .. } = &error {
            let mut named: Vec<String> = faults.iter().map(ToString::to_string).collect();
            if *count > faults.len() {
                named.push(format!("… and {} more", count - faults.len()));
            }
            return anyhow::anyhow!("{error}\n  {}", named.join("\n  "));
        }
        error.into()
    })
}
