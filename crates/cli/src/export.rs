//! `counsel export`: a run for other programs, from its logs alone.

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};
use clap::{Args, ValueEnum};
use counsel_file::write_whole;
use counsel_log::Run;
use counsel_report::{CellEpisodes, EventFile, cell_episodes};

use crate::progress;
use crate::replace::check_replaceable;

/// Write a run for other programs, from its logs alone.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  counsel export runs --format tensorboard --out board
  counsel export runs --format tensorboard --out board --study lock --arm controller --arm never
  tensorboard --logdir board

Every cell becomes one run of TensorBoard, STUDY/ARM/seed-N, with four scalars. Their step is the episode, from 0:
  return     the sum of the episode's rewards
  calls      the calls that were made in it
  price      the mean price of a call over its decisions
  estimate   the mean estimate of what a call is worth, over its decisions
The bytes are the same every time: the time of an event is its episode in seconds. Numbers are rounded to 32 bits, as
TensorBoard keeps them; `counsel tables --format csv` has them in full. Of files that are there already, only those written
by this command are replaced.")]
pub(crate) struct Export {
    /// The folder that `counsel reproduce` wrote
    dir: PathBuf,
    /// For which program
    #[arg(long, value_name = "FORMAT")]
    format: Target,
    /// The folder for the files
    #[arg(long, value_name = "FOLDER")]
    out: PathBuf,
    /// Only this study; may be given several times [default: all]
    #[arg(long = "study", value_name = "ID")]
    studies: Vec<String>,
    /// Only this arm, as its folder is named; may be given several times [default: all]
    #[arg(long = "arm", value_name = "ARM")]
    arms: Vec<String>,
}

/// The programs that can be written for.
#[derive(Debug, Clone, Copy, ValueEnum)]
enum Target {
    /// Event files of TensorBoard
    Tensorboard,
}

impl Export {
    pub(crate) fn run(&self) -> Result<()> {
        let studies = (!self.studies.is_empty()).then_some(self.studies.as_slice());
        let run = Run::at(&self.dir);
        let bar = progress::reading(&run, studies)?;
        let cells = cell_episodes(&run, studies, &self.arms, &|_| bar.inc(1));
        bar.finish_and_clear();
        let cells = cells?;
        match self.format {
            Target::Tensorboard => self.write_events(&cells),
        }
    }

    /// One event file for each cell; nothing is written if one of them cannot be.
    fn write_events(&self, cells: &[CellEpisodes]) -> Result<()> {
        let folder = |cell: &CellEpisodes| {
            self.out.join(&cell.key.study).join(&cell.key.arm).join(format!("seed-{}", cell.key.seed))
        };
        for cell in cells {
            // A run counts the files of its arms.
            if self.out.join(&cell.key.study).join("study.json").exists() {
                bail!("{} holds a run of counsel itself; choose another folder with --out", self.out.display());
            }
            check_alone(&folder(cell))?;
            check_replaceable(&folder(cell).join(EventFile::NAME), &EventFile::opening(), "an event file")?;
        }
        for cell in cells {
            write_whole(&folder(cell).join(EventFile::NAME), &events(cell))?;
        }
        let mut out = std::io::stdout().lock();
        writeln!(out, "{} runs written; see them with: tensorboard --logdir {}", cells.len(), self.out.display())?;
        Ok(())
    }
}

fn events(cell: &CellEpisodes) -> Vec<u8> {
    let mut file = EventFile::default();
    for episode in &cell.episodes {
        let scalars = [
            ("return", episode.gained),
            ("calls", episode.calls as f64),
            ("price", episode.mean_price),
            ("estimate", episode.mean_estimate),
        ];
        file.scalars(episode.number, &scalars);
    }
    file.into_bytes()
}

/// Refuses a folder with other files: TensorBoard would read them as a part of the same run.
fn check_alone(folder: &Path) -> Result<()> {
    let Ok(entries) = fs::read_dir(folder) else { return Ok(()) };
    for entry in entries {
        let path = entry.with_context(|| format!("cannot list {}", folder.display()))?.path();
        if path.file_name().is_none_or(|name| name != EventFile::NAME) {
            bail!("{} lies where a run would be written; choose another folder with --out", path.display());
        }
    }
    Ok(())
}
