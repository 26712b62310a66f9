//! What a study found, as rows of entries.
//!
//! Invariant: every row has one entry per column; [`Table::push`] refuses any other.

use serde::Serialize;

use crate::{Column, Entry, Error};

/// One line of a table.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Row {
    /// One per column.
    pub entries: Vec<Entry>,
}

impl Row {
    /// The runs behind the row: those of its entries in order, each group once.
    pub fn runs(&self) -> String {
        self.groups_of_runs().join("; ")
    }

    /// The same one by one.
    pub(crate) fn groups_of_runs(&self) -> Vec<String> {
        let mut runs: Vec<String> = Vec::new();
        for group in self.entries.iter().flat_map(|entry| &entry.trace) {
            if !runs.contains(group) {
                runs.push(group.clone());
            }
        }
        runs
    }
}

impl<C: IntoIterator<Item = Entry>> From<C> for Row {
    fn from(entries: C) -> Self {
        Self { entries: entries.into_iter().collect() }
    }
}

/// A statement of a study, and how it stands on these runs.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Verdict {
    /// What is stated, with the places where it holds and where not.
    pub statement: String,
    /// Of a test: `holds`, `does not hold`, `cannot be told`. Of a description: `observed`, `not observed`, `not measured`. Of
    /// either, where something was not run: `not judged`.
    pub verdict: String,
    /// Whether it is about something that the paper does not claim.
    #[serde(skip)]
    pub beyond: bool,
}

/// A table with its heading, its finding and its notes, all in plain prose.
#[derive(Debug, Clone, PartialEq)]
pub struct Table {
    /// Names the table in file names and cross references: `lock`.
    pub id: String,
    /// One line above the table.
    pub title: String,
    /// The label of the table in the paper that it stands for; empty where it stands for none.
    pub paper_label: String,
    /// What was changed in the study before it was run; empty where it was run as it stands. Every format says it.
    pub changed: Vec<String>,
    /// The finding, and whether it holds.
    pub caption: String,
    /// How each statement of the study stands; they are the first notes.
    pub verdicts: Vec<Verdict>,
    /// What else a reader has to know.
    pub notes: Vec<String>,
    /// What bold entries (starred in a terminal) mean, where that needs saying.
    pub emphasis: Option<String>,
    columns: Vec<Column>,
    rows: Vec<Row>,
}

impl Table {
    /// A table without rows, caption or notes.
    pub fn new(id: impl Into<String>, title: impl Into<String>, columns: impl IntoIterator<Item = Column>) -> Self {
        Self {
            id: id.into(),
            title: title.into(),
            paper_label: String::new(),
            changed: Vec::new(),
            caption: String::new(),
            verdicts: Vec::new(),
            notes: Vec::new(),
            emphasis: None,
            columns: columns.into_iter().collect(),
            rows: Vec::new(),
        }
    }

    /// Adds a row at the end.
    pub fn push(&mut self, row: impl Into<Row>) -> Result<(), Error> {
        let row = row.into();
        if row.entries.len() != self.columns.len() {
            return Err(Error::RowLength {
                table: self.id.clone(),
                row: self.rows.len() + 1,
                found: row.entries.len(),
                columns: self.columns.iter().map(|column| column.name.clone()).collect(),
            });
        }
        self.rows.push(row);
        Ok(())
    }

    /// Whether any entry is bold.
    pub(crate) fn has_bold(&self) -> bool {
        self.rows.iter().flat_map(|row| &row.entries).any(|entry| entry.bold)
    }

    /// The verdicts and the notes.
    pub(crate) fn all_notes(&self) -> impl Iterator<Item = String> {
        let verdicts = self.verdicts.iter().map(|of| format!("{}: {}", of.verdict, of.statement));
        verdicts.chain(self.notes.iter().cloned())
    }

    /// What bold means, where there is any and it needs saying.
    pub(crate) fn note_on_bold(&self) -> Option<String> {
        self.emphasis.as_ref().filter(|_| self.has_bold()).map(|meaning| format!("bold: {meaning}"))
    }

    /// What was changed, in one sentence.
    pub(crate) fn change(&self) -> Option<String> {
        change_in_words(&self.changed)
    }

    /// The same table with these of its columns only, in this order.
    pub(crate) fn with_columns(&self, places: &[usize]) -> Self {
        let narrow = |row: &Row| Row { entries: places.iter().map(|at| row.entries[*at].clone()).collect() };
        Self {
            columns: places.iter().map(|at| self.columns[*at].clone()).collect(),
            rows: self.rows.iter().map(narrow).collect(),
            ..self.clone()
        }
    }

    /// The headings.
    pub fn columns(&self) -> &[Column] {
        &self.columns
    }

    /// The rows, each as wide as the table.
    pub fn rows(&self) -> &[Row] {
        &self.rows
    }
}

/// What was changed, in one sentence; `None` if nothing was.
pub(crate) fn change_in_words(changed: &[String]) -> Option<String> {
    (!changed.is_empty()).then(|| format!("Changed: {}.", changed.join("; ")))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_row_of_another_width_is_refused() {
        let mut table = Table::new("lock", "Lock", [Column::left("arm"), Column::right("n")]);
        assert_eq!(table.push([Entry::text("never"), Entry::count(3)]), Ok(()));
        assert_eq!(
            table.push([Entry::text("never")]).unwrap_err().to_string(),
            "row 2 of table `lock` has 1 entries for 2 column(s) (arm, n); give one entry per column"
        );
        assert_eq!(table.rows().len(), 1);
    }

    #[test]
    fn runs_are_named_once() {
        let row = Row::from([
            Entry::count(1).traced("lock/a/0..3"),
            Entry::count(2).traced("lock/b/0..3").traced("lock/a/0..3"),
        ]);
        assert_eq!(row.runs(), "lock/a/0..3; lock/b/0..3");
    }
}
