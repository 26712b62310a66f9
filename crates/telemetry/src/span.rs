//! A span and its attributes, as OTLP/JSON has them.

use std::fmt::Write as _;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use counsel_serve::TraceContext;
use serde_json::{Map, Value, json};

/// What kind of work a span is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Work {
    /// Within the process.
    Internal = 1,
    /// A request of a client.
    Server = 2,
    /// A request to somebody else.
    Client = 3,
}

/// Attributes, in the order in which they were given. What is null is left out.
#[derive(Debug, Clone, Default, PartialEq)]
pub(crate) struct Attributes(Vec<Value>);

impl Attributes {
    pub(crate) fn with(mut self, key: &str, value: impl Into<Value>) -> Self {
        self.put(key, value);
        self
    }

    pub(crate) fn put(&mut self, key: &str, value: impl Into<Value>) {
        if let Some(value) = typed(&value.into()) {
            self.0.push(json!({ "key": key, "value": value }));
        }
    }

    pub(crate) fn json(&self) -> Value {
        Value::Array(self.0.clone())
    }
}

/// A value under the name of its type.
fn typed(value: &Value) -> Option<Value> {
    Some(match value {
        Value::Null | Value::Object(_) => return None,
        Value::String(text) => json!({ "stringValue": text }),
        Value::Bool(flag) => json!({ "boolValue": flag }),
        Value::Number(number) if number.is_f64() => json!({ "doubleValue": number }),
        // Whole numbers of 64 bits are written as text.
        Value::Number(number) => json!({ "intValue": number.to_string() }),
        Value::Array(list) => json!({ "arrayValue": { "values": list.iter().filter_map(typed).collect::<Vec<_>>() } }),
    })
}

/// A moment, in nanoseconds since 1970, as text.
pub(crate) fn moment(time: SystemTime) -> String {
    time.duration_since(UNIX_EPOCH).unwrap_or_default().as_nanos().to_string()
}

pub(crate) fn hex(bytes: &[u8]) -> String {
    bytes.iter().fold(String::new(), |mut text, byte| {
        let _ = write!(text, "{byte:02x}");
        text
    })
}

/// A span.
#[derive(Debug, Clone)]
pub(crate) struct Span {
    pub(crate) place: TraceContext,
    pub(crate) name: String,
    pub(crate) work: Work,
    pub(crate) began: SystemTime,
    pub(crate) took: Duration,
    pub(crate) attributes: Attributes,
    pub(crate) events: Vec<Value>,
    pub(crate) has_failed: bool,
}

impl Span {
    pub(crate) fn json(&self) -> Value {
        let Self { place, name, work, began, took, attributes, events, has_failed } = self;
        let mut span = Map::new();
        span.insert("traceId".into(), hex(&place.trace).into());
        span.insert("spanId".into(), hex(&place.span).into());
        if let Some(parent) = place.parent {
            span.insert("parentSpanId".into(), hex(&parent).into());
        }
        span.insert("name".into(), name.as_str().into());
        span.insert("kind".into(), (*work as u8).into());
        span.insert("startTimeUnixNano".into(), moment(*began).into());
        span.insert("endTimeUnixNano".into(), moment(*began + *took).into());
        span.insert("attributes".into(), attributes.json());
        if !events.is_empty() {
            span.insert("events".into(), events.clone().into());
        }
        span.insert("status".into(), if *has_failed { json!({ "code": 2 }) } else { json!({}) });
        Value::Object(span)
    }
}
