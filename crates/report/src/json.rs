//! Tables as one JSON document: `{"tables": [...]}`, numbers at full precision.
//!
//! A row has its `entries` by column name, and its `runs`. An entry is a string, a number, `{"mean", "half_width"}`,
//! `{"covered", "total"}`, `null` where the quantity does not exist, and `"not logged"` where the logs do not hold it. JSON has
//! no infinity, so such a number is the string `"inf"` or `"-inf"`, as in CSV.

use serde::Serialize;
use serde::ser::{SerializeMap, Serializer};
use serde_json::{Value, json};

use crate::number::exact;
use crate::table::Verdict;
use crate::{Column, Content, Row, Table};

/// The whole document; what every page of it holds is [`JsonTable`].
#[derive(Serialize)]
struct Document<'a> {
    tables: Vec<JsonTable<'a>>,
}

/// One table.
#[derive(Serialize)]
struct JsonTable<'a> {
    id: &'a str,
    title: &'a str,
    changed: &'a [String],
    caption: &'a str,
    verdicts: &'a [Verdict],
    columns: &'a [Column],
    rows: Vec<JsonRow<'a>>,
    notes: &'a [String],
}

/// One row.
#[derive(Serialize)]
struct JsonRow<'a> {
    entries: Entries<'a>,
    runs: Vec<String>,
}

/// The entries of a row by column name, in the order of the table.
struct Entries<'a>(&'a Table, &'a Row);

impl Serialize for Entries<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(Some(self.1.entries.len()))?;
        for (column, entry) in self.0.columns().iter().zip(&self.1.entries) {
            map.serialize_entry(&column.name, &value(&entry.content))?;
        }
        map.end()
    }
}

pub(crate) fn document(tables: &[Table]) -> String {
    pretty(&Document { tables: tables.iter().map(page).collect() })
}

fn page(table: &Table) -> JsonTable<'_> {
    let line = |row| JsonRow { entries: Entries(table, row), runs: Row::groups_of_runs(row) };
    JsonTable {
        id: &table.id,
        title: &table.title,
        changed: &table.changed,
        caption: &table.caption,
        verdicts: &table.verdicts,
        columns: table.columns(),
        rows: table.rows().iter().map(line).collect(),
        notes: &table.notes,
    }
}

/// A document on lines, with one at its end.
pub(crate) fn pretty(document: &impl Serialize) -> String {
    // Maps have string keys and numbers are finite or words, so nothing here can fail.
    serde_json::to_string_pretty(document).unwrap_or_default() + "\n"
}

fn value(content: &Content) -> Value {
    match content {
        Content::Text { text } => json!(text),
        Content::Number { value, .. } => number(*value),
        Content::Interval { mean, half_width, .. } => {
            json!({ "mean": number(*mean), "half_width": number(*half_width) })
        }
        Content::Count { count } => json!(count),
        Content::Fraction { covered, total } => json!({ "covered": covered, "total": total }),
        Content::PValue { p } => number(*p),
        Content::NotLogged => json!("not logged"),
        Content::NotApplicable => Value::Null,
    }
}

/// A number, or the word for one that JSON does not have.
fn number(value: f64) -> Value {
    if value.is_finite() { json!(value) } else { json!(exact(value)) }
}
