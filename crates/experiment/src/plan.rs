//! A study, resolved: every cell with all its settings filled in and checked. Only this runs.

use std::sync::Arc;

use counsel_advisor::AdvisorName;
use counsel_decision::refusal::{Refusal, UnknownName};
use counsel_log::study::matches;
use counsel_log::{AnswersFrom, CellKey, StudySheet};
use serde_json::Value;
use toml::Table;

use crate::change::lay_over;
use crate::{ArmSpec, Change, Error, Scenario, SeedRange, Shard, StudySpec};

/// One cell to run.
#[derive(Debug, Clone)]
pub struct PlannedCell {
    /// Which cell.
    pub key: CellKey,
    /// Its place among the arms of its study.
    pub arm_order: usize,
    /// What the run says of its study.
    pub sheet: Arc<StudySheet>,
    /// What to run.
    pub scenario: Scenario,
}

/// What is wanted of a study besides what its file says.
#[derive(Debug, Clone, Default)]
pub struct Wanted {
    /// The seeds; the paper's where none are named.
    pub seeds: Option<SeedRange>,
    /// Of these seeds only those of one part; all where none is named.
    pub shard: Option<Shard>,
    /// Changes of its settings.
    pub changes: Vec<Change>,
    /// The language model that every arm asks which asks one.
    pub advisor: Option<AdvisorName>,
    /// Where the answers of language models come from.
    pub answers: AnswersFrom,
}

/// The most cells that are planned at once. Each holds all its settings, so more of them would fill the memory.
const MOST_CELLS: f64 = 1e5;

/// The cells of a study.
#[derive(Debug, Clone)]
pub struct Plan {
    cells: Vec<PlannedCell>,
}

/// An arm whose settings are checked.
struct Resolved<'a> {
    arm: &'a ArmSpec,
    /// Its settings as they were written.
    settings: Table,
    scenario: Scenario,
}

impl Plan {
    /// Resolves a study for these seeds (the paper's by default) with these changes.
    pub fn new(study: &StudySpec, seeds: Option<&SeedRange>, changes: &[Change]) -> Result<Self, Error> {
        Self::of(study, &Wanted { seeds: seeds.cloned(), changes: changes.to_vec(), ..Wanted::default() })
    }

    /// Resolves a study as it is wanted.
    pub fn of(study: &StudySpec, wanted: &Wanted) -> Result<Self, Error> {
        refuse_too_many(study, wanted.seeds.as_ref())?;
        let changes = understood(study, &wanted.changes)?;
        let mut arms = Vec::new();
        for arm in &study.arms {
            arms.push(resolve(study, arm, settings(study, arm, &changes, wanted.advisor.as_ref()))?);
        }
        let mut told: Vec<String> = changes.iter().map(|change| change.told(&study.arms)).collect();
        if let Some(advisor) = &wanted.advisor {
            if !arms.iter().any(|arm| arm.scenario.models().contains(advisor)) {
                return Err(Error::NoAdvisor { study: study.id.clone() });
            }
            let left_out = drop_repeated(&mut arms);
            told.push(format!("advisor={advisor} in every arm that asks a model{left_out}"));
        }
        let sheet = Arc::new(StudySheet {
            arms: arms.iter().map(|arm| arm.arm.name.clone()).collect(),
            changed: if told.is_empty() || is_as_it_stands(study, &arms) { Vec::new() } else { told },
            answers: wanted.answers.clone(),
            settings: arms.iter().map(|arm| (arm.arm.name.clone(), arm.scenario.spec().clone())).collect(),
            ..study.sheet()
        });
        let seeds = wanted.seeds.as_ref().map_or_else(|| (0..study.seeds).collect(), SeedRange::to_vec);
        let seeds = match wanted.shard {
            Some(shard) => shard.of(&seeds),
            None => seeds,
        };
        let cell = |arm_order: usize, arm: &Resolved<'_>, seed: u64| PlannedCell {
            key: CellKey { study: study.id.clone(), arm: arm.arm.name.clone(), seed },
            arm_order,
            sheet: Arc::clone(&sheet),
            scenario: arm.scenario.clone(),
        };
        let numbered = arms.iter().enumerate();
        let cells = numbered.flat_map(|(order, arm)| seeds.iter().map(move |&seed| (order, arm, seed)));
        Ok(Self { cells: cells.map(|(order, arm, seed)| cell(order, arm, seed)).collect() })
    }

    /// The cells, in order.
    pub fn cells(&self) -> &[PlannedCell] {
        &self.cells
    }

    /// The language models whose answers its cells need, each once, in the order of the arms.
    pub fn advisors(&self) -> Vec<AdvisorName> {
        let mut advisors = Vec::new();
        for advisor in self.cells.iter().flat_map(|cell| cell.scenario.models()) {
            if !advisors.contains(&advisor) {
                advisors.push(advisor);
            }
        }
        advisors
    }

    /// The cells, in order.
    pub fn into_cells(self) -> Vec<PlannedCell> {
        self.cells
    }
}

/// Refuses more cells than fit into memory.
fn refuse_too_many(study: &StudySpec, seeds: Option<&SeedRange>) -> Result<(), Error> {
    let count = seeds.map_or(study.seeds, |SeedRange(range)| (range.end() - range.start()).saturating_add(1));
    let size = count as f64 * study.arms.len() as f64;
    if size > MOST_CELLS {
        let remedy = "run fewer seeds, or a part of them in a folder of its own";
        return Err(Refusal::TooLarge { what: "the list of cells", size, most: MOST_CELLS, remedy }.into());
    }
    Ok(())
}

fn invalid(study: &StudySpec, arm: &str, reason: String) -> Error {
    let arm = if arm.is_empty() { String::new() } else { format!(", arm {arm}") };
    Error::Spec { study: study.id.clone(), arm, reason }
}

/// The changes, understood for the arms of a study. Refuses one that would reach no arm.
fn understood(study: &StudySpec, changes: &[Change]) -> Result<Vec<Change>, Error> {
    let changes: Vec<Change> = changes.iter().map(|change| change.among(&study.arms)).collect();
    for change in &changes {
        match change.arm() {
            Some(arm) if !study.arms.iter().any(|known| matches(&arm, &known.name)) => {
                let unknown = UnknownName::among(&arm, study.arms.iter().map(|arm| arm.name.as_str()));
                return Err(invalid(study, "", format!("it has no arm {unknown}")));
            }
            None if study.arms.iter().all(|arm| change.is_covered_by(&arm.set)) => {
                let key = change.key();
                let reason =
                    format!("every arm sets `{key}` itself; write --set arms.NAME.{key}=…, where NAME may be *");
                return Err(invalid(study, "", reason));
            }
            _ => {}
        }
    }
    Ok(changes)
}

/// The settings of an arm: those that are shared, its own over them, and the changes of each where they belong.
fn settings(study: &StudySpec, arm: &ArmSpec, changes: &[Change], advisor: Option<&AdvisorName>) -> Table {
    let mut settings: Table = study.shared.clone();
    changes.iter().filter(|change| change.arm().is_none()).for_each(|change| change.apply(&mut settings));
    lay_over(&mut settings, &arm.set);
    changes.iter().filter(|change| change.is_for(arm)).for_each(|change| change.apply(&mut settings));
    if let (Some(advisor), Some(toml::Value::String(asked))) = (advisor, settings.get_mut("advisor"))
        && asked.parse::<AdvisorName>().is_ok()
    {
        *asked = advisor.to_string();
    }
    settings
}

/// An arm with these settings, checked.
fn resolve<'a>(study: &StudySpec, arm: &'a ArmSpec, settings: Table) -> Result<Resolved<'a>, Error> {
    let refused = |reason: String| invalid(study, &arm.name, reason);
    let scenario = Scenario::resolve(&study.scenario, &settings).map_err(refused)?;
    Ok(Resolved { arm, settings, scenario })
}

/// Leaves out arms that one advisor made the same as those of an earlier block, and says of which blocks.
fn drop_repeated(arms: &mut Vec<Resolved<'_>>) -> String {
    let mut seen: Vec<(String, Value)> = Vec::new();
    let mut blocks: Vec<String> = Vec::new();
    arms.retain(|arm| {
        let Some((block, name)) = arm.arm.name.split_once('.') else { return true };
        let this = (name.to_owned(), arm.scenario.spec().clone());
        let is_new = !seen.contains(&this);
        if is_new {
            seen.push(this);
        } else if blocks.last().is_none_or(|last| last != block) {
            blocks.push(block.to_owned());
        }
        is_new
    });
    if blocks.is_empty() { String::new() } else { format!(" (nothing new in {}, left out)", blocks.join(", ")) }
}

/// Whether the arms are those of the study without any change. To write out a default is no change, so settings that are
/// written otherwise are resolved before they are compared.
fn is_as_it_stands(study: &StudySpec, arms: &[Resolved<'_>]) -> bool {
    let is_same = |arm: &Resolved<'_>| {
        let before = settings(study, arm.arm, &[], None);
        before == arm.settings
            || resolve(study, arm.arm, before).is_ok_and(|before| before.scenario.spec() == arm.scenario.spec())
    };
    arms.len() == study.arms.len() && arms.iter().all(is_same)
}
