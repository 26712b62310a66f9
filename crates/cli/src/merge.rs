//! `counsel merge`: the runs of several machines in one folder.

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

Cells are checked (seals, digests, versions) and copied whole. What is there already is left alone, so it can be done again, and while
the machines are still at work. A cell that is there with another content is refused, and nothing of its folder is taken. What live models
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
        let mut merged = Merged::default();
        for dir in &self.dirs {
            if std::fs::canonicalize(dir).is_ok_and(|dir| dir == here) {
                bail!("{} is both the source and the target; name the folders of the parts", dir.display());
            }
            let Merged { taken, there } = out.take_from(&Run::at(dir))?;
            println!("{}: {taken} cells taken, {there} were there already", dir.display());
            merged = Merged { taken: merged.taken + taken, there: merged.there + there };
        }
        println!("{}: {} cells taken from {} folders", self.out.display(), merged.taken, self.dirs.len());
        Ok(())
    }
}
