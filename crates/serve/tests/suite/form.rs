//! Whether a value has the form of a schema, and what a document refers to. The tests of the broker use it, too.

use serde_json::{Value, json};

/// Why a value does not have the form of a schema, if it does not. As much of JSON Schema as the document uses.
pub(crate) fn refusal(document: &Value, schema: &Value, value: &Value, at: &str) -> Option<String> {
    if let Some(reference) = schema["$ref"].as_str() {
        let target =
            document.pointer(reference.trim_start_matches('#')).unwrap_or_else(|| panic!("{reference} leads nowhere"));
        return refusal(document, target, value, at);
    }
    if let Some(words) = schema["enum"].as_array() {
        return (!words.contains(value)).then(|| format!("{at}: {value} is none of {words:?}"));
    }
    let kinds: Vec<&str> = match &schema["type"] {
        Value::String(kind) => vec![kind],
        Value::Array(kinds) => kinds.iter().filter_map(Value::as_str).collect(),
        _ => return Some(format!("{at}: the schema has no type")),
    };
    let is = |kind: &&str| match *kind {
        "object" => value.is_object(),
        "array" => value.is_array(),
        "string" => value.is_string(),
        "integer" => value.is_i64() || value.is_u64(),
        "number" => value.is_number(),
        "boolean" => value.is_boolean(),
        "null" => value.is_null(),
        _ => false,
    };
    if !kinds.iter().any(is) {
        return Some(format!("{at}: {value} is no {kinds:?}"));
    }
    if let Some(entries) = value.as_array() {
        return entries
            .iter()
            .enumerate()
            .find_map(|(place, entry)| refusal(document, &schema["items"], entry, &format!("{at}[{place}]")));
    }
    let fields = value.as_object()?;
    let missing = schema["required"]
        .as_array()
        .into_iter()
        .flatten()
        .filter_map(Value::as_str)
        .find(|name| !fields.contains_key(*name));
    if let Some(missing) = missing {
        return Some(format!("{at}: {missing} is missing"));
    }
    fields.iter().find_map(|(name, value)| match schema["properties"].get(name) {
        Some(schema) => refusal(document, schema, value, &format!("{at}.{name}")),
        None => (schema["additionalProperties"] == json!(false)).then(|| format!("{at}: {name} is not stated")),
    })
}

fn references(value: &Value, found: &mut Vec<String>) {
    match value {
        Value::Object(fields) => {
            found.extend(fields.get("$ref").and_then(Value::as_str).map(str::to_owned));
            fields.values().for_each(|value| references(value, found));
        }
        Value::Array(entries) => entries.iter().for_each(|value| references(value, found)),
        _ => {}
    }
}

/// Whether every reference of a document leads somewhere; how many there are.
pub(crate) fn references_lead_somewhere(document: &Value) -> usize {
    let mut found = Vec::new();
    references(document, &mut found);
    for reference in &found {
        assert!(document.pointer(reference.trim_start_matches('#')).is_some(), "{reference} leads nowhere");
    }
    found.len()
}
