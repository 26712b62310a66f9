//! Traces as OpenTelemetry writes them: OTLP/JSON, one document or several after each other.
//!
//! A span with `counsel.decision.base` is one decision. Its attributes are the columns of a log; what the GenAI conventions have a place
//! for is read there too.
//!
//! | column | attribute, the first that is there |
//! |---|---|
//! | `episode` | `counsel.episode`, `gen_ai.conversation.id`, the trace |
//! | `step` | `counsel.step`, the place among the episode's decisions by their start |
//! | `base`, `executed` | `counsel.decision.base`, `counsel.decision.executed` |
//! | `asked` | `counsel.decision.asked`, whether a span `chat` or `invoke_agent` stands below the decision |
//! | `answer`, `p_ask` | `counsel.decision.answer`, `counsel.decision.propensity` |
//! | `price` | `counsel.value.price` |
//! | `reward` | `counsel.outcome.reward`, `gen_ai.evaluation.score.value` of an event `gen_ai.evaluation.result` |
//! | `values`, `law`, `lower`, `upper` | `counsel.values`, `counsel.law`, `counsel.lower`, `counsel.upper` |
//! | `end` | `counsel.episode.end`, the last decision of the episode |
//!
//! The header is the text `counsel.shadow` of a resource. Without one the words are the actions that stand in `base` and `executed`.

use std::collections::{BTreeMap, BTreeSet};
use std::io::BufRead;
use std::path::Path;

use serde::Deserialize;
use serde_json::{Map, Value, json};

use super::RowReader;
use crate::raw::RawRow;
use crate::{Error, LogHeader, RowFault, ShadowLog};

const BASE: &str = "counsel.decision.base";
const EXECUTED: &str = "counsel.decision.executed";
const HEADER: &str = "counsel.shadow";
const RESULT: &str = "gen_ai.evaluation.result";
/// The columns with one attribute each.
const COLUMNS: [(&str, &str); 11] = [
    ("base", BASE),
    ("executed", EXECUTED),
    ("asked", "counsel.decision.asked"),
    ("answer", "counsel.decision.answer"),
    ("p_ask", "counsel.decision.propensity"),
    ("price", "counsel.value.price"),
    ("reward", "counsel.outcome.reward"),
    ("values", "counsel.values"),
    ("law", "counsel.law"),
    ("lower", "counsel.lower"),
    ("upper", "counsel.upper"),
];

/// What is read of a document. Everything else is passed over.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Export {
    resource_spans: Vec<ResourceSpans>,
}

#[derive(Deserialize, Default)]
#[serde(rename_all = "camelCase", default)]
struct ResourceSpans {
    resource: Attributed,
    scope_spans: Vec<ScopeSpans>,
}

#[derive(Deserialize, Default)]
#[serde(default)]
struct ScopeSpans {
    spans: Vec<Span>,
}

#[derive(Deserialize, Default)]
#[serde(default)]
struct Attributed {
    attributes: Vec<Attribute>,
}

#[derive(Deserialize, Default)]
#[serde(rename_all = "camelCase", default)]
struct Span {
    #[serde(rename = "traceId")]
    trace: String,
    #[serde(rename = "spanId")]
    id: String,
    #[serde(rename = "parentSpanId")]
    parent: String,
    /// Nanoseconds since 1970, as text; some writers send a number.
    start_time_unix_nano: Value,
    attributes: Vec<Attribute>,
    events: Vec<Event>,
}

#[derive(Deserialize, Default)]
#[serde(default)]
struct Event {
    name: String,
    attributes: Vec<Attribute>,
}

#[derive(Deserialize)]
struct Attribute {
    key: String,
    #[serde(default)]
    value: Value,
}

/// Whether a text that begins so is a trace and no log of lines.
pub(super) fn begins(text: &[u8]) -> bool {
    let start = text.trim_ascii_start();
    let rest = start.strip_prefix(b"{").map(<[u8]>::trim_ascii_start);
    rest.is_some_and(|rest| rest.starts_with(b"\"resourceSpans\""))
}

/// A decision, as its span has it.
struct Decision {
    episode: Value,
    start: u128,
    columns: Map<String, Value>,
    span: (String, String),
}

pub(super) fn read(path: &Path, file: impl BufRead) -> Result<ShadowLog, Error> {
    let refuse = |reason: String| Error::Header { path: path.into(), reason };
    let (mut header, mut decisions, mut models) = (None, Vec::new(), BTreeSet::new());
    for export in serde_json::Deserializer::from_reader(file).into_iter::<Export>() {
        let export = export.map_err(|error| {
            refuse(format!("it is no OTLP/JSON ({error}); write what an exporter of OpenTelemetry writes, {{\"resourceSpans\":[…]}}"))
        })?;
        for resource in export.resource_spans {
            let told = resource.resource.attributes.into_iter().find(|attribute| attribute.key == HEADER);
            header = header.or(told.and_then(|told| plain(&told.value).as_str().map(str::to_owned)));
            for span in resource.scope_spans.into_iter().flat_map(|scope| scope.spans) {
                take(span, &mut decisions, &mut models);
            }
        }
    }
    if decisions.is_empty() {
        return Err(refuse(format!(
            "no span has {BASE}; set the attributes of docs/CLIENTS.md on the span of each decision"
        )));
    }
    let header = header.unwrap_or_else(|| derived(&decisions));
    let mut reading = RowReader::begin(path, &header)?;
    for (line, row) in rows(decisions, &models).into_iter().enumerate() {
        reading.take(line + 1, apart(line + 1, row));
    }
    reading.finish(Vec::new())
}

/// Sorts a span among the decisions, or notes that a model was asked below its parent.
fn take(span: Span, decisions: &mut Vec<Decision>, models: &mut BTreeSet<(String, String)>) {
    let known: BTreeMap<String, Value> =
        span.attributes.into_iter().map(|attribute| (attribute.key, plain(&attribute.value))).collect();
    if matches!(known.get("gen_ai.operation.name").and_then(Value::as_str), Some("chat" | "invoke_agent")) {
        models.insert((span.trace.clone(), span.parent));
    }
    if !known.contains_key(BASE) {
        return;
    }
    let mut columns = Map::new();
    for (column, attribute) in COLUMNS {
        if let Some(value) = known.get(attribute) {
            columns.insert(column.to_owned(), value.clone());
        }
    }
    for (column, attribute) in [("step", "counsel.step"), ("end", "counsel.episode.end")] {
        if let Some(value) = known.get(attribute) {
            columns.insert(column.to_owned(), value.clone());
        }
    }
    if !columns.contains_key("reward") {
        let judged = span.events.iter().rev().find(|event| event.name == RESULT);
        let score = judged.and_then(|event| event.attributes.iter().find(|a| a.key == "gen_ai.evaluation.score.value"));
        if let Some(score) = score {
            columns.insert("reward".to_owned(), plain(&score.value));
        }
    }
    let episode = ["counsel.episode", "gen_ai.conversation.id"].into_iter().find_map(|name| known.get(name).cloned());
    let start = match &span.start_time_unix_nano {
        Value::String(text) => text.parse().unwrap_or(0),
        other => other.as_u64().map_or(0, u128::from),
    };
    let span = (span.trace, span.id);
    decisions.push(Decision { episode: episode.unwrap_or_else(|| json!(span.0)), start, columns, span });
}

/// The rows of all episodes, each in its order, episodes as they began.
fn rows(mut decisions: Vec<Decision>, models: &BTreeSet<(String, String)>) -> Vec<Map<String, Value>> {
    decisions.sort_by_key(|decision| decision.start);
    let mut places = BTreeMap::new();
    let mut episodes: Vec<Vec<Decision>> = Vec::new();
    for decision in decisions {
        let at = *places.entry(decision.episode.to_string()).or_insert_with(|| {
            episodes.push(Vec::new());
            episodes.len() - 1
        });
        episodes[at].push(decision);
    }
    let mut rows = Vec::new();
    for mut episode in episodes {
        let step = |decision: &Decision| decision.columns.get("step").and_then(Value::as_u64);
        if episode.iter().all(|decision| step(decision).is_some()) {
            episode.sort_by_key(step);
        }
        let says_end = episode.iter().any(|decision| decision.columns.contains_key("end"));
        let last = episode.len() - 1;
        for (place, decision) in episode.into_iter().enumerate() {
            let Decision { episode, mut columns, span, .. } = decision;
            columns.entry("step").or_insert_with(|| json!(place));
            columns.entry("asked").or_insert_with(|| json!(models.contains(&span)));
            if place == last && !says_end {
                columns.insert("end".to_owned(), json!(true));
            }
            columns.insert("episode".to_owned(), episode);
            rows.push(columns);
        }
    }
    rows
}

fn apart(line: usize, columns: Map<String, Value>) -> Result<RawRow, RowFault> {
    let mut row = RawRow::default();
    for (name, value) in columns {
        row.set(line, &name, value)?;
    }
    Ok(row)
}

/// A header with the actions that were proposed or executed, where nobody declared one.
fn derived(decisions: &[Decision]) -> String {
    let named = decisions.iter().flat_map(|decision| ["base", "executed"].map(|column| decision.columns.get(column)));
    let words: BTreeSet<&str> = named.flatten().filter_map(Value::as_str).collect();
    json!({ "format": LogHeader::FORMAT, "words": words }).to_string()
}

/// An attribute's value without the name of its type.
fn plain(value: &Value) -> Value {
    let Some((kind, inner)) = value.as_object().and_then(|typed| typed.iter().next()) else { return Value::Null };
    match (kind.as_str(), inner) {
        // Whole numbers of 64 bits are written as text.
        ("intValue", Value::String(digits)) => digits.parse::<i64>().map_or(Value::Null, Value::from),
        ("arrayValue", list) => list["values"].as_array().map_or(json!([]), |list| list.iter().map(plain).collect()),
        ("stringValue" | "boolValue" | "intValue" | "doubleValue", inner) => inner.clone(),
        _ => Value::Null,
    }
}
