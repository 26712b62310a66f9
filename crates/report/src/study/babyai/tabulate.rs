//! From the cells of a BabyAI study to its table.

use counsel_audit::{CellKey, Run};

use super::block::{Block, blocks};
use super::difference::Contrast;
use super::layout::{Derived, Layout, Rows, Sheet};
use crate::study::claim::{Claim, tally};
use crate::study::description::Show;
use crate::study::results::Results;
use crate::study::tabulate::{collect, measure, shown};
use crate::{Cell, Column, Error, Table};

/// Decimals of a difference.
const DECIMALS: usize = 4;

/// The table of one study, with its place among the studies.
pub(in crate::study) fn tabulate(
    run: &Run,
    study: &str,
    keys: &[CellKey],
    layout: &Layout,
) -> Result<(usize, Table), Error> {
    let cells = measure(run, keys, &layout.columns)?;
    let results = collect(&cells, &layout.columns);
    let specs = cells.iter().map(|cell| (cell.manifest.key.arm.as_str(), &cell.manifest.spec)).collect();
    let blocks = blocks(&results, &specs);
    let first = &cells[0].manifest;
    let mut table = fill(study, &first.title, layout, &results, &blocks)?;
    let claims = (layout.claims)(&blocks);
    table.caption = format!("Finding ({}): {}. {}", first.paper_label, first.finding, tally(&claims));
    table.notes = claims.iter().map(Claim::note).chain(layout.remarks.iter().cloned()).collect();
    table.notes.extend(fewer_seeds(layout, &blocks, &results));
    Ok((first.study_order, table))
}

/// The table's rows, without caption and notes.
pub(super) fn fill(
    study: &str,
    title: &str,
    layout: &Layout,
    results: &Results,
    blocks: &[Block<'_>],
) -> Result<Table, Error> {
    let Sheet { columns, rows } = match &layout.rows {
        Rows::Arms { contrasts, derived } => by_arm(study, layout, results, blocks, contrasts, derived),
        Rows::Own(sheet) => sheet(study, blocks),
    };
    let mut table = Table::new(study, title, columns);
    for row in rows {
        table.push(row)?;
    }
    table.emphasis = Some("the paired 95 % interval excludes zero, before any adjustment".into());
    Ok(table)
}

/// One row per block and arm.
fn by_arm(
    study: &str,
    layout: &Layout,
    results: &Results,
    blocks: &[Block<'_>],
    contrasts: &[Contrast],
    derived: &[Derived],
) -> Sheet {
    let visible = || layout.columns.iter().enumerate().filter(|(_, column)| !matches!(column.show, Show::Hidden));
    let mut columns: Vec<Column> = layout.settings.iter().map(|setting| Column::left(setting.heading)).collect();
    columns.extend([Column::left("arm"), Column::right("seeds")]);
    columns.extend(visible().map(|(_, column)| Column::right(column.heading)));
    columns.extend(derived.iter().map(|derived| Column::left(derived.heading)));
    columns.extend(contrasts.iter().enumerate().flat_map(|(place, contrast)| contrast.columns(place)));
    let families: Vec<_> = contrasts.iter().map(|contrast| contrast.families(blocks)).collect();
    let mut rows = Vec::new();
    for block in blocks {
        for arm in &block.arms {
            // A setting that the arm changes for itself, such as its advisor, is the arm's; otherwise it is the block's.
            let setting = |path| arm.setting(path).or_else(|| block.setting(path));
            let text = |setting: Option<String>| setting.map_or_else(Cell::not_applicable, Cell::text);
            let mut row: Vec<Cell> = layout.settings.iter().map(|column| text(setting(column.path))).collect();
            row.extend([Cell::text(arm.name), Cell::count(arm.results.seeds.len() as u64)]);
            row.extend(visible().map(|(at, column)| shown(results, arm.results, at, column.show)));
            row.extend(derived.iter().map(|derived| (derived.cell)(block, arm)));
            for (contrast, families) in contrasts.iter().zip(&families) {
                row.extend(contrast.cells(block, arm, families, DECIMALS));
            }
            let trace = arm.results.trace(study);
            rows.push(row.into_iter().map(|cell| cell.traced(trace.clone())).collect());
        }
    }
    Sheet { columns, rows }
}

/// Where a number rests on fewer seeds than the study has.
fn fewer_seeds(layout: &Layout, blocks: &[Block<'_>], results: &Results) -> Vec<String> {
    let most = results.arms.iter().map(|arm| arm.seeds.len()).max().unwrap_or(0);
    let arms = || blocks.iter().flat_map(|block| block.arms.iter().map(|arm| arm.results));
    let mut notes = Vec::new();
    let incomplete: Vec<String> = arms()
        .filter(|arm| arm.seeds.len() < most)
        .map(|arm| format!("{} ({} of {most})", arm.name, arm.seeds.len()))
        .collect();
    if !incomplete.is_empty() {
        notes.push(format!("incomplete arms, with their seeds: {}", incomplete.join(", ")));
    }
    for (at, column) in layout.columns.iter().enumerate() {
        let partial: Vec<String> = arms()
            .map(|arm| (arm, arm.measured(at).len()))
            .filter(|(arm, count)| 0 < *count && *count < arm.seeds.len())
            .map(|(arm, count)| format!("{} ({count} of {})", arm.name, arm.seeds.len()))
            .collect();
        if !partial.is_empty() && !matches!(column.show, Show::Hidden) {
            notes.push(format!("{} has no value on every seed of {}", column.heading, partial.join(", ")));
        }
    }
    notes
}
