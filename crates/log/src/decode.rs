//! Decisions from the bytes of a log. Every declared column must be there, except those that a
//! log has where they are used, and every row must belong to the cell.

use std::path::Path;

use crate::column::{Field, LogColumn, Read, columns};
use crate::draft::Draft;
use crate::values::Values;
use crate::{CellKey, Decision, Frame};

/// The decisions of a cell from the bytes of its log.
pub fn decode(key: &CellKey, bytes: Vec<u8>) -> Result<Vec<Decision>, String> {
    let frame = Frame::open(bytes, Path::new(""))?;
    let read = |(place, column)| frame.values(place, column).map(|values| (column, values)).map_err(Clone::clone);
    let columns: Vec<(&LogColumn, &Values)> = columns().enumerate().map(read).collect::<Result<_, _>>()?;
    let (blank, mut words) = (Draft::of(key)?, Vec::new());
    let mut decision = |row: usize| {
        let mut draft = blank.clone();
        for (column, values) in &columns {
            read_entry(&column.field, values, row, &mut draft, &mut words)
                .map_err(|reason| format!("column {} {reason}", column.name))?;
        }
        draft.finish()
    };
    (0..frame.rows()).map(|row| decision(row).map_err(|reason| format!("row {row}: {reason}"))).collect()
}

/// Puts one entry into the draft. The list of words is lent from row to row.
fn read_entry<'a>(
    field: &Field,
    values: &'a Values,
    row: usize,
    draft: &mut Draft<'_>,
    words: &mut Vec<&'a str>,
) -> Read {
    match (field, values) {
        (Field::Int { read, .. }, Values::Ints(values)) => read(draft, values[row]),
        (Field::Real { read, .. }, Values::Reals(values)) => read(draft, values[row]),
        (Field::Word { read, .. } | Field::Text { read, .. }, Values::Words(values)) => read(draft, values.row(row)),
        (Field::Ints { read, .. }, Values::IntLists(values)) => read(draft, values.row(row)),
        (Field::Reals { read, .. }, Values::RealLists(values)) => read(draft, values.row(row)),
        (Field::Words { read, .. }, Values::WordLists(values)) => {
            words.clear();
            words.extend(values.row(row));
            read(draft, words)
        }
        _ => Err("has an unexpected type".into()),
    }
}
