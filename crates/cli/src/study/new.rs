//! `counsel study new`: a study file to begin with.
//!
//! It is the file of a study that comes with the program, under a new id, with a comment before each part. What belongs to
//! the paper alone is left out. The settings are the same, so the new study plays what the old one plays, on seeds of its own
//! name.

use std::io::Write;

use anyhow::{Result, bail};
use clap::Args;
use counsel_experiment::Catalogue;

/// Print a study file to start from, made from a built-in study.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  counsel study new lock > my-study.toml
  counsel study new babyai-price --id my-prices > my-prices.toml

`counsel list` shows the studies. Every key of a study file is explained in docs/STUDIES.md.")]
pub(crate) struct New {
    /// The study to start from, as `counsel list` shows it
    #[arg(value_name = "ID")]
    study: String,
    /// The id of the new study [default: my-ID]
    #[arg(long, value_name = "NEW")]
    id: Option<String>,
}

/// Keys that only a study of the paper has.
const OF_THE_PAPER: [&str; 5] = ["group = ", "paper_label = ", "seconds_per_seed = ", "calls_per_seed = ", "beyond = "];

/// Where the second half of a file begins: at the first of these.
const READ_OUT: [&str; 4] = ["[table", "[[families]]", "[[findings]]", "[[figures]]"];

const SECOND_HALF: &str =
    "# Second half: what is read out of the logs. All of it may be left out. Then the table shows \
return, calls,
# cost and acceptance, and the difference of each arm from `never`, or from the first arm.
";

/// What is said before the first line that begins so.
const COMMENTS: [(&str, &str); 7] = [
    ("finding = ", "# What it must show, said before it is run. May be left out.\n"),
    ("[shared]", "# The settings of all arms.\n"),
    ("[[blocks]]", "# Blocks: settings under which all arms are run, as a task and an advisor.\n"),
    ("[[arms]]", "# What is compared. An arm has the shared settings, and over them what it sets itself.\n"),
    ("[[families]]", "# Differences whose p-values are adjusted together.\n"),
    ("[[findings]]", "# What is claimed, and the test that decides about it. State it before you look.\n"),
    ("[[figures]]", "# What `counsel figures` draws.\n"),
];

impl New {
    pub(crate) fn run(&self) -> Result<()> {
        let catalogue = Catalogue::embedded()?;
        let id = self.id.clone().unwrap_or_else(|| format!("my-{}", self.study));
        if catalogue.names(&id) {
            bail!("there is a study or group `{id}` already; choose another --id");
        }
        let text = begin(catalogue.text(&self.study)?, &self.study, &id);
        // An id that cannot be one is refused here, not when the file is run.
        Catalogue::parse(&text)?;
        write!(std::io::stdout().lock(), "{text}")?;
        Ok(())
    }
}

/// The text of a study under another id, with comments.
fn begin(text: &str, from: &str, id: &str) -> String {
    let mut written = format!(
        "# Your own study, made from `{from}`. Save it, for instance as my-study.toml, and change what you like.
#   counsel study check my-study.toml    is it right, and what would it run?
#   counsel reproduce my-study.toml      run it; the same command goes on where it was cut off
# Every key is explained in docs/STUDIES.md.
# A seed is another world under another id, so even unchanged this study has other numbers than `{from}`.

# First half: what is run.
"
    );
    let mut due: Vec<(&str, &str)> = COMMENTS.to_vec();
    let mut is_first_half = true;
    for line in text.lines() {
        if OF_THE_PAPER.iter().any(|key| line.starts_with(key)) {
            continue;
        }
        if is_first_half && READ_OUT.iter().any(|part| line.starts_with(part)) {
            is_first_half = false;
            written.push_str(SECOND_HALF);
        }
        if let Some(place) = due.iter().position(|(part, _)| line.starts_with(part)) {
            written.push_str(due.remove(place).1);
        }
        let renamed = format!("id = \"{id}\"");
        let is_id = line == format!("id = \"{from}\"");
        written.extend([if is_id { renamed.as_str() } else { line }, "\n"]);
    }
    written
}
