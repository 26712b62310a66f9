//! Tables as comma-separated values: one line per row, numbers at full precision.
//!
//! A column with an interval becomes two, `<name>` and `<name>_half_width`. `NotApplicable` is an empty field,
//! `NotLogged` is `not logged`. A column `runs` names the runs behind the row. Where the study was changed, a last column
//! `changed` says so on every line.

use crate::number::exact;
use crate::{Content, Row, Table, Traces};

/// Whether each line says which table it belongs to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Origin {
    /// A first column `table` holds the id.
    Named,
    /// There is only one table.
    Implied,
}

pub(crate) fn block(table: &Table, traces: Traces, origin: Origin) -> String {
    let with_half_width: Vec<bool> =
        (0..table.columns().len()).map(|at| table.rows().iter().any(|row| is_interval(row, at))).collect();

    let mut header = Vec::new();
    if origin == Origin::Named {
        header.push("table".to_owned());
    }
    for (column, &has_half_width) in table.columns().iter().zip(&with_half_width) {
        header.push(column.name.clone());
        if has_half_width {
            header.push(format!("{}_half_width", column.name));
        }
    }
    if traces == Traces::Shown {
        header.push("runs".to_owned());
    }
    header.extend((!table.changed.is_empty()).then(|| "changed".to_owned()));

    let mut lines = vec![header];
    for row in table.rows() {
        let mut fields = Vec::new();
        if origin == Origin::Named {
            fields.push(table.id.clone());
        }
        for (entry, &has_half_width) in row.entries.iter().zip(&with_half_width) {
            let (value, half_width) = source(&entry.content);
            fields.push(value);
            if has_half_width {
                fields.push(half_width);
            }
        }
        if traces == Traces::Shown {
            fields.push(row.runs());
        }
        fields.extend((!table.changed.is_empty()).then(|| table.changed.join("; ")));
        lines.push(fields);
    }
    lines.iter().map(|fields| line(fields)).collect()
}

fn is_interval(row: &Row, at: usize) -> bool {
    matches!(row.entries[at].content, Content::Interval { .. })
}

/// A entry as its field, and the field for its half width.
fn source(content: &Content) -> (String, String) {
    match content {
        Content::Text { text } => (text.clone(), String::new()),
        Content::Number { value, .. } => (exact(*value), String::new()),
        Content::Interval { mean, half_width, .. } => (exact(*mean), exact(*half_width)),
        Content::PValue { p } => (exact(*p), String::new()),
        Content::NotApplicable => (String::new(), String::new()),
        Content::Count { .. } | Content::Fraction { .. } | Content::NotLogged => (content.plain(), String::new()),
    }
}

/// One line, quoted where a reader would otherwise split or drop it.
pub(crate) fn line(fields: &[String]) -> String {
    let quoted = |field: &String| {
        let lone_and_empty = fields.len() == 1 && field.is_empty();
        if lone_and_empty || field.contains([',', '"', '\n', '\r']) || field.trim() != field {
            format!("\"{}\"", field.replace('"', "\"\""))
        } else {
            field.clone()
        }
    };
    fields.iter().map(quoted).collect::<Vec<_>>().join(",") + "\n"
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn a_csv_reader_gets_every_field_back(fields in prop::collection::vec(any::<String>(), 1..5)) {
            let text = line(&fields);
            let mut reader = csv::ReaderBuilder::new().has_headers(false).from_reader(text.as_bytes());
            let records: Vec<csv::StringRecord> = reader.records().collect::<Result<_, _>>().unwrap();
            prop_assert_eq!(records.len(), 1);
            prop_assert_eq!(records[0].iter().collect::<Vec<_>>(), fields);
        }
    }
}
