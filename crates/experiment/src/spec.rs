//! A study as written: what it compares, the settings of each arm, and what is read out of it. Unknown keys are errors.

use std::collections::BTreeMap;

use counsel_advisor::AdvisorName;
use counsel_log::study::{Account, Family, FigureSpec, Finding, Setting, TableSpec, matches};
use counsel_log::{AnswersFrom, StudySheet};
use serde::Deserialize;
use toml::{Table, Value};

use crate::change::lay_over;
use crate::paper::numbers;
use crate::preset::{PREDICTOR, check_predictor, expanded};

/// One arm: a name and the settings in which it differs from the shared ones.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ArmSpec {
    /// Its name, in folders and tables. In a study with blocks it is the block's name, a dot, and the name as written.
    pub name: String,
    /// What differs from the shared settings.
    #[serde(default)]
    pub set: Table,
    /// The blocks in which it is run, by pattern; all of them where none is named.
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
    #[serde(default = "own")]
    pub group: String,
    /// What it compares, in one line; its name where nothing is said.
    #[serde(default)]
    pub title: String,
    /// The label of its table in the paper, where it is there.
    #[serde(default)]
    pub paper_label: String,
    /// What it must show, or honestly fail to show, where that was said before.
    #[serde(default)]
    pub finding: String,
    /// How many seeds the paper uses, from 0.
    pub seeds: u64,
    /// About how many seconds one seed takes on two cores.
    #[serde(default)]
    pub seconds_per_seed: Option<f64>,
    /// Calls to language models that the arms make in one seed, where they were counted.
    #[serde(default)]
    pub calls_per_seed: Option<u64>,
    /// What kind of world and loop it runs; `docs/STUDIES.md` lists the ten kinds with their settings.
    pub scenario: String,
    /// The settings that all arms share.
    pub shared: Table,
    /// The blocks; without any, each arm is run once.
    #[serde(default)]
    pub blocks: Vec<BlockSpec>,
    /// The arms, in the order of the table; in every block once the study is read.
    pub arms: Vec<ArmSpec>,
    /// What its table shows; what was won and paid where nothing is said.
    #[serde(default)]
    pub table: Option<TableSpec>,
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

/// The group of a study that names none.
fn own() -> String {
    "own".into()
}

impl StudySpec {
    /// The study with every arm written out for every block that it is run in. Refuses blocks that cannot be told apart
    /// and arms of blocks that there are none of.
    pub(crate) fn spread(mut self) -> Result<Self, String> {
        self.check_names()?;
        let predicts = self.shared.contains_key(PREDICTOR);
        if let Some(given) = self.shared.get(PREDICTOR) {
            check_predictor(given)?;
        }
        self.shared = expanded(self.shared, predicts).map_err(|reason| format!("its shared settings: {reason}"))?;
        for arm in &mut self.arms {
            let set = std::mem::take(&mut arm.set);
            arm.set = expanded(set, predicts).map_err(|reason| format!("arm `{}`: {reason}", arm.name))?;
        }
        let known: Vec<&str> = self.blocks.iter().map(|block| block.name.as_str()).collect();
        for arm in &self.arms {
            let met = |pattern: &&String| known.iter().any(|block| matches(pattern, block));
            if let Some(missing) = arm.only.iter().find(|pattern| !met(pattern)) {
                return Err(format!("arm `{}` is for the block `{missing}`, but no block has that name", arm.name));
            }
        }
        if self.blocks.is_empty() {
            return self.accounted();
        }
        let mut arms = Vec::new();
        for block in &self.blocks {
            let here =
                |arm: &&ArmSpec| arm.only.is_empty() || arm.only.iter().any(|pattern| matches(pattern, &block.name));
            for arm in self.arms.iter().filter(here) {
                let mut set = block.set.clone();
                lay_over(&mut set, &arm.set);
                arms.push(ArmSpec { name: format!("{}.{}", block.name, arm.name), set, only: Vec::new() });
            }
        }
        self.arms = arms;
        self.accounted()
    }

    /// The study, if its names can name folders, and table, families, findings and figures speak only of what it has.
    fn accounted(self) -> Result<Self, String> {
        self.check_distinct()?;
        self.account().check(self.arms.iter().map(|arm| arm.name.as_str()))?;
        Ok(self)
    }

    /// The numbers of the paper's tables that it is about.
    pub fn paper_tables(&self) -> Vec<usize> {
        numbers(&self.paper_label)
    }

    /// Whether an arm may ask a language model.
    pub fn asks_models(&self) -> bool {
        let settings = [&self.shared].into_iter().chain(self.arms.iter().map(|arm| &arm.set));
        let mut advisors = settings.filter_map(|settings| settings.get("advisor")?.as_str());
        advisors.any(|advisor| advisor.parse::<AdvisorName>().is_ok())
    }

    /// What is read out of it. What it leaves out is read out as of any study.
    pub fn account(&self) -> Account {
        let blocks = self.blocks.iter().map(|block| block.name.clone()).collect();
        let (families, findings, figures) = (self.families.clone(), self.findings.clone(), self.figures.clone());
        let Some(table) = self.table.clone() else {
            let generic = Account::generic(blocks, self.told(), self.arms.iter().map(|arm| arm.name.as_str()));
            return Account {
                families: if families.is_empty() { generic.families } else { families },
                figures: if figures.is_empty() { generic.figures } else { figures },
                findings,
                ..generic
            };
        };
        Account { blocks, table, families, findings, figures }
    }

    /// The settings by which its blocks are told apart in a table: all that they set.
    fn told(&self) -> Vec<Setting> {
        let mut paths = Vec::new();
        self.blocks.iter().for_each(|block| leaves("", &block.set, &mut paths));
        paths.into_iter().map(|setting| Setting { setting, or: None, heading: None }).collect()
    }

    /// What a run says of it once for all its cells.
    pub fn sheet(&self) -> StudySheet {
        StudySheet {
            id: self.id.clone(),
            order: self.order,
            title: if self.title.is_empty() { self.id.clone() } else { self.title.clone() },
            paper_label: self.paper_label.clone(),
            finding: self.finding.clone(),
            arms: self.arms.iter().map(|arm| arm.name.clone()).collect(),
            seeds: Some(self.seeds),
            account: self.account(),
            changed: Vec::new(),
            answers: AnswersFrom::Recorded,
            settings: BTreeMap::new(),
        }
    }
}

/// Adds the paths of all single values of a table that are not there yet.
fn leaves(path: &str, table: &Table, found: &mut Vec<String>) {
    for (key, value) in table {
        let path = if path.is_empty() { key.clone() } else { format!("{path}.{key}") };
        match value {
            Value::Table(inner) => leaves(&path, inner, found),
            _ if found.contains(&path) => {}
            _ => found.push(path),
        }
    }
}
