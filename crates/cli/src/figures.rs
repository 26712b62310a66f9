//! `counsel figures`: the figures of a run, from its logs alone.

use std::io::Write;
use std::path::PathBuf;

use anyhow::Result;
use clap::Args;
use counsel_log::{Run, write_whole};
use counsel_report::{FigureFormat, study_figures};

use crate::progress;
use crate::replace::check_replaceable;

/// Draw the figures of a run from its logs alone.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  counsel figures runs
  counsel figures runs --study lock --out figures/lock
  counsel figures runs --study lock --format csv

Every figure becomes a file named after it; csv holds its points with the ends of their intervals.
Of files that are there already, only figures written by this command are replaced.")]
pub(crate) struct Figures {
    /// The folder that `counsel reproduce` wrote
    dir: PathBuf,
    /// Only this study; may be given several times [default: all with figures]
    #[arg(long = "study", value_name = "ID")]
    studies: Vec<String>,
    /// The folder for the figures
    #[arg(long, value_name = "FOLDER", default_value = "figures")]
    out: PathBuf,
    /// svg or csv
    #[arg(long, value_name = "FORMAT", default_value_t = FigureFormat::Svg)]
    format: FigureFormat,
}

impl Figures {
    pub(crate) fn run(&self) -> Result<()> {
        let studies = (!self.studies.is_empty()).then_some(self.studies.as_slice());
        let run = Run::at(&self.dir);
        let bar = progress::reading(&run, studies)?;
        let figures = study_figures(&run, studies, &|_| bar.inc(1));
        bar.finish_and_clear();
        let figures = figures?;
        let files: Vec<(PathBuf, String)> = figures
            .iter()
            .map(|figure| (self.out.join(format!("{}.{}", figure.id(), self.format)), figure.render(self.format)))
            .collect();
        for (path, _) in &files {
            check_replaceable(path, self.format.opening().as_bytes(), "a figure")?;
        }
        let mut out = std::io::stdout().lock();
        for (path, text) in &files {
            write_whole(path, text.as_bytes())?;
            writeln!(out, "{}", path.display())?;
        }
        Ok(())
    }
}
