//! `counsel report`: a run in one HTML page, from its logs alone.

use std::io::Write;
use std::path::PathBuf;

use anyhow::Result;
use clap::Args;
use counsel_log::{Run, write_whole};
use counsel_report::{Judging, PAGE_OPENING, page, study_chapters};

use crate::progress;
use crate::replace::check_replaceable;

/// Show a run in one page that can be sent to a colleague, from its logs alone.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  counsel report runs
  counsel report runs --study lock --out lock.html

The page holds findings, tables, figures, settings and what is missing. It needs no network, no server
and no script, follows the reader's light or dark setting, and can be printed. The same run gives the
same bytes. Of files that are there already, only reports of this program are replaced.")]
pub(crate) struct Report {
    /// The folder that `counsel reproduce` wrote
    dir: PathBuf,
    /// Only this study; may be given several times [default: all]
    #[arg(long = "study", value_name = "ID")]
    studies: Vec<String>,
    /// The file to write [default: DIR/report.html]
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
    /// Judge the finding also where the study was changed
    #[arg(long)]
    judge: bool,
}

impl Report {
    pub(crate) fn run(&self) -> Result<()> {
        let out = self.out.clone().unwrap_or_else(|| self.dir.join("report.html"));
        check_replaceable(&out, PAGE_OPENING.as_bytes(), "a report")?;
        let studies = (!self.studies.is_empty()).then_some(self.studies.as_slice());
        let judging = if self.judge { Judging::Anyway } else { Judging::AsItStands };
        let run = Run::at(&self.dir);
        let bar = progress::reading(&run, studies)?;
        let chapters = study_chapters(&run, studies, judging, &|_| bar.inc(1));
        bar.finish_and_clear();
        write_whole(&out, page(&self.dir.display().to_string(), &chapters?).as_bytes())?;
        writeln!(std::io::stdout().lock(), "{}", out.display())?;
        Ok(())
    }
}
