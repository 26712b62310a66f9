//! `counsel slurm`: a script that runs studies as an array of jobs. It is printed; submitting it is left to the user.

use std::io::Write;
use std::num::NonZeroUsize;
use std::path::PathBuf;

use anyhow::{Result, bail};
use clap::Args;
use counsel_log::AnswersFrom;

use crate::choice::StudyChoice;

/// Print a Slurm script that runs studies as an array of jobs.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  counsel slurm babyai-main --shards 20 > job.sh      one seed for each task
  sbatch --wait job.sh
  counsel merge runs runs-shards/*

Every task runs one part of the seeds (`counsel reproduce --shard`) into a folder of its own. A requeued task
resumes. The merged folder has the same bytes as one run.")]
pub(crate) struct Slurm {
    #[command(flatten)]
    choice: StudyChoice,
    /// Tasks, and parts of the seeds; at most as many as there are seeds
    #[arg(long, value_name = "N")]
    shards: NonZeroUsize,
    /// Processors for each task
    #[arg(long, value_name = "N", default_value = "1")]
    cpus: NonZeroUsize,
    /// The folder for the merged run; the parts go into DIR-shards
    #[arg(long, value_name = "DIR", default_value = "runs")]
    out: PathBuf,
}

impl Slurm {
    pub(crate) fn run(&self) -> Result<()> {
        let mut seeds: Vec<u64> =
            self.choice.cells(AnswersFrom::Recorded, None)?.cells.iter().map(|cell| cell.key.seed).collect();
        seeds.sort_unstable();
        seeds.dedup();
        if self.shards.get() > seeds.len() {
            bail!("{} shards are more than the {} seeds; choose at most {}", self.shards, seeds.len(), seeds.len());
        }
        let (names, options) = self.choice.words();
        let quoted_all = |words: &[String]| words.iter().map(|word| quoted(word)).collect::<Result<Vec<_>>>();
        let (names, options) = (quoted_all(&names)?.join(" "), quoted_all(&options)?);
        let options: String = options.into_iter().flat_map(|word| [word, " ".to_owned()]).collect();
        let Some(out) = self.out.to_str() else {
            bail!("{} is no text in UTF-8, which a script needs; choose another --out", self.out.display());
        };
        // A path that begins with a hyphen would be read as an option.
        let out = if out.starts_with('-') { format!("./{out}") } else { out.to_owned() };
        writeln!(
            std::io::stdout().lock(),
            "#!/bin/bash
#SBATCH --job-name=counsel
#SBATCH --array=0-{last}
#SBATCH --cpus-per-task={cpus}
#SBATCH --requeue
# When all tasks are done: counsel merge {merged} {folders}/*
set -euo pipefail
exec counsel reproduce {options}--shard \"$SLURM_ARRAY_TASK_ID/{shards}\" --jobs \"${{SLURM_CPUS_PER_TASK:-1}}\" --out {folders}/\"$SLURM_ARRAY_TASK_ID\" -- {names}",
            last = self.shards.get() - 1,
            cpus = self.cpus,
            merged = quoted(&out)?,
            folders = quoted(&format!("{out}-shards"))?,
            shards = self.shards,
        )?;
        Ok(())
    }
}

/// A word as a shell reads it. One that a line cannot hold is refused: a comment ends where its line does.
fn quoted(word: &str) -> Result<String> {
    if word.contains(char::is_control) {
        bail!("{word:?} holds a line break or another control character, which a script cannot; choose another name");
    }
    let plain = |letter: char| letter.is_ascii_alphanumeric() || "-_./=:,+@%".contains(letter);
    if !word.is_empty() && word.chars().all(plain) {
        return Ok(word.to_owned());
    }
    Ok(format!("'{}'", word.replace('\'', r"'\''")))
}

#[cfg(test)]
mod tests {
    #[test]
    fn a_word_stays_one_word() {
        let quoted = |word| super::quoted(word).unwrap();
        assert_eq!(quoted("lock"), "lock");
        assert_eq!(quoted("arms.*.price=0.1"), "'arms.*.price=0.1'");
        assert_eq!(quoted("it's $HOME"), r"'it'\''s $HOME'");
        assert_eq!(quoted(""), "''");
        for word in ["runs\ntouch PWNED #", "a\rb", "\u{1b}[0m", "nul\0"] {
            assert!(super::quoted(word).unwrap_err().to_string().contains("control character"));
        }
    }
}
