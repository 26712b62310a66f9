//! What is wrong with one row of a log: where, which value, and what to write instead.

use std::fmt::{self, Display, Formatter};

use counsel_file::Printable;

/// A row that cannot be taken.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RowFault {
    /// The line of the file, from 1; of a Parquet file the row, from 1.
    pub line: usize,
    /// The column.
    pub column: &'static str,
    /// What stands there.
    pub found: String,
    /// What to write instead.
    pub remedy: String,
}

impl RowFault {
    pub(crate) fn new(line: usize, column: &'static str, found: impl Display, remedy: impl Into<String>) -> Self {
        Self { line, column, found: found.to_string(), remedy: remedy.into() }
    }
}

impl Display for RowFault {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let Self { line, column, found, remedy } = self;
        write!(f, "line {line}: {column} is {}; {remedy}", Printable(found))
    }
}
