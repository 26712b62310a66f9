//! One row per block and arm: its settings, its measures, and its differences from other arms.

use counsel_log::study::{Account, Difference, TableSpec};
use counsel_stats::{Bootstrap, PairedComparison};

use super::entry::{mean_difference, measured, probability, setting};
use super::{TableLayout, rank};
use crate::study::finding::Families;
use crate::study::results::{Arm, Block, Results, difference, said};
use crate::{Column, Entry, Rank};

pub(super) fn layout(account: &Account, results: &Results, families: &Families) -> TableLayout {
    let table = &account.table;
    let mut columns = leading(table, results);
    columns.extend([Column::left("arm"), Column::right("seeds").ranked(Rank::Detail)]);
    columns.extend(
        table
            .columns
            .iter()
            .enumerate()
            .map(|(place, column)| Column::right(column.heading()).ranked(rank(place, column.measure))),
    );
    columns.extend(table.differences.iter().enumerate().flat_map(|(place, column)| headings(place, column)));
    let mut rows = Vec::new();
    for block in &results.blocks {
        for arm in &block.arms {
            // A setting that the arm changes for itself, such as its advisor, is the arm's; otherwise it is the block's.
            let of = |column| said(&arm.spec, column).or_else(|| block.setting(column));
            let mut row: Vec<Entry> = name_of(block, results).collect();
            row.extend(table.settings.iter().map(|column| setting(of(column))));
            row.extend([Entry::text(arm.name.clone()), Entry::count(arm.seeds.len() as u64)]);
            row.extend(table.columns.iter().map(|column| measured(column, block, arm)));
            for (place, column) in table.differences.iter().enumerate() {
                row.extend(entries(place, column, block, arm, families));
            }
            let trace = arm.trace(&results.study);
            rows.push(row.into_iter().map(|entry| entry.traced(trace.clone())).collect());
        }
    }
    TableLayout { columns, rows }
}

/// The columns that say the block of a row: its name, where rows say it, and the leading settings.
pub(super) fn leading(table: &TableSpec, results: &Results) -> Vec<Column> {
    let name = results.are_blocks_named().then(|| Column::left("block"));
    name.into_iter().chain(table.settings.iter().map(|setting| Column::left(setting.heading()))).collect()
}

/// The name of a block, where rows say it.
pub(super) fn name_of(block: &Block, results: &Results) -> impl Iterator<Item = Entry> {
    results.are_blocks_named().then(|| Entry::text(block.name.clone())).into_iter()
}

/// The headings of a difference, its p value and that after Holm's adjustment. The first difference of a table also has a
/// BCa interval, and is spared its full name on each heading.
fn headings(place: usize, column: &Difference) -> Vec<Column> {
    let measure = column.measure;
    let heading = match (&column.minus, &column.from, &column.against) {
        (Some(minus), _, _) => format!("{measure} minus {minus}"),
        (_, Some(from), _) => format!("{measure} of {from} minus arm"),
        (_, _, Some(against)) => format!("{measure} minus {against}"),
        (None, None, None) => measure.to_string(),
    };
    let rank = if place == 0 { Rank::Main } else { Rank::Next };
    let column = |name: String, rank| Column::right(name).ranked(rank);
    let rest = if place == 0 {
        let detail = |name: &str| column(name.to_owned(), Rank::Detail);
        let adjusted = column("p (Holm)".to_owned(), rank).deciding();
        vec![detail("BCa low"), detail("BCa high").joined(), detail("p"), adjusted]
    } else {
        vec![column(format!("p: {heading}"), Rank::Detail), column(format!("p (Holm): {heading}"), rank)]
    };
    let difference = column(heading, rank);
    [if place == 0 { difference.deciding() } else { difference }].into_iter().chain(rest).collect()
}

/// What is subtracted from what on the row of an arm: the arm and the one that is subtracted, or nothing for zero.
fn sides<'a>(column: &'a Difference, arm: &'a str) -> Option<(&'a str, Option<&'a str>)> {
    match (&column.minus, &column.from) {
        (Some(minus), _) => (arm != minus).then_some((arm, Some(minus))),
        (_, Some(from)) => (arm != from).then_some((from, Some(arm))),
        (None, None) if column.pairs.is_empty() => Some((arm, None)),
        (None, None) => {
            let pair = column.pairs.iter().find(|[one, _]| one == arm);
            pair.map(|[one, other]| (one.as_str(), Some(other.as_str())))
        }
    }
}

fn entries(place: usize, column: &Difference, block: &Block, arm: &Arm, families: &Families) -> Vec<Entry> {
    let nothing = || vec![Entry::not_applicable(); headings(place, column).len()];
    let Some((one, other)) = sides(column, &arm.name) else { return nothing() };
    let by_seed = |name: &str| block.arm(name).map(|arm| arm.by_seed(column.measure)).unwrap_or_default();
    let differences = match other {
        Some(other) => difference(&by_seed(one), &by_seed(other)),
        None => by_seed(one),
    };
    let differences: Vec<f64> = differences.into_values().collect();
    let Ok(paired) = PairedComparison::from_differences(&differences, &Bootstrap::seeded(0)) else { return nothing() };
    let member = families.between(&block.name, Some(column.measure), [one, other.unwrap_or_default()]);
    let adjusted = member.and_then(|member| member.adjusted);
    let mut entries = vec![mean_difference(&paired, adjusted, column.decimals)];
    if place == 0 {
        let end = |end: f64| Entry::number(end, column.decimals);
        let ends = paired.bca_interval.map(|interval| [end(interval.low), end(interval.high)]);
        entries.extend(ends.unwrap_or_else(|| [Entry::not_applicable(), Entry::not_applicable()]));
    }
    entries.extend([probability(paired.p_value), probability(adjusted)]);
    entries
}
