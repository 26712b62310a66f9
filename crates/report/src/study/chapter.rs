//! All that a report says of one study: its table, its figures, what was run, and what is missing.

use std::collections::{BTreeMap, BTreeSet};

use counsel_log::{CellKey, Run, StudySheet};

use super::changed::Judging;
use super::collect::{Found, Watch, results, studies};
use super::finding::{families, statements};
use super::illustrate::{Drawn, illustrate};
use super::lead::{Ground, Lead};
use super::robust::Robust;
use super::table::{tabulate, tell_apart};
use crate::{Error, Table};

/// One study of a report.
#[derive(Debug, Clone)]
pub struct Chapter {
    /// What is said first.
    pub lead: Lead,
    /// The table, with its finding and its statements.
    pub table: Table,
    /// The figures that the study declares, or why one is missing; all blocks of a study in one.
    pub figures: Vec<Drawn>,
    /// What many runs say together, or why that cannot be said; none where there are too few.
    pub robust: Option<Result<Robust, String>>,
    /// The specification of each arm, with every default filled in.
    pub sheet: StudySheet,
    /// The seeds of each arm that was run, by the arm's folder.
    pub seeds: BTreeMap<String, BTreeSet<u64>>,
    /// Cells that other arms have at the same seed and that are not there, arm by arm.
    pub missing: BTreeMap<String, BTreeSet<u64>>,
    /// Decisions in all cells.
    pub decisions: u64,
    /// The versions of counsel that made the cells.
    pub made_by: BTreeSet<String>,
}

/// The chapters of these studies, or of all that the run holds, in the order of the catalogue.
pub fn study_chapters(
    run: &Run,
    wanted: Option<&[String]>,
    judging: Judging,
    watch: Watch<'_>,
) -> Result<Vec<Chapter>, Error> {
    let found = studies(run, wanted)?;
    let mut chapters =
        found.iter().map(|found| chapter(run, found, judging, watch)).collect::<Result<Vec<_>, Error>>()?;
    tell_apart(chapters.iter_mut().map(|chapter| &mut chapter.table));
    Ok(chapters)
}

fn chapter(run: &Run, found: &Found, judging: Judging, watch: Watch<'_>) -> Result<Chapter, Error> {
    let results = results(run, found, watch)?;
    let table = tabulate(&found.sheet, &results, judging)?;
    let illustrations = illustrate(run, found, &results);
    let figures: Vec<Drawn> = illustrations
        .into_iter()
        .flat_map(|of| match of.together {
            Some(together) => once_each(together, &of.blocks),
            None => of.blocks,
        })
        .collect();
    let account = &found.sheet.account;
    let families = families(account, &results);
    let is_judged = table.changed.is_empty() || judging == Judging::Anyway;
    let statements = if is_judged { statements(account, &results, &families) } else { Vec::new() };
    let ground = Ground { sheet: &found.sheet, results: &results, families: &families, statements: &statements };
    let lead = ground.lead(figures.first());
    let robust = ground.robust().map_err(|error| format!("The views of many runs are not shown: {error}.")).transpose();
    let (mut decisions, mut made_by) = (0, BTreeSet::new());
    for key in &found.keys {
        let Some(cell) = run.cell(key)? else { continue };
        decisions += cell.manifest.log.rows;
        made_by.insert(cell.manifest.versions.counsel);
    }
    let seeds = by_arm(&found.keys);
    let missing = missing(&found.sheet.arms, &seeds);
    Ok(Chapter { lead, table, figures, robust, sheet: found.sheet.clone(), seeds, missing, decisions, made_by })
}

/// A figure of all blocks, and why those of single blocks are missing in it.
fn once_each(together: Drawn, blocks: &[Drawn]) -> Vec<Drawn> {
    [together].into_iter().chain(blocks.iter().filter(|figure| figure.is_err()).cloned()).collect()
}

fn by_arm(keys: &[CellKey]) -> BTreeMap<String, BTreeSet<u64>> {
    let mut seeds: BTreeMap<String, BTreeSet<u64>> = BTreeMap::new();
    for key in keys {
        seeds.entry(key.arm.clone()).or_default().insert(key.seed);
    }
    seeds
}

/// The seeds that some arm has, less those of each arm.
fn missing(arms: &[String], seeds: &BTreeMap<String, BTreeSet<u64>>) -> BTreeMap<String, BTreeSet<u64>> {
    let all: BTreeSet<u64> = seeds.values().flatten().copied().collect();
    let none = BTreeSet::new();
    let lacks = |arm: &String| (arm.clone(), &all - seeds.get(arm).unwrap_or(&none));
    arms.iter().map(lacks).filter(|(_, lacked)| !lacked.is_empty()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_cell_is_missing_where_another_arm_has_its_seed() {
        let key = |arm: &str, seed| CellKey { study: "lock".into(), arm: arm.into(), seed };
        let seeds = by_arm(&[key("never", 0), key("never", 1), key("always", 1)]);
        let missing = missing(&["never".into(), "always".into(), "oracle".into()], &seeds);
        let told: Vec<(&str, Vec<u64>)> =
            missing.iter().map(|(arm, seeds)| (arm.as_str(), seeds.iter().copied().collect())).collect();
        assert_eq!(told, [("always", vec![0]), ("oracle", vec![0, 1])]);
    }
}
