//! `counsel study table`: tables that cannot come with the program, made from files that you fetch.

use std::io::Write;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use clap::{Args, ValueEnum};
use counsel_experiment::swe_table;
use counsel_file::{Expected, Printable, read_text, write_whole};

/// The file of leaderboards has some 40 MB.
const FETCHED: Expected = Expected { what: "a fetched file", most_bytes: 1 << 30 };

/// Which table.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Which {
    /// SWE-bench Verified, board bash-only
    Swe,
}

/// Make the table of a study, and its file, from data that you fetch yourself because of their licence.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  curl -LO https://raw.githubusercontent.com/SWE-bench/swe-bench.github.io/master/data/leaderboards.json
  counsel study table swe leaderboards.json
  counsel study check route-swe.toml
  counsel reproduce route-swe.toml

`swe` is SWE-bench's board bash-only: which of 500 tasks each model resolved, and for how much. Its licence is CC BY-NC 4.0: not
for commercial use, and the source is to be named. Two files are written: route-swe.csv and route-swe.toml.")]
pub(crate) struct Table {
    /// Which table
    #[arg(value_enum, value_name = "TABLE")]
    which: Which,
    /// The fetched file
    file: PathBuf,
    /// The folder for the table and its study [default: this one]
    #[arg(long, value_name = "FOLDER")]
    out: Option<PathBuf>,
}

impl Table {
    pub(crate) fn run(&self) -> Result<()> {
        let Which::Swe = self.which;
        let text = read_text(&self.file, FETCHED)?;
        let made = swe_table(&text).map_err(|reason| anyhow::anyhow!("{}: {reason}", self.file.display()))?;
        let folder = self.out.as_deref().unwrap_or_else(|| Path::new(""));
        let mut out = std::io::stdout().lock();
        for (name, text) in made {
            let path = folder.join(name);
            write_whole(&path, text.as_bytes()).with_context(|| format!("writing {}", path.display()))?;
            writeln!(out, "{}", Printable(path.display()))?;
        }
        Ok(())
    }
}
