//! A study, resolved: every cell with all its settings filled in and checked. Only this runs.

use std::sync::Arc;

use counsel_decision::refusal::{Refusal, nearest};
use counsel_log::{CellKey, StudySheet};
use serde_json::Value;
use toml::Table;

use crate::change::lay_over;
use crate::{Change, Error, Scenario, SeedRange, StudySpec};

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
    /// The same as data, for the manifest.
    pub spec: Value,
}

/// The most cells that are planned at once. Each holds all its settings, so more of them would fill the memory.
const MOST_CELLS: f64 = 1e5;

/// The cells of a study.
#[derive(Debug, Clone)]
pub struct Plan {
    cells: Vec<PlannedCell>,
}

impl Plan {
    /// Resolves a study for these seeds (the paper's by default) with these changes.
    pub fn new(study: &StudySpec, seeds: Option<&SeedRange>, changes: &[Change]) -> Result<Self, Error> {
        let count = seeds.map_or(study.seeds, |SeedRange(range)| (range.end() - range.start()).saturating_add(1));
        let size = count as f64 * study.arms.len() as f64;
        if size > MOST_CELLS {
            let remedy = "run fewer seeds, or a part of them in a folder of its own";
            return Err(Refusal::TooLarge { what: "the list of cells", size, most: MOST_CELLS, remedy }.into());
        }
        let seeds: Vec<u64> = seeds.map_or_else(|| (0..study.seeds).collect(), |seeds| seeds.0.clone().collect());
        let invalid = |arm: &str, reason: String| Error::Spec {
            study: study.id.clone(),
            arm: if arm.is_empty() { String::new() } else { format!(", arm {arm}") },
            reason,
        };
        let changes: Vec<Change> = changes.iter().map(|change| change.among(&study.arms)).collect();
        for arm in changes.iter().filter_map(Change::arm) {
            if !study.arms.iter().any(|known| known.name == arm) {
                let hint = nearest(&arm, study.arms.iter().map(|arm| arm.name.as_str()));
                return Err(invalid("", format!("it has no arm `{arm}`{hint}")));
            }
        }
        for change in changes.iter().filter(|change| change.arm().is_none()) {
            if study.arms.iter().all(|arm| change.is_covered_by(&arm.set)) {
                let key = change.key();
                return Err(invalid("", format!("every arm sets `{key}` itself; write --set arms.NAME.{key}=…")));
            }
        }
        let (mut cells, sheet) = (Vec::new(), Arc::new(study.sheet()));
        for (arm_order, arm) in study.arms.iter().enumerate() {
            let mut settings: Table = study.shared.clone();
            changes.iter().filter(|change| change.arm().is_none()).for_each(|change| change.apply(&mut settings));
            lay_over(&mut settings, &arm.set);
            changes
                .iter()
                .filter(|c| c.arm().as_ref() == Some(&arm.name))
                .for_each(|change| change.apply(&mut settings));
            let scenario =
                Scenario::resolve(&study.scenario, &settings).map_err(|reason| invalid(&arm.name, reason))?;
            let spec = serde_json::to_value(&scenario).map_err(|error| invalid(&arm.name, error.to_string()))?;
            for &seed in &seeds {
                cells.push(PlannedCell {
                    key: CellKey { study: study.id.clone(), arm: arm.name.clone(), seed },
                    arm_order,
                    sheet: Arc::clone(&sheet),
                    scenario: scenario.clone(),
                    spec: spec.clone(),
                });
            }
        }
        Ok(Self { cells })
    }

    /// The cells, in order.
    pub fn cells(&self) -> &[PlannedCell] {
        &self.cells
    }

    /// The cells, in order.
    pub fn into_cells(self) -> Vec<PlannedCell> {
        self.cells
    }
}
