//! From a run's folder to tables.

use counsel_log::study::Rows;
use counsel_log::{Run, StudySheet};

use super::notes::{UNPAIRED, notes};
use super::{TableLayout, arms, held_out, side_by_side};
use crate::study::changed::{Judging, changes};
use crate::study::collect::{Found, Watch, results, studies};
use crate::study::finding::{families, statements};
use crate::study::results::Results;
use crate::study::ruling::{Statement, summary};
use crate::{Error, Table};

/// Under a study that was changed.
const NOT_JUDGED: &str = "It speaks of the study as it stands; this one was changed, so it is not judged here unless --judge asks \
                          for it.";

/// The tables of these studies, or of all that the run holds, in the order of the catalogue. The cells are read on all cores.
pub fn study_tables(
    run: &Run,
    wanted: Option<&[String]>,
    judging: Judging,
    watch: Watch<'_>,
) -> Result<Vec<Table>, Error> {
    let found = studies(run, wanted)?;
    let table = |found: &Found| tabulate(&found.sheet, &results(run, found, watch)?, judging);
    let mut tables = found.iter().map(table).collect::<Result<Vec<_>, Error>>()?;
    tell_apart(tables.iter_mut());
    Ok(tables)
}

/// Says of studies that stand side by side that their seeds are not the same.
pub(in crate::study) fn tell_apart<'a>(tables: impl ExactSizeIterator<Item = &'a mut Table>) {
    if tables.len() > 1 {
        tables.for_each(|table| table.notes.push(UNPAIRED.to_owned()));
    }
}

/// The table of one study.
pub(in crate::study) fn tabulate(sheet: &StudySheet, results: &Results, judging: Judging) -> Result<Table, Error> {
    let account = &sheet.account;
    let families = families(account, results);
    let TableLayout { columns, rows } = match &account.table.rows {
        Rows::Arms => arms::layout(account, results, &families),
        Rows::SideBySide { arms, each } => side_by_side::layout(account, results, &families, arms, each),
        Rows::HeldOut { arm, choices, each } => held_out::layout(account, results, &families, (arm, choices), each),
    };
    let mut table = Table::new(&sheet.id, &sheet.title, columns);
    for row in rows {
        table.push(row)?;
    }
    table.paper_label.clone_from(&sheet.paper_label);
    table.changed = changes(sheet);
    table.emphasis = Some("the paired 95 % interval excludes zero, and p (Holm) is below 0.05".into());
    let judged = if table.changed.is_empty() || judging == Judging::Anyway {
        let statements = statements(account, results, &families);
        table.verdicts = statements.iter().map(Statement::verdict).collect();
        summary(&statements)
    } else {
        NOT_JUDGED.to_owned()
    };
    table.caption = caption(sheet, &judged);
    table.notes = notes(sheet, results, &families);
    Ok(table)
}

/// What the study was to show, where it says so, and how its statements stand.
fn caption(sheet: &StudySheet, summary: &str) -> String {
    let StudySheet { finding, paper_label, .. } = sheet;
    match (finding.is_empty(), paper_label.is_empty()) {
        (true, _) => summary.to_owned(),
        (false, true) => format!("Finding: {finding}. {summary}"),
        (false, false) => format!("Finding ({paper_label}): {finding}. {summary}"),
    }
}
