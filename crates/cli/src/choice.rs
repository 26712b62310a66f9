//! What is to be run: studies, seeds, and what is changed in them.

use anyhow::Result;
use clap::Args;
use counsel_advisor::AdvisorName;
use counsel_experiment::{Catalogue, Change, Plan, PlannedCell, SeedRange, Shard, Wanted};
use counsel_log::AnswersFrom;

/// The studies that a command is about.
#[derive(Debug, Args)]
pub(crate) struct StudyChoice {
    /// Studies, groups or tables of the paper (tab:alg1-real, "Table 13"), as `counsel list` shows them, or your own study files
    #[arg(required = true, value_name = "ID|GROUP|FILE")]
    names: Vec<String>,
    /// Seeds from A to B, both included [default: the paper's]
    #[arg(long, value_name = "A..B", allow_hyphen_values = true)]
    seeds: Option<SeedRange>,
    /// Change a setting of every arm that does not set it itself; arms.NAME.KEY=VALUE changes the arms that match NAME
    #[arg(long = "set", value_name = "KEY=VALUE")]
    changes: Vec<Change>,
    /// Replace every language model that the study asks with this advisor (model/template/decoding)
    #[arg(long, value_name = "ADVISOR")]
    advisor: Option<AdvisorName>,
}

/// What was chosen, resolved.
pub(crate) struct Chosen {
    /// The ids of the studies, in order.
    pub(crate) studies: Vec<String>,
    /// Their cells.
    pub(crate) cells: Vec<PlannedCell>,
}

impl StudyChoice {
    /// The cells, with answers from there; only those of one part of the seeds where one is named.
    pub(crate) fn cells(&self, answers: AnswersFrom, shard: Option<Shard>) -> Result<Chosen> {
        let (catalogue, names) = Catalogue::embedded()?.with_files(&self.names)?;
        let studies = catalogue.select(&names)?;
        let (seeds, changes, advisor) = (self.seeds.clone(), self.changes.clone(), self.advisor.clone());
        let wanted = Wanted { seeds, shard, changes, advisor, answers };
        let mut cells = Vec::new();
        for study in &studies {
            cells.extend(Plan::of(study, &wanted)?.into_cells());
        }
        Ok(Chosen { studies: studies.iter().map(|study| study.id.clone()).collect(), cells })
    }

    /// Whether the whole paper is among what was named.
    pub(crate) fn names_paper(&self) -> bool {
        self.names.iter().any(|name| name == "paper")
    }

    /// The same as words of a command line: the names, and the options before them.
    pub(crate) fn words(&self) -> (Vec<String>, Vec<String>) {
        let mut words = Vec::new();
        let mut option = |name: &str, value: String| words.extend([name.to_owned(), value]);
        if let Some(SeedRange(seeds)) = &self.seeds {
            option("--seeds", format!("{}..{}", seeds.start(), seeds.end()));
        }
        for change in &self.changes {
            option("--set", change.to_string());
        }
        if let Some(advisor) = &self.advisor {
            option("--advisor", advisor.to_string());
        }
        (self.names.clone(), words)
    }
}
