//! What a study found, as rows of entries.
//!
//! Invariant: every row has one entry per column; [`Table::push`] refuses any other.

use serde::Serialize;

use crate::{Entry, Error};

/// On which side the entries of a column are flush.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Align {
    /// For words.
    Left,
    /// For numbers.
    Right,
}

/// The heading of a column.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Column {
    /// The quantity, as it is called in logs and in CSV headers.
    pub name: String,
    /// On which side its entries are flush.
    pub align: Align,
}

impl Column {
    /// A column of words.
    pub fn left(name: impl Into<String>) -> Self {
        Self { name: name.into(), align: Align::Left }
    }

    /// A column of numbers.
    pub fn right(name: impl Into<String>) -> Self {
        Self { name: name.into(), align: Align::Right }
    }
}

/// One line of a table.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Row {
    /// One per column.
    pub entries: Vec<Entry>,
}

impl Row {
    /// The runs behind the row: those of its entries in order, each group once.
    pub fn runs(&self) -> String {
        let mut runs: Vec<&str> = Vec::new();
        for group in self.entries.iter().flat_map(|entry| &entry.trace) {
            if !runs.contains(&group.as_str()) {
                runs.push(group);
            }
        }
        runs.join("; ")
    }
}

impl<C: IntoIterator<Item = Entry>> From<C> for Row {
    fn from(entries: C) -> Self {
        Self { entries: entries.into_iter().collect() }
    }
}

/// A table with its heading, its finding and its notes, all in plain prose.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Table {
    /// Names the table in file names and cross references: `lock`.
    pub id: String,
    /// One line above the table.
    pub title: String,
    /// The finding, and whether it holds.
    pub caption: String,
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
            caption: String::new(),
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

    /// The notes, and what bold means where there is any.
    pub(crate) fn all_notes(&self) -> impl Iterator<Item = String> {
        let bold = self.emphasis.as_ref().filter(|_| self.has_bold()).map(|meaning| format!("bold: {meaning}"));
        self.notes.iter().cloned().chain(bold)
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
