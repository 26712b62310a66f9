//! `counsel slurm`: a script that runs studies as an array of jobs. It is printed; submitting it is left to the user.

use std::num::NonZeroUsize;
use std::path::PathBuf;

use anyhow::{Result, bail};
use clap::Args;
use counsel_log::AnswersFrom;

use crate::choice::Choice;

/// Print a Slurm script that runs studies as an array of jobs.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  counsel slurm babyai-main --shards 20 > job.sh      one seed for each task
  sbatch --wait job.sh
  counsel merge runs runs-shards/*

Every task runs one part of the seeds (`counsel reproduce --shard`) into a folder of its own. A task that is requeued goes on where
it was cut off. The merged folder has the same bytes as one run.")]
pub(crate) struct Slurm {
    #[command(flatten)]
    choice: Choice,
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
        let words: Vec<String> = self.choice.words().iter().map(|word| quoted(word)).collect();
        let out = self.out.to_string_lossy();
        let parts = format!("{out}-shards");
        println!(
            "#!/bin/bash
#SBATCH --job-name=counsel
#SBATCH --array=0-{last}
#SBATCH --cpus-per-task={cpus}
#SBATCH --requeue
# When all tasks are done: counsel merge {merged} {folders}/*
set -euo pipefail
exec counsel reproduce {words} --shard \"$SLURM_ARRAY_TASK_ID/{shards}\" --jobs \"${{SLURM_CPUS_PER_TASK:-1}}\" --out {folders}/\"$SLURM_ARRAY_TASK_ID\"",
            last = self.shards.get() - 1,
            cpus = self.cpus,
            merged = quoted(&out),
            folders = quoted(&parts),
            words = words.join(" "),
            shards = self.shards,
        );
        Ok(())
    }
}

/// A word as a shell reads it.
fn quoted(word: &str) -> String {
    let plain = |letter: char| letter.is_ascii_alphanumeric() || "-_./=:,+@%".contains(letter);
    if !word.is_empty() && word.chars().all(plain) {
        return word.to_owned();
    }
    format!("'{}'", word.replace('\'', r"'\''"))
}

#[cfg(test)]
mod tests {
    use super::quoted;

    #[test]
    fn a_word_stays_one_word() {
        assert_eq!(quoted("lock"), "lock");
        assert_eq!(quoted("arms.*.kappa=0.1"), "'arms.*.kappa=0.1'");
        assert_eq!(quoted("it's $HOME"), r"'it'\''s $HOME'");
        assert_eq!(quoted(""), "''");
    }
}
