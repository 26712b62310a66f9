//! A study as written: what it compares, the settings of each arm, and what is read out of it. Unknown keys are errors.

use std::collections::BTreeMap;

use counsel_log::study::{Account, Family, FigureSpec, Finding, TableSpec};
use counsel_log::{AnswersFrom, StudySheet};
use serde::Deserialize;
use toml::Table;

use crate::change::lay_over;

/// One arm: a name and the settings in which it differs from the shared ones.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ArmSpec {
    /// Its name, in folders and tables. In a study with blocks it is the block's name, a dot, and the name as written.
    pub name: String,
    /// What differs from the shared settings.
    #[serde(default)]
    pub set: Table,
    /// The blocks in which it is run, as written; all of them where none is named.
    #[serde(default)]
    pub only: Vec<String>,
}

/// One block: settings under which all arms are run, as a task and an advisor.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct BlockSpec {
    /// Its name, without a dot.
    pub name: String,
    /// What differs from the shared settings.
    pub set: Table,
}

/// One study.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct StudySpec {
    /// Its name.
    pub id: String,
    /// The group it is run with.
    pub group: String,
    /// What it compares, in one line.
    pub title: String,
    /// The label of its table in the paper.
    pub paper_label: String,
    /// What it must show, or honestly fail to show.
    pub finding: String,
    /// How many seeds the paper uses, from 0.
    pub seeds: u64,
    /// What kind of world and loop it runs: `controlled`, `latent`, `placement` or `babyai`.
    pub scenario: String,
    /// The settings that all arms share.
    pub shared: Table,
    /// The blocks; without any, each arm is run once.
    #[serde(default)]
    pub blocks: Vec<BlockSpec>,
    /// The arms, in the order of the table; in every block once the study is read.
    pub arms: Vec<ArmSpec>,
    /// What its table shows.
    #[serde(default)]
    pub table: TableSpec,
    /// The differences that are tested together.
    #[serde(default)]
    pub families: Vec<Family>,
    /// What is claimed, and how it is tested.
    #[serde(default)]
    pub findings: Vec<Finding>,
    /// What is drawn.
    #[serde(default)]
    pub figures: Vec<FigureSpec>,
    /// Its place in the catalogue, which no file says.
    #[serde(skip)]
    pub order: usize,
}

impl StudySpec {
    /// The study with every arm written out for every block that it is run in. Refuses blocks that cannot be told apart
    /// and arms of blocks that there are none of.
    pub(crate) fn spread(mut self) -> Result<Self, String> {
        let known: Vec<&str> = self.blocks.iter().map(|block| block.name.as_str()).collect();
        if let Some(bad) = known.iter().find(|name| name.is_empty() || name.contains('.')) {
            return Err(format!("the block `{bad}` needs a name without a dot"));
        }
        for arm in &self.arms {
            if let Some(missing) = arm.only.iter().find(|name| !known.contains(&name.as_str())) {
                return Err(format!("arm `{}` is for the block `{missing}`, which there is none of", arm.name));
            }
        }
        if self.blocks.is_empty() {
            return self.accounted();
        }
        let mut arms = Vec::new();
        for block in &self.blocks {
            for arm in self.arms.iter().filter(|arm| arm.only.is_empty() || arm.only.contains(&block.name)) {
                let mut set = block.set.clone();
                lay_over(&mut set, &arm.set);
                arms.push(ArmSpec { name: format!("{}.{}", block.name, arm.name), set, only: Vec::new() });
            }
        }
        self.arms = arms;
        self.accounted()
    }

    /// The study, if table, families, findings and figures speak only of what it has.
    fn accounted(self) -> Result<Self, String> {
        self.account().check(self.arms.iter().map(|arm| arm.name.as_str()))?;
        Ok(self)
    }

    /// What is read out of it.
    fn account(&self) -> Account {
        Account {
            blocks: self.blocks.iter().map(|block| block.name.clone()).collect(),
            table: self.table.clone(),
            families: self.families.clone(),
            findings: self.findings.clone(),
            figures: self.figures.clone(),
        }
    }

    /// What a run says of it once for all its cells.
    pub fn sheet(&self) -> StudySheet {
        StudySheet {
            id: self.id.clone(),
            order: self.order,
            title: self.title.clone(),
            paper_label: self.paper_label.clone(),
            finding: self.finding.clone(),
            arms: self.arms.iter().map(|arm| arm.name.clone()).collect(),
            account: self.account(),
            changed: Vec::new(),
            answers: AnswersFrom::Recorded,
            settings: BTreeMap::new(),
        }
    }
}
