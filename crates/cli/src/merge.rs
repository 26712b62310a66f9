//! `counsel merge`: the runs of several machines in one folder.

use std::io::Write;
use std::path::PathBuf;

use anyhow::{Result, bail};
use clap::Args;
use counsel_log::{Merged, Run};

/// Put the runs of several machines into one folder.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  counsel reproduce lock --shard 0/2 --out shards/0      on one machine
  counsel reproduce lock --shard 1/2 --out shards/1      on another
  counsel merge runs shards/0 shards/1                   the same bytes as one run
  counsel tables runs

Cells are checked (seals, digests, versions) and copied whole. What is already there is left alone, so you can merge again, and while
the machines are still running. All parts are checked first: if a log is damaged or a cell is there with other content, nothing is taken. What live models
answered stays in the folders of the parts, where `counsel audit --rerun` plays those cells again.")]
pub(crate) struct Merge {
    /// The folder that gets the cells
    out: PathBuf,
    /// Folders that `counsel reproduce` wrote
    #[arg(required = true, value_name = "DIR")]
    dirs: Vec<PathBuf>,
}

impl Merge {
    pub(crate) fn run(&self) -> Result<()> {
        let out = Run::at(&self.out);
        let _claim = out.claim()?;
        let here = std::fs::canonicalize(&self.out)?;
        for dir in &self.dirs {
            if std::fs::canonicalize(dir).is_ok_and(|dir| dir == here) {
                bail!("{} is both the source and the target; name the folders of the parts", dir.display());
            }
        }
        let parts: Vec<Run> = self.dirs.iter().map(Run::at).collect();
        let merged = out.take_from(&parts)?;
        // All is done before a word is said: whoever hears it may be gone.
        let mut said = std::io::stdout().lock();
        for (dir, Merged { taken, there }) in self.dirs.iter().zip(&merged) {
            writeln!(said, "{}: {taken} cells taken, {there} were there already", dir.display())?;
        }
        let taken: usize = merged.iter().map(|merged| merged.taken).sum();
        writeln!(said, "{}: {taken} cells taken from {} folders", self.out.display(), parts.len())?;
        Ok(())
    }
}
