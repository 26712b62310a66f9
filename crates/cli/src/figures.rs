//! `counsel figures`: the figures of a run, from its logs alone.

use std::io::Write;
use std::path::{Path, PathBuf};

use anyhow::{Result, bail};
use clap::Args;
use counsel_file::write_whole;
use counsel_log::Run;
use counsel_report::{Drawn, Figure, FigureFormat, study_figures};

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
    /// The folder for the figures [default: DIR/figures]
    #[arg(long, value_name = "FOLDER")]
    out: Option<PathBuf>,
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
        let out = self.out.clone().unwrap_or_else(|| folder(&self.dir));
        let (drawn, faults) = sorted(figures?);
        let mut said = std::io::stdout().lock();
        for path in write(&drawn, &out, self.format)? {
            writeln!(said, "{}", path.display())?;
        }
        if faults.is_empty() { Ok(()) } else { bail!("{}", faults.join("\n")) }
    }
}

/// Those that were drawn, and why the others were not.
pub(crate) fn sorted(drawn: Vec<Drawn>) -> (Vec<Figure>, Vec<String>) {
    let (mut figures, mut faults) = (Vec::new(), Vec::new());
    for figure in drawn {
        figure.map_or_else(|fault| faults.push(fault), |figure| figures.push(figure));
    }
    (figures, faults)
}

/// Where the figures of a run lie unless another folder is named.
pub(crate) fn folder(dir: &Path) -> PathBuf {
    dir.join("figures")
}

/// Writes each figure into the folder and says where. Nothing is written if one of them would replace a file that is no
/// figure.
pub(crate) fn write(figures: &[Figure], folder: &Path, format: FigureFormat) -> Result<Vec<PathBuf>> {
    let place = |figure: &Figure| folder.join(format!("{}.{format}", figure.id()));
    let paths: Vec<PathBuf> = figures.iter().map(place).collect();
    paths.iter().try_for_each(|path| check_replaceable(path, format.opening().as_bytes(), "a figure"))?;
    for (path, figure) in paths.iter().zip(figures) {
        write_whole(path, figure.render(format).as_bytes())?;
    }
    Ok(paths)
}
