//! The table of a study: one engine for all of them, with three layouts of rows.

mod arms;
mod entry;
mod held_out;
mod notes;
mod side_by_side;
mod tabulate;

pub use tabulate::study_tables;

use crate::{Column, Entry};

/// The headings and rows of a table, each entry with the runs behind it.
struct Layout {
    columns: Vec<Column>,
    rows: Vec<Vec<Entry>>,
}
