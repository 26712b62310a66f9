//! What stands under a table: what its columns mean, how its p values came about, and where a number rests on fewer seeds.

use std::collections::BTreeSet;

use counsel_log::StudySheet;
use counsel_log::study::{Account, ColumnSpec, Rows, Test};

use crate::number::ranges;
use crate::study::family::Member;
use crate::study::finding::Families;
use crate::study::results::{Arm, Results};

/// How differences are taken, under every table that has some.
const PAIRING: &str = "differences are paired by seed; their 95 % Student intervals are each for one difference, not adjusted; \
                       p (Holm) is adjusted over the members of the family that the study declares; in a statement of \
                       equivalence, or of no less or no more, it is the p value of the test against its margin";

/// When a difference is too small.
const RELEVANT: &str = "that something is higher or lower does not hold where the interval lies wholly short of the smallest \
                        difference that matters: the margin of the statement, or 0.02 of a return or a success rate";

/// Under each of several studies.
pub(super) const UNPAIRED: &str = "a seed is another world in every study, even where settings are the same: compare arms within \
                                   a study, never across two";

/// Where a p value rests on the signs of equal differences.
const SIGNS: &str = "where the differences of all seeds are equal, their spread of zero is no evidence: p is then that of the \
                     sign test, 2/2^n, the least that n seeds can say";

pub(super) fn notes(sheet: &StudySheet, results: &Results, families: &Families) -> Vec<String> {
    let account = &sheet.account;
    let mut notes: Vec<String> = meanings(account).into_iter().chain(other_seeds(sheet, results)).collect();
    if !account.table.differences.is_empty() || account.table.rows != Rows::Arms {
        notes.push(PAIRING.to_owned());
    }
    if account.findings.iter().any(|finding| matches!(finding.test, Test::Above(_) | Test::Below(_))) {
        notes.push(RELEVANT.to_owned());
    }
    let partial = families.partial(account, results);
    if !partial.is_empty() {
        let counted = |(name, there, all): &(&str, usize, usize)| format!("{there} of {all} in `{name}`");
        let counts: Vec<String> = partial.iter().map(counted).collect();
        notes.push(format!(
            "Holm's adjustment ran over those members of a family that have values: {}",
            counts.join(", ")
        ));
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

/// The seeds, where they are not those that the study names.
fn other_seeds(sheet: &StudySheet, results: &Results) -> Option<String> {
    let last = sheet.seeds?.checked_sub(1)?;
    let run: BTreeSet<u64> = arms(results).flat_map(|arm| arm.seeds.iter().copied()).collect();
    let is_named = run.first() == Some(&0) && run.last() == Some(&last) && run.len() as u64 == last.saturating_add(1);
    (!is_named).then(|| format!("seeds {} were run; the study names 0..{last}", ranges(&run)))
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
