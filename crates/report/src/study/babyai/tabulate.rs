//! From the cells of a BabyAI study to its table.

use counsel_log::{CellKey, Run};

use super::block::{Block, blocks};
use super::difference::Contrast;
use super::layout::{Derived, Layout, Rows, Sheet};
use crate::study::claim::{Claim, tally};
use crate::study::description::Show;
use crate::study::read::unreadable;
use crate::study::results::Results;
use crate::study::tabulate::{collect, measure, shown};
use crate::{Cell, Column, Error, Table};

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
    let sheet = run.sheet(study).map_err(unreadable)?;
    let mut table = fill(study, &sheet.title, layout, &results, &blocks)?;
    let claims = (layout.claims)(&blocks);
    table.caption = format!("Finding ({}): {}. {}", sheet.paper_label, sheet.finding, tally(&claims));
    table.notes = claims.iter().map(Claim::note).chain(layout.remarks.iter().cloned()).collect();
    table.notes.extend(fewer_seeds(layout, &blocks, &results));
    Ok((sheet.order, table))
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
            for (place, (contrast, families)) in contrasts.iter().zip(&families).enumerate() {
                row.extend(contrast.cells(place, block, arm, families));
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
    if matches!(layout.rows, Rows::Own(_)) {
        return notes;
    }
    // Columns that lack the same seeds share a note.
    let mut partial: Vec<(String, Vec<&str>)> = Vec::new();
    for (at, column) in layout.columns.iter().enumerate().filter(|(_, column)| !matches!(column.show, Show::Hidden)) {
        let lacking: Vec<String> = arms()
            .map(|arm| (arm, arm.measured(at).len()))
            .filter(|(arm, count)| 0 < *count && *count < arm.seeds.len())
            .map(|(arm, count)| format!("{} ({count} of {})", arm.name, arm.seeds.len()))
            .collect();
        let lacking = lacking.join(", ");
        match partial.iter_mut().find(|(known, _)| *known == lacking) {
            _ if lacking.is_empty() => {}
            Some((_, headings)) => headings.push(column.heading),
            None => partial.push((lacking, vec![column.heading])),
        }
    }
    let note = |(arms, headings): (String, Vec<&str>)| format!("not on all seeds: {}, in {arms}", headings.join("; "));
    notes.extend(partial.into_iter().map(note));
    notes
}

#[cfg(test)]
mod tests {
    use super::super::layout::layout;
    use super::super::specimen::Study;
    use super::*;
    use crate::study::claim::Verdict;
    use crate::{Format, render};

    /// Rows of the exact-placement study, of which one block lacks an arm and another has fewer seeds.
    #[test]
    fn missing_arms_are_left_out() {
        let layout = layout("babyai-exact").unwrap();
        let headings: Vec<&'static str> = layout.columns.iter().map(|column| column.heading).collect();
        let flat = |returns: &[f64], calls: &[f64]| -> Vec<Vec<f64>> {
            headings
                .iter()
                .map(|heading| match *heading {
                    "return" => returns.to_vec(),
                    "calls" => calls.to_vec(),
                    _ => vec![0.5; returns.len()],
                })
                .collect()
        };
        let mut study = Study::new(&headings);
        for (arm, returns, calls) in [
            ("obj-m.beta-conf", &[0.5, 0.6, 0.7][..], &[40.0, 50.0, 60.0][..]),
            ("obj-m.random-exact", &[0.3, 0.45, 0.5], &[40.0, 50.0, 60.0]),
            ("obj-m.schedule", &[0.5, 0.5], &[40.0, 49.0]),
            ("local-m.beta-conf", &[0.2, 0.3, 0.1], &[40.0, 50.0, 60.0]),
        ] {
            let columns = flat(returns, calls);
            study = study.arm(arm, &columns.iter().map(Vec::as_slice).collect::<Vec<_>>());
        }
        study.check(|blocks| {
            let mut table = fill("babyai-exact", "Placement", &layout, &study.results, blocks).unwrap();
            let claims = (layout.claims)(blocks);
            table.caption = tally(&claims);
            table.notes = claims.iter().map(Claim::note).chain(fewer_seeds(&layout, blocks, &study.results)).collect();
            insta::assert_snapshot!(render(&[table], Format::Text));
        });
    }

    #[test]
    fn every_study_has_its_columns_once() {
        let studies = [
            "main",
            "matched",
            "exact",
            "surrogate",
            "volume",
            "heldout",
            "persistence",
            "radius",
            "corruption",
            "tolerance",
            "price",
            "frontier",
            "repeat",
            "best",
        ];
        for study in studies {
            let layout = layout(&format!("babyai-{study}")).unwrap();
            let mut headings: Vec<&str> = layout.columns.iter().map(|column| column.heading).collect();
            headings.sort_unstable();
            assert!(headings.windows(2).all(|pair| pair[0] != pair[1]), "{study} has a column twice: {headings:?}");
            for column in &layout.columns {
                let Show::Pooled(of) = column.show else { continue };
                assert!(headings.contains(&of), "{study} pools over {of}, which is not measured");
            }
            // Without any block there is a table without rows, and nothing is claimed.
            let empty = Results { headings: Vec::new(), arms: Vec::new() };
            assert!(fill("x", "x", &layout, &empty, &[]).unwrap().rows().is_empty());
            assert!(
                (layout.claims)(&[]).iter().all(|claim| claim.verdict == Verdict::Open),
                "{study} claims something"
            );
        }
        assert!(layout("lock").is_none());
    }
}
