//! From a run's folder to what was measured.

use std::collections::{BTreeMap, BTreeSet};

use counsel_log::study::Setting;
use counsel_log::{CellKey, Manifest, Run, StudySheet, all_cores, each_cell};

use super::changed::check;
use super::measure::{CellLog, measure};
use super::results::{Arm, Block, DeclaredBlock, Results, words};
use crate::Error;

/// A study of a run: its sheet and its cells.
pub(super) struct Found {
    pub(super) sheet: StudySheet,
    pub(super) keys: Vec<CellKey>,
}

/// The studies that are wanted, or all that the run holds, in the order of the catalogue.
pub(super) fn studies(run: &Run, wanted: Option<&[String]>) -> Result<Vec<Found>, Error> {
    let mut by_study: BTreeMap<String, Vec<CellKey>> = BTreeMap::new();
    for key in run.keys()? {
        by_study.entry(key.study.clone()).or_default().push(key);
    }
    let known: Vec<String> = by_study.keys().cloned().collect();
    let names = wanted.map_or_else(|| known.clone(), <[String]>::to_vec);
    let mut found = Vec::new();
    for study in names {
        let no_study = || Error::NoStudy { study: study.clone(), known: known.clone() };
        let keys = by_study.remove(&study).ok_or_else(no_study)?;
        found.push(Found { sheet: run.sheet(&study)?, keys });
    }
    found.sort_by(|one, other| (one.sheet.order, &one.sheet.id).cmp(&(other.sheet.order, &other.sheet.id)));
    Ok(found)
}

/// Called for every cell that was read, from whichever thread it was read on.
pub type Watch<'a> = &'a (dyn Fn(&CellKey) + Sync);

/// Does something with the log of each cell, on all cores, one cell at a time on each.
pub(super) fn each_log<T: Send>(
    run: &Run,
    found: &Found,
    watch: Watch<'_>,
    work: impl Fn(&CellLog<'_>) -> T + Sync,
) -> Result<Vec<(Manifest, T)>, Error> {
    each_cell(run, &found.keys, all_cores(), watch, |cell| {
        check(&found.sheet, &cell.manifest)?;
        let frame = cell.frame()?;
        let done = work(&CellLog { manifest: &cell.manifest, frame: &frame });
        frame.fault().map_or(Ok(()), Err)?;
        Ok((cell.manifest.clone(), done))
    })
}

/// Takes every measure that the study needs.
pub(super) fn results(run: &Run, found: &Found, watch: Watch<'_>) -> Result<Results, Error> {
    let account = &found.sheet.account;
    let measures = account.measures();
    let numbers = |log: &CellLog<'_>| measures.iter().map(|of| (*of, measure(*of, log))).collect::<Vec<_>>();
    let cells = each_log(run, found, watch, numbers)?;
    Ok(gather(&found.sheet, cells))
}

/// The measured cells by block and arm, in the order of the specification.
pub(super) fn gather(
    sheet: &StudySheet,
    cells: impl IntoIterator<Item = (Manifest, Vec<(counsel_log::study::Measure, Option<f64>)>)>,
) -> Results {
    let account = &sheet.account;
    let mut arms: BTreeMap<(usize, String), Arm> = BTreeMap::new();
    for (manifest, values) in cells {
        let folder = manifest.key.arm;
        let arm = arms.entry((manifest.arm_order, folder.clone())).or_insert_with(|| Arm {
            name: account.split(&folder).1.to_owned(),
            folder,
            seeds: Vec::new(),
            spec: manifest.spec,
            values: BTreeMap::new(),
        });
        arm.seeds.push(manifest.key.seed);
        for (measure, value) in values {
            arm.values.entry(measure).or_default().push(value);
        }
    }
    let mut blocks: Vec<Block> = Vec::new();
    for arm in arms.into_values() {
        let (name, _) = account.split(&arm.folder);
        let name = name.to_owned();
        match blocks.iter_mut().find(|known| known.name == name) {
            Some(known) => known.arms.push(arm),
            None => blocks.push(Block { name, label: String::new(), arms: vec![arm] }),
        }
    }
    if !account.blocks.is_empty() {
        let labels: Vec<String> = (0..blocks.len()).map(|at| label(&blocks, at, &account.table.settings)).collect();
        // Where the settings do not tell all blocks apart, every block goes by its name.
        let is_told = labels.iter().collect::<BTreeSet<_>>().len() == labels.len();
        for (block, label) in blocks.iter_mut().zip(labels) {
            block.label = if is_told { label } else { block.name.clone() };
        }
    }
    Results { study: sheet.id.clone(), blocks, declared: declared(sheet) }
}

/// The blocks and arms that the study declares, in its order.
fn declared(sheet: &StudySheet) -> Vec<DeclaredBlock> {
    let mut blocks: Vec<DeclaredBlock> = Vec::new();
    for folder in &sheet.arms {
        let (block, arm) = sheet.account.split(folder);
        match blocks.iter_mut().find(|known| known.name == block) {
            Some(known) => known.arms.push(arm.to_owned()),
            None => blocks.push(DeclaredBlock { name: block.to_owned(), arms: vec![arm.to_owned()] }),
        }
    }
    blocks
}

/// A block in words: its leading settings, as far as they differ between blocks; its name where it has none.
fn label(blocks: &[Block], at: usize, settings: &[Setting]) -> String {
    let differs = |setting: &&Setting| blocks.iter().any(|other| other.setting(setting) != blocks[at].setting(setting));
    let mut told: Vec<&Setting> = settings.iter().filter(differs).collect();
    if told.is_empty() {
        told.extend(settings.first());
    }
    let said = |setting: &Setting| blocks[at].setting(setting).map(|value| words(&value));
    let phrase = |(place, setting): (usize, &&Setting)| {
        let value = said(setting)?;
        Some(match (place, setting.setting.as_str()) {
            (_, "task") | (0, "advisor") => value,
            (_, "advisor") => format!("with {value}"),
            _ => format!("{} {value}", setting.heading()),
        })
    };
    let phrases: Vec<String> = told.iter().enumerate().filter_map(phrase).collect();
    if phrases.is_empty() { blocks[at].name.clone() } else { phrases.join(" ") }
}
