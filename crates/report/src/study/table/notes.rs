//! What stands under a table: the statements, what its columns mean, and where a number rests on fewer seeds.

use counsel_log::study::{Account, ColumnSpec, Rows};

use crate::study::results::{Arm, Results};
use crate::study::ruling::Statement;

/// How differences are taken, under every table that has some.
const PAIRING: &str = "differences are paired by seed with 95 % Student intervals; p (Holm) is adjusted over the family \
                       that the study declares, in all its blocks; in a statement with a margin it is the p value of the \
                       test against that margin";

pub(super) fn notes(account: &Account, results: &Results, statements: &[Statement]) -> Vec<String> {
    let mut notes: Vec<String> = statements.iter().map(Statement::note).collect();
    notes.extend(meanings(account));
    if !account.table.differences.is_empty() || account.table.rows != Rows::Arms {
        notes.push(PAIRING.to_owned());
    }
    notes.extend(account.table.remarks.iter().cloned());
    notes.extend(incomplete(results));
    if account.table.rows == Rows::Arms {
        notes.extend(fewer_seeds(account, results));
    }
    notes
}

/// What the measured columns mean, each measure under the first heading that it has.
fn meanings(account: &Account) -> Option<String> {
    let columns = &account.table.columns;
    let is_first = |(place, column): &(usize, &ColumnSpec)| {
        !columns[..*place].iter().any(|earlier| earlier.measure == column.measure)
    };
    let meaning = |(_, column): (usize, &ColumnSpec)| format!("{}: {}", column.heading(), column.measure.meaning());
    let told: Vec<String> = columns.iter().enumerate().filter(is_first).map(meaning).collect();
    (!told.is_empty()).then(|| told.join("; "))
}

fn arms(results: &Results) -> impl Iterator<Item = &Arm> {
    results.blocks.iter().flat_map(|block| &block.arms)
}

/// The arms that lack seeds which others have.
fn incomplete(results: &Results) -> Option<String> {
    let most = arms(results).map(|arm| arm.seeds.len()).max().unwrap_or(0);
    let lacking: Vec<String> = arms(results)
        .filter(|arm| arm.seeds.len() < most)
        .map(|arm| format!("{} ({} of {most})", arm.folder, arm.seeds.len()))
        .collect();
    (!lacking.is_empty()).then(|| format!("incomplete arms, with their seeds: {}", lacking.join(", ")))
}

/// Where a number rests on fewer seeds than its row: a rate has no value on a seed that made no call. Columns that lack the
/// same seeds share a note.
fn fewer_seeds(account: &Account, results: &Results) -> Vec<String> {
    let mut partial: Vec<(String, Vec<String>)> = Vec::new();
    for column in &account.table.columns {
        let lacking: Vec<String> = arms(results)
            .map(|arm| (arm, arm.measured(column.measure).len()))
            .filter(|(arm, count)| 0 < *count && *count < arm.seeds.len())
            .map(|(arm, count)| format!("{} ({count} of {})", arm.folder, arm.seeds.len()))
            .collect();
        let lacking = lacking.join(", ");
        match partial.iter_mut().find(|(known, _)| *known == lacking) {
            _ if lacking.is_empty() => {}
            Some((_, headings)) => headings.push(column.heading()),
            None => partial.push((lacking, vec![column.heading()])),
        }
    }
    partial.into_iter().map(|(arms, of)| format!("not on all seeds: {}, in {arms}", of.join("; "))).collect()
}
