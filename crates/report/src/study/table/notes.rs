//! What stands under a table: what its columns mean, how its p values came about, and where a number rests on fewer seeds.

use counsel_log::study::{Account, ColumnSpec, Rows};

use crate::study::family::Member;
use crate::study::finding::Families;
use crate::study::results::{Arm, Results};

/// How differences are taken, under every table that has some.
const PAIRING: &str = "differences are paired by seed with 95 % Student intervals; p (Holm) is adjusted over the family \
                       that the study declares, in all its blocks; in a statement with a margin it is the p value of the \
                       test against that margin";

/// Where a p value rests on the signs of equal differences.
const SIGNS: &str = "where the differences of all seeds are equal, their spread of zero is no evidence: p is then that of the \
                     sign test, 2/2^n, the least that n seeds can say";

pub(super) fn notes(account: &Account, results: &Results, families: &Families) -> Vec<String> {
    let mut notes: Vec<String> = meanings(account).into_iter().collect();
    if !account.table.differences.is_empty() || account.table.rows != Rows::Arms {
        notes.push(PAIRING.to_owned());
    }
    let rests_on_signs = |member: &Member| member.paired.equal_differences && member.paired.mean_difference != 0.0;
    notes.extend(families.find(rests_on_signs).map(|_| SIGNS.to_owned()));
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
