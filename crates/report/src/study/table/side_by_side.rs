//! One row per block, or per block and measure, with arms beside each other and the differences of the families behind.

use counsel_log::study::{Account, ColumnSpec, Measure};

use super::arms::{leading, name_of};
use super::entry::{mean_difference, measured, of_block, probability};
use super::{TableLayout, rank};
use crate::study::finding::Families;
use crate::study::results::{Block, Results};
use crate::{Column, Entry, Rank};

/// Decimals of a difference.
const DECIMALS: usize = 4;

pub(super) fn layout(
    account: &Account,
    results: &Results,
    families: &Families,
    arms: &[String],
    each: &[Measure],
) -> TableLayout {
    let table = &account.table;
    let mut columns = leading(table, results);
    if !each.is_empty() {
        columns.push(Column::left("measure"));
    }
    columns.push(Column::right("seeds").ranked(Rank::Detail));
    for arm in arms {
        if each.is_empty() {
            columns.extend(table.columns.iter().enumerate().map(|(place, column)| {
                Column::right(format!("{}, {arm}", column.heading())).ranked(rank(place, column.measure))
            }));
        } else {
            columns.push(Column::right(arm).ranked(Rank::Main));
        }
    }
    let pairs = pairs(account);
    for (place, (one, other)) in pairs.iter().enumerate() {
        let difference = format!("{one} minus {other}");
        let rank = if place == 0 { Rank::Main } else { Rank::Next };
        let named = |name: String, rank| Column::right(name).ranked(rank);
        let decides = |column: Column| if place == 0 { column.deciding() } else { column };
        columns.push(decides(named(difference.clone(), rank)));
        columns.push(named(format!("p: {difference}"), Rank::Detail));
        columns.push(decides(named(format!("p (Holm): {difference}"), rank)));
    }
    let mut rows = Vec::new();
    for block in &results.blocks {
        for measure in if each.is_empty() { vec![None] } else { each.iter().map(|m| Some(*m)).collect() } {
            let shown: Vec<ColumnSpec> = measure.map_or_else(|| table.columns.clone(), |measure| vec![plain(measure)]);
            let seeds = seeds(block, arms, measure);
            if seeds == 0 {
                continue;
            }
            let mut row: Vec<Entry> = name_of(block, results).collect();
            row.extend(table.settings.iter().map(|setting| of_block(block, setting)));
            row.extend(measure.map(|measure| Entry::text(measure.to_string())));
            row.push(Entry::count(seeds as u64));
            for arm in arms {
                let entry =
                    |column| block.arm(arm).map_or_else(Entry::not_applicable, |arm| measured(column, block, arm));
                row.extend(shown.iter().map(entry));
            }
            for (one, other) in &pairs {
                let member = families.between(&block.name, measure, [one, other]);
                row.push(
                    member.map_or_else(Entry::not_applicable, |m| mean_difference(&m.paired, m.adjusted, DECIMALS)),
                );
                row.push(probability(member.and_then(|member| member.paired.p_value)));
                row.push(probability(member.and_then(|member| member.adjusted)));
            }
            let traced =
                |entry: Entry| block.arms.iter().fold(entry, |entry, arm| entry.traced(arm.trace(&results.study)));
            rows.push(row.into_iter().map(traced).collect());
        }
    }
    TableLayout { columns, rows }
}

/// A measure as it is declared to be shown.
fn plain(measure: Measure) -> ColumnSpec {
    ColumnSpec { measure, show: None, decimals: None, heading: None, of: None }
}

/// The largest number of seeds of an arm in this row.
fn seeds(block: &Block, arms: &[String], measure: Option<Measure>) -> usize {
    let count = |arm: &String| {
        let arm = block.arm(arm)?;
        Some(measure.map_or(arm.seeds.len(), |measure| arm.measured(measure).len()))
    };
    arms.iter().filter_map(count).max().unwrap_or(0)
}

/// The pairs of all families, each once, in order.
fn pairs(account: &Account) -> Vec<(&str, &str)> {
    let mut pairs = Vec::new();
    for pair in account.families.iter().flat_map(|family| &family.pairs) {
        let sides = pair.baseline.arm().map(|other| (pair.treatment.as_str(), other));
        pairs.extend(sides.filter(|sides| !pairs.contains(sides)));
    }
    pairs
}
