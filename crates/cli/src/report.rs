//! `counsel report`: a run in one HTML page, from its logs alone; or the decisions of a few cells, to be looked at one by one.

use std::io::{Read, Write};
use std::ops::RangeInclusive;
use std::path::{Path, PathBuf};

use anyhow::Result;
use clap::Args;
use counsel_file::write_whole;
use counsel_log::{Book, CellKey, Run, book};
use counsel_report::{Inspected, Judging, PAGE_OPENING, inspected_cells, inspector, page, study_chapters};

use crate::inspect::inspect;
use crate::replace::check_replaceable;
use crate::{cell, progress};

/// The decision inspector's file in the folder of a run.
const DECISIONS: &str = "decisions.html";

/// Show a run in one page that can be sent to a colleague, from its logs alone.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  counsel report runs
  counsel report runs --study lock --out lock.html
  counsel report runs --cell lock/controller/0 --episodes 0..4
  counsel report runs --cell lock/controller/0 --cell lock/always/0

The page holds findings, tables, figures, settings and what is missing. It needs no network, no server
and no script, follows the reader's light or dark setting, and can be printed. The same run gives the
same bytes. Of files that are there already, only reports of this program are replaced. Cells that a
decisions.html beside it shows are linked: write that one first.

With --cell the page is the decision inspector: the decision in a sentence, a timeline, the world and what
the agent saw, gate, prompt and reply, every action with its values, and the text of `counsel explain`. Keys:
j and k step, a next asked, r next rejected, 1 to 6, n and p what matters, [ and ] episode, h hindsight,
d first divergence of two arms. Sliders say which decisions flip under other settings, by the same engine.
Pictures come from a replay that must agree with the log. This page has a script of its own and needs no
network either.")]
pub(crate) struct Report {
    /// The folder that `counsel reproduce` wrote
    dir: PathBuf,
    /// Only this study; may be given several times [default: all]
    #[arg(long = "study", value_name = "ID")]
    studies: Vec<String>,
    /// Look at the decisions of this cell, STUDY/ARM/SEED; give two arms of one seed to see them side by side
    #[arg(long = "cell", value_name = "C", conflicts_with = "studies")]
    cells: Vec<String>,
    /// Only these episodes, A..B, both included [default: all]
    #[arg(long, value_name = "A..B", requires = "cells", value_parser = crate::amount::episodes)]
    episodes: Option<RangeInclusive<u64>>,
    /// The file to write [default: DIR/report.html, or DIR/decisions.html with --cell]
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
    /// Judge the finding even if the study was changed
    #[arg(long)]
    judge: bool,
}

impl Report {
    pub(crate) fn run(&self) -> Result<()> {
        let name = if self.cells.is_empty() { "report.html" } else { DECISIONS };
        let out = self.out.clone().unwrap_or_else(|| self.dir.join(name));
        check_replaceable(&out, PAGE_OPENING.as_bytes(), "a report")?;
        let text = if self.cells.is_empty() { self.studies(&out)? } else { self.decisions()? };
        write_whole(&out, text.as_bytes())?;
        writeln!(std::io::stdout().lock(), "{}", out.display())?;
        Ok(())
    }

    /// Tables and figures of studies, with links to the decisions that a page beside this one shows.
    fn studies(&self, out: &Path) -> Result<String> {
        let studies = (!self.studies.is_empty()).then_some(self.studies.as_slice());
        let judging = if self.judge { Judging::Anyway } else { Judging::AsItStands };
        let run = Run::at(&self.dir);
        let bar = progress::reading(&run, studies)?;
        let chapters = study_chapters(&run, studies, judging, &|_| bar.inc(1));
        bar.finish_and_clear();
        let shown = inspected_cells(&beginning(&out.with_file_name(DECISIONS)));
        let link = |cell: &CellKey| shown.contains(cell).then(|| format!("{DECISIONS}#{cell}@0"));
        Ok(page(&self.dir.display().to_string(), &chapters?, &link))
    }

    /// The decisions of cells.
    fn decisions(&self) -> Result<String> {
        let run = Run::at(&self.dir);
        let bar = progress::bar(self.cells.len());
        let inspected = |name: &String| {
            let cell = cell::find(&run, name)?;
            let inspected = inspect(&cell, self.episodes.as_ref());
            let book = book(&cell.manifest, &cell.decisions()?);
            bar.inc(1);
            Ok((inspected?, book))
        };
        let cells: Result<Vec<(Inspected, Result<Book, String>)>> = self.cells.iter().map(inspected).collect();
        bar.finish_and_clear();
        Ok(inspector(&self.dir.display().to_string(), &cells?))
    }
}

/// The first lines of a page, if there is one.
fn beginning(path: &Path) -> String {
    let page = counsel_file::Expected { what: "a report", most_bytes: u64::MAX };
    let mut bytes = Vec::new();
    let read = counsel_file::open(path, page).map(|file| file.take(1 << 16).read_to_end(&mut bytes));
    if matches!(read, Ok(Ok(_))) { String::from_utf8_lossy(&bytes).into_owned() } else { String::new() }
}
