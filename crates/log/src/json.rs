//! One decision as a JSON document: which one, how it went in short, and every column of the log under its name.
//!
//! Numbers are at full precision. What a column does not have here is `null`; a number that JSON does not have, such as an
//! infinite radius, is a word.

use serde_json::{Map, Value, json};

use crate::column::{Field, Presence, Row};
use crate::explain::in_short;
use crate::plain::in_words;
use crate::{Decision, Manifest, Origin, Worth, columns, named_worths};

/// The document that explains a decision to a program, as [`explain`](crate::explain) does to a person.
pub fn explain_json(manifest: &Manifest, decision: &Decision) -> String {
    let row = Row::of(&manifest.key, decision);
    let shown = columns().filter(|column| column.presence == Presence::Always || column.field.has_entry(row));
    let known: Map<String, Value> = shown.map(|column| (column.name.to_owned(), entry(&column.field, row))).collect();
    let document = json!({
        "cell": manifest.key.to_string(),
        "step": decision.record.step,
        "in_words": in_words(manifest, decision),
        "in_short": in_short(manifest, decision),
        "gate": manifest.settings.gate.name(),
        "actions": manifest.words,
        "named": named_worths(&decision.record).into_iter().map(named).collect::<Value>(),
        "columns": known,
    });
    format!("{document:#}\n")
}

/// What an action is worth before an answer and once one names it.
fn named(worth: Option<Worth>) -> Value {
    worth.map_or(Value::Null, |Worth { before, credit, after }| {
        json!({ "value_before": real(before), "credit": real(credit), "value_after": real(after) })
    })
}

/// What became known of a decision afterwards: every column of hindsight that has an entry, with its name.
pub fn hindsight_facts(manifest: &Manifest, decision: &Decision) -> Vec<(&'static str, Value)> {
    let row = Row::of(&manifest.key, decision);
    let known = columns().filter(|column| column.origin == Origin::Hindsight);
    known
        .map(|column| (column.name, entry(&column.field, row)))
        .filter(|(_, value)| !value.is_null() && value.as_array().is_none_or(|list| !list.is_empty()))
        .collect()
}

fn entry(field: &Field, row: Row<'_>) -> Value {
    match field {
        Field::Int { write, .. } => json!(write(row)),
        Field::Real { write, .. } => write(row).map_or(Value::Null, real),
        Field::Word { write, .. } | Field::Text { write, .. } => json!(write(row)),
        Field::Ints { write, .. } => json!(filled(write, row)),
        Field::Reals { write, .. } => filled(write, row).into_iter().map(real).collect(),
        Field::Words { write, .. } => json!(filled(write, row)),
    }
}

/// The list that a column has in a row.
pub(crate) fn filled<'a, T>(write: impl Fn(Row<'a>, &mut Vec<T>), row: Row<'a>) -> Vec<T> {
    let mut list = Vec::new();
    write(row, &mut list);
    list
}

fn real(number: f64) -> Value {
    if number.is_finite() { json!(number) } else { json!(format!("{number:?}")) }
}
