//! From a run's folder to tables: read the cells, measure them, compare the arms, check the claims.

use std::collections::BTreeMap;

use counsel_log::{CellKey, Manifest, Run};
use counsel_stats::{holm, mean_interval};

use super::babyai;
use super::claim::summary;
use super::description::{Comparison, Description, Measured, Show, description};
use super::measure::CellLog;
use super::read::{cells_by_study, each_cell, selected, unreadable};
use super::results::{ArmResults, Results};
use crate::{Cell, Column, Error, Table};

/// The tables of these studies, or of all that the run holds, in the order of the catalogue.
pub fn study_tables(run: &Run, studies: Option<&[String]>) -> Result<Vec<Table>, Error> {
    let by_study = cells_by_study(run)?;
    let mut tables = Vec::new();
    for (study, keys) in selected(&by_study, studies)? {
        tables.push(tabulate(run, study, keys)?);
    }
    tables.sort_by_key(|(order, _)| *order);
    Ok(tables.into_iter().map(|(_, table)| table).collect())
}

/// A measured cell.
pub(super) struct MeasuredCell {
    pub(super) manifest: Manifest,
    values: Vec<Option<f64>>,
}

impl MeasuredCell {
    /// A number of the cell's specification, by its path.
    pub(super) fn setting(&self, path: &[&str]) -> Option<f64> {
        CellLog { manifest: &self.manifest, decisions: &[] }.setting(path)
    }
}

/// The table of one study, with its place among the studies.
fn tabulate(run: &Run, study: &str, keys: &[CellKey]) -> Result<(usize, Table), Error> {
    if let Some(layout) = babyai::layout(study) {
        return babyai::tabulate(run, study, keys, &layout);
    }
    let description = description(study);
    let cells = measure(run, keys, &description.columns)?;
    let results = collect(&cells, &description.columns);
    let mut columns = vec![Column::left("arm"), Column::right("seeds")];
    columns.extend(description.columns.iter().map(|column| Column::right(column.heading)));
    if let Some(Comparison { baseline, heading, .. }) = &description.comparison {
        columns.push(Column::right(format!("{heading} vs {baseline}")));
        columns.extend(["BCa low", "BCa high", "p", "p (Holm)"].map(Column::right));
    }
    let sheet = run.sheet(study).map_err(unreadable)?;
    let mut table = Table::new(study, sheet.title, columns);
    let compared = compare(&results, &description, study)?;
    for (arm, comparison) in results.arms.iter().zip(compared) {
        let mut row = vec![Cell::text(arm.name.clone()), Cell::count(arm.seeds.len() as u64)];
        row.extend(description.columns.iter().enumerate().map(|(i, column)| shown(&results, arm, i, column.show)));
        row.extend(comparison);
        let trace = arm.trace(study);
        table.push(row.into_iter().map(|cell| cell.traced(trace.clone())))?;
    }
    table.emphasis = Some("the paired 95 % interval excludes zero".into());
    let claims = (description.claims)(&results);
    table.caption = format!("Finding ({}): {}. {}", sheet.paper_label, sheet.finding, summary(&claims));
    table.notes = claims.iter().map(super::claim::Claim::note).collect();
    table.notes.extend(denominators(&results, &description));
    let most = results.arms.iter().map(|arm| arm.seeds.len()).max().unwrap_or(0);
    for arm in results.arms.iter().filter(|arm| arm.seeds.len() < most) {
        table.notes.push(format!("incomplete: {} has {} of {most} seeds", arm.name, arm.seeds.len()));
    }
    Ok((sheet.order, table))
}

/// A note for every number that rests on fewer seeds than its row: a rate has no value on a seed that made no call.
fn denominators(results: &Results, description: &Description) -> Vec<String> {
    let mut notes = Vec::new();
    for arm in &results.arms {
        let seeds = arm.seeds.len();
        for (column, measured) in description.columns.iter().enumerate() {
            let count = arm.measured(column).len();
            if 0 < count && count < seeds {
                notes.push(format!("{} of {} rests on {count} of {seeds} seeds", measured.heading, arm.name));
            }
        }
        let Some(Comparison { baseline, heading, .. }) = &description.comparison else { continue };
        let paired = (arm.name != *baseline).then(|| results.paired(&arm.name, baseline, heading)).flatten();
        if let Some(paired) = paired.filter(|paired| paired.n < seeds) {
            notes.push(format!("{heading} of {} vs {baseline} rests on {} pairs", arm.name, paired.n));
        }
    }
    notes
}

/// Reads the cells and takes every measure of the study.
pub(super) fn measure(run: &Run, keys: &[CellKey], columns: &[Measured]) -> Result<Vec<MeasuredCell>, Error> {
    each_cell(run, keys, |log| MeasuredCell {
        manifest: log.manifest.clone(),
        values: columns.iter().map(|column| (column.measure)(log)).collect(),
    })
}

/// The measured cells by arm, in the order of the specification.
pub(super) fn collect(cells: &[MeasuredCell], columns: &[Measured]) -> Results {
    let mut arms: BTreeMap<(usize, &str), ArmResults> = BTreeMap::new();
    for cell in cells {
        let key = &cell.manifest.key;
        let arm = arms.entry((cell.manifest.arm_order, &key.arm)).or_insert_with(|| ArmResults {
            name: key.arm.clone(),
            seeds: Vec::new(),
            values: vec![Vec::new(); columns.len()],
        });
        arm.seeds.push(key.seed);
        arm.values.iter_mut().zip(&cell.values).for_each(|(column, value)| column.push(*value));
    }
    let headings = columns.iter().map(|column| column.heading).collect();
    Results { headings, arms: arms.into_values().collect() }
}

/// One column of one arm.
pub(super) fn shown(results: &Results, arm: &ArmResults, column: usize, show: Show) -> Cell {
    let values = arm.measured(column);
    if values.is_empty() {
        let answered = results.mean(&arm.name, "calls").is_some_and(|calls| calls > 0.0);
        let unrecorded = answered && matches!(show, Show::Recorded(_));
        return if unrecorded { Cell::not_logged() } else { Cell::not_applicable() };
    }
    let mean = values.iter().sum::<f64>() / values.len() as f64;
    match show {
        Show::Mean(decimals) | Show::Recorded(decimals) => Cell::number(mean, decimals),
        Show::Holds => Cell::fraction(values.iter().filter(|value| **value == 1.0).count() as u64, values.len() as u64),
        Show::Interval(decimals) => match mean_interval(&values, 0.95) {
            Ok(Some(interval)) => Cell::interval(mean, interval.half_width, decimals),
            _ => Cell::number(mean, decimals),
        },
        Show::Median(decimals) => Cell::number(median(values), decimals),
        Show::Least(decimals) => Cell::number(values.into_iter().fold(f64::INFINITY, f64::min), decimals),
        Show::Pooled(of) => {
            let total = results.values(&arm.name, of).unwrap_or_default();
            Cell::fraction(whole(&values), whole(&total))
        }
        Show::Hidden => Cell::not_applicable(),
    }
}

/// The middle value, or the mean of the two in the middle; a radius among them may be infinite.
fn median(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    let middle = values.len() / 2;
    if values.len() % 2 == 1 { values[middle] } else { 0.5 * values[middle - 1] + 0.5 * values[middle] }
}

/// The sum of counts.
#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "counts, summed exactly")]
fn whole(counts: &[f64]) -> u64 {
    counts.iter().sum::<f64>() as u64
}

/// The comparison cells of every arm: difference, BCa ends, p and its adjustment within the study.
fn compare(results: &Results, description: &Description, study: &str) -> Result<Vec<Vec<Cell>>, Error> {
    let Some(Comparison { baseline, heading, decimals }) = &description.comparison else {
        return Ok(vec![Vec::new(); results.arms.len()]);
    };
    let paired: Vec<_> = results
        .arms
        .iter()
        .map(|arm| (arm.name != *baseline).then(|| results.paired(&arm.name, baseline, heading)).flatten())
        .collect();
    let raw: Vec<f64> = paired.iter().flatten().filter_map(|paired| paired.p_value).collect();
    let statistics =
        |error: counsel_stats::Error| Error::StudyStatistics { study: study.into(), reason: error.to_string() };
    let mut adjusted = if raw.is_empty() { Vec::new() } else { holm(&raw).map_err(statistics)? }.into_iter();
    Ok(paired
        .into_iter()
        .map(|paired| {
            let Some(paired) = paired else { return vec![Cell::not_applicable(); 5] };
            let number = |value: Option<f64>| value.map_or_else(Cell::not_applicable, |v| Cell::number(v, *decimals));
            let mut difference = match paired.half_width() {
                Some(half_width) => Cell::interval(paired.mean_difference, half_width, *decimals),
                None => Cell::number(paired.mean_difference, *decimals),
            };
            if paired.t_interval.is_some_and(|interval| interval.excludes(0.0)) {
                difference = difference.emphasised();
            }
            vec![
                difference,
                number(paired.bca_interval.map(|interval| interval.low)),
                number(paired.bca_interval.map(|interval| interval.high)),
                paired.p_value.map_or_else(Cell::not_applicable, Cell::p_value),
                paired.p_value.and_then(|_| adjusted.next()).map_or_else(Cell::not_applicable, Cell::p_value),
            ]
        })
        .collect())
}
